package smartai

import (
	"math"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/sched"
	"muster/systems/rules"
)

// A sense asks whether what the event of a row needs is so. System scriptsenses takes it, and triggers the row if it is.
type sense struct {
	entity      ecs.Entity
	script, row uint32 // indexes
}

// ScriptSenses looks up what events need that happen while something is so: health, distances, auras, which units are near.
type ScriptSenses struct {
	rules.Units
	rules.AuraSums
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	space    ecs.Res[space.Space]
	asked    ecs.Requests[sense]
	triggers ecs.Emit[trigger]

	units     ecs.Read[components.Unit]
	vitals    ecs.Read[components.Vitals]
	auras     ecs.Read[components.UnitAuras]
	attacks   ecs.Read[components.Attack]
	positions ecs.Read[components.Position]
	castings  ecs.ReadRef[components.Casting]
	homeCells ecs.Read[components.HomeCell]
	objects   ecs.Read[components.Object]

	near    []candidate      `snapshot:"-"` // of the last look
	at      components.Vec   `snapshot:"-"`
	yards   float32          `snapshot:"-"`
	players bool             `snapshot:"-"` // are looked for alone
	visit   func(ecs.Entity) // see, bound once
}

// Init implements ecs.Initializer.
func (s *ScriptSenses) Init() { s.visit = s.see }

// React implements sched.Reactor.
func (s *ScriptSenses) React(sched.Tick) {
	for _, it := range s.asked.Take() {
		if !s.entities.Exists(it.entity) || !s.attacks.Has(it.entity) {
			continue
		}
		if by, ok := s.holds(it.entity, &s.defs.Get().Scripts[it.script].Rows[it.row]); ok {
			s.triggers.Emit(trigger{entity: it.entity, by: by, kind: senses, a: it.row})
		}
	}
}

// holds reports whether what an event needs is so, and by which unit it happens, if by one.
//
// Source: SmartScript::ProcessEvent, AzerothCore.
func (s *ScriptSenses) holds(e ecs.Entity, row *defs.ScriptRow) (by ecs.Entity, ok bool) {
	victim, w := s.attacks.Get(e).Victim, &row.When
	switch row.Event {
	case defs.ScriptHealth:
		v := s.vitals.Get(e)
		return victim, percent(v.Health, v.MaxHealth, row)
	case defs.ScriptMana:
		v := s.vitals.Get(e)
		return victim, percent(v.Power[components.PowerMana], v.MaxPower[components.PowerMana], row)
	case defs.ScriptHasAura:
		stacks := s.stacks(e, w[0])
		return by, w[1] == 0 && stacks == 0 || w[1] != 0 && stacks >= w[1]
	case defs.ScriptSightInPeace, defs.ScriptSightInCombat:
		return s.sight(e, row)
	case defs.ScriptFriendHealth, defs.ScriptFriendHeld, defs.ScriptFriendUnbuffed:
		return s.friend(e, row)
	case defs.ScriptNearCreature:
		for _, other := range s.around(e, float32(w[2])) {
			if other.entity != e && !s.Player(other.entity) && s.objects.Get(other.entity).Entry == w[1] {
				return by, true
			}
		}
		return by, false
	case defs.ScriptNearPlayers, defs.ScriptFewPlayers:
		s.players = true
		players := uint32(len(s.around(e, float32(w[1]))))
		return by, players >= w[0] == (row.Event == defs.ScriptNearPlayers)
	}
	if victim == (ecs.Entity{}) || !s.entities.Exists(victim) {
		return victim, false
	}
	return victim, s.holdsOf(e, victim, row)
}

// holdsOf reports whether what an event needs of the unit that a creature attacks is so.
func (s *ScriptSenses) holdsOf(e, victim ecs.Entity, row *defs.ScriptRow) bool {
	v, w := s.vitals.Get(victim), &row.When
	switch row.Event {
	case defs.ScriptTargetHealth:
		return percent(v.Health, v.MaxHealth, row)
	case defs.ScriptTargetMana:
		return percent(v.Power[components.PowerMana], v.MaxPower[components.PowerMana], row)
	case defs.ScriptTargetBuffed:
		return s.stacks(victim, w[0]) >= w[1]
	case defs.ScriptVictimCasting:
		spell := s.castings.Get(victim).Cast.Spell
		return spell != 0 && (w[2] == 0 || w[2] == spell)
	}
	here, there := s.positions.Get(e), s.positions.Get(victim)
	far := yards(here.Vec(), there.Vec())
	if row.Event == defs.ScriptRange {
		return far >= float32(w[0]) && far <= float32(w[1])
	}
	return w[5] != 0 && far >= float32(w[4]) && far <= float32(w[5]) && behind(here, there)
}

// behind reports whether a point is in the half of space behind a unit.
//
// Source: Position::HasInArc, AzerothCore.
func behind(here, of components.Position) bool {
	sin, cos := math.Sincos(float64(of.O))
	return float64(here.X-of.X)*cos+float64(here.Y-of.Y)*sin < 0
}

// stacks is how many stacks of the aura of a spell a unit has.
func (s *ScriptSenses) stacks(e ecs.Entity, spell uint32) (n uint32) {
	auras := s.Of(e)
	if auras == nil {
		return 0
	}
	for i := range auras.List[:auras.Count] {
		if auras.List[i].Spell == spell {
			n += uint32(max(auras.List[i].Stacks, 1))
		}
	}
	return n
}

// sight is the nearest unit that a creature notices.
func (s *ScriptSenses) sight(e ecs.Entity, row *defs.ScriptRow) (by ecs.Entity, ok bool) {
	const hostile, others = 0, 1
	best := float32(math.MaxFloat32)
	var guid uint64
	for _, other := range s.around(e, float32(row.When[1])) {
		foe := s.Hostile(e, other.entity)
		switch {
		case other.entity == e, !s.Alive(other.entity), row.When[4] != 0 && !s.Player(other.entity):
		case row.When[0] == hostile && !foe, row.When[0] == others && foe:
		case other.yards < best || other.yards == best && other.guid < guid:
			by, best, guid, ok = other.entity, other.yards, other.guid, true
		}
	}
	return by, ok
}

// friend is a friend in combat that needs something: that which lacks the most health, or the nearest that is held or without an aura.
func (s *ScriptSenses) friend(e ecs.Entity, row *defs.ScriptRow) (by ecs.Entity, ok bool) {
	w := &row.When
	reach := w[1]
	if row.Event == defs.ScriptFriendHeld {
		reach = w[0]
	}
	best := float32(-math.MaxFloat32)
	var guid uint64
	for _, other := range s.around(e, float32(reach)) {
		u := other.entity
		if !s.Alive(u) || s.Player(u) || s.Hostile(e, u) || s.units.Get(u).Flags&components.UnitInCombat == 0 {
			continue
		}
		good := -other.yards
		switch row.Event {
		case defs.ScriptFriendHealth:
			v := s.vitals.Get(u)
			lacks := v.MaxHealth - min(v.Health, v.MaxHealth)
			if lacks <= w[0] {
				continue
			}
			good = float32(lacks)
		case defs.ScriptFriendHeld:
			const held = components.StateStunned | components.StateRooted | components.StateFeared | components.StateConfused
			if s.auras.Get(u).States&held == 0 {
				continue
			}
		default:
			if s.stacks(u, w[0]) != 0 {
				continue
			}
		}
		if good > best || good == best && other.guid < guid {
			by, best, guid, ok = u, good, other.guid, true
		}
	}
	return by, ok
}

// around lists the units within so many yards of a creature, itself among them, in no order. If players is set, it lists players alone, and clears it.
func (s *ScriptSenses) around(e ecs.Entity, most float32) []candidate {
	p := s.positions.Get(e)
	s.near, s.at, s.yards = s.near[:0], p.Vec(), min(most, maxSearch)
	s.space.Get().Order.Within(p.X, p.Y, s.yards, s.homeCells.Get(e).Cell.Layer(), s.visit)
	s.players = false
	return s.near
}

func (s *ScriptSenses) see(e ecs.Entity) {
	if !s.entities.Exists(e) || s.players && !s.Player(e) || !s.Unit(e) || !s.Present(e) {
		return
	}
	if far := yards(s.at, s.positions.Get(e).Vec()); far <= s.yards {
		s.near = append(s.near, candidate{e, s.objects.Get(e).GUID, far})
	}
}

// percent reports whether a value is between the first two parameters of a row, in percent of another one.
func percent(v, of uint32, row *defs.ScriptRow) bool {
	if of == 0 {
		return false
	}
	p := uint64(v) * 100 / uint64(of)
	return p >= uint64(row.When[0]) && p <= uint64(row.When[1])
}

// yards is the distance between two points.
func yards(a, b components.Vec) float32 {
	x, y, z := float64(a.X-b.X), float64(a.Y-b.Y), float64(a.Z-b.Z)
	return float32(math.Sqrt(float64(x*x) + float64(y*y) + float64(z*z))) // no two operations in one, on no architecture
}
