package death

import (
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/net/replication/change"
	"muster/sched"
)

// Ghosts keeps the layers of players: with AtCorpse a ghost has one of its own, in which living players do not see it.
//
// Source: Player::BuildPlayerRepop, AzerothCore.
type Ghosts struct {
	entities ecs.Entities
	config   ecs.Res[Config]
	place    ecs.Res[defs.Map]
	cells    change.Cells

	changed     ecs.Events[Changed]
	records     ecs.ReadRef[components.Record]
	positions   ecs.Read[components.Position]
	appearances ecs.Read[components.PlayerAppearance]
	homeCells   ecs.Read[components.HomeCell]
	observers   ecs.Write[components.Observer]

	ghosts sched.Wheel[viewCheck] // checks of what each ghost sees
}

// A viewCheck is a check of a ghost's distance to its corpse. It is stale if the ghost has another reclaim time by
// then.
type viewCheck struct {
	entity    ecs.Entity
	reclaimMs uint32
}

// Run implements sched.Runner.
func (s *Ghosts) Run(t sched.Tick) {
	for _, c := range s.changed.All() {
		e := c.Entity
		cell := s.homeCells.Get(e).Cell
		switch atCorpse := s.config.Get().Reclaim == AtCorpse; {
		case c.State == life.Dead:
			continue
		case c.State == life.Ghost && atCorpse:
			if cell.Layer() != grid.Invisible {
				s.cells.Set(t, e, cell.InLayer(grid.Ghosts))
			}
			s.ghosts.Add(t.N+1, viewCheck{e, s.records.Get(e).ReclaimMs}) // at the graveyard
		case c.State == life.Alive && cell.Layer() == grid.Ghosts:
			s.cells.Set(t, e, cell.InLayer(grid.Living))
		}
		s.peer(t, e)
	}
	for _, h := range s.ghosts.Take(t.N) {
		if s.entities.Exists(h.entity) && s.isGhost(h.entity) && s.records.Get(h.entity).ReclaimMs == h.reclaimMs {
			s.peer(t, h.entity)
			s.ghosts.Add(t.After(peerEvery), h)
		}
	}
}

// peerEvery is the time between two checks whether a ghost is near its corpse, our own choice: it walks 5 yards in
// it.
const peerEvery = 500 * time.Millisecond

// peer sets which layers a player sees. What comes into its view or leaves it is sent with the change of its cell.
// With Anywhere a ghost always counts as near its corpse.
func (s *Ghosts) peer(t sched.Tick, e ecs.Entity) {
	r := s.records.Get(e)
	near := s.config.Get().Reclaim == Anywhere || r.Death.Body.Map == s.place.Get().ID && within(s.positions.Get(e), body(r), components.BodyYards)
	cell := s.homeCells.Get(e).Cell
	seen := components.VisibleLayers(s.appearances.Get(e).Flags&components.PlayerGM != 0, s.isGhost(e), near, cell.Layer() == grid.Invisible)
	if observer := s.observers.Get(e); observer.Layers != seen {
		observer.Set(uint32(t.N), seen)
		s.cells.Set(t, e, cell)
	}
}

// isGhost reports whether a player is a ghost.
func (s *Ghosts) isGhost(e ecs.Entity) bool { return s.records.Get(e).Death.State == life.Ghost }
