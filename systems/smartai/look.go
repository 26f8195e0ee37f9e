package smartai

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// ScriptLooks executes the effects on what units show: emotes, posture, flags, faction.
type ScriptLooks struct {
	rules.Living
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	effects  ecs.EventReader[effect]
	out      change.Out
	emotes   ecs.Emit[rules.SetEmoteState]
	flags    ecs.Emit[rules.SetUnitFlags]
	stands   ecs.Emit[rules.SetStand]
	factions ecs.Emit[rules.SetFaction]
	objects  ecs.Read[components.Object]

	emoted msg.Emoted // kept here, since a packet takes its message by reference
}

// React implements sched.Reactor.
func (s *ScriptLooks) React(t sched.Tick) {
	effects := s.effects.Next()
	for i := range effects {
		if it := &effects[i]; it.target != (ecs.Entity{}) && s.entities.Exists(it.target) && s.Unit(it.target) {
			s.look(t, it)
		}
	}
}

func (s *ScriptLooks) look(t sched.Tick, it *effect) {
	e, row := it.target, it.at.in(s.defs.Get())
	switch row.Action {
	case defs.ScriptEmote:
		s.show(e, row.Do[0])
	case defs.ScriptRandomEmote:
		n := 0
		for n < len(row.Do) && row.Do[n] != 0 {
			n++
		}
		if n > 0 {
			dice := t.Dice("smartai.emote", s.objects.Get(e).GUID^uint64(it.at.row)<<32)
			s.show(e, row.Do[dice.Intn(n)])
		}
	case defs.ScriptSetEmoteState:
		s.emotes.Emit(rules.SetEmoteState{Entity: e, Emote: row.Do[0]})
	case defs.ScriptSetUnitFlags:
		if row.Do[1] == 0 {
			s.flags.Emit(rules.SetUnitFlags{Entity: e, Set: row.Do[0]})
		}
	case defs.ScriptRemoveUnitFlags:
		if row.Do[1] == 0 {
			s.flags.Emit(rules.SetUnitFlags{Entity: e, Clear: row.Do[0]})
		}
	case defs.ScriptSetBytes1:
		s.stands.Emit(rules.SetStand{Entity: e, State: uint8(row.Do[0])})
	case defs.ScriptRemoveBytes1:
		s.stands.Emit(rules.SetStand{Entity: e, State: components.Standing})
	case defs.ScriptSetFaction:
		s.factions.Emit(rules.SetFaction{Entity: e, Faction: row.Do[0]})
	}
}

// show has a living unit show an emote once.
func (s *ScriptLooks) show(e ecs.Entity, emote uint32) {
	if s.Alive(e) {
		s.emoted = msg.Emoted{Emote: emote, GUID: s.objects.Get(e).GUID}
		s.out.Broadcast(e, msg.OpEmoted, &s.emoted)
	}
}
