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
	"muster/systems/threat"
	"muster/systems/vitals"
)

// A ring is a world in which one creature attacks another, which does nothing: vitals, combat and threat, in the order
// of a tick.
type ring struct {
	world        *ecs.World
	log          *change.Log
	hits         *WeaponHits
	plan         *sched.Plan
	by, foe      ecs.Entity
	units        ecs.Accessor[components.Unit]
	stats        ecs.Accessor[components.CombatStats]
	vitals       ecs.Accessor[components.Vitals]
	castings     ecs.Accessor[components.Casting]
	attacks      ecs.Accessor[components.Attack]
	ready        ecs.Accessor[components.SwingTimers]
	threatStates ecs.Accessor[components.ThreatState]
	unitAuras    ecs.Accessor[components.UnitAuras]
}

func newRing() *ring {
	w := ecs.NewWorld(8)
	ecs.Share(w, &defs.World{})
	ecs.Share(w, new(metric.Table))
	ecs.Share(w, new(space.Space))
	r := &ring{world: w, log: change.NewLog(w), hits: new(WeaponHits)}
	ecs.Share(w, r.log)
	rules.Share(w)
	r.plan = sched.NewPlan(w.EndStage, sched.Bind(w, sched.Act, new(vitals.Mitigation)), sched.Bind(w, sched.Act, new(vitals.Vitals)), sched.Bind(w, sched.Act, new(vitals.CombatLog)), sched.Bind(w, sched.Act, new(Attacks)),
		sched.Bind(w, sched.Act, new(Swings)), sched.Bind(w, sched.Act, r.hits),
		sched.Bind(w, sched.Settle, new(threat.ThreatSources)), sched.Bind(w, sched.Settle, new(threat.ThreatLists)))
	r.stats = ecs.NewAccessor[components.CombatStats](w)
	r.attacks = ecs.NewAccessor[components.Attack](w)
	r.ready = ecs.NewAccessor[components.SwingTimers](w)
	r.threatStates = ecs.NewAccessor[components.ThreatState](w)
	r.unitAuras = ecs.NewAccessor[components.UnitAuras](w)
	r.vitals, r.castings = ecs.NewAccessor[components.Vitals](w), ecs.NewAccessor[components.Casting](w)
	r.units = ecs.NewAccessor[components.Unit](w)
	objects := ecs.NewAccessor[components.Object](w)
	kind := ecs.NewArchetype(w, slices.Concat(components.CreatureParts(),
		components.CombatParts(), ecs.Of2[components.Position, components.Dirty]())...)
	for i, faction := range []uint32{defs.FactionHostile, defs.FactionFriendly} {
		e := kind.Spawn()
		objects.Get(e).GUID = uint64(i + 1)
		*r.units.Get(e) = components.Unit{Level: 10, Faction: faction, CombatReach: 1.5}
		*r.vitals.Get(e) = components.Vitals{Health: 1e6, MaxHealth: 1e6}
		*r.stats.Get(e) = components.CombatStats{
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

func (r *ring) emitAttack(e, victim ecs.Entity) {
	*ecs.QueueOf[rules.Attack](r.world).Next() = rules.Attack{Entity: e, Victim: victim, How: components.SwingMelee}
}

func (r *ring) swingsAt(e, victim ecs.Entity) bool {
	return r.attacks.Get(e).Victim == victim && r.attacks.Get(e).Swinging == components.SwingMelee
}

func (r *ring) hold(e ecs.Entity, states uint16) { r.unitAuras.Get(e).States = states }

// swingMs is when a unit's main hand may swing next.
func (r *ring) swingMs(e ecs.Entity) *uint32 { return &r.ready.Get(e).NextMs[components.MainHand] }

// A seen is an attack packet that was broadcast.
type seen struct {
	ms    uint32
	state msg.AttackerState
}

// fight runs some ticks from tick 1 on, and lists the attack packets. The attack is asked for in tick 1, so the first
// swing is in tick 2.
func (r *ring) fight(t *testing.T, ticks uint64, each func(n uint64)) (swings []seen) {
	t.Helper()
	for n := uint64(1); n <= ticks; n++ {
		now := sched.Tick{N: n, NowMs: uint32(n) * 50, Quantum: 50e6, Seed: 3}
		if n == 1 {
			r.emitAttack(r.by, r.foe)
		}
		if each != nil {
			each(n)
		}
		r.plan.Run(now)
		if n == 1 && !r.swingsAt(r.by, r.foe) {
			t.Fatal("the attack is refused")
		}
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
	r.stats.Get(r.by).SwingMs = [3]uint32{2000, 1500}
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
		if swing := r.stats.Get(r.by).SwingMs[hand]; count[hand] > 0 && b.ms-last[hand] < swing {
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
		"stunned":  func(r *ring, on uint16) { r.hold(r.by, on*components.StateStunned) },
		"feared":   func(r *ring, on uint16) { r.hold(r.by, on*components.StateFeared) },
		"pacified": func(r *ring, on uint16) { r.hold(r.by, on*components.StatePacified) },
		"casting":  func(r *ring, on uint16) { r.castings.Get(r.by).Cast.Spell = uint32(on) * 7 },
	} {
		r := newRing()
		swings := r.fight(t, 99, func(n uint64) {
			switch n {
			case 10:
				hold(r, 1)
			case 60:
				hold(r, 0)
			}
		})
		if len(swings) != 2 || swings[0].ms != 100 || swings[1].ms < 3000 || swings[1].ms > 3100 {
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
		if n > 42 {
			r.castings.Get(r.by).NextSwing = 0
		}
	})
	if len(swings) != 2 || swings[0].ms != 100 || swings[1].ms != 4100 {
		t.Errorf("swings %+v", swings)
	}
	if got, want := readied.Take(), []rules.SwingReplaced{{Entity: r.by, Victim: r.foe}}; !slices.Equal(got, want) {
		t.Errorf("spells for %+v, want %+v", got, want)
	}
}

// Dead units neither attack nor are attacked.
func TestDeadStopFighting(t *testing.T) {
	for i := range 4 {
		r := newRing()
		swings := r.fight(t, 100, func(n uint64) {
			if n == 20 {
				dead := r.by
				if i%2 == 1 {
					dead = r.foe
				}
				if i >= 2 { // and no system says so
					r.vitals.Get(dead).Health = 0
					return
				}
				*ecs.QueueOf[rules.Kill](r.world).Next() = rules.Kill{Entity: dead}
			}
		})
		if len(swings) != 1 || r.swingsAt(r.by, r.foe) || r.attacks.Get(r.by).Swinging != 0 {
			t.Errorf("%d swings, swinging %d", len(swings), r.attacks.Get(r.by).Swinging)
		}
	}
}

// An attack on an evading creature is evaded, and causes neither damage nor threat.
func TestEvades(t *testing.T) {
	r := newRing()
	*ecs.QueueOf[rules.Evade](r.world).Next() = rules.Evade{Entity: r.foe, On: true}
	swings := r.fight(t, 50, nil)
	if len(swings) != 2 || swings[0].state.VictimState != msg.VictimEvades || swings[0].state.HitInfo != msg.HitMiss {
		t.Errorf("%+v", swings)
	}
	if r.vitals.Get(r.foe).Health != 1e6 || r.threatStates.Get(r.foe).List != 0 || r.units.Get(r.by).Flags&components.UnitInCombat != 0 {
		t.Errorf("it has damage or threat: %+v", *r.threatStates.Get(r.foe))
	}
}

// A parry brings the next swing forward by two fifths of a swing time.
func TestParryHastens(t *testing.T) {
	r := newRing()
	r.stats.Get(r.foe).Parry = 100
	r.emitAttack(r.foe, r.by)
	*r.swingMs(r.foe) = 1950
	for _, b := range r.fight(t, 2, nil) {
		if b.state.Attacker == 1 && b.state.VictimState != msg.VictimParry {
			t.Fatalf("%+v", b)
		}
	}
	if got := *r.swingMs(r.foe); got != 1150 {
		t.Errorf("its next swing is at %d ms, want 1150", got)
	}
}

// Of two units whose hits of the same tick are both deadly, the one that strikes first survives: the dead do not strike.
func TestTheDeadDoNotStrike(t *testing.T) {
	r := newRing()
	r.stats.Get(r.by).MinDamage[0], r.stats.Get(r.by).MaxDamage[0] = 2e6, 2e6
	r.stats.Get(r.foe).MinDamage[0], r.stats.Get(r.foe).MaxDamage[0] = 2e6, 2e6
	r.stats.Get(r.by).Hit, r.stats.Get(r.foe).Hit = 100, 100
	swings := r.fight(t, 4, func(n uint64) {
		if n == 1 {
			r.emitAttack(r.foe, r.by)
		}
	})
	if len(swings) != 1 || r.vitals.Get(r.by).Health == 0 || r.vitals.Get(r.foe).Health != 0 {
		t.Errorf("%d hits; %d and %d health are left", len(swings), r.vitals.Get(r.by).Health, r.vitals.Get(r.foe).Health)
	}
}
