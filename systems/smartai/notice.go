package smartai

import (
	"muster/components"
	"muster/components/defs"
	"muster/components/move"
	"muster/ecs"
	"muster/ecs/space"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// ScriptNotices notes what else happens to creatures, game objects and areas with scripts: emotes and healing, uses, what those do that they have
// summoned, and which players enter.
type ScriptNotices struct {
	rules.Living
	entities ecs.Entities
	space    ecs.Res[space.Space]
	heals    ecs.EventReader[rules.Healed]
	emotes   ecs.Events[change.Sent[msg.TextEmote]]
	gone     ecs.EventReader[rules.Gone]
	evaded   ecs.EventReader[rules.Evade]
	used     ecs.Events[rules.ObjectUsed]
	switched ecs.EventReader[rules.ObjectSwitched]
	entries  ecs.Events[move.AreaEntered]
	triggers ecs.Emit[trigger]

	objects    ecs.Read[components.Object]
	spawnInfos ecs.Read[components.SpawnInfo]
	scripted   ecs.Read[components.Scripted]
}

// OnEvents implements sched.Handler.
func (s *ScriptNotices) OnEvents(sched.Tick) {
	for emotes, i := s.emotes.All(), 0; i < len(emotes); i++ {
		if it := &emotes[i]; s.Alive(it.By) {
			s.happen(s.space.Get().Find(it.Msg.Target), it.By, defs.ScriptReceiveEmote, it.Msg.Text, 0)
		}
	}
	for heals, i := s.heals.Next(), 0; i < len(heals); i++ {
		if it := &heals[i]; it.Health > 0 {
			s.happen(it.To, it.By, defs.ScriptReceiveHeal, it.Health, 0)
		}
	}
	for _, it := range s.used.All() {
		reported := uint32(0)
		if it.Reported {
			reported = 1
		}
		s.happen(it.Object, it.By, defs.ScriptGossipHello, reported, 0)
	}
	for _, it := range s.switched.Next() {
		s.happen(it.Object, it.By, defs.ScriptObjectState, it.State, 0)
	}
	for _, it := range s.entries.All() {
		s.triggers.Emit(trigger{entity: it.Player, by: it.Player, kind: enters, a: it.Script, b: it.Area})
	}
	for _, it := range s.evaded.Next() {
		if it.On {
			s.tell(it.Entity, defs.ScriptSummonEvades)
		}
	}
	for _, it := range s.gone.Next() {
		s.tell(it.Entity, defs.ScriptSummonDespawned)
	}
}

// tell tells the script that has summoned a creature what has happened to that.
func (s *ScriptNotices) tell(e ecs.Entity, event defs.ScriptEvent) {
	if s.entities.Exists(e) && s.spawnInfos.Has(e) {
		s.happen(s.spawnInfos.Get(e).Summoner, e, event, s.objects.Get(e).Entry, 0)
	}
}

// happen triggers the script of an entity, if it has one.
func (s *ScriptNotices) happen(e, by ecs.Entity, event defs.ScriptEvent, a, b uint32) {
	if s.entities.Exists(e) && s.scripted.Has(e) && s.scripted.Get(e).Block != 0 {
		s.triggers.Emit(trigger{entity: e, by: by, event: event, a: a, b: b})
	}
}
