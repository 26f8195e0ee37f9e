package smartai

import (
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// ScriptSummons executes the effects on which creatures there are: summons, despawns, and deaths after a time.
type ScriptSummons struct {
	rules.Units
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	effects  ecs.EventReader[effect]
	summons  ecs.Emit[rules.Summon]
	despawns ecs.Emit[rules.DespawnCreature]
	kills    ecs.Emit[rules.Kill]
	leaves   ecs.Emit[rules.DespawnObject]
	states   ecs.Read[components.ObjectState]

	positions ecs.Read[components.Position]

	timers  sched.Wheel[leaving]
	waiting int // timers

	full sched.Counter `name:"smartai.full"` // creatures that are too many to wait
}

// A leaving is a creature that despawns or dies when its time is up.
type leaving struct {
	entity ecs.Entity
	dies   bool
}

// Kinds of summons.
//
// Source: TempSummonType, Object.h, AzerothCore.
const (
	summonTimedInPeace = 4 // its time counts out of combat
	summonForCorpse    = 5 // it stays until its corpse decays: so do the next two
	summonUntilDead    = 7
	summonForGood      = 8
)

// Run implements sched.Runner.
func (s *ScriptSummons) Run(t sched.Tick) {
	due := s.timers.Take(t.N)
	s.waiting -= len(due)
	for _, it := range due {
		s.leave(it)
	}
	s.React(t)
}

// React implements sched.Reactor.
func (s *ScriptSummons) React(t sched.Tick) {
	effects := s.effects.Next()
	for i := range effects {
		it := &effects[i]
		if !s.entities.Exists(it.entity) {
			continue
		}
		switch row := it.at.in(s.defs.Get()); row.Action {
		case defs.ScriptSummonCreature:
			s.summon(it, row)
		case defs.ScriptForceDespawn:
			s.after(t, it, row, false)
		case defs.ScriptDie:
			s.after(t, it, row, true)
		}
	}
}

// after has a creature leave or die after a time; if too many wait for that, at once.
func (s *ScriptSummons) after(t sched.Tick, it *effect, row *defs.ScriptRow, dies bool) {
	e := it.target
	if dies {
		e = it.entity
	}
	if e == (ecs.Entity{}) || !s.entities.Exists(e) || s.Player(e) || dies && !s.Unit(e) {
		return
	}
	if row.Do[0] == 0 {
		s.leave(leaving{e, dies})
		return
	}
	if s.waiting == maxLeaving {
		s.full.Count()
		s.leave(leaving{e, dies})
		return
	}
	s.waiting++
	s.timers.Add(t.After(time.Duration(row.Do[0])*time.Millisecond), leaving{e, dies})
}

func (s *ScriptSummons) leave(it leaving) {
	switch {
	case !s.entities.Exists(it.entity):
	case it.dies:
		if s.Alive(it.entity) {
			s.kills.Emit(rules.Kill{Entity: it.entity, By: it.entity})
		}
	case s.states.Has(it.entity):
		s.leaves.Emit(rules.DespawnObject{Entity: it.entity, Consumed: true})
	default:
		s.despawns.Emit(rules.DespawnCreature{Entity: it.entity})
	}
}

// summon summons a creature at a position, or at that of a target and so far from it.
//
// Source: SMART_ACTION_SUMMON_CREATURE, SmartScript::ProcessAction, AzerothCore.
func (s *ScriptSummons) summon(it *effect, row *defs.ScriptRow) {
	at := components.Position{X: row.At[0], Y: row.At[1], Z: row.At[2], O: row.At[3]}
	if row.Target != defs.ScriptPosition {
		if it.target == (ecs.Entity{}) || !s.entities.Exists(it.target) || !s.Unit(it.target) {
			return
		}
		p := s.positions.Get(it.target)
		at = components.Position{X: p.X + at.X, Y: p.Y + at.Y, Z: p.Z + at.Z, O: p.O}
	}
	m := rules.Summon{Entry: row.Do[0], At: at, ForMs: row.Do[2], Summoner: it.entity}
	switch row.Do[1] {
	case summonTimedInPeace:
		m.Peace = true
	case summonForCorpse, summonForCorpse + 1, summonUntilDead, summonForGood:
		m.ForMs = 0
	}
	switch {
	case row.Do[3] != 0:
		m.Prey = it.by
	case row.Do[4] != 0:
		m.Prey = it.entity
	}
	s.summons.Emit(m)
}
