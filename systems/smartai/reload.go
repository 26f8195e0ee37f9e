package smartai

import (
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// ScriptReloads has the scripts of all creatures and game objects begin anew when scripts have been replaced.
type ScriptReloads struct {
	defs     ecs.Res[defs.World]
	place    ecs.Res[defs.Map]
	reloaded ecs.Events[rules.Reloaded]
	triggers ecs.Emit[trigger]

	all        ecs.Query[components.Scripted]
	objects    ecs.Read[components.Object]
	spawnInfos ecs.Read[components.SpawnInfo]
	states     ecs.Read[components.ObjectState]
}

// OnEvents implements sched.Handler.
func (s *ScriptReloads) OnEvents(sched.Tick) {
	if !slices.ContainsFunc(s.reloaded.All(), func(r rules.Reloaded) bool { return r.Part == defs.PartScripts }) {
		return
	}
	for q := s.all.Iter(); q.Next(); {
		e := q.Entity()
		entry, script := s.objects.Get(e).Entry, uint32(0)
		if s.states.Has(e) {
			script = scriptOfObject(s.defs.Get(), s.place.Get(), entry, s.states.Get(e).Point)
		} else {
			script = scriptOfCreature(s.defs.Get(), s.place.Get(), entry, s.spawnInfos.Get(e).Point)
		}
		s.triggers.Emit(trigger{entity: e, kind: restarts, a: script, b: s.place.Get().ID})
	}
}

// scriptOfCreature is one more than the index of the script of a creature, 0 without one: that of its spawn point, one more than whose
// index is point, or that of its template.
//
// Source: SmartAI::InitializeAI, AzerothCore.
func scriptOfCreature(w *defs.World, m *defs.Map, entry, point uint32) uint32 {
	if point != 0 {
		if own := m.Spawns[point-1].Script; own != 0 {
			return own
		}
	}
	if template := w.Creature(entry); template != nil {
		return template.Script
	}
	return 0
}

// scriptOfObject is that of a game object.
func scriptOfObject(w *defs.World, m *defs.Map, entry, point uint32) uint32 {
	if point != 0 {
		if own := m.Objects[point-1].Script; own != 0 {
			return own
		}
	}
	if template := w.GameObject(entry); template != nil {
		return template.Script
	}
	return 0
}
