package smartai

import (
	"cmp"
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// ScriptFoes finds those targets of acts that follow from the creature's fight: its victim, and units of its threat list.
//
// Source: SmartScript::GetTargets, AzerothCore.
type ScriptFoes struct {
	rules.Living
	rules.Threats
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	acts     ecs.Requests[act]
	aims     ecs.Emit[aimed]

	sessions  ecs.Read[components.Session]
	objects   ecs.Read[components.Object]
	positions ecs.Read[components.Position]
	attacks   ecs.Read[components.Attack]

	listed []listed `snapshot:"-"` // by amount, of the last act
}

// A listed is a unit of a threat list.
type listed struct {
	candidate
	amount float32
}

// An aimed is an act with its targets among those that the creature fights, if it is for such. System scripttargets takes it.
type aimed struct {
	act
	count uint32
	foes  [maxTargets + 1]ecs.Entity // one more than are kept, so that there being more is counted
}

// React implements sched.Reactor.
func (s *ScriptFoes) React(t sched.Tick) {
	for _, it := range s.acts.Take() {
		a := s.aims.Next()
		if a.act = it; !s.entities.Exists(it.entity) {
			continue
		}
		if !s.attacks.Has(it.entity) {
			continue // a game object fights nothing
		}
		switch row := it.at.in(s.defs.Get()); row.Target {
		case defs.ScriptVictim:
			s.victim(a)
		case defs.ScriptHostileSecond, defs.ScriptHostileLast, defs.ScriptHostileRandom, defs.ScriptHostileNotTop, defs.ScriptThreatList, defs.ScriptFarthest:
			s.hostile(t, a, row)
		}
	}
}

// add adds a unit, if it is there and there is room.
func (s *ScriptFoes) add(a *aimed, e ecs.Entity) {
	if e != (ecs.Entity{}) && s.entities.Exists(e) && s.Unit(e) && a.count < uint32(len(a.foes)) {
		a.foes[a.count] = e
		a.count++
	}
}

// victim adds the unit that the creature attacks, or one that it is about to: that with the most threat.
func (s *ScriptFoes) victim(a *aimed) {
	if s.add(a, s.attacks.Get(a.entity).Victim); a.count > 0 {
		return
	}
	var most ecs.Entity
	amount := float32(-1)
	for _, h := range s.Threats.List(a.entity) {
		if h.Amount > amount && s.Alive(h.Entity) {
			most, amount = h.Entity, h.Amount
		}
	}
	s.add(a, most)
}

// hostile adds units of the creature's threat list.
func (s *ScriptFoes) hostile(t sched.Tick, a *aimed, row *defs.ScriptRow) {
	all := s.listed[:0]
	for _, h := range s.Threats.List(a.entity) {
		far := yards(s.positions.Get(a.entity).Vec(), s.positions.Get(h.Entity).Vec())
		if s.Alive(h.Entity) && (row.Of[0] == 0 || far <= float32(row.Of[0])) && (row.Of[1] == 0 || s.sessions.Has(h.Entity)) {
			all = append(all, listed{candidate{h.Entity, s.objects.Get(h.Entity).GUID, far}, h.Amount})
		}
	}
	slices.SortFunc(all, func(a, b listed) int { return cmp.Or(cmp.Compare(b.amount, a.amount), cmp.Compare(a.guid, b.guid)) })
	if s.listed = all; len(all) == 0 {
		return
	}
	dice := t.Dice("smartai.hostile", s.objects.Get(a.entity).GUID^uint64(a.at.row)<<32)
	switch row.Target {
	case defs.ScriptThreatList:
		for _, it := range all {
			s.add(a, it.entity)
		}
	case defs.ScriptHostileLast:
		s.add(a, all[len(all)-1].entity)
	case defs.ScriptHostileRandom:
		s.add(a, all[dice.Intn(len(all))].entity)
	case defs.ScriptHostileSecond:
		if len(all) > 1 {
			s.add(a, all[1].entity)
		}
	case defs.ScriptHostileNotTop:
		if len(all) > 1 {
			s.add(a, all[1+dice.Intn(len(all)-1)].entity)
		}
	case defs.ScriptFarthest:
		far := all[0]
		for _, it := range all[1:] {
			if it.yards > far.yards {
				far = it
			}
		}
		s.add(a, far.entity)
	}
}
