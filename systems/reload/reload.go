// Package reload replaces parts of the definitions of a world that runs: scripts, what creatures say, menus, what vendors sell, paths, and
// game events.
//
// What is replaced comes with the inbox, piece by piece, as all that a world reads: so a recording has it, and whatever runs the world
// again replaces the same in the same tick. It is read from a database outside of the tick.
package reload

import (
	"fmt"
	"slices"
	"time"

	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/command"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/sched"
	"muster/systems/rules"
)

// Definitions are what a world was made with, and what of it has been replaced since: a resource. The shared defs.World and defs.Map are
// copies in which it is replaced.
type Definitions struct {
	World *defs.World
	Map   *defs.Map

	Replaced []Replaced // in the order in which they were, each part once
	Waiting  int        // parts that are complete and do not count yet
}

// A Replaced is a part that has been replaced, as defs.Patch.AppendBinary wrote it.
type Replaced struct {
	Part  defs.Part
	Bytes []byte

	patch *defs.Patch `snapshot:"-"` // what the bytes say, nil if they have not been read yet
}

// Share adds the definitions of a world to its resources, as copies.
func Share(w *ecs.World, d *defs.World, m *defs.Map) {
	world, place := *d, *m
	ecs.Share(w, &world)
	ecs.Share(w, &place)
	ecs.Share(w, &Definitions{World: d, Map: m})
}

// Restore replaces again what was replaced in a world that a snapshot is restored into.
func Restore(w *ecs.World) error {
	made := ecs.Shared[Definitions](w)
	return made.apply(ecs.Shared[defs.World](w), ecs.Shared[defs.Map](w), made.Replaced)
}

// apply makes definitions of those of the beginning and of what is replaced. If it fails, nothing has changed.
func (d *Definitions) apply(world *defs.World, place *defs.Map, replaced []Replaced) error {
	w, m := *d.World, *d.Map
	for i := range replaced {
		if replaced[i].patch == nil {
			patch, err := read(replaced[i].Bytes)
			if err != nil {
				return err
			}
			replaced[i].patch = patch
		}
		if err := replaced[i].patch.Apply(&w, &m); err != nil {
			return err
		}
	}
	*world, *place, d.Replaced = w, m, replaced
	return nil
}

func read(bytes []byte) (*defs.Patch, error) {
	patch := new(defs.Patch)
	return patch, patch.UnmarshalBinary(bytes)
}

// Reloads replaces parts of the definitions. It is the only writer of defs.World and defs.Map.
//
// A part is read beside the tick, from its last piece on, and counts some ticks later, how many follows from its size: so it is ready, and whatever runs
// the world again has it count in the same tick. Only if it is not does that tick wait for it.
type Reloads struct {
	definitions ecs.ResMut[Definitions]
	world       ecs.ResMut[defs.World]
	place       ecs.ResMut[defs.Map]
	pieces      ecs.Events[frame.Reload]
	reloaded    ecs.Emit[rules.Reloaded]
	out         change.Out

	part  []byte // its pieces so far
	next  uint16 // the piece that follows; others are not of this part
	waits []waiting

	reads []chan reading `snapshot:"-"` // of waits; shorter if some were restored, and are read when they count

	done    sched.Counter `name:"reload.done"`
	refused sched.Counter `name:"reload.refused"`
}

// A waiting is a part that is complete.
type waiting struct {
	id    uint64 // of the operator's question
	due   uint64 // the tick from which it counts
	bytes []byte
}

// A reading is what the bytes of a part say.
type reading struct {
	patch *defs.Patch
	err   error
}

// readPerMiB is how long a part is read for each MiB of its bytes, our own choice: more than twice what BenchmarkPatch of package defs takes.
const readPerMiB = 3 * time.Second

// maxWaiting is how many parts wait, our own choice; more are refused. A gateway reads one at a time.
const maxWaiting = 4

// Run implements sched.Runner.
func (s *Reloads) Run(t sched.Tick) {
	for _, it := range s.pieces.All() {
		if it.N == 0 {
			s.part, s.next = nil, 0
		}
		switch {
		case it.N != s.next || len(s.part)+len(it.Contents) > defs.MaxPatch:
			s.answer(it.ID, 0, fmt.Errorf("piece %d of %d follows no other", it.N, it.Of))
			continue
		case len(s.waits) == maxWaiting:
			s.answer(it.ID, 0, fmt.Errorf("%d other parts wait", maxWaiting))
			continue
		}
		s.part, s.next = append(s.part, it.Contents...), it.N+1
		if s.next == it.Of {
			s.await(t, it.ID, s.part)
			s.part, s.next = nil, 0
		}
	}
	for len(s.waits) > 0 && s.waits[0].due <= t.N {
		it := s.waits[0]
		part, err := s.replace(it.bytes, s.read(it.bytes))
		s.answer(it.id, part, err)
		s.waits = slices.Delete(s.waits, 0, 1)
	}
	s.definitions.Get().Waiting = len(s.waits)
}

// await has a part be read beside the tick, and count when that is over.
func (s *Reloads) await(t sched.Tick, id uint64, bytes []byte) {
	due := t.After(time.Duration(len(bytes)) * readPerMiB / (1 << 20))
	if n := len(s.waits); n > 0 {
		due = max(due, s.waits[n-1].due)
	}
	if len(s.reads) == len(s.waits) {
		into := make(chan reading, 1)
		s.reads = append(s.reads, into)
		go func() {
			patch, err := read(bytes)
			into <- reading{patch, err}
		}()
	}
	s.waits = append(s.waits, waiting{id, due, bytes})
}

// read is what the bytes of the first part that waits say.
func (s *Reloads) read(bytes []byte) reading {
	if len(s.reads) == len(s.waits) {
		into := s.reads[0]
		s.reads = slices.Delete(s.reads, 0, 1)
		return <-into
	}
	patch, err := read(bytes) // it was restored
	return reading{patch, err}
}

// replace replaces a part, which stays as it is if that is impossible.
func (s *Reloads) replace(bytes []byte, of reading) (defs.Part, error) {
	if of.err != nil {
		return 0, of.err
	}
	d := s.definitions.Get()
	replaced := slices.DeleteFunc(slices.Clone(d.Replaced), func(r Replaced) bool { return r.Part == of.patch.Part })
	replaced = append(replaced, Replaced{of.patch.Part, bytes, of.patch})
	return of.patch.Part, d.apply(s.world.Get(), s.place.Get(), replaced)
}

// answer tells the operator what has become of a part, and the systems.
func (s *Reloads) answer(id uint64, part defs.Part, err error) {
	text := fmt.Sprintf("The %v are replaced.", part)
	if err != nil {
		s.refused.Count()
		text = command.NotDone + "Nothing is replaced: " + err.Error() + "."
	} else {
		s.done.Count()
		s.reloaded.Emit(rules.Reloaded{Part: part})
	}
	if id != 0 {
		s.out.Write(append(s.out.Buffer(), text...))
		s.out.Reply(id)
	}
}
