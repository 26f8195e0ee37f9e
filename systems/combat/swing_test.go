package combat

import (
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// A ring is a world in which one creature attacks another, which does nothing.
type ring struct {
	world       *ecs.World
	log         *change.Log
	book        *rules.Book
	combat      sched.System
	by, foe     ecs.Entity
	combatStats ecs.Accessor[components.CombatStats]
	combats     ecs.Accessor[components.CombatState]
	vitals      ecs.Accessor[components.Vitals]
	castings    ecs.Accessor[components.Casting]
}

func newRing() *ring {
	w := ecs.NewWorld(8)
	ecs.Share(w, &defs.World{})
	ecs.Share(w, new(metric.Table))
	ecs.Share(w, new(space.Space))
	r := &ring{world: w, log: change.NewLog(w)}
	ecs.Share(w, r.log)
	rules.Share(w)
	r.book, r.combat = rules.New(w), sched.Bind(w, sched.Act, new(System))
	r.combatStats, r.combats = ecs.NewAccessor[components.CombatStats](w), ecs.NewAccessor[components.CombatState](w)
	r.vitals, r.castings = ecs.NewAccessor[components.Vitals](w), ecs.NewAccessor[components.Casting](w)
	objects, units := ecs.NewAccessor[components.Object](w), ecs.NewAccessor[components.Unit](w)
	kind := ecs.NewArchetype(w, slices.Concat(components.CreatureParts(),
		ecs.Of4[components.CombatState, components.CombatStats, components.Position, components.Dirty](), ecs.Of[components.Casting]())...)
	for i, faction := range []uint32{defs.FactionHostile, defs.FactionFriendly} {
		e := kind.Spawn()
		objects.Get(e).GUID = uint64(i + 1)
		*units.Get(e) = components.Unit{Level: 10, Faction: faction, CombatReach: 1.5}
		*r.vitals.Get(e) = components.Vitals{Health: 1e6, MaxHealth: 1e6}
		*r.combatStats.Get(e) = components.CombatStats{
			MinDamage: [3]float32{10, 5, 20}, MaxDamage: [3]float32{10, 5, 20}, SwingMs: [3]uint32{2000},
			DamageDone: 1, DamageTaken: 1, ThreatDone: 1,
		}
		if i == 0 {
			r.by = e
		} else {
			r.foe = e
		}
	}
	return r
}

// A seen is an attack packet that was broadcast.
type seen struct {
	ms    uint32
	state msg.AttackerState
}

// fight runs some ticks from tick 1 on, and lists the attack packets.
func (r *ring) fight(t *testing.T, ticks uint64, each func(n uint64)) (swings []seen) {
	for n := uint64(1); n <= ticks; n++ {
		now := sched.Tick{N: n, NowMs: uint32(n) * 50, Step: 50e6, Seed: 3}
		if n == 1 && !r.book.Attack(now, r.by, r.foe, components.SwingMelee) {
			t.Fatal("the attack is refused")
		}
		if each != nil {
			each(n)
		}
		r.combat.Run(now)
		for b := r.log.Builder.Bytes; len(b) > 0; {
			op, payload, header, _ := wire.ServerHeader(b)
			if op == msg.OpAttackerState {
				s := seen{ms: now.NowMs}
				if err := msg.Decode(wire.V12340, b[header:header+payload], &s.state); err != nil {
					t.Fatal(err)
				}
				swings = append(swings, s)
			}
			b = b[header+payload:]
		}
		r.log.Builder.Bytes = r.log.Builder.Bytes[:0]
		r.log.Builder.Cut()
		r.log.Reset()
		r.world.EndTick()
	}
	return swings
}

// Each hand has its own swing timer, and two swings are at least 200 ms apart.
func TestTwoHands(t *testing.T) {
	r := newRing()
	r.combatStats.Get(r.by).SwingMs = [3]uint32{2000, 1500}
	var count [2]int
	last := [2]uint32{}
	swings := r.fight(t, 1200, nil)
	for i, b := range swings {
		hand := 0
		if b.state.HitInfo&msg.HitOffHand != 0 {
			hand = 1
		}
		if i > 0 && b.ms-swings[i-1].ms < 200 {
			t.Errorf("swings at %d and %d ms", swings[i-1].ms, b.ms)
		}
		if swing := r.combatStats.Get(r.by).SwingMs[hand]; count[hand] > 0 && b.ms-last[hand] < swing {
			t.Errorf("hand %d swings at %d and %d ms", hand, last[hand], b.ms)
		}
		last[hand] = b.ms
		count[hand]++
	}
	if count[0] < 27 || count[0] > 30 || count[1] < 35 || count[1] > 40 {
		t.Errorf("in a minute, %d swings of the main hand and %d of the other", count[0], count[1])
	}
}

// A unit that cannot attack swings as soon as it can again.
func TestBusy(t *testing.T) {
	for name, hold := range map[string]func(r *ring, on uint16){
		"stunned":  func(r *ring, on uint16) { r.combats.Get(r.by).States = on * components.StateStunned },
		"feared":   func(r *ring, on uint16) { r.combats.Get(r.by).States = on * components.StateFeared },
		"pacified": func(r *ring, on uint16) { r.combats.Get(r.by).States = on * components.StatePacified },
		"casting":  func(r *ring, on uint16) { r.castings.Get(r.by).Cast.Spell = uint32(on) * 7 },
	} {
		r := newRing()
		swings := r.fight(t, 100, func(n uint64) {
			switch n {
			case 10:
				hold(r, 1)
			case 60:
				hold(r, 0)
			}
		})
		if len(swings) != 2 || swings[0].ms != 50 || swings[1].ms < 3000 || swings[1].ms > 3100 {
			t.Errorf("%s: %+v", name, swings)
		}
	}
}

// A next-swing spell replaces the swing, once that is due.
func TestNextSwing(t *testing.T) {
	r := newRing()
	readied := ecs.QueueOf[rules.SwingReplaced](r.world).Lasting()
	swings := r.fight(t, 100, func(n uint64) {
		if n == 20 {
			r.castings.Get(r.by).NextSwing = 9
		}
		if n > 41 {
			r.castings.Get(r.by).NextSwing = 0
		}
	})
	if len(swings) != 2 || swings[0].ms != 50 || swings[1].ms != 4050 {
		t.Errorf("swings %+v", swings)
	}
	if got, want := readied.Take(), []rules.SwingReplaced{{Entity: r.by, Victim: r.foe}}; !slices.Equal(got, want) {
		t.Errorf("spells for %+v, want %+v", got, want)
	}
}

// Dead units neither attack nor are attacked.
func TestDeadStopFighting(t *testing.T) {
	for _, first := range []bool{true, false} {
		r := newRing()
		swings := r.fight(t, 100, func(n uint64) {
			if n == 20 {
				dead := r.by
				if !first {
					dead = r.foe
				}
				r.book.Kill(sched.Tick{N: n, NowMs: uint32(n) * 50, Step: 50e6}, dead, ecs.Entity{})
			}
		})
		if len(swings) != 1 || r.combats.Get(r.by).Swinging != 0 {
			t.Errorf("%d swings, swinging %d", len(swings), r.combats.Get(r.by).Swinging)
		}
	}
}

// An attack on an evading creature is evaded, and causes neither damage nor threat.
func TestEvades(t *testing.T) {
	r := newRing()
	r.combats.Get(r.foe).Evading = 1
	swings := r.fight(t, 50, nil)
	if len(swings) != 2 || swings[0].state.VictimState != msg.VictimEvades || swings[0].state.HitInfo != msg.HitMiss {
		t.Errorf("%+v", swings)
	}
	if r.vitals.Get(r.foe).Health != 1e6 || r.combats.Get(r.foe).Threat != 0 || r.book.InCombat(r.by) {
		t.Errorf("it has damage or threat: %+v", *r.combats.Get(r.foe))
	}
}

// A parry brings the next swing forward by two fifths of a swing time.
func TestParryHastens(t *testing.T) {
	r := newRing()
	r.combatStats.Get(r.foe).Parry = 100
	now := sched.Tick{N: 1, NowMs: 50, Step: 50e6}
	r.book.Attack(now, r.foe, r.by, components.SwingMelee)
	r.combats.Get(r.foe).NextMs[components.MainHand] = 1950
	for _, b := range r.fight(t, 1, nil) {
		if b.state.Attacker == 1 && b.state.VictimState != msg.VictimParry {
			t.Fatalf("%+v", b)
		}
	}
	if got := r.combats.Get(r.foe).NextMs[components.MainHand]; got != 1150 {
		t.Errorf("its next swing is at %d ms, want 1150", got)
	}
}
