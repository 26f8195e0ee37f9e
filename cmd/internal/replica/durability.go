package replica

import (
	"errors"
	"fmt"
	"time"

	"muster/cmd/internal/worldspec"
)

// Durability are of worlds that are kept in a stream.
type Durability struct {
	Durable       string        `default:"characters" enum:"characters,world" placeholder:"WHAT" help:"What goes on after a kill -9: characters, or the world too, from a log in JetStream that another worker continues where this one ended: characters or world (${default})."`
	Standby       bool          `help:"With --durable world: follow worlds that other workers have, one step behind, and go on with them when those end or are silent for 500ms."`
	Successor     bool          `help:"With --durable world: wait for worlds that workers of another release, or with other settings, have, until muster ctl cluster upgrade has them handed over; then as without it."`
	Replicas      int           `default:"1" enum:"1,3" placeholder:"N" help:"With --durable world: how many servers of NATS have the log, 1 or 3, when it is made (${default})."`
	Storage       string        `default:"file" enum:"file,memory" placeholder:"WHERE" help:"With --durable world: where these keep it, when it is made: file or memory (${default})."`
	SnapshotEvery time.Duration `default:"30s" placeholder:"D" help:"With --durable world: time of a world between two snapshots of it, from which on its log is run again (${default})."`
	Anew          bool          `help:"With --durable world: remove the log of each map, and begin its world anew. No other worker may have the map."`
}

// Check refuses what no log can be made with.
func (f *Durability) Check(worlds *worldspec.Settings) error {
	switch {
	case f.Durable != "world" && (f.Anew || f.Standby || f.Successor):
		return errors.New("--standby, --successor and --anew need --durable world")
	case f.Anew && (f.Standby || f.Successor):
		return errors.New("--standby or --successor, and --anew, exclude each other: neither begins a world")
	case f.Durable == "world" && worlds.Record != "":
		return errors.New("--durable world and --record exclude each other: the log is a recording")
	case f.SnapshotEvery < time.Second || f.SnapshotEvery > time.Hour:
		return fmt.Errorf("--snapshot-every is from 1s to 1h, not %v", f.SnapshotEvery)
	}
	return nil
}
