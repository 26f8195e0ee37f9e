package realm

import (
	"muster/cmd/internal/storesnapshot"
	"muster/net/ops/control"
	"muster/net/ops/page"
)

// ListedOperations are the operations of the OpenAPI document that package control does not serve.
func ListedOperations() []control.Operation {
	return []control.Operation{
		control.Listed[control.Nothing, page.Dial]("clock", "GET", "/api/clock", "how the clock runs"),
		control.Listed[page.Order, page.Turned]("turnClock", "POST", "/api/clock", "have a virtual clock run, stop, or take steps"),
		control.Listed[control.Nothing, snapshots]("snapshots", "GET", "/api/world/snapshots", "the snapshots of accounts and characters"),
		control.Listed[snapshotOrder, storesnapshot.Snapshot]("takeSnapshot", "POST", "/api/world/snapshot", "take one, while no player is in a world"),
		control.Listed[snapshotPath, control.Nothing]("deleteSnapshot", "DELETE", "/api/world/snapshots/{name}", "forget a snapshot"),
		control.Listed[resetOrder, resetDone]("reset", "POST", "/api/world/reset", "close all sessions, and have the world begin anew"),
	}
}

// A snapshotPath names a snapshot.
type snapshotPath struct {
	Name string `json:"name" in:"path" doc:"its name"`
}
