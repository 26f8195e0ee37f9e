// Package reload replaces parts of the definitions of a world that runs: scripts, what creatures say, menus, what vendors sell, paths, and
// game events.
//
// What is replaced comes with the inbox, piece by piece, as all that a world reads: so a recording has it, and whatever runs the world
// again replaces the same in the same tick. It is read from a database outside of the tick.
package reload

import (
	"fmt"
	"slices"

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
}

// A Replaced is a part that has been replaced, as defs.Patch.AppendBinary wrote it.
type Replaced struct {
	Part  defs.Part
	Bytes []byte
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
	return made.apply(ecs.Shared[defs.World](w), ecs.Shared[defs.Map](w), made.Replaced, nil)
}

// apply makes definitions of those of the beginning and of what is replaced; last is the last of it, if it has been read already. If it
// fails, nothing has changed.
func (d *Definitions) apply(world *defs.World, place *defs.Map, replaced []Replaced, last *defs.Patch) error {
	w, m := *d.World, *d.Map
	for i := range replaced {
		patch := last
		if patch == nil || i < len(replaced)-1 {
			patch = new(defs.Patch)
			if err := patch.UnmarshalBinary(replaced[i].Bytes); err != nil {
				return err
			}
		}
		if err := patch.Apply(&w, &m); err != nil {
			return err
		}
	}
	*world, *place, d.Replaced = w, m, replaced
	return nil
}

// Reloads replaces parts of the definitions. It is the only writer of defs.World and defs.Map.
type Reloads struct {
	definitions ecs.ResMut[Definitions]
	world       ecs.ResMut[defs.World]
	place       ecs.ResMut[defs.Map]
	pieces      ecs.Events[frame.Reload]
	reloaded    ecs.Emit[rules.Reloaded]
	out         change.Out

	part []byte // its pieces so far
	next uint16 // the piece that follows; others are not of this part

	done    sched.Counter `name:"reload.done"`
	refused sched.Counter `name:"reload.refused"`
}

// Run implements sched.Runner.
func (s *Reloads) Run(sched.Tick) {
	for _, it := range s.pieces.All() {
		if it.N == 0 {
			s.part, s.next = nil, 0
		}
		if it.N != s.next || len(s.part)+len(it.Contents) > defs.MaxPatch {
			s.answer(it.ID, 0, fmt.Errorf("piece %d of %d follows no other", it.N, it.Of))
			continue
		}
		s.part, s.next = append(s.part, it.Contents...), it.N+1
		if s.next == it.Of {
			part, err := s.replace(s.part)
			s.answer(it.ID, part, err)
			s.part, s.next = nil, 0
		}
	}
}

// replace replaces a part, which stays as it is if that is impossible.
func (s *Reloads) replace(bytes []byte) (defs.Part, error) {
	patch := new(defs.Patch)
	if err := patch.UnmarshalBinary(bytes); err != nil {
		return 0, err
	}
	d := s.definitions.Get()
	replaced := slices.DeleteFunc(slices.Clone(d.Replaced), func(r Replaced) bool { return r.Part == patch.Part })
	replaced = append(replaced, Replaced{patch.Part, bytes})
	return patch.Part, d.apply(s.world.Get(), s.place.Get(), replaced, patch)
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
