package systems

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/systems/respawn"
	"muster/systems/rules"
)

// The spells of a stage besides those that are tried on it. None of them misses or hits hard.
const (
	flame  = 500 + iota // ten points of fire
	jab                 // ten points of its own hands
	balm                // heals ten
	bane                // does nothing but be magic, and harmful
	boon                // and good
	mumble              // takes three seconds
)

// A stage is a world with a player, a passive creature, and another player some way off, and access to their
// components.
type stage struct {
	*reserve
	actor, foe, friend ecs.Entity
	combatStats        ecs.Accessor[components.CombatStats]
	combats            unitStates
	castings           ecs.Accessor[components.Casting]
	limits             ecs.Accessor[components.CastLimits]
	books              ecs.Accessor[components.Spellbook]
	stats              ecs.Accessor[components.Stats]
	speeds             ecs.Accessor[components.Speeds]
	acks               ecs.Accessor[components.PendingMoveAcks]
	auras              *ecs.Slab[components.Auras]
}

func newStage(t *testing.T, spells ...defs.Spell) *stage {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	c := &d.Creatures[0]
	c.MaxLevel, c.MinHealth, c.MaxHealth, c.Mana, c.Armor, c.ReactState, c.Type = 1, 100, 100, 100, 50, defs.Passive, defs.TypeHumanoid
	d.Maps[0].Spawns = []defs.Spawn{{Entry: 7, X: 5, Path: -1}}
	even := defs.Growth{First: 30}
	d.Players.Classes[1] = defs.Class{
		Power: components.PowerMana, Health: defs.Growth{First: 100}, Mana: defs.Growth{First: 100},
		Stats: [5]defs.Growth{even, even, even, even, even}, Damage: defs.Growth{First: 20}, SwingMs: 2000, Shoots: true,
		Melee: defs.AttackPower{PerStrength: 1}, Ranged: defs.AttackPower{PerAgility: 1}, Crit: 5, Dodge: 3, Parry: 5,
		PerCrit: defs.Growth{First: 10}, PerSpellCrit: defs.Growth{First: 10},
	}
	one := func(id, school, ms uint32, flags defs.SpellFlag, e defs.Effect) defs.Spell {
		flags |= defs.SpellAlwaysHits | defs.SpellNeverCrits
		return defs.Spell{ID: id, School: school, Flags: flags, DurationMs: ms, MaxRange: 40, Level: 1, Effects: [defs.MaxEffects]defs.Effect{e}}
	}
	hit := func(to defs.Target) defs.Effect {
		return defs.Effect{Kind: defs.EffectSchoolDamage, Target: to, Amount: 10, Coefficient: 1}
	}
	nothing := defs.Effect{Kind: defs.EffectApplyAura, Aura: defs.AuraSpellHit, Target: defs.TargetAny}
	all := append(spells,
		one(flame, defs.SchoolFire, 0, defs.SpellHarmful, hit(defs.TargetAny)),
		one(jab, defs.SchoolPhysical, 0, defs.SpellHarmful|defs.SpellMelee, hit(defs.TargetAny)),
		one(balm, defs.SchoolHoly, 0, 0, defs.Effect{Kind: defs.EffectHeal, Target: defs.TargetAny, Amount: 10, Coefficient: 1}),
		one(bane, defs.SchoolShadow, 60_000, defs.SpellHarmful, nothing), one(boon, defs.SchoolHoly, 60_000, 0, nothing),
		one(mumble, defs.SchoolFire, 0, defs.SpellHarmful|defs.SpellInterruptible|defs.SpellPushedBack, hit(defs.TargetEnemy)))
	for i := range all {
		switch all[i].ID {
		case bane, boon:
			all[i].Dispel = defs.DispelMagic
		case mumble:
			all[i].CastMs = 3000
		}
	}
	d.Spells = all
	s := &stage{reserve: newReserve(t, d, 1)}
	w := s.world.ecs
	s.combatStats, s.combats, s.castings = ecs.NewAccessor[components.CombatStats](w), newUnitStates(w), ecs.NewAccessor[components.Casting](w)
	s.books, s.stats = ecs.NewAccessor[components.Spellbook](w), ecs.NewAccessor[components.Stats](w)
	s.speeds, s.auras = ecs.NewAccessor[components.Speeds](w), ecs.Shared[ecs.Slab[components.Auras]](w)
	s.acks, s.limits = ecs.NewAccessor[components.PendingMoveAcks](w), ecs.NewAccessor[components.CastLimits](w)
	for i, x := range []float32{0, -8} {
		s.world.Inbox().Add(frame.Item{Session: uint32(i + 1), Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, &frame.Character{
			GUID: uint64(i + 1), Name: "Anna", Race: 1, Class: 1, Level: 1, X: x, Z: s.place.Height(x, 0),
		})})
	}
	for range 3 {
		s.tick()
	}
	s.actor, s.friend, s.foe = s.world.Find(1), s.world.Find(2), s.world.Find(components.CreatureGUID(7, respawn.FirstCounter))
	return s
}

func (s *stage) ticks(n int) {
	for range n {
		s.tick()
	}
}

// cast makes a unit cast a spell in the next tick.
func (s *stage) cast(by, at ecs.Entity, spell uint32) {
	ask(s.world, rules.Cast{By: by, Target: at, Spell: spell})
	s.tick()
}

// hurt does damage at the beginning of the next tick.
func (s *stage) hurt(by, to ecs.Entity, spell, school, amount uint32) {
	d := rules.Damage{By: by, To: to, Spell: spell, School: school, Amount: amount, Quiet: by == (ecs.Entity{})}
	if spell == 0 {
		d.Kind = rules.SilentDamage
	}
	s.world.Damage(d)
}

// A portrait is all that there is to see of a unit, by name.
type portrait struct {
	names  []string
	values map[string]string
}

func (p *portrait) add(name string, value any) {
	if _, ok := p.values[name]; !ok {
		p.names = append(p.names, name)
	}
	if f, ok := value.(float32); ok {
		value = fmt.Sprintf("%.5g", f)
	}
	p.values[name] = fmt.Sprint(value)
}

// portray looks at a unit: what it is, can, has and suffers.
func (s *stage) portray(e ecs.Entity) portrait {
	p := portrait{values: make(map[string]string)}
	casting, at := s.castings.Get(e), s.at.Get(e)
	p.flatten("", reflect.ValueOf(*s.vitals.Get(e)))
	p.flatten("", reflect.ValueOf(*s.combatStats.Get(e)))
	p.add("States", s.combats.auras.Get(e).States)
	p.add("Flags", s.units.Get(e).Flags&^components.UnitInCombat)
	p.add("RunSpeed", s.speeds.Get(e)[components.SpeedRun])
	p.add("Casts", casting.Cast.Spell)
	p.add("CastMs", casting.Cast.EndMs-casting.Cast.StartMs)
	p.add("Locked", s.limits.Get(e).LockSchools)
	if s.world.ecs.Exists(s.combats.attacks.Get(e).Victim) {
		p.add("Attacks", s.objects.Get(s.combats.attacks.Get(e).Victim).GUID)
	}
	p.add("At", fmt.Sprintf("%.1f,%.1f", at.X, at.Y))
	for _, h := range s.threats.List(e) {
		p.add(fmt.Sprintf("Hates[%d]", s.objects.Get(h.Entity).GUID), h.Amount)
	}
	if s.stats.Has(e) {
		p.flatten("", reflect.ValueOf(s.acks.Get(e).KnockBack))
		p.add("Jumps", s.acks.Get(e).Pending[components.OrderTeleport])
		p.flatten("Shows", reflect.ValueOf(*s.stats.Get(e)))
		p.add("Knows", s.books.Get(e).Spells[:s.books.Get(e).Count])
	}
	if s.combats.auras.Get(e).Block != 0 {
		auras := s.auras.At(s.combats.auras.Get(e).Block)
		p.flatten("Auras", reflect.ValueOf(auras.Sum))
		for _, a := range auras.List[:auras.Count] {
			p.add(fmt.Sprintf("Aura[%d]", a.Spell), fmt.Sprintf("stacks %d charges %d amounts %v", a.Stacks, a.Charges, a.Amount))
		}
	}
	return p
}

func (p *portrait) flatten(name string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.Name != "_" && f.Name != "Batch" { // which counts requests
				p.flatten(name+f.Name, v.Field(i))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			p.flatten(fmt.Sprintf("%s[%d]", name, i), v.Index(i))
		}
	default:
		p.add(name, v.Interface())
	}
}

// since says what has changed in a portrait. What no unit has is nothing.
func (p *portrait) since(before *portrait) string {
	var changes []string
	value := func(of *portrait, name string) string {
		if v := of.values[name]; v != "" && v != "0" && v != "false" && v != "[]" {
			return v
		}
		return "none"
	}
	for _, name := range p.names {
		if was, is := value(before, name), value(p, name); was != is {
			changes = append(changes, fmt.Sprintf("%s %s → %s", name, was, is))
		}
	}
	for _, name := range before.names {
		if _, still := p.values[name]; !still && value(before, name) != "none" {
			changes = append(changes, name+" gone")
		}
	}
	return strings.Join(changes, ", ")
}
