package systems

import (
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/internal/testseed"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/systems/respawn"
)

// A havoc is a handful of players that act at random among creatures: enter, leave, walk, fight, cast, die, resurrect
// and loot.
type havoc struct {
	world   *World
	rule    *invariants
	r       *rand.Rand
	n       uint64
	here    []bool
	kept    []frame.Character // as they last left
	foes    int
	port    *frame.Exchange
	active  int    // so many of them come
	entered int    // the player that entered in this tick, -1 none
	away    uint32 // for so many seconds
	brought int    // auras that players had when they entered
	items   uint64 // that came in, less those that went out
	copper  uint64
	printed maphash.Hash // of all frames, if it is to be known
	deaths  [2]int       // of players, of creatures
}

const (
	ravagers = 6
	lair     = 25 // yards around the middle in which creatures live
)

var hashSeed = maphash.MakeSeed()

// newHavoc makes a world with creatures that attack, cast, call for assistance and flee.
func newHavoc(seed uint64) *havoc {
	r := rand.New(rand.NewPCG(seed, 11))
	d := market(r, 20)
	strikes := d.Creatures[0]
	strikes.MaxLevel, strikes.MinHealth, strikes.MaxHealth, strikes.MinDamage, strikes.MaxDamage = 3, 15, 45, 1, 2
	casts := strikes
	strikes.ReactState, strikes.CallYards, strikes.FleeBelow = defs.Aggressive, 10, 25
	casts.Entry, casts.Mana, casts.Type = 8, 100, defs.TypeHumanoid
	for i, spell := range []uint32{dart, rot, shield, daze, rally} {
		casts.Spells = append(casts.Spells, defs.CreatureSpell{
			Spell: spell, FirstMs: uint32(i) * 500, CooldownMs: 1500 + 1000*uint32(i), OnSelf: spell == shield || spell == rally, MaxYards: 30,
		})
	}
	d.Creatures = []defs.Creature{strikes, casts}
	for i := range d.Maps[0].Spawns {
		s := &d.Maps[0].Spawns[i]
		s.Entry, s.Path, s.Wander = 7+uint32(i%2), -1, float32(i%3)*5
		s.X, s.Y = between(r, lair), between(r, lair)
	}
	d.Maps[0].Paths = nil
	w := New(Config{Defs: d, Map: &d.Maps[0], Seed: seed})
	h := &havoc{
		world: w, rule: newInvariants(w, d), r: r, port: frame.NewExchange(),
		active: ravagers, here: make([]bool, ravagers), kept: make([]frame.Character, ravagers), foes: len(d.Maps[0].Spawns),
	}
	if seed%4 == 1 {
		h.active = 2
	}
	h.printed.SetSeed(hashSeed)
	for i := range h.kept {
		h.kept[i] = frame.Character{
			GUID: uint64(i + 1), Name: "Ravager", Race: 1, Class: uint8(1 + i%9), Level: uint8(3 + i), Told: life.All,
			X: between(r, lair), Y: between(r, lair), Life: life.Life{Spells: grimoire()},
		}
	}
	return h
}

func (h *havoc) send(who int, op uint16, m msg.Message) {
	h.world.Inbox().Add(frame.Item{
		Session: uint32(who), AtMs: uint32(h.n) * 50, Op: op, Body: msg.Append(nil, wire.V12340, m),
	})
}

// act has a player do something in tick n.
func (h *havoc) act(who int) {
	switch dice := h.r.IntN(100); {
	case !h.here[who]:
		c := h.kept[who]
		if c.AwaySec = uint32(h.r.IntN(3)); h.r.IntN(4) == 0 { // far from all others, so that creatures left behind sleep
			c.X, c.Y = float32(1000+500*who), between(h.r, lair)
		} else {
			c.X, c.Y = between(h.r, lair), between(h.r, lair)
		}
		h.entered, h.away = who, c.AwaySec
		for _, it := range c.Items {
			h.items += uint64(it.Count)
		}
		h.copper += uint64(c.MoneyCopper)
		h.here[who] = true
		h.send(who, frame.OpEnter, &c)
	case dice < 20:
		h.send(who, msg.OpAttackSwing, &msg.AttackSwing{GUID: h.anybody()})
	case dice < 22:
		h.send(who, msg.OpAttackStop, &msg.Empty{})
	case dice < 52:
		m := &msg.CastSpell{Count: uint8(h.n), Spell: uint32(h.r.IntN(lastMagic + 2))}
		if h.r.IntN(4) > 0 {
			m.Targets = msg.Targets{Mask: msg.TargetUnit, Unit: h.anybody()}
		}
		h.send(who, msg.OpCastSpell, m)
	case dice < 55:
		h.send(who, msg.OpCancelCast, &msg.CancelCast{Spell: uint32(h.r.IntN(lastMagic))})
	case dice < 57:
		h.send(who, msg.OpCancelAura, &msg.CancelAura{Spell: uint32(h.r.IntN(lastMagic))})
	case dice < 72:
		h.walk(who)
	case dice < 82:
		h.send(who, msg.OpLoot, &msg.Loot{GUID: h.anybody()})
	case dice < 87:
		h.send(who, msg.OpAutoStoreLootItem, &msg.AutoStoreLootItem{Slot: uint8(h.r.IntN(5))})
	case dice < 89:
		h.send(who, msg.OpLootMoney, &msg.Empty{})
	case dice < 90:
		h.send(who, msg.OpLootRelease, &msg.LootRelease{GUID: h.anybody()})
	case dice < 93:
		h.send(who, msg.OpRepopRequest, &msg.RepopRequest{})
	case dice < 96:
		h.send(who, msg.OpReclaimCorpse, &msg.ReclaimCorpse{GUID: uint64(who + 1)})
	case dice < 97:
		h.send(who, msg.OpStandStateChange, &msg.StandStateChange{State: uint32(h.r.IntN(9))})
	case dice < 98:
		h.send(who, msg.OpSetSelection, &msg.SetSelection{GUID: h.anybody()})
	case h.active < ravagers || h.r.IntN(4) == 0:
		h.send(who, frame.OpLeave, &msg.Empty{})
	}
}

// walk has a player take a step from where the world has it, or turn.
func (h *havoc) walk(who int) {
	e := h.world.Find(uint64(who + 1))
	if !h.world.ecs.Exists(e) {
		return
	}
	p := h.rule.positions.Get(e)
	m := msg.Move{Mover: uint64(who + 1), Movement: msg.Movement{
		Time: uint32(h.n) * 50, X: p.X + between(h.r, 0.3), Y: p.Y + between(h.r, 0.3), Z: p.Z, O: h.r.Float32() * 6,
	}}
	h.send(who, []uint16{msg.OpMoveHeartbeat, msg.OpMoveStartForward, msg.OpMoveStop, msg.OpMoveSetFacing}[h.r.IntN(4)], &m)
}

// anybody is the GUID of a creature, seldom of a player, or 0.
func (h *havoc) anybody() uint64 {
	if h.r.IntN(8) == 0 {
		return uint64(h.r.IntN(ravagers + 2))
	}
	i := uint32(h.r.IntN(h.foes))
	return components.CreatureGUID(7+i%2, respawn.FirstCounter+i)
}

// tick has some of them act, and runs a tick.
func (h *havoc) tick(t *testing.T, check bool) {
	h.n++
	if h.n%200 == 1 {
		h.send(int(frame.NoSession), frame.OpLease, &frame.Lease{First: uint32(h.n) * 100, Count: 200})
	}
	h.entered = -1
	for i := 0; i < 3 && h.entered < 0; i++ {
		if who := h.r.IntN(h.active); i == 0 || h.here[who] { // a player that enters does nothing else in that tick
			h.act(who)
		}
	}
	h.world.Inbox().Seal()
	f := h.port.Write()
	h.world.Tick(h.n, f)
	for _, left := range f.Left {
		var c frame.Character
		decode(t, f.In(left.Character), &c)
		for _, it := range c.Items {
			h.items -= uint64(it.Count)
		}
		h.copper -= uint64(c.MoneyCopper)
		h.kept[left.Session], h.here[left.Session] = c, false
	}
	bytes, _ := f.AppendBinary(nil)
	h.printed.Write(bytes)
	h.port.Publish(f)
	if check {
		h.resumed(t)
		h.rule.check(t, h.n, h.items, h.copper, &h.deaths)
	}
}

// resumed checks the auras of a player that has just entered: each is one that it left with, with no more time than
// then.
func (h *havoc) resumed(t *testing.T) {
	t.Helper()
	if h.entered < 0 {
		return
	}
	e := h.world.Find(uint64(h.entered + 1))
	if !h.world.ecs.Exists(e) || h.rule.combats.auras.Get(e).Block == 0 {
		return
	}
	auras := h.rule.auras.At(h.rule.combats.auras.Get(e).Block)
	for i := range auras.List[:auras.Count] {
		a := &auras.List[i]
		sp, left := h.rule.defs.Spell(a.Spell), a.LeftMs(uint32(h.n)*50)
		at := slices.IndexFunc(h.kept[h.entered].Auras, func(k life.Aura) bool { return k.Spell == a.Spell && k.Caster == a.CasterGUID })
		if at < 0 {
			t.Fatalf("tick %d: %d comes in with spell %d, and left without", h.n, h.entered, a.Spell)
		}
		kept := h.kept[h.entered].Auras[at]
		if most := kept.LeftMs; left > most || sp.Has(defs.SpellHarmful) && left+1000*h.away > most || a.Charges != kept.Charges || a.Stacks != kept.Stacks {
			t.Fatalf("tick %d: %d comes in with %+v after %d s, and left with %+v", h.n, h.entered, *a, h.away, kept)
		}
		h.brought++
	}
}

// Whatever players do among creatures, in each tick all is as it must be; and the same seed gives the same frames,
// byte for byte.
func TestHavoc(t *testing.T) {
	t.Parallel()
	worlds, ticks := uint64(40), 400
	if os.Getenv("LONG_TESTS") != "" {
		worlds = 1000
	}
	var deaths [2]int
	brought, slept := 0, 0
	first := testseed.Of(t)
	for seed := first; seed < first+worlds; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			h := newHavoc(seed)
			for range ticks {
				h.tick(t, true)
			}
			deaths[0] += h.deaths[0]
			deaths[1] += h.deaths[1]
			brought += h.brought
			slept += h.rule.slept
			if seed%8 != 0 {
				return
			}
			again := newHavoc(seed)
			for range ticks {
				again.tick(t, false)
			}
			if h.printed.Sum64() != again.printed.Sum64() {
				t.Errorf("seed %d: the same seed gives other frames", seed)
			}
		})
	}
	t.Logf("%d players and %d creatures died, %d auras came in with players, %d were seen on sleeping units", deaths[0], deaths[1], brought, slept)
	if !t.Failed() && (uint64(brought) < worlds || slept == 0) {
		t.Errorf("%d auras came in with players, %d were seen on sleeping units in %d worlds: too quiet", brought, slept, worlds)
	}
	if !t.Failed() && (uint64(deaths[0]) < worlds || uint64(deaths[1]) < worlds/2) {
		t.Errorf("%d players and %d creatures died in %d worlds: too quiet", deaths[0], deaths[1], worlds)
	}
}
