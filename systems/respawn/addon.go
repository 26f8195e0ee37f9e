package respawn

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/sched"
	"muster/systems/rules"
)

// Addons puts the auras of their looks on creatures when they have been spawned, and again when they evade, which removes all auras.
//
// Source: Creature::LoadCreaturesAddon and CreatureAI::_EnterEvadeMode, AzerothCore.
type Addons struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	place    ecs.Res[defs.Map]
	space    ecs.Res[space.Space]
	births   ecs.Events[birth]
	evades   ecs.EventReader[rules.Evade]
	applies  ecs.Emit[rules.ApplyAura]

	objects    ecs.Read[components.Object]
	units      ecs.Read[components.Unit]
	spawnInfos ecs.Read[components.SpawnInfo]
}

// OnEvents implements sched.Handler.
func (s *Addons) OnEvents(sched.Tick) {
	births := s.births.All()
	for i := range births {
		if b := &births[i]; b.look.Auras != [defs.MaxLookAuras]uint32{} {
			s.put(s.space.Get().Find(components.CreatureGUID(b.entry, b.counter)), &b.look)
		}
	}
	for _, it := range s.evades.Next() {
		if it.On && s.entities.Exists(it.Entity) && s.spawnInfos.Has(it.Entity) {
			s.put(it.Entity, s.place.Get().LookOf(s.defs.Get().Creature(s.objects.Get(it.Entity).Entry), s.spawnInfos.Get(it.Entity).Point))
		}
	}
}

// put puts the auras of a look on a creature.
func (s *Addons) put(e ecs.Entity, look *defs.Look) {
	for _, id := range look.Auras {
		if sp := s.defs.Get().Spell(id); sp != nil {
			if a, ok := rules.OwnAura(e, sp, s.units.Get(e).Level); ok {
				s.applies.Emit(a)
			}
		}
	}
}
