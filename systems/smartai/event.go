package smartai

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// ScriptEvents notes what happens to creatures with scripts: that they are there, fight, are hit, talk and die.
type ScriptEvents struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	place    ecs.Res[defs.Map]
	woken    ecs.Events[change.Woken]
	engaged  ecs.EventReader[rules.Engaged]
	evaded   ecs.EventReader[rules.Evade]
	deaths   ecs.EventReader[rules.Death]
	hits     ecs.EventReader[rules.SpellHit]
	damages  ecs.EventReader[rules.DamageDealt]
	talks    ecs.Events[rules.Gossip]
	triggers ecs.Emit[trigger]
	orders   ecs.Emit[rules.AIOrder]

	objects    ecs.Read[components.Object]
	sessions   ecs.Read[components.Session]
	spawnInfos ecs.Read[components.SpawnInfo]
	states     ecs.Read[components.ObjectState]
	scripted   ecs.Read[components.Scripted]
}

// OnEvents implements sched.Handler.
func (s *ScriptEvents) OnEvents(sched.Tick) {
	if len(s.defs.Get().Scripts) == 0 {
		s.skip()
		return
	}
	for _, it := range s.woken.All() {
		if s.entities.Exists(it.Entity) && s.scripted.Has(it.Entity) {
			s.wake(it)
		}
	}
	for _, it := range s.engaged.Next() {
		s.happen(it.Entity, it.By, defs.ScriptAggro, 0, 0)
	}
	for damages, i := s.damages.Next(), 0; i < len(damages); i++ {
		if it := &damages[i]; it.Dealt > 0 {
			s.happen(it.To, it.By, defs.ScriptDamaged, it.Dealt, 0)
			s.happen(it.By, it.To, defs.ScriptDamagedTarget, it.Dealt, 0)
		}
	}
	for _, it := range s.hits.Next() {
		school := s.defs.Get().Spell(it.Spell).School
		s.happen(it.To, it.By, defs.ScriptSpellHit, it.Spell, school)
		s.happen(it.By, it.To, defs.ScriptSpellHitTarget, it.Spell, school)
	}
	for _, it := range s.talks.All() {
		if it.Selected {
			s.happen(it.Creature, it.By, defs.ScriptGossipSelect, it.Menu, it.Option)
		} else {
			s.happen(it.Creature, it.By, defs.ScriptGossipHello, 0, 0)
		}
	}
	for _, it := range s.evaded.Next() {
		kind := comesHome
		if it.On {
			kind = evades
		}
		s.emit(trigger{entity: it.Entity, kind: kind})
	}
	for _, it := range s.deaths.Next() {
		s.die(it)
	}
}

// skip takes what no script is to know.
func (s *ScriptEvents) skip() {
	s.engaged.Next()
	s.damages.Next()
	s.hits.Next()
	s.evaded.Next()
	s.deaths.Next()
}

// emit triggers the script of an entity, if it has one.
func (s *ScriptEvents) emit(it trigger) {
	if s.entities.Exists(it.entity) && s.scripted.Has(it.entity) && s.scripted.Get(it.entity).Block != 0 {
		s.triggers.Emit(it)
	}
}

func (s *ScriptEvents) happen(e, by ecs.Entity, event defs.ScriptEvent, a, b uint32) {
	s.emit(trigger{entity: e, by: by, event: event, a: a, b: b})
}

// wake begins the script of a new creature, and goes on with that of one that has slept.
func (s *ScriptEvents) wake(it change.Woken) {
	e := it.Entity
	if it.SleptMs != 0 || s.scripted.Get(e).Block != 0 {
		s.emit(trigger{entity: e, kind: wakes, a: it.SleptMs})
		return
	}
	if s.states.Has(e) {
		s.wakeObject(e)
		return
	}
	info, entry := s.spawnInfos.Get(e), s.objects.Get(e).Entry
	if script := scriptOfCreature(s.defs.Get(), s.place.Get(), entry, info.Point); script != 0 {
		s.triggers.Emit(trigger{entity: e, by: info.Summoner, kind: begins, a: script - 1, b: s.place.Get().ID})
	}
	if s.entities.Exists(info.Summoner) {
		s.happen(info.Summoner, e, defs.ScriptSummonedUnit, entry, 0)
	}
	if s.entities.Exists(info.Prey) {
		s.orders.Emit(rules.AIOrder{Entity: e, Kind: rules.OrderAttack, Foe: info.Prey})
	}
}

// wakeObject begins the script of a new game object.
//
// Source: SmartGameObjectAI::InitializeAI, AzerothCore.
func (s *ScriptEvents) wakeObject(e ecs.Entity) {
	if script := scriptOfObject(s.defs.Get(), s.place.Get(), s.objects.Get(e).Entry, s.states.Get(e).Point); script != 0 {
		s.triggers.Emit(trigger{entity: e, kind: begins, a: script - 1, b: s.place.Get().ID})
	}
}

// die tells the scripts of the dead, of its killer and of its summoner.
func (s *ScriptEvents) die(it rules.Death) {
	if !s.entities.Exists(it.Entity) {
		return
	}
	s.emit(trigger{entity: it.Entity, by: it.By, kind: dies})
	player, entry := uint32(0), s.objects.Get(it.Entity).Entry
	if s.sessions.Has(it.Entity) {
		player = 1
	}
	s.happen(it.By, it.Entity, defs.ScriptKill, player, entry)
	if s.spawnInfos.Has(it.Entity) {
		s.happen(s.spawnInfos.Get(it.Entity).Summoner, it.Entity, defs.ScriptSummonedUnitDies, entry, 0)
	}
}
