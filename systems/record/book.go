package record

import (
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/net/replication/frame"
	"muster/sched"
	"muster/systems/rules"
)

// buttons is the number of first spells that a new character has on its action bar.
const buttons = 12

// giveFirstSpells gives a character that has never been in a world the spells of its class and those that it begins with besides, and buttons: those that
// its race and class begin with, or without any those of spells that are cast.
//
// Source: Player::LearnDefaultSkills and Player::addActionButton, AzerothCore.
func (k *Loader) giveFirstSpells(c *frame.Character) {
	if c.Begun || len(c.Spells) > 0 {
		return
	}
	c.Spells = k.defs.Get().StartSpellsOf(k.defs.Get().Learnt(nil, c.Class, c.Level), c.Race, c.Class)
	slices.Sort(c.Spells)
	c.Spells = slices.Compact(c.Spells)
	for _, it := range k.defs.Get().StartActions {
		if it.Race == c.Race && it.Class == c.Class {
			c.Actions = append(c.Actions, life.Action{Button: it.Button, Packed: it.Packed})
		}
	}
	if len(c.Actions) > 0 {
		return
	}
	for _, id := range c.Spells {
		if sp := k.defs.Get().Spell(id); !sp.Has(defs.SpellPassive) && len(c.Actions) < buttons {
			c.Actions = append(c.Actions, life.Action{Button: uint8(len(c.Actions)), Packed: id})
		}
	}
}

// putSpells gives a player the spells, cooldowns, buttons and auras of its character. Unknown and expired ones are left
// out: cooldowns and harmful auras run on while a player is away.
//
// Source: Player::_LoadSpellCooldowns and _LoadAuras, AzerothCore.
func (k *Loader) putSpells(t sched.Tick, e ecs.Entity, c *frame.Character) {
	book, actions := k.spells.Get(e), k.actions.Get(e)
	for _, id := range c.Spells {
		if k.defs.Get().Spell(id) != nil {
			book.Learn(id)
		}
	}
	for _, w := range c.Cooldowns {
		if left := c.Left(w.LeftMs); left > 0 {
			k.cooldowns.Get(e).Wait(components.Cooldown{Spell: w.Spell, Category: w.Category, UntilMs: t.NowMs + left}, t.NowMs)
		}
	}
	for _, a := range c.Actions {
		if int(a.Button) < len(actions) {
			actions[a.Button] = a.Packed
		}
	}
	for i := range c.Auras {
		k.restoreAura(t, e, c, &c.Auras[i])
	}
	if state := k.unitAuras.Get(e); state.Block != 0 {
		auras, states := k.auras.Get().At(state.Block), uint16(0)
		auras.Sum, states = rules.SumOf(k.defs.Get(), auras)
		state.States |= states // they have effect from the first tick
	}
}

// restoreAura puts a saved aura on a player; system appliedauras continues it. Its pulses begin anew.
func (k *Loader) restoreAura(t sched.Tick, e ecs.Entity, c *frame.Character, a *life.Aura) {
	sp, state := k.defs.Get().Spell(a.Spell), k.unitAuras.Get(e)
	if sp == nil || sp.Has(defs.SpellPassive) {
		return
	}
	left := a.LeftMs
	if sp.Has(defs.SpellHarmful) {
		left = c.Left(left)
	}
	if a.MaxMs != 0 && left == 0 {
		return
	}
	if state.Block == 0 {
		state.Block = k.auras.Get().Alloc()
	}
	list := k.auras.Get().At(state.Block)
	if list.Count == life.MaxAuras {
		return
	}
	n := components.Aura{
		CasterGUID: a.Caster, Spell: a.Spell, MaxMs: a.MaxMs, EndMs: t.NowMs + left, Amount: a.Amount,
		Slot: uint8(list.Count), Stacks: max(a.Stacks, 1), Charges: a.Charges, Level: a.CasterLevel,
	}
	if a.Caster == k.objects.Get(e).GUID {
		n.Caster = e
	}
	n.Effects = effectsOf(sp, n.Caster == e)
	for i := range sp.Effects {
		if f := &sp.Effects[i]; n.Effects&(1<<i) != 0 && f.PulseMs > 0 {
			n.NextMs[i] = t.NowMs + f.PulseMs
		}
	}
	list.List[list.Count] = n
	list.Count++
}

// effectsOf returns the effects of a spell that are in its aura on the caster, or on another unit: an effect for the
// caster is on no other unit, and one for enemies not on the caster. If that leaves none, the aura was put there by a
// command, and has all of them.
func effectsOf(sp *defs.Spell, own bool) (effects uint32) {
	all := uint32(0)
	for i := range sp.Effects {
		if e := &sp.Effects[i]; e.Kind == defs.EffectApplyAura {
			all |= 1 << i
			if own && (e.Target.Friendly() || e.Target == defs.TargetAny) || !own && e.Target != defs.TargetCaster {
				effects |= 1 << i
			}
		}
	}
	if effects == 0 {
		return all
	}
	return effects
}

// takeSpells writes those of the given lists that have to do with spells.
func (k *ListSaver) takeSpells(t sched.Tick, e ecs.Entity, into *life.Life, told life.Set) {
	if told&(life.Spells|life.Cooldowns) != 0 {
		book := k.spells.Get(e)
		if told&life.Spells != 0 {
			into.Spells = append(into.Spells, book.Spells[:book.Count]...)
		}
		if told&life.Cooldowns != 0 {
			into.Cooldowns = appendCooldowns(into.Cooldowns, k.cooldowns.Get(e), t.NowMs)
		}
	}
	if told&life.Actions != 0 {
		for button, packed := range k.actions.Get(e) {
			if packed != 0 {
				into.Actions = append(into.Actions, life.Action{Button: uint8(button), Packed: packed})
			}
		}
	}
	if told&life.Auras != 0 {
		if block := k.unitAuras.Get(e).Block; block != 0 {
			into.Auras = k.appendAuras(into.Auras, k.auras.Get().At(block), t.NowMs)
		}
	}
}

// appendCooldowns appends running cooldowns; of one that is held its full time.
func appendCooldowns(to []life.Cooldown, waits *components.Cooldowns, nowMs uint32) []life.Cooldown {
	for _, w := range waits.List[:waits.Waiting] {
		if left := int32(w.UntilMs - nowMs); left > 0 {
			to = append(to, life.Cooldown{Spell: w.Spell, Category: w.Category, LeftMs: uint32(left)})
		}
	}
	return to
}

// appendAuras appends auras with a duration: those of passive spells are applied anew.
func (k *ListSaver) appendAuras(to []life.Aura, auras *components.Auras, nowMs uint32) []life.Aura {
	for i := range auras.List[:auras.Count] {
		a := &auras.List[i]
		if sp := k.defs.Get().Spell(a.Spell); sp == nil || sp.Has(defs.SpellPassive) || a.Ended(nowMs) {
			continue
		}
		to = append(to, life.Aura{
			Spell: a.Spell, Caster: a.CasterGUID, CasterLevel: a.Level, Slot: a.Slot, Stacks: a.Stacks,
			Charges: a.Charges, MaxMs: a.MaxMs, LeftMs: a.LeftMs(nowMs), Amount: a.Amount,
		})
	}
	return to
}
