package main

import (
	"encoding/json"
	"fmt"

	"muster/net/replication/recording"
)

// An upgradeAsk is what the verb asks processes of a realm, as JSON on remote.Upgrade.
type upgradeAsk struct {
	ID   uint64 `json:"id"` // of the question: it is repeated until it is answered
	Do   string `json:"do"`
	Map  uint32 `json:"map"`            // askGive
	From string `json:"from,omitempty"` // the process that is to do it
	To   string `json:"to,omitempty"`   // askGive: the process that is to have the world
}

// What is asked.
const (
	askPlan  = "plan"  // of all: what they are
	askGive  = "give"  // of the process that has a world: to hand it over
	askDrain = "drain" // of a gateway: to close its players, who are to log in again, and to end
)

// An upgradeAnswer is what a process answers, as JSON on remote.Upgraded: a worker for each of its maps.
type upgradeAnswer struct {
	ID       uint64 `json:"id"`
	Do       string `json:"do"`
	Role     string `json:"role"`
	Process  string `json:"process"`
	Release  string `json:"release"`            // of the program; of a world that it has, as its log says
	Settings string `json:"settings,omitempty"` // of a world
	Made     uint64 `json:"made,omitempty"`     // what its worlds are made of
	Bus      int    `json:"bus"`                // remote.Version of it
	Map      uint32 `json:"map"`
	State    string `json:"state,omitempty"`
	Gateway  uint32 `json:"gateway,omitempty"`
	Players  int    `json:"players,omitempty"`
	Why      string `json:"why,omitempty"` // it is not done, or a successor cannot have the world

	Tick    uint64 `json:"tick,omitempty"`     // askGive: after which the world was handed over
	PauseMs int64  `json:"pause_ms,omitempty"` // and for how long it stood still
}

// The roles of those that answer, and what a worker is to a world.
const (
	roleWorker  = "worker"
	roleGateway = "gateway"

	stateHas     = "has"     // it steps the world
	stateFollows = "follows" // it is a standby
	stateWaits   = "waits"   // it is a successor, of another release or with other settings
)

// maxUpgradeMessage bounds a message, in bytes.
const maxUpgradeMessage = 4096

// readUpgrade reads a message. It is not ok if it is none.
func readUpgrade[T any](b []byte) (m T, ok bool) {
	return m, len(b) <= maxUpgradeMessage && json.Unmarshal(b, &m) == nil
}

// worldSettings are what a log says of the settings of a world that an upgrade may change.
func worldSettings(h *recording.Header) string {
	return fmt.Sprintf("--rate-xp %v --death-reclaim %s --strikes %d", h.XPRate, h.Reclaim, h.Strikes)
}

// otherWorld names a setting that no upgrade can change and in which two headers differ, "" if there is none.
func otherWorld(a, b *recording.Header) string {
	was := *a
	was.Release, was.Toolchain, was.Strikes, was.Reclaim, was.XPRate, was.Parts, was.Segment = b.Release, b.Toolchain, b.Strikes, b.Reclaim, b.XPRate, b.Parts, b.Segment
	return otherSetting(&was, b)
}
