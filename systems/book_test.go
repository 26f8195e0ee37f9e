package systems

import (
	"math/rand/v2"
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/systems/respawn"
	"muster/systems/rules"
)

// What a player knows, waits for, wears and has on its bars goes out with it as it is, and comes in again.
func TestBooksOutliveVisits(t *testing.T) {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	d.Spells[spark-1].Class, d.Spells[might-1].Class = 1, 1 // all that a new warrior knows
	d.Spells[spark-1].CooldownMs = 10_000
	d.Spells[might-1].CooldownMs = 10_000
	visit := func(c *frame.Character, ticks uint64, do func(w *World, n uint64)) (out frame.Character) {
		w := New(Config{Defs: d, Map: &d.Maps[0], Seed: 1})
		w.Inbox().Add(frame.Item{Session: 1, Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, c)})
		for n := uint64(1); n <= ticks+1; n++ {
			do(w, n)
			if n == ticks {
				w.Inbox().Add(frame.Item{Session: 1, Op: frame.OpLeave})
			}
			w.Inbox().Seal()
			var f frame.Frame
			w.Tick(n, &f)
			if len(f.Left) > 0 {
				decode(t, f.In(f.Left[0].Character), &out)
				return out
			}
		}
		t.Fatal("no player left")
		return out
	}
	first := visit(&frame.Character{GUID: 1, Name: "Anna", Race: 1, Class: 1, Level: 1}, 8, func(w *World, n uint64) {
		switch n {
		case 3:
			ask(w, rules.LearnSpell{Entity: w.space.Find(1), Spell: renew})
			ask(w, rules.LearnSpell{Entity: w.space.Find(1), Spell: 999})
			w.Inbox().Add(frame.Item{Session: 1, Op: msg.OpCastSpell, Body: msg.Append(nil, wire.V12340, &msg.CastSpell{Spell: might})})
			w.Inbox().Add(frame.Item{Session: 1, Op: msg.OpSetActionButton, Body: msg.Append(nil, wire.V12340, &msg.SetActionButton{Button: 40, Action: renew})})
			w.Inbox().Add(frame.Item{Session: 1, Op: msg.OpSetActionButton, Body: msg.Append(nil, wire.V12340, &msg.SetActionButton{Button: 200, Action: renew})})
		}
	})
	if want := []uint32{spark, renew, might}; !slices.Equal(first.Spells, want) {
		t.Errorf("knows %v, want %v", first.Spells, want)
	}
	if want := []life.Cooldown{{Spell: might, LeftMs: 9750}}; !slices.Equal(first.Cooldowns, want) {
		t.Errorf("waits for %v, want %v", first.Cooldowns, want)
	}
	if want := []life.Action{{Button: 0, Packed: spark}, {Button: 1, Packed: might}, {Button: 40, Packed: renew}}; !slices.Equal(first.Actions, want) {
		t.Errorf("has buttons %v, want %v", first.Actions, want)
	}
	aura := life.Aura{Spell: might, Caster: 1, CasterLevel: 1, Stacks: 1, MaxMs: 700, LeftMs: 450, Amount: [3]int32{5}}
	if want := []life.Aura{aura}; !slices.Equal(first.Auras, want) {
		t.Errorf("wears %v, want %v", first.Auras, want)
	}
	first.Told = life.All
	second := visit(&first, 3, func(*World, uint64) {})
	if !slices.Equal(second.Spells, first.Spells) || !slices.Equal(second.Actions, first.Actions) {
		t.Errorf("then knows %v and has %v", second.Spells, second.Actions)
	}
	if len(second.Auras) != 1 || second.Auras[0].LeftMs != 350 || len(second.Cooldowns) != 1 || second.Cooldowns[0].LeftMs != 9650 {
		t.Errorf("then wears %v and waits for %v", second.Auras, second.Cooldowns)
	}
	if third := visit(&second, 12, func(*World, uint64) {}); len(third.Auras) != 0 {
		t.Errorf("at last wears %v", third.Auras)
	}
}

// A gallery is a world with a hunter and a target that bears every shot, and counts the hits.
type gallery struct {
	*World
	target uint64
	hits   *ecs.Reader[rules.DamageDealt]
}

const shoot = lastMagic // a spell of the gallery

func newGallery() *gallery {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	d.Spells = append(d.Spells, defs.Spell{ID: shoot, Name: "Shoot", School: defs.SchoolPhysical, MaxRange: 30, Class: 1, Level: 1,
		Flags:   defs.SpellHarmful | defs.SpellRanged | defs.SpellAutoRepeat | defs.SpellAlwaysHits,
		Effects: [3]defs.Effect{{Kind: defs.EffectWeaponDamage, Target: defs.TargetEnemy}}})
	d.Creatures[0].MinHealth, d.Creatures[0].MaxHealth = 1<<20, 1<<20
	d.Maps[0].Spawns = []defs.Spawn{{Entry: 7, X: 20, Path: -1}}
	shooters := people
	for i := range shooters.Classes {
		shooters.Classes[i].Shoots = true
	}
	d.Players = shooters
	w := New(Config{Defs: d, Map: &d.Maps[0], Seed: 1})
	enter(w, 1, 0, 0)
	return &gallery{w, components.CreatureGUID(7, respawn.FirstCounter), ecs.QueueOf[rules.DamageDealt](w.ecs).Reader()}
}

func (g *gallery) send(op uint16, m msg.Message) {
	g.Inbox().Add(frame.Item{Session: 1, Op: op, Body: msg.Append(nil, wire.V12340, m)})
}

func (g *gallery) shoot() {
	g.send(msg.OpCastSpell, &msg.CastSpell{Spell: shoot, Targets: msg.Targets{Mask: msg.TargetUnit, Unit: g.target}})
}

// shots is the number of hits of the target in a tick.
func (g *gallery) shots(n uint64) (hits int) {
	g.Inbox().Seal()
	var f frame.Frame
	g.Tick(n, &f)
	for _, d := range g.hits.Next() {
		if d.To == g.space.Find(g.target) {
			hits++
		}
	}
	return hits
}

// A hunter shoots automatically until it is stopped, and not while it walks.
func TestShotsRepeat(t *testing.T) {
	g := newGallery()
	var shots []uint64
	for n := uint64(1); n <= 250; n++ {
		switch n {
		case 3:
			g.shoot()
		case 50:
			g.send(msg.OpMoveStartForward, &msg.Move{Mover: 1, Movement: msg.Movement{Flags: msg.MoveFlags(components.MoveForward)}})
		case 95:
			g.send(msg.OpMoveStop, &msg.Move{Mover: 1})
		case 150:
			g.send(msg.OpCancelAutoRepeat, &msg.Empty{})
		}
		for range g.shots(n) {
			shots = append(shots, n)
		}
	}
	if want := []uint64{3, 43, 103, 143}; !slices.Equal(shots, want) {
		t.Errorf("shot in ticks %v, want %v", shots, want)
	}
}

// A client is sent what it has learned and forgotten.
//
// Source: docs/protocol.md, appendix A: SMSG_LEARNED_SPELL and SMSG_REMOVED_SPELL.
func TestLearnedAndForgotten(t *testing.T) {
	c := newCourt(t)
	for _, step := range []struct {
		verb string
		op   uint16
		want []byte
	}{
		{".learn 9", 0x12B, []byte{9, 0, 0, 0, 0, 0}}, {".unlearn 9", 0x203, []byte{9, 0, 0, 0}},
	} {
		c.do(step.verb)
		sent := c.seen
		c.step()
		sent = append(sent, c.seen...)
		if i := slices.IndexFunc(sent, func(s seen) bool { return s.op == step.op }); i < 0 || !slices.Equal(sent[i].body, step.want) {
			t.Errorf("%s: sent %+v, want %#x with % x", step.verb, sent, step.op, step.want)
		}
	}
}

// A hunter that requests its shots again and again, also several times within a tick, shoots no more often.
//
// Source: Unit::_UpdateAutoRepeatSpell, AzerothCore (isAttackReady).
func TestShotsAreAsOftenHoweverRequested(t *testing.T) {
	g := newGallery()
	var shots []uint64
	for n := uint64(1); n <= 130; n++ {
		if n >= 3 {
			for range 3 {
				g.shoot()
			}
		}
		for range g.shots(n) {
			shots = append(shots, n)
		}
	}
	if want := []uint64{3, 43, 83, 123}; !slices.Equal(shots, want) {
		t.Errorf("shot in ticks %v, want %v", shots, want)
	}
}

// A new character has the spells of its class and those that its race and class begin with besides, and the buttons that these have, or without any those of
// its spells. One that has been in a world has neither.
//
// Source: Player::LearnDefaultSkills and Player::addActionButton, AzerothCore.
func TestFirstSpells(t *testing.T) {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 0, 0)
	d.Spells[spark-1].Class, d.Spells[spark-1].Level = 1, 1
	d.StartSpells = []defs.StartSpell{{Spell: renew, Races: 1 << 1}, {Spell: might, Races: 1 << 0, Classes: 1 << 0}, {Spell: spark}}
	d.StartActions = []defs.StartAction{{Race: 1, Class: 1, Button: 5, Packed: might}, {Race: 1, Class: 1, Button: 7, Packed: 0x80<<24 | 30}, {Race: 2, Class: 2, Packed: renew}}
	begun := frame.Character{Race: 1, Class: 1}
	begun.Begun = true
	for _, c := range []struct {
		who     frame.Character
		spells  []uint32
		actions []life.Action
	}{
		{frame.Character{Race: 1, Class: 1}, []uint32{spark, might}, []life.Action{{Button: 5, Packed: might}, {Button: 7, Packed: 0x80<<24 | 30}}},
		{frame.Character{Race: 2, Class: 1}, []uint32{spark, renew}, []life.Action{{Button: 0, Packed: spark}, {Button: 1, Packed: renew}}},
		{begun, nil, nil},
	} {
		w := New(Config{Defs: d, Map: &d.Maps[0], Seed: 1})
		c.who.GUID, c.who.Name, c.who.Level = 1, "Anna", 1
		w.Inbox().Add(frame.Item{Session: 1, Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, &c.who)})
		var out frame.Character
		for n := uint64(1); n < 6; n++ {
			if n == 4 {
				w.Inbox().Add(frame.Item{Session: 1, Op: frame.OpLeave})
			}
			w.Inbox().Seal()
			var f frame.Frame
			if w.Tick(n, &f); len(f.Left) > 0 {
				decode(t, f.In(f.Left[0].Character), &out)
			}
		}
		if !slices.Equal(out.Spells, c.spells) || !slices.Equal(out.Actions, c.actions) {
			t.Errorf("race %d, class %d: knows %v, buttons %v; want %v, %v", c.who.Race, c.who.Class, out.Spells, out.Actions, c.spells, c.actions)
		}
	}
}
