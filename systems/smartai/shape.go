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

// ScriptShapes executes the effects on what units look like, wear and offer, and on the sounds that are played of them.
type ScriptShapes struct {
	rules.Units
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	effects  ecs.EventReader[effect]
	changes  ecs.Emit[rules.ChangeUnit]
	flags    ecs.Emit[rules.SetUnitFlags]
	out      change.Out
	objects  ecs.Read[components.Object]

	sound msg.PlaySound // these are kept here, since a packet takes its message by reference
	from  msg.PlayObjectSound
}

// React implements sched.Reactor.
func (s *ScriptShapes) React(t sched.Tick) {
	effects := s.effects.Next()
	for i := range effects {
		if it := &effects[i]; it.target != (ecs.Entity{}) && s.entities.Exists(it.target) && s.Unit(it.target) {
			s.shape(t, it)
		}
	}
}

// shape executes an effect. Sounds are for players and creatures, all else is for creatures, but for mounts and dynamic flags.
//
// Source: SmartScript::ProcessAction, AzerothCore.
func (s *ScriptShapes) shape(t sched.Tick, it *effect) {
	e, row := it.target, it.at.in(s.defs.Get())
	switch row.Action {
	case defs.ScriptSound:
		s.play(e, row.Do[0], row.Do[1] != 0, row.Do[2] == 1)
		return
	case defs.ScriptRandomSound:
		n := 0
		var sounds [4]uint32
		for _, sound := range row.Do[:4] {
			if sound != 0 {
				sounds[n] = sound
				n++
			}
		}
		if n > 0 {
			dice := t.Dice("smartai.sound", s.objects.Get(e).GUID^uint64(it.at.row)<<32)
			s.play(e, sounds[dice.Intn(n)], row.Do[4] != 0, false)
		}
		return
	case defs.ScriptMount:
		display := s.display(row)
		s.changes.Emit(rules.ChangeUnit{Entity: e, Part: rules.UnitMount, Set: display})
		flags := rules.SetUnitFlags{Entity: e, Set: components.UnitMount}
		if display == 0 {
			flags.Set, flags.Clear = 0, components.UnitMount
		}
		s.flags.Emit(flags)
		return
	case defs.ScriptSetDynamicFlags:
		s.changes.Emit(rules.ChangeUnit{Entity: e, Part: rules.UnitDynamicFlags, Set: row.Do[0], Clear: ^uint32(0)})
		return
	case defs.ScriptAddDynamicFlags:
		s.changes.Emit(rules.ChangeUnit{Entity: e, Part: rules.UnitDynamicFlags, Set: row.Do[0]})
		return
	case defs.ScriptRemoveDynamicFlags:
		s.changes.Emit(rules.ChangeUnit{Entity: e, Part: rules.UnitDynamicFlags, Clear: row.Do[0]})
		return
	}
	if !s.Player(e) {
		s.dress(e, it.entity, row)
	}
}

// dress executes an effect on a creature.
func (s *ScriptShapes) dress(e, by ecs.Entity, row *defs.ScriptRow) {
	o := rules.ChangeUnit{Entity: e}
	switch row.Action {
	case defs.ScriptMorph:
		o.Part, o.Set = rules.UnitModel, s.display(row)
	case defs.ScriptSetSheath:
		if o.Entity, o.Part, o.Set = by, rules.UnitSheath, row.Do[0]; !s.Unit(by) {
			return
		}
	case defs.ScriptSetNPCFlags:
		o.Part, o.Set, o.Clear = rules.UnitNPCFlags, row.Do[0], ^uint32(0)
	case defs.ScriptAddNPCFlags:
		o.Part, o.Set = rules.UnitNPCFlags, row.Do[0]
	case defs.ScriptRemoveNPCFlags:
		o.Part, o.Clear = rules.UnitNPCFlags, row.Do[0]
	case defs.ScriptSetUnitFlags:
		if o.Part, o.Set = rules.UnitFlags2, row.Do[0]; row.Do[1] == 0 {
			return
		}
	case defs.ScriptRemoveUnitFlags:
		if o.Part, o.Clear = rules.UnitFlags2, row.Do[0]; row.Do[1] == 0 {
			return
		}
	case defs.ScriptEquip:
		for i, item := range row.Do[2:5] {
			if row.Do[1] == 0 || row.Do[1]&(1<<i) != 0 {
				s.changes.Emit(rules.ChangeUnit{Entity: e, Part: rules.UnitItem1 + rules.UnitPart(i), Set: item})
			}
		}
		return
	default:
		return
	}
	s.changes.Emit(o)
}

// display is the display of a row: that of a template, or one of its own.
func (s *ScriptShapes) display(row *defs.ScriptRow) uint32 {
	if template := s.defs.Get().Creature(row.Do[0]); row.Do[0] != 0 && template != nil {
		return template.DisplayID
	}
	return row.Do[1]
}

// play plays a sound to all that see a unit, or to itself alone if it is a player: everywhere, or from where the unit is.
//
// Source: WorldObject::PlayDirectSound and WorldObject::PlayDistanceSound, AzerothCore.
func (s *ScriptShapes) play(e ecs.Entity, sound uint32, alone, placed bool) {
	op, m := uint16(msg.OpPlaySound), msg.Message(&s.sound)
	if s.sound = (msg.PlaySound{Sound: sound}); placed {
		s.from = msg.PlayObjectSound{Sound: sound, GUID: s.objects.Get(e).GUID}
		op, m = msg.OpPlayObjectSound, &s.from
	}
	if alone && s.Player(e) {
		s.out.Send(e, op, m)
	} else {
		s.out.Broadcast(e, op, m)
	}
}
