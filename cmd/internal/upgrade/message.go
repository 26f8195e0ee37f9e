package upgrade

import (
	"encoding/json"
	"fmt"

	"muster/cmd/internal/worldspec"
	"muster/net/replication/recording"
)

// An Ask is what the verb asks processes of a realm, as JSON on remote.Upgrade.
type Ask struct {
	ID   uint64 `json:"id"` // of the question: it is repeated until it is answered
	Do   string `json:"do"`
	Map  uint32 `json:"map"`            // AskGive
	From string `json:"from,omitempty"` // the process that is to do it
	To   string `json:"to,omitempty"`   // AskGive: the process that is to have the world
}

// What is asked.
const (
	AskPlan  = "plan"  // of all: what they are
	AskGive  = "give"  // of the process that has a world: to hand it over
	askDrain = "drain" // of a gateway: to close its players, which are to log in again, and to end
)

// An Answer is what a process answers, as JSON on remote.Upgraded: a worker for each of its maps.
type Answer struct {
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

	Tick    uint64 `json:"tick,omitempty"`     // AskGive: after which the world was handed over
	PauseMs int64  `json:"pause_ms,omitempty"` // and for how long it stood still
}

// The roles of those that answer, and what a worker is to a world.
const (
	RoleWorker  = "worker"
	roleGateway = "gateway"

	StateHas     = "has"     // it steps the world
	StateFollows = "follows" // it is a standby
	StateWaits   = "waits"   // it is a successor, of another release or with other settings
)

// maxMessage bounds a message, in bytes.
const maxMessage = 4096

// Read reads a message. It is not ok if it is none.
func Read[T any](b []byte) (m T, ok bool) {
	return m, len(b) <= maxMessage && json.Unmarshal(b, &m) == nil
}

// SettingsOf are what a log says of the settings of a world that an upgrade may change.
func SettingsOf(h *recording.Header) string {
	return fmt.Sprintf("--rate-xp %v --death-reclaim %s --strikes %d", h.XPRate, h.Reclaim, h.Strikes)
}

// OtherWorld names a setting that no upgrade can change and in which two headers differ, "" if there is none.
func OtherWorld(a, b *recording.Header) string {
	was := *a
	was.Release, was.Toolchain, was.Strikes, was.Reclaim, was.XPRate, was.Parts, was.Segment = b.Release, b.Toolchain, b.Strikes, b.Reclaim, b.XPRate, b.Parts, b.Segment
	return worldspec.OtherSetting(&was, b)
}
