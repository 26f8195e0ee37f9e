package gm

import (
	"slices"
	"strings"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// GMMagic executes the commands that cast and teach spells, put and remove auras, and end cooldowns.
type GMMagic struct {
	group

	defs         ecs.Res[defs.World]
	names        ecs.Read[components.Name]
	positions    ecs.Read[components.Position]
	units        ecs.Read[components.Unit]
	cooldowns    ecs.ReadRef[components.Cooldowns]
	casts        ecs.Emit[rules.Cast]
	auraApplies  ecs.Emit[rules.ApplyAura]
	auraRemovals ecs.Emit[rules.RemoveAuras]
	learns       ecs.Emit[rules.LearnSpell]
	clears       ecs.Emit[rules.ClearCooldowns]
}

// OnEvents executes the commands of this group.
func (s *GMMagic) OnEvents(sched.Tick) { execute(&s.group, s, magic) }

var magic = []verb[GMMagic]{
	{"aura", (*GMCommands).unit, (*GMMagic).aura},
	{"cast", (*GMCommands).unit, (*GMMagic).cast},
	{"cast self", (*GMCommands).unit, (*GMMagic).castSelf},
	{"cooldown", (*GMCommands).selected, (*GMMagic).cooldown},
	{"learn", (*GMCommands).selected, (*GMMagic).learn},
	{"learn all my class", nil, (*GMMagic).learnAll},
	{"unaura", (*GMCommands).unit, (*GMMagic).unaura},
	{"unlearn", (*GMCommands).selected, (*GMMagic).unlearn},
}

// spell takes the ID of a known spell.
func (s *GMMagic) spell(c *call) (*defs.Spell, error) {
	id := c.args.ID()
	if c.args.Bad() {
		return nil, usage
	}
	spell := s.defs.Get().Spell(id)
	if spell == nil {
		return nil, refusal("There is no such spell.")
	}
	return spell, nil
}

func (s *GMMagic) cast(c *call) error {
	name := s.names.Get(c.by)
	return s.castAt(c, c.by, name.String())
}

func (s *GMMagic) castSelf(c *call) error {
	return s.castAt(c, c.of, c.name)
}

func (s *GMMagic) castAt(c *call, by ecs.Entity, name string) error {
	spell, err := s.spell(c)
	if err != nil {
		return err
	}
	triggered := c.args.Is("triggered")
	if err := c.args.End(); err != nil {
		return err
	}
	at := s.positions.Get(c.of)
	wish := rules.Cast{By: by, Target: c.of, To: at.Vec(), Placed: placed(spell), Spell: spell.ID, Triggered: triggered}
	wish.Ticket = c.wait(name, spell.Name)
	s.casts.Emit(wish)
	c.say("%s is to cast %s.", name, spell.Name)
	return nil
}

func placed(spell *defs.Spell) bool {
	for i := range spell.Effects {
		if spell.Effects[i].Target.Placed() {
			return true
		}
	}
	return false
}

// aura puts all auras of a spell on a unit, even if no caster could.
func (s *GMMagic) aura(c *call) error {
	if c.args.Is("remove") {
		return s.removeAuras(c)
	}
	spell, err := s.spell(c)
	if err != nil {
		return err
	}
	if err := c.args.End(); err != nil {
		return err
	}
	apply := rules.ApplyAura{By: c.by, To: c.of, Spell: spell.ID, Level: uint8(min(s.units.Get(c.by).Level, 255))}
	for i := range spell.Effects {
		if effect := &spell.Effects[i]; effect.Kind == defs.EffectApplyAura {
			apply.Effects |= 1 << i
			apply.Amount[i] = effect.Amount
		}
	}
	if apply.Effects == 0 {
		return refusal("That spell has no auras.")
	}
	s.auraApplies.Emit(apply)
	c.say("%s has %s.", c.name, spell.Name)
	return nil
}

func (s *GMMagic) unaura(c *call) error {
	return s.removeAuras(c)
}

// removeAuras removes the auras of a spell from a unit, or all.
func (s *GMMagic) removeAuras(c *call) error {
	var which uint32
	if !c.args.Is("all") {
		which = c.args.ID()
	}
	if err := c.args.End(); err != nil {
		return err
	}
	s.auraRemovals.Emit(rules.RemoveAuras{From: c.of, Spell: which})
	c.say("%s is rid of it.", c.name)
	return nil
}

func (s *GMMagic) learn(c *call) error { return s.teach(c, false) }

func (s *GMMagic) unlearn(c *call) error { return s.teach(c, true) }

func (s *GMMagic) teach(c *call, forget bool) error {
	e := c.of
	spell, err := s.spell(c)
	if err != nil {
		return err
	}
	ranks := s.ranks(spell, c.args.Is("all"), forget)
	if err := c.args.End(); err != nil {
		return err
	}
	for _, rank := range ranks {
		s.learns.Emit(rules.LearnSpell{Entity: e, Spell: rank.ID, Forget: forget})
	}
	spell = ranks[len(ranks)-1]
	does := "learns"
	if forget {
		does = "forgets"
	}
	c.say("%s %s %s.", c.name, does, strings.TrimSpace(spell.Name+" "+spell.Rank))
	return nil
}

// ranks are a spell or, if all is set, it and its higher ranks, ascending; if lower is set, the lower ones too.
//
// Source: HandleLearnSpellCommand and HandleUnLearnSpellCommand, cs_learn.cpp, AzerothCore.
func (s *GMMagic) ranks(spell *defs.Spell, all, lower bool) []*defs.Spell {
	ranks := []*defs.Spell{spell}
	if !all {
		return ranks
	}
	for lower {
		first := ranks[0]
		if lower = first.Replaces != 0 && s.defs.Get().Spell(first.Replaces) != nil && len(ranks) < maxRanks; lower {
			ranks = slices.Insert(ranks, 0, s.defs.Get().Spell(first.Replaces))
		}
	}
	for last := spell; last != nil && len(ranks) < maxRanks; {
		next := slices.IndexFunc(s.defs.Get().Spells, func(sp defs.Spell) bool { return sp.Replaces == last.ID })
		if last = nil; next >= 0 {
			last = &s.defs.Get().Spells[next]
			ranks = append(ranks, last)
		}
	}
	return ranks
}

// maxRanks limits the ranks of a spell, our own choice: a cycle in the data comes to an end.
const maxRanks = 32

// learnAll teaches a player every spell of its class, regardless of its level.
//
// Source: HandleLearnAllMyClassCommand, cs_learn.cpp, AzerothCore.
func (s *GMMagic) learnAll(c *call) error {
	if err := c.args.End(); err != nil {
		return err
	}
	class, n := s.units.Get(c.by).Bytes0[components.ByteClass], 0
	for i := range s.defs.Get().Spells {
		if spell := &s.defs.Get().Spells[i]; spell.Class == class && class != 0 {
			s.learns.Emit(rules.LearnSpell{Entity: c.by, Spell: spell.ID})
			n++
		}
	}
	c.say("%s learns %d spells.", c.name, n)
	return nil
}

// cooldown ends the cooldowns of a player, or that of one spell.
func (s *GMMagic) cooldown(c *call) error {
	e := c.of
	var which uint32
	if c.args.Len() > 0 {
		which = c.args.ID()
	}
	if err := c.args.End(); err != nil {
		return err
	}
	n := s.ready(e, which)
	c.say("%s waits for %d spells less.", c.name, n)
	return nil
}

// ready ends the cooldown of a player's spell, or all for 0. It returns their number.
//
// Source: Player::RemoveSpellCooldown, AzerothCore.
func (s *GMMagic) ready(e ecs.Entity, which uint32) (n int) {
	waits := s.cooldowns.Get(e)
	for _, wait := range waits.List[:waits.Waiting] {
		if which == 0 || wait.Spell == which {
			n++
		}
	}
	s.clears.Emit(rules.ClearCooldowns{Entity: e, Spell: which})
	return n
}
