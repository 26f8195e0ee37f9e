package spell

import (
	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// Cooldowns begins cooldowns that waited for an aura to end, and ends cooldowns, for other systems.
type Cooldowns struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	out      change.Out
	unsaved  change.Unsaved

	releases  ecs.Requests[rules.ReleaseCooldown]
	clears    ecs.Requests[rules.ClearCooldowns]
	objects   ecs.Read[components.Object]
	cooldowns ecs.Write[components.Cooldowns]

	event msg.CooldownEvent // these are kept here, since a packet takes its message by reference
	clear msg.ClearCooldown
}

// OnEvents implements sched.Handler.
//
// Source: Player::SendCooldownEvent, Player::RemoveSpellCooldown and SendClearCooldown, AzerothCore.
func (s *Cooldowns) OnEvents(t sched.Tick) {
	for _, r := range s.releases.Take() {
		if s.entities.Exists(r.Entity) && s.cooldowns.Has(r.Entity) &&
			s.cooldowns.Get(r.Entity).Release(r.Spell, t.NowMs+s.defs.Get().Spell(r.Spell).CooldownMs) {
			s.unsaved.Mark(r.Entity, life.Cooldowns)
			p := &s.event
			p.Spell, p.GUID = r.Spell, s.objects.Get(r.Entity).GUID
			s.out.SendNow(r.Entity, msg.OpCooldownEvent, p)
		}
	}
	for _, c := range s.clears.Take() {
		if s.entities.Exists(c.Entity) && s.cooldowns.Has(c.Entity) {
			s.clearCooldowns(c.Entity, c.Spell)
		}
	}
}

// clearCooldowns ends the cooldown of a player's spell, or all for 0, and sends each to its client.
func (s *Cooldowns) clearCooldowns(e ecs.Entity, which uint32) {
	waits := s.cooldowns.Get(e)
	kept := uint32(0)
	for _, wait := range waits.List[:waits.Waiting] {
		if which != 0 && wait.Spell != which {
			waits.List[kept] = wait
			kept++
		} else if wait.Spell != 0 {
			s.clear = msg.ClearCooldown{Spell: wait.Spell, GUID: s.objects.Get(e).GUID}
			s.out.Send(e, msg.OpClearCooldown, &s.clear)
		}
	}
	clear(waits.List[kept:])
	waits.Waiting = kept
	s.unsaved.Mark(e, life.Cooldowns)
}
