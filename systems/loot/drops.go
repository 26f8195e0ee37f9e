package loot

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// A Filled is a body with loot for a player that is there. System lootableflags reads it.
type Filled struct{ Player, Body ecs.Entity }

// Drops generates the loot of creatures that have died, and destroys it with their bodies. It runs after all systems
// that kill.
type Drops struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	space    ecs.Res[space.Space]
	bodies   ecs.ResMut[Bodies]
	joined   ecs.Events[change.Joined]
	deaths   ecs.EventReader[rules.Death]
	looted   ecs.Emit[rules.Looted]
	filled   ecs.Emit[Filled]
	requests ecs.Emit[Request]
	stocks   ecs.Events[rules.StockChest]

	objects    ecs.Read[components.Object]
	vitals     ecs.Read[components.Vitals]
	taps       ecs.Read[components.Tapped]
	homeCells  ecs.Read[components.HomeCell]
	corpseLoot ecs.Write[components.CorpseLoot]
	looting    ecs.Write[components.Looting]

	sweptMs uint32 // time of the last sweep
	swept   uint32 // sweeps so far
	thrown  int    // tables rolled so far for the body that is being filled

	tooDeep sched.Counter `name:"loot.too_deep"`
	tooMany sched.Counter `name:"loot.too_many"`
}

// Run implements sched.Runner.
func (s *Drops) Run(t sched.Tick) {
	s.claim()
	for _, d := range s.deaths.Next() {
		switch {
		case !s.entities.Exists(d.Entity):
		case s.corpseLoot.Has(d.Entity):
			s.fill(t, d.Entity)
		default:
			s.requests.Emit(Request{By: d.Entity, Verb: Die})
		}
	}
	for _, it := range s.stocks.All() {
		if s.entities.Exists(it.Entity) {
			s.stock(t, it.Entity)
		}
	}
	s.sweep(t)
}

// claim gives players that have entered the bodies that are theirs from an earlier visit.
func (s *Drops) claim() {
	bodies := s.bodies.Get()
	for _, it := range s.joined.All() {
		e := it.Entity
		guid := s.objects.Get(e).GUID
		for _, block := range bodies.Lying {
			if bodies.At(block).Owner == guid {
				s.link(e, block)
			}
		}
	}
}

// link adds a body to the list of its owner.
func (s *Drops) link(player ecs.Entity, block uint32) {
	mine := s.looting.Get(player)
	s.bodies.Get().At(block).Next = mine.First
	mine.First = block
}

// unlink removes a body from its owner's list, and closes it. A chest has no owner: it is in no list.
func (s *Drops) unlink(block uint32) {
	l := s.bodies.Get().At(block)
	player := s.space.Get().Find(l.Owner)
	if l.Owner == 0 {
		player = l.Viewer
	}
	if !s.entities.Exists(player) {
		return
	}
	mine := s.looting.Get(player)
	for at := &mine.First; *at != 0; at = &s.bodies.Get().At(*at).Next {
		if *at == block {
			*at = l.Next
			break
		}
	}
	if mine.Open == block {
		mine.Open = 0
		s.requests.Emit(Request{By: player, Verb: Close})
	}
}

// clear destroys what is left in a body.
func (s *Drops) clear(e ecs.Entity) {
	if block := s.corpseLoot.Get(e).Loot; block != 0 {
		s.corpseLoot.Get(e).Loot = 0
		s.discard(block)
	}
}

func (s *Drops) discard(block uint32) {
	s.unlink(block)
	bodies := s.bodies.Get()
	l := bodies.At(block)
	bodies.Money.Unmade += uint64(l.Copper)
	for i := range l.Items[:l.Count] {
		if s := l.Items[i].State; s == components.LootLies || s == components.LootHidden {
			bodies.Items.Unmade += uint64(l.Items[i].Count)
		}
	}
	last := bodies.Lying[len(bodies.Lying)-1]
	bodies.Lying[l.At] = last
	bodies.At(last).At = l.At
	bodies.Lying = bodies.Lying[:len(bodies.Lying)-1]
	bodies.Free(block)
}

// A sweep checks a share of the bodies every sweepMs; each is checked once in so many sweeps.
const (
	sweepMs = 50
	sweeps  = 64
)

// sweep destroys the loot of bodies that have despawned or are alive again, and reports empty chests whose viewer has left the
// world.
func (s *Drops) sweep(t sched.Tick) {
	if t.NowMs-s.sweptMs < sweepMs {
		return
	}
	s.sweptMs = t.NowMs
	s.swept++
	bodies := s.bodies.Get()
	for i := int(s.swept % sweeps); i < len(bodies.Lying); i += sweeps {
		block := bodies.Lying[i]
		l := bodies.At(block)
		e := l.Body
		if s.entities.Exists(e) && s.corpseLoot.Get(e).Loot == block && s.lies(e) && s.homeCells.Get(e).Cell != grid.None {
			if l.Gone == 1 && l.Owner == 0 && !s.entities.Exists(l.Viewer) {
				l.Gone = 2
				s.looted.Emit(rules.Looted{Entity: e, Left: true})
			}
			continue
		}
		if s.entities.Exists(e) && s.corpseLoot.Get(e).Loot == block {
			s.corpseLoot.Get(e).Loot = 0
		}
		s.discard(block)
	}
}

// lies reports whether an entity has loot by its state: it is dead, or a chest.
func (s *Drops) lies(e ecs.Entity) bool {
	return !s.vitals.Has(e) || s.vitals.Get(e).Health == 0
}
