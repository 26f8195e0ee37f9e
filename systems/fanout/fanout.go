// Package fanout writes the tick's frame: what changed, once, under the cell where it happened. It does not ask which
// players see a change; replay in the gateway does. The rules are in docs/frames.md.
package fanout

import (
	"slices"

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

// Output has the frame that the running tick fills.
type Output struct{ Frame *frame.Frame }

// FanOut builds the frame of a tick.
type FanOut struct {
	entities ecs.Entities
	despawn  ecs.Despawn
	space    ecs.ResMut[space.Space]
	output   ecs.ResMut[Output]
	log      change.Changes
	cells    change.Cells
	blocks   blockWriter

	woken     ecs.Events[change.Woken]
	joined    ecs.Events[change.Joined]
	resumed   ecs.Events[change.Resumed]
	refreshed ecs.Events[change.Refreshed]
	toLeave   ecs.Events[change.Leaving]
	held      ecs.Events[change.Held]
	rehomed   ecs.Events[change.Rehomed]
	resets    ecs.Events[change.ViewReset]

	homeCells ecs.Read[components.HomeCell]
	observers ecs.Read[components.Observer]
	ids       ecs.Read[components.Session]
	logouts   ecs.Read[components.Logout]
	objects   ecs.Read[components.Object]

	tick    uint32
	entries []int32  // by entity id: its entry in the frame plus one; 0 if it did not change its cell; held within leave
	gained  grid.Set // cells that are in some view now, and were not in it
	lost    grid.Set // cells that were in some view, and are not in it now
	leaving []ecs.Entity

	packet msg.PowerUpdate // kept here, since a packet takes its message by reference

	here     grid.Cell        // whose residents are written
	shown    bool             // whether they come into view
	resident func(ecs.Entity) // addResident, bound once
}

// Init implements ecs.Initializer.
func (s *FanOut) Init() { s.resident = s.addResident }

// Run implements sched.Runner.
func (s *FanOut) Run(t sched.Tick) {
	s.tick = uint32(t.N)
	s.blocks.nowMs = t.NowMs
	s.leave(t)
	s.appear()
	s.setViews()
	s.resetViews()
	s.compare()
	s.sendOwn()
	s.changeCells()
	s.placeBroadcasts()
	s.addResidents()
	s.join()
	s.refresh()
	s.log.Builder.Build(s.output.Get().Frame, t.N)
	s.forget()
}

// held is no entry: within leave it says that an event of this tick concerns an entity.
const held = -1

// leave removes entities that are leaving, unless an event of this tick concerns them: then they are removed in the
// next tick, after observers have been sent it.
func (s *FanOut) leave(t sched.Tick) {
	for _, it := range s.resumed.All() { // it was to leave in the tick before
		s.leaving = slices.DeleteFunc(s.leaving, func(e ecs.Entity) bool { return e == it.Entity })
	}
	for _, it := range s.toLeave.All() {
		s.leaving = append(s.leaving, it.Entity)
	}
	if len(s.leaving) == 0 {
		return
	}
	for i := range s.log.Broadcasts {
		if f := &s.log.Broadcasts[i]; f.Part == frame.Events && f.Span.Len > 0 {
			s.setEntry(f.Entity, held)
		}
	}
	for _, it := range s.held.All() {
		s.setEntry(it.Entity, held)
	}
	later := s.leaving[:0]
	for _, e := range s.leaving {
		switch {
		case !s.entities.Exists(e) || s.homeCells.Get(e).Cell == grid.None:
		case s.entryOf(e) == held:
			later = append(later, e)
		default:
			s.remove(t, e)
		}
	}
	s.leaving = later
	for i := range s.log.Broadcasts {
		s.setEntry(s.log.Broadcasts[i].Entity, 0)
	}
	for _, it := range s.held.All() {
		s.setEntry(it.Entity, 0)
	}
}

// remove removes an entity from the world, a player with the snapshot that is saved.
func (s *FanOut) remove(t sched.Tick, e ecs.Entity) {
	if s.ids.Has(e) {
		s.sendLeft(t, e)
	}
	s.cells.Set(t, e, grid.None)
	s.space.Get().Remove(s.objects.Get(e).GUID)
	if s.blocks.unitAuras.Has(e) {
		s.blocks.auras.Get().Free(s.blocks.unitAuras.Get(e).Block)
	}
	s.despawn.Despawn(e)
}

func (s *FanOut) sendLeft(t sched.Tick, e ecs.Entity) {
	b, session, guid := &s.log.Builder, s.ids.Get(e).ID, s.objects.Get(e).GUID
	if s.logouts.Get(e).Gone != 0 {
		b.Happen(change.Happening{Kind: change.HappenedLogout, Subject: guid})
		b.Bytes = msg.Packet(b.Bytes, wire.V12340, msg.OpLogoutComplete, &msg.Empty{})
		b.Send(session, frame.Last, b.Cut())
	}
	b.Happen(change.Happening{Kind: change.HappenedLeave, Subject: guid})
	b.Bytes = s.blocks.appendCharacter(b.Bytes, t, e)
	if s.blocks.transfers.Get(e).Going != 0 && s.logouts.Get(e).Gone == 0 { // a player that logs out does not arrive
		b.PlayerTransferred(session, b.Cut())
	} else {
		b.PlayerLeft(session, b.Cut())
	}
}

// appear sets the images of entities that no client knew before.
func (s *FanOut) appear() {
	for _, it := range s.woken.All() {
		s.blocks.fillImage(it.Entity)
	}
	for _, it := range s.rehomed.All() {
		if home := s.homeCells.Get(it.Entity); home.Before(s.tick) == grid.None {
			s.blocks.fillImage(it.Entity)
		}
	}
}

// setViews sends each observer whose cell or layers changed its new view, and collects the cells that some view
// gained or lost.
func (s *FanOut) setViews() {
	s.lost.Clear()
	s.gained.Clear()
	for _, it := range s.rehomed.All() {
		e := it.Entity
		if !s.observers.Has(e) || s.resetsView(e) {
			continue
		}
		home, observer := s.homeCells.Get(e), s.observers.Get(e)
		before := grid.NewView(home.Before(s.tick), uint8(observer.Before(s.tick)))
		after := grid.NewView(home.Cell, uint8(observer.Layers))
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

// compare adds the changed words of dirty entities: public ones for all observers, private ones for the player
// itself. Players that have left have been sent their last packets already.
func (s *FanOut) compare() {
	for _, e := range s.log.Dirty {
		if !s.entities.Exists(e) || s.homeCells.Get(e).Cell == grid.None {
			continue
		}
		layout, image := s.blocks.loadWords(e)
		s.sendPowers(e, layout, image)
		if s.blocks.appendValues(&s.log.Builder, e, layout, image) {
			s.log.Broadcast(e, frame.Values)
		}
		if s.blocks.appendPrivate(&s.log.Builder, e, layout) {
			s.log.Builder.Send(s.ids.Get(e).ID, frame.Last, s.log.Builder.Cut())
		}
	}
	if update.Verify {
		s.verify()
	}
}

// powers is the index of UNIT_FIELD_POWER1.
//
// Source: protocol.md appendix A.
const powers = 0x19

// sendPowers sends which powers of a unit have changed, besides the values: each once in a tick, however often it
// changed. There is no such message for health (ADR 17).
//
// Source: Unit::SetPower, AzerothCore, which sends each change to all observers of the unit, and to itself.
func (s *FanOut) sendPowers(e ecs.Entity, layout *update.Layout, image []uint32) {
	if s.blocks.dirty.Get(e).Mask&components.DirtyVitals == 0 || s.blocks.unitless(e) {
		return
	}
	at := layout.At(powers)
	now, p := &s.blocks.vitals.Get(e).Power, &s.packet
	for i, was := range image[at : at+len(now)] {
		if now[i] != was {
			*p = msg.PowerUpdate{Unit: s.objects.Get(e).GUID, Power: uint8(i), Value: now[i]}
			s.log.Builder.Bytes = msg.Packet(s.log.Builder.Bytes, wire.V12340, msg.OpPowerUpdate, p)
			s.log.Broadcast(e, frame.Events)
		}
	}
}

// verify compares all awake entities, and panics if one has changed words without being marked dirty.
func (s *FanOut) verify() {
	for _, e := range s.space.Get().Order.All() {
		if s.entities.Exists(e) && s.homeCells.Get(e).Cell != grid.None {
			layout, image := s.blocks.loadWords(e)
			s.blocks.appendValues(&s.log.Builder, e, layout, image)
		}
	}
}

// changeCells adds entities that changed their cell to both cells.
func (s *FanOut) changeCells() {
	b := &s.log.Builder
	for _, it := range s.rehomed.All() {
		e := it.Entity
		home := s.homeCells.Get(e)
		from, to := home.Before(s.tick), home.Cell
		if from == to {
			continue
		}
		guid := s.objects.Get(e).GUID
		if from != grid.None {
			b.Leave(from, guid, to)
		}
		if to != grid.None {
			block, companions := s.blocks.create(b, e)
			s.setEntry(e, int32(b.Enter(to, guid, from, block, companions))+1)
		}
	}
}

// placeBroadcasts adds the tick's packets to the cells of their entities.
func (s *FanOut) placeBroadcasts() {
	b := &s.log.Builder
	for i := range s.log.Broadcasts {
		f := &s.log.Broadcasts[i]
		switch {
		case f.Span.Len == 0:
		case s.entryOf(f.Entity) != 0:
			b.EnterDelta(int(s.entryOf(f.Entity)-1), f.Part, f.Span)
		default:
			if home := s.homeCells.Get(f.Entity).Cell; home != grid.None {
				b.AddOwnDelta(s.mover(f), home, f.Part, f.Span)
			}
		}
	}
}

// mover is the session of the player if a broadcast is its own movement or heartbeat, which it is not sent.
func (s *FanOut) mover(f *change.Broadcast) uint32 {
	if f.Part == frame.Moves || f.Part == frame.Beats {
		if s.ids.Has(f.Entity) {
			return s.ids.Get(f.Entity).ID
		}
	}
	return frame.NoSession
}

// addResidents adds the residents of cells that some view gained, with their create blocks, and of cells that some
// view lost and none gained, with their GUIDs alone.
func (s *FanOut) addResidents() {
	for _, tile := range s.gained.Tiles() {
		s.addResidentsOf(grid.Patch{Tile: tile, Mask: s.gained.Mask(tile)}, true)
	}
	for _, tile := range s.lost.Tiles() {
		s.addResidentsOf(grid.Patch{Tile: tile, Mask: s.lost.Mask(tile) &^ s.gained.Mask(tile)}, false)
	}
}

func (s *FanOut) addResidentsOf(p grid.Patch, shown bool) {
	s.shown = shown
	for ; p.Mask != 0; p.Mask &= p.Mask - 1 {
		s.here = p.First()
		s.space.Get().In(s.here, s.resident)
	}
}

// addResident adds an entity that was and is in this cell.
func (s *FanOut) addResident(e ecs.Entity) {
	if !s.entities.Exists(e) {
		return
	}
	home := s.homeCells.Get(e)
	if home.Cell != s.here || home.Before(s.tick) != s.here {
		return
	}
	var block, companions frame.Span
	if s.shown {
		block, companions = s.blocks.create(&s.log.Builder, e)
	}
	s.log.Builder.Resident(s.here, s.objects.Get(e).GUID, block, companions)
}

// join sends players their own create blocks, at once.
func (s *FanOut) join() {
	for _, it := range s.joined.All() {
		s.createOwn(it.Entity)
	}
	for _, it := range s.resumed.All() {
		if !it.New {
			s.createOwn(it.Entity)
		}
		if it.Connection != 0 && s.entities.Exists(it.Entity) {
			s.log.Builder.Resume(s.ids.Get(it.Entity).ID, it.Connection)
		}
	}
}

func (s *FanOut) createOwn(e ecs.Entity) {
	if s.entities.Exists(e) && s.homeCells.Get(e).Cell != grid.None {
		b := &s.log.Builder
		b.Bytes = s.blocks.appendSelf(b.Bytes, e)
		b.SendNow(s.ids.Get(e).ID, frame.First, b.Cut())
	}
}

// forget empties the log.
func (s *FanOut) forget() {
	for _, it := range s.rehomed.All() {
		s.setEntry(it.Entity, 0)
	}
	s.log.Reset()
}

// setEntry sets the number of an entity in entries, and entryOf returns it.
func (s *FanOut) setEntry(e ecs.Entity, n int32) {
	if id := int(e.ID()); id >= len(s.entries) {
		s.entries = append(s.entries, make([]int32, id+1-len(s.entries))...)
	}
	s.entries[e.ID()] = n
}

func (s *FanOut) entryOf(e ecs.Entity) int32 {
	if id := int(e.ID()); id < len(s.entries) {
		return s.entries[id]
	}
	return 0
}
