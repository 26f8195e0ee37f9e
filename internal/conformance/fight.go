package conformance

import (
	"math"
	"slices"

	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// fights are the messages about fights between units.
var fights = [...]uint16{
	msg.OpAttackerState, msg.OpAttackStart, msg.OpAttackStopped, msg.OpAIReaction,
	msg.OpSpellStart, msg.OpSpellGo, msg.OpSpellFailure, msg.OpSpellFailedOther,
	msg.OpSpellDamageLog, msg.OpSpellHealLog, msg.OpPeriodicAuraLog, msg.OpEnvironmentalDamageLog,
}

// fight reads one of them.
func (c *Client) fight(op uint16, payload []byte) {
	d := c.decoder
	switch op {
	case msg.OpAttackerState:
		if m := &d.hit; c.read(m, payload) && c.meets(m.Attacker, m.Victim) {
			c.landed(m)
		}
	case msg.OpAttackStart:
		if m := new(msg.AttackStart); c.read(m, payload) {
			c.meets(m.Attacker, m.Victim)
		}
	case msg.OpAttackStopped:
		if m := new(msg.AttackStopped); c.read(m, payload) {
			c.meets(m.Attacker, m.Victim)
		}
	case msg.OpAIReaction:
		if m := new(msg.AIReaction); c.read(m, payload) {
			c.meets(m.GUID, 0)
		}
	case msg.OpSpellStart:
		if m := &d.start; c.read(m, payload) && c.meets(m.Caster, 0) && m.Caster == c.self {
			if !c.casts.begin(m.Spell, m.Count, m.CastMs) {
				c.violation(CastOrder, m.Caster)
			}
		}
	case msg.OpSpellGo:
		if m := &d.done; c.read(m, payload) && c.meets(m.Caster, 0) && m.Caster == c.self {
			if m.Flags&msg.CastPending == 0 && !c.casts.finish(m.Spell) {
				c.violation(CastOrder, m.Caster)
			}
		}
	case msg.OpSpellFailure, msg.OpSpellFailedOther:
		if m := new(msg.SpellFailure); c.read(m, payload) && c.meets(m.Caster, 0) && m.Caster == c.self {
			c.casts.fail(m.Spell, m.Count)
		}
	case msg.OpSpellDamageLog:
		if m := new(msg.SpellDamageLog); c.read(m, payload) && c.meets(m.Target, m.Attacker) {
			c.hurt(m.Target, m.Damage)
		}
	case msg.OpSpellHealLog:
		if m := new(msg.SpellHealLog); c.read(m, payload) {
			c.meets(m.Target, m.Caster)
		}
	case msg.OpPeriodicAuraLog:
		if m := new(msg.PeriodicAuraLog); c.read(m, payload) && c.meets(m.Target, m.Caster) {
			for _, tick := range m.Ticks {
				if tick.Type == msg.PeriodicDamage || tick.Type == msg.PeriodicDamagePercent {
					c.hurt(m.Target, tick.Amount)
				}
			}
		}
	case msg.OpEnvironmentalDamageLog:
		if m := new(msg.EnvironmentalDamageLog); c.read(m, payload) && c.meets(m.GUID, 0) {
			c.hurt(m.GUID, m.Damage)
		}
	}
}

// read reads a message to its end.
func (c *Client) read(m msg.Message, payload []byte) bool {
	r := &c.decoder.codec // behind an interface it would be allocated each time
	*r = wire.NewReader(wire.V12340, payload)
	m.Wire(r)
	return c.whole(r)
}

// meets reports whether the client knows one of the units of an event.
func (c *Client) meets(a, b uint64) bool {
	if c.objects.find(a) == nil && c.objects.find(b) == nil {
		c.violation(UnknownEvent, a)
		return false
	}
	return true
}

// landed subtracts the damage of a hit from its victim, and checks that it precedes the values and that
// the victim is alive.
//
// Source: protocol.md 3.1.2 and 7.11.
func (c *Client) landed(m *msg.AttackerState) {
	e := c.objects.find(m.Victim)
	if e == nil {
		return
	}
	had := e.left()
	if m.Damage > 0 {
		if e.health == 0 || e.state&stateSlain != 0 {
			c.violation(DeadVictim, m.Victim)
		}
		if e.announced < 0 && m.Damage-min(m.Overkill, m.Damage) <= uint32(-e.announced) {
			c.violation(LateHit, m.Victim)
		}
	}
	if m.Overkill > 0 {
		e.state |= stateSlain
	}
	e.hurt(m.Damage)
	if hit := c.decoder.config.Hit; hit != nil {
		hit(m, had > 0 && m.Damage >= had)
	}
}

// hurt subtracts damage from a unit that is known.
func (c *Client) hurt(guid uint64, damage uint32) {
	if e := c.objects.find(guid); e != nil {
		e.hurt(damage)
	}
}

func (e *entry) hurt(damage uint32) {
	e.announced = int32(min(int64(max(e.announced, 0))+int64(damage), math.MaxInt32))
}

// settle holds new values of health against what was announced since the last.
func (e *entry) settle(before uint32, values bool) {
	lost := int64(before) - int64(e.health)
	unsaid := lost - int64(max(e.announced, 0))
	e.announced = 0
	if values && unsaid > 0 && e.health != e.maxHealth {
		e.announced = int32(-min(unsaid, math.MaxInt32))
	}
	if e.health > 0 {
		e.state &^= stateSlain
	}
}

// left is the health of a unit, less what was announced.
func (e *entry) left() uint32 { return e.health - min(e.health, uint32(max(e.announced, 0))) }

// aura reads what spells are on a unit.
func (c *Client) aura(payload []byte) {
	m := &c.decoder.auras
	m.Records = m.Records[:0]
	if !c.read(m, payload) {
		return
	}
	if c.objects.find(m.Unit) == nil {
		c.violation(UnknownAura, m.Unit)
		return
	}
	const effects = msg.AuraEffect0 | msg.AuraEffect1 | msg.AuraEffect2
	for i := range m.Records {
		r := &m.Records[i]
		timed := r.Flags&msg.AuraHasTime != 0
		if r.Spell != 0 && (r.Flags&effects == 0 || timed && (r.MaxMs == 0 || r.LeftMs > r.MaxMs)) {
			c.violation(BadAura, m.Unit)
		}
	}
}

// casts is the state of the client's spells with a cast time.
type casts struct {
	spell uint32 // begun, and not done
	count uint8  // as the client has numbered it
	timed [16]uint32
	next  uint8
}

// begin begins a cast; it reports whether there was none. What takes no time now may have taken some before.
func (k *casts) begin(spell uint32, count uint8, castMs uint32) bool {
	if i := slices.Index(k.timed[:], spell); castMs == 0 {
		if i >= 0 {
			k.timed[i] = 0
		}
		return true
	} else if i < 0 {
		k.timed[k.next%uint8(len(k.timed))] = spell
		k.next++
	}
	free := k.spell == 0
	k.spell, k.count = spell, count
	return free
}

// finish ends a cast that has succeeded; it reports whether that had begun, if it has a cast time.
func (k *casts) finish(spell uint32) bool {
	begun := k.spell == spell
	k.end(spell)
	return begun || !slices.Contains(k.timed[:], spell)
}

// fail ends a cast that has failed. Another number is of another request for the same spell, which was refused
// while this goes on.
func (k *casts) fail(spell uint32, count uint8) {
	if k.count == count {
		k.end(spell)
	}
}

func (k *casts) end(spell uint32) {
	if k.spell == spell {
		k.spell = 0
	}
}
