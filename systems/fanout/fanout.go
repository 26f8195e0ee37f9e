// Package fanout writes the tick's frame: what changed, once, under the cell where it happened. It
// never asks who sees a change; that is the gateway's replay. The rules are in docs/frames.md.
package fanout

import (
	"muster/components"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/net/protocol/msg"
	"muster/net/protocol/update"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/net/replication/frame"
	"muster/sched"
)

// Output is where the frame of the running tick goes.
type Output struct{ Frame *frame.Frame }

// System builds the frame of a tick.
type System struct {
	entities ecs.Entities
	despawn  ecs.Despawn
	space    ecs.ResMut[space.Space]
	output   ecs.ResMut[Output]
	log      change.Changes
	cells    change.Cells
	bodies   bodies

	woken   ecs.Events[change.Woken]
	joined  ecs.Events[change.Joined]
	toLeave ecs.Events[change.Leaving]
	held    ecs.Events[change.Held]
	rehomed ecs.Events[change.Rehomed]
	reset   ecs.Events[change.Reset]

	homeCells ecs.Read[components.HomeCell]
	observers ecs.Read[components.Observer]
	ids       ecs.Read[components.Session]
	going     ecs.Read[components.Logout]
	objects   ecs.Read[components.Object]

	tick    uint32
	entry   []int32  // entity id to its entry in the draft plus one; zero for entities that did not change their cell
	gained  grid.Set // cells that some view holds now and did not
	lost    grid.Set // cells that some view held and does not
	leaving []ecs.Entity

	said msg.PowerUpdate // kept here, since a packet takes its message by reference

	here     grid.Cell        // whose residents are being filed,
	shown    bool             // and whether somebody is to see them
	resident func(ecs.Entity) // fileResident, bound once
}

// Init implements ecs.Initializer.
func (s *System) Init() { s.resident = s.fileResident }

// Run implements sched.Runner.
func (s *System) Run(t sched.Tick) {
	s.tick = uint32(t.N)
	s.bodies.nowMs = t.NowMs
	s.leave(t)
	s.appear()
	s.look()
	s.lookAnew()
	s.compare()
	s.tellOwn()
	s.rehome()
	s.file()
	s.reside()
	s.join()
	s.log.Builder.Build(s.output.Get().Frame, t.N)
	s.forget()
}

// leave takes those out of sight who go, unless something happened to them in this very tick: then they
// go in the next, after everybody could see it.
func (s *System) leave(t sched.Tick) {
	for _, it := range s.toLeave.All() {
		s.leaving = append(s.leaving, it.Entity)
	}
	if len(s.leaving) == 0 {
		return
	}
	for i := range s.log.Broadcasts {
		if f := &s.log.Broadcasts[i]; f.Part == frame.Events && f.Span.Len > 0 {
			s.mark(f.Entity, 1)
		}
	}
	for _, it := range s.held.All() {
		s.mark(it.Entity, 1)
	}
	later := s.leaving[:0]
	for _, e := range s.leaving {
		switch {
		case !s.entities.Alive(e) || s.homeCells.Get(e).Cell == grid.None:
		case s.marked(e) != 0:
			later = append(later, e)
		default:
			s.goodbye(t, e)
		}
	}
	s.leaving = later
	for i := range s.log.Broadcasts {
		s.mark(s.log.Broadcasts[i].Entity, 0)
	}
	for _, it := range s.held.All() {
		s.mark(it.Entity, 0)
	}
}

// goodbye takes somebody out of sight for good, a player with all that is to be kept of it.
func (s *System) goodbye(t sched.Tick, e ecs.Entity) {
	if s.ids.Has(e) {
		s.farewell(t, e)
	}
	s.cells.Set(t, e, grid.None)
	s.space.Get().Remove(s.objects.Get(e).GUID)
	s.bodies.auras.Get().Free(s.bodies.combats.Get(e).Auras)
	s.despawn.Despawn(e)
}

func (s *System) farewell(t sched.Tick, e ecs.Entity) {
	d, session := &s.log.Builder, s.ids.Get(e).ID
	if s.going.Get(e).Gone != 0 {
		d.Bytes = msg.Packet(d.Bytes, wire.V12340, msg.OpLogoutComplete, &msg.Empty{})
		s.log.Send(e, frame.Last)
	}
	d.Bytes = s.bodies.appendCharacter(d.Bytes, t, e)
	if s.bodies.transfers.Get(e).Going != 0 && s.going.Get(e).Gone == 0 { // who logs out, does not arrive
		d.PlayerTransferred(session, d.Cut())
	} else {
		d.PlayerLeft(session, d.Cut())
	}
}

// appear notes what clients are going to be told of whom nobody knew before.
func (s *System) appear() {
	for _, it := range s.woken.All() {
		s.bodies.known(it.Entity)
	}
	for _, it := range s.rehomed.All() {
		if home := s.homeCells.Get(it.Entity); home.Before(s.tick) == grid.None {
			s.bodies.known(it.Entity)
		}
	}
}

// look tells each observer whose home changed what it sees from now on, and collects the cells whose
// residents are of interest: those that some view gained or lost.
func (s *System) look() {
	s.lost.Clear()
	s.gained.Clear()
	for _, it := range s.rehomed.All() {
		e := it.Entity
		if !s.observers.Has(e) || s.resets(e) {
			continue
		}
		home, sight := s.homeCells.Get(e), s.observers.Get(e)
		before := view(home.Before(s.tick), uint8(sight.Before(s.tick)))
		after := view(home.Cell, uint8(sight.Layers))
		if before == after {
			continue
		}
		s.lost.AddMinus(before, after)
		s.gained.AddMinus(after, before)
		if home.Cell != grid.None {
			s.log.Builder.SetView(s.ids.Get(e).ID, after, false)
		}
	}
}

func view(home grid.Cell, layers uint8) grid.View {
	if home == grid.None {
		return grid.View{}
	}
	return grid.View{Center: home, Layers: layers}
}

// compare files the changed words of what was touched: public ones for everybody, private ones for the
// player itself. Who goes has heard its last word already.
func (s *System) compare() {
	for _, e := range s.log.Dirty {
		if !s.entities.Alive(e) || s.homeCells.Get(e).Cell == grid.None {
			continue
		}
		layout, image := s.bodies.view(e)
		s.tellPowers(e, layout, image)
		if s.bodies.appendValues(&s.log.Builder, e, layout, image) {
			s.log.Broadcast(e, frame.Values)
		}
		if s.bodies.appendPrivate(&s.log.Builder, e, layout) {
			s.log.Send(e, frame.Last)
		}
	}
	if update.Verify {
		s.verify()
	}
}

// powers is the number of UNIT_FIELD_POWER1.
//
// Source: protocol.md appendix A.
const powers = 0x19

// tellPowers says which powers of a unit have changed, besides the values: once for each in a tick, however often it has.
// Of health nobody says so (ADR 17).
//
// Source: Unit::SetPower, AzerothCore, which says so of each change to everybody who sees the unit, itself among them.
func (s *System) tellPowers(e ecs.Entity, layout *update.Layout, image []uint32) {
	if s.bodies.dirty.Get(e).Mask&components.DirtyVitals == 0 || s.bodies.corpses.Has(e) {
		return
	}
	at := layout.At(powers)
	now, p := &s.bodies.vitals.Get(e).Power, &s.said
	for i, was := range image[at : at+len(now)] {
		if now[i] != was {
			*p = msg.PowerUpdate{Unit: s.objects.Get(e).GUID, Power: uint8(i), Value: now[i]}
			s.log.Builder.Bytes = msg.Packet(s.log.Builder.Bytes, wire.V12340, msg.OpPowerUpdate, p)
			s.log.Broadcast(e, frame.Events)
		}
	}
}

// verify compares everybody awake, and panics if there is something to tell that nobody has touched.
func (s *System) verify() {
	for _, e := range s.space.Get().Order.All() {
		if s.entities.Alive(e) && s.homeCells.Get(e).Cell != grid.None {
			layout, image := s.bodies.view(e)
			s.bodies.appendValues(&s.log.Builder, e, layout, image)
		}
	}
}

// rehome files those whose home changed under both homes.
func (s *System) rehome() {
	d := &s.log.Builder
	for _, it := range s.rehomed.All() {
		e := it.Entity
		home := s.homeCells.Get(e)
		from, to := home.Before(s.tick), home.Cell
		if from == to {
			continue
		}
		guid := s.objects.Get(e).GUID
		if from != grid.None {
			d.Leave(from, guid, to)
		}
		if to != grid.None {
			block, companions := s.bodies.create(d, e)
			s.mark(e, int32(d.Enter(to, guid, from, block, companions))+1)
		}
	}
}

// file puts the tick's packets where their subjects are.
func (s *System) file() {
	d := &s.log.Builder
	for i := range s.log.Broadcasts {
		f := &s.log.Broadcasts[i]
		switch {
		case f.Span.Len == 0:
		case s.marked(f.Entity) != 0:
			d.EnterDelta(int(s.marked(f.Entity)-1), f.Part, f.Span)
		default:
			if home := s.homeCells.Get(f.Entity).Cell; home != grid.None {
				d.AddOwnDelta(s.mover(f), home, f.Part, f.Span)
			}
		}
	}
}

// mover is the session of the player whose own moves or beats a filing is.
func (s *System) mover(f *change.Broadcast) uint32 {
	if f.Part == frame.Moves || f.Part == frame.Beats {
		if s.ids.Has(f.Entity) {
			return s.ids.Get(f.Entity).ID
		}
	}
	return frame.NoSession
}

// reside files who is at home in cells that some view gained, with its create half, and in cells that
// some view lost and none gained, where the name is enough.
func (s *System) reside() {
	for _, tile := range s.gained.Tiles() {
		s.fileResidents(grid.Patch{Tile: tile, Mask: s.gained.Mask(tile)}, true)
	}
	for _, tile := range s.lost.Tiles() {
		s.fileResidents(grid.Patch{Tile: tile, Mask: s.lost.Mask(tile) &^ s.gained.Mask(tile)}, false)
	}
}

func (s *System) fileResidents(p grid.Patch, shown bool) {
	s.shown = shown
	for ; p.Mask != 0; p.Mask &= p.Mask - 1 {
		s.here = p.First()
		s.space.Get().In(s.here, s.resident)
	}
}

// fileResident files an entity if it was and is at home here.
func (s *System) fileResident(e ecs.Entity) {
	if !s.entities.Alive(e) {
		return
	}
	home := s.homeCells.Get(e)
	if home.Cell != s.here || home.Before(s.tick) != s.here {
		return
	}
	var block, companions frame.Span
	if s.shown {
		block, companions = s.bodies.create(&s.log.Builder, e)
	}
	s.log.Builder.Resident(s.here, s.objects.Get(e).GUID, block, companions)
}

// join shows players to themselves, at once.
func (s *System) join() {
	d := &s.log.Builder
	for _, it := range s.joined.All() {
		e := it.Entity
		if s.entities.Alive(e) && s.homeCells.Get(e).Cell != grid.None {
			d.Bytes = s.bodies.appendSelf(d.Bytes, e)
			d.SendNow(s.ids.Get(e).ID, frame.First, d.Cut())
		}
	}
}

// forget empties the log.
func (s *System) forget() {
	for _, it := range s.rehomed.All() {
		s.mark(it.Entity, 0)
	}
	s.log.Reset()
}

// mark notes a number for an entity, and marked is that number.
func (s *System) mark(e ecs.Entity, n int32) {
	if id := int(e.ID()); id >= len(s.entry) {
		s.entry = append(s.entry, make([]int32, id+1-len(s.entry))...)
	}
	s.entry[e.ID()] = n
}

func (s *System) marked(e ecs.Entity) int32 {
	if id := int(e.ID()); id < len(s.entry) {
		return s.entry[id]
	}
	return 0
}
