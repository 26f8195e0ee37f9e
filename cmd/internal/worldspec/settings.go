// Package worldspec says what a world is made of, and makes it of that: its settings, its definitions, and the header of its recordings.
package worldspec

import (
	"errors"
	"fmt"
	"hash/fnv"
	"time"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/link"
	"muster/components/defs"
	"muster/loaders/synth"
	"muster/net/replication/frame"
	"muster/sched/ladder"
)

// Settings are what worlds are made with.
type Settings struct {
	Seed      uint64        `default:"1" placeholder:"N" help:"Of the synthetic world and of all chance in it (${default})."`
	Creatures int           `default:"20000" placeholder:"N" help:"How many creatures live in it, beside 44,000 around the hubs, a spirit healer at each and a few rare ones (${default})."`
	WorldDB   string        `name:"world-db" placeholder:"FILE|URL" help:"Instead of the synthetic world one that muster world import has read: its file or folder, or postgres://USER@HOST/NAME. What it has no rows of is that of the synthetic world, without --creatures."`
	DBC       string        `name:"dbc" placeholder:"DIR" help:"A folder with files of a client, for what the imported world does not say: AreaTrigger, FactionTemplate and Map, as .dbc or .csv. None is needed."`
	Start     string        `default:"spread" enum:"spread,one" placeholder:"HOW" help:"New characters begin spread over many places, 50 to each, or all in one: spread or one (${default})."`
	Tick      time.Duration `default:"0" placeholder:"D" help:"Step of the worlds; 0: from 5ms to 50ms, or from 7ms to 56ms where worlds and gateways are processes of their own, as short as the budget allows; 50ms with a virtual clock (${default})."`
	Clock     string        `default:"real" enum:"real,virtual" placeholder:"KIND" help:"Time of the worlds: real, or virtual, which stands still until the page of the admin address, or POST /api/clock there, lets it run or step (${default})."`
	Date      time.Time     `placeholder:"TIME" help:"Date at which the worlds begin, as in 2026-12-24T12:00:00Z, which goes on with their time: game events follow it. Default: that of the machine."`
	Strikes   uint32        `default:"10" placeholder:"N" help:"Close the connection of a player N of whose movements in a minute cannot be, never on a virtual clock (${default})."`
	Phases    int           `default:"0" placeholder:"K" help:"Send to each player every K steps, and up to 8 steps later while that takes too long; 0: as often as the budget allows (${default})."`
	CPUBudget float64       `name:"cpu-budget" default:"0.5" placeholder:"CORES" help:"Take steps shorter than 50ms, and send more often than every 100ms, while the whole server takes less than so many cores (${default})."`

	DeathReclaim string  `default:"anywhere" enum:"anywhere,corpse" placeholder:"HOW" help:"Dead players get their bodies back anywhere, 30 s after their death, or only near the corpse, as ghosts: anywhere or corpse (${default})."`
	RateXP       float32 `name:"rate-xp" default:"1" placeholder:"X" help:"Times the experience of a death, above 0 and at most 1000 (${default})."`

	divided bool // see Divide

	Record      string `placeholder:"DIR" help:"Record all that the worlds read in a folder, for muster replay."`
	RecordLimit int    `default:"1024" placeholder:"MIB" help:"End the recording of a map that has become so long, in MiB (${default})."`
}

// Check refuses what no world can be made with.
func (f *Settings) Check() error {
	switch {
	case f.Tick != 0 && (f.Tick < ladder.Quantum || f.Tick > time.Second || f.Tick%time.Millisecond != 0):
		return fmt.Errorf("--tick is 0 or whole milliseconds from %v to 1s, not %v", ladder.Quantum, f.Tick)
	case f.Phases < 0 || f.Phases > 20:
		return fmt.Errorf("--phases is 0 or from 1 to 20, not %d", f.Phases)
	case !(f.CPUBudget >= 0 && f.CPUBudget <= 1024):
		return fmt.Errorf("--cpu-budget is from 0 to 1024 cores, not %v", f.CPUBudget)
	case f.Creatures < 0 || f.Creatures > synth.MaxCreatures:
		return fmt.Errorf("--creatures is from 0 to %s, not %d", flags.Thousands(synth.MaxCreatures), f.Creatures)
	case !(f.RateXP > 0 && f.RateXP <= 1000):
		return fmt.Errorf("--rate-xp is above 0 and at most 1000, not %v", f.RateXP)
	case !f.Date.IsZero() && f.Date.Unix() < 0:
		return fmt.Errorf("--date is not before 1970, as %v is", f.Date)
	case f.DBC != "" && f.WorldDB == "":
		return errors.New("--dbc is for an imported world: name one with --world-db")
	case f.RecordLimit < 1 || f.RecordLimit > 1<<20:
		return fmt.Errorf("--record-limit is from 1 to %d MiB, not %d", 1<<20, f.RecordLimit)
	}
	return nil
}

// Divide has the steps be those of worlds whose gateways are other processes.
func (f *Settings) Divide() { f.divided = true }

// FixedMaps are the maps that have one world each: those that are not instanced.
func FixedMaps(d *defs.World) (all []*defs.Map) {
	for i := range d.Maps {
		if !d.Maps[i].Instanced {
			all = append(all, &d.Maps[i])
		}
	}
	return all
}

// DefaultStep is the step by a virtual clock: with it, what a server takes says nothing.
const DefaultStep = 50 * time.Millisecond

// Rungs are the steps and phases that the flags allow.
func (v *Settings) Rungs() ladder.Rungs {
	if v.Clock == "virtual" && v.Tick == 0 {
		return ladder.New(DefaultStep, max(v.Phases, 2))
	}
	if v.divided {
		return ladder.NewDivided(v.Tick, v.Phases)
	}
	return ladder.New(v.Tick, v.Phases)
}

// CheckStep refuses a step in which the ring of a world does not reach over a restart of the bus.
func (f *Settings) CheckStep() error {
	if least := link.Kept / frame.MaxRing; f.Tick != 0 && f.Tick < least {
		return fmt.Errorf("--tick is at least %v where worlds and gateways are processes of their own, not %v", least.Round(time.Millisecond), f.Tick)
	}
	return nil
}

// Made is a number for what worlds of definitions are made of, as gateways and workers must have it alike. Releases that make the same
// definitions agree on it: so those of one can serve worlds of the other while a realm is upgraded.
func (f *Settings) Made(d *defs.World) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %d %s %v ", f.Seed, f.Creatures, f.Start, f.Tick)
	d.Hash(h)
	return h.Sum64()
}
