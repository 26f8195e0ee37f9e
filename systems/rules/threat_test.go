package rules

import (
	"maps"
	"math"
	"math/rand/v2"
	"testing"

	"muster/components"
	"muster/ecs"
)

// check compares the threat lists with their reverse links: every unit is on as many lists as its count says, the
// lists have no dead, and none is empty.
func (s *stage) check(t *testing.T, all []ecs.Entity) {
	t.Helper()
	listings := make(map[ecs.Entity]int)
	blocks := 0
	for _, e := range all {
		if !s.Alive(e) {
			continue
		}
		listed := s.book.ThreatList(e)
		if s.book.combats.Get(e).Threat != 0 {
			blocks++
			if len(listed) == 0 || len(listed) > components.MaxThreats {
				t.Fatalf("a list has %d entries", len(listed))
			}
		}
		for i, h := range listed {
			listings[h.Entity]++
			if !s.book.Alive(h.Entity) || h.Entity == e || h.Amount < 0 {
				t.Fatalf("%v lists %+v", e, h)
			}
			for _, other := range listed[:i] {
				if other.Entity == h.Entity {
					t.Fatalf("%v lists %v twice", e, h.Entity)
				}
			}
		}
	}
	if s.book.threats.Get().InUse() != blocks {
		t.Fatalf("%d lists for %d creatures", s.book.threats.Get().InUse(), blocks)
	}
	for _, e := range all {
		if !s.Alive(e) {
			continue
		}
		found := 0
		s.book.ThreatenedBy(e, func(creature ecs.Entity, amount float32) {
			found++
			at := find(s.book.threats.Get().At(s.book.combats.Get(creature).Threat), e)
			if at < 0 || s.book.ThreatList(creature)[at].Amount != amount {
				t.Fatalf("%v is linked to the list of %v, which lacks it", e, creature)
			}
		})
		if n := int(s.book.combats.Get(e).ThreatenedByCount); n != found || n != listings[e] {
			t.Fatalf("%v counts %d lists, finds %d and is on %d", e, n, found, listings[e])
		}
		v := s.book.vitals.Get(e)
		if v.Health > v.MaxHealth {
			t.Fatalf("%v has %d of %d health", e, v.Health, v.MaxHealth)
		}
	}
}

// After any sequence of acts the lists agree with each other.
func TestThreatListsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	s := newStage(people())
	var all []ecs.Entity
	spawn := func(i int) ecs.Entity {
		if i%3 == 0 {
			return s.addBeast(uint64(i + 1))
		}
		return s.addPlayer(uint64(i + 1))
	}
	for i := range 60 {
		all = append(all, spawn(i))
	}
	for n := range 6000 {
		i := r.IntN(len(all))
		e, other := all[i], all[r.IntN(len(all))]
		switch op := r.IntN(100); {
		case op < 40:
			s.book.DealDamage(s.tick, &Damage{By: e, To: other, School: 1, Amount: uint32(r.IntN(6))})
		case op < 60:
			s.book.AddRawThreat(s.tick, e, other, r.Float32()*20-5)
		case op < 66:
			s.book.RemoveThreat(s.tick, e, other)
		case op < 68:
			s.book.ClearThreat(e)
		case op < 74:
			healed, _ := s.book.Heal(other, 10)
			s.book.Healed(s.tick, e, other, healed)
		case op < 76:
			s.book.Kill(s.tick, e, other)
		case op < 82:
			s.book.Revive(e, 30)
		case op < 88:
			s.book.Attack(s.tick, e, other, components.SwingMelee)
		case op < 92:
			s.book.Assist(s.tick, e, other)
		case op < 94: // leaves, and another comes
			s.book.LeaveWorld(s.tick, e)
			s.Despawn(e)
			s.EndStage()
			all[i] = spawn(i)
		default:
			s.next()
			s.book.EndCombats(s.tick)
			s.book.SendThreats(s.tick)
			s.book.SwingsDue(s.tick)
		}
		if n%7 == 0 {
			s.check(t, all)
		}
	}
}

// A victim is kept until another unit has a tenth more threat within reach, or three tenths more beyond it.
func TestChoose(t *testing.T) {
	s := newStage(people())
	b, near, far := s.addBeast(1), s.addPlayer(2), s.addPlayer(3)
	s.positions.Get(far).X = 30
	if got := s.book.Choose(b); got != (ecs.Entity{}) {
		t.Errorf("out of combat it attacks %v", got)
	}
	for _, c := range []struct {
		near, far float32 // threat
		has       ecs.Entity
		want      ecs.Entity
	}{
		{100, 0, near, near}, {100, 129, near, near}, {100, 131, near, far},
		{109, 100, far, far}, {111, 100, far, near}, {5, 4, ecs.Entity{}, near}, {0, 0, near, near},
	} {
		s.book.ClearThreat(b)
		s.book.AddRawThreat(s.tick, b, far, c.far)
		s.book.AddRawThreat(s.tick, b, near, c.near)
		s.book.combats.Get(b).Victim = c.has
		if got := s.book.Choose(b); got != c.want {
			t.Errorf("%+v: chooses %v", c, got)
		}
	}
	s.book.Kill(s.tick, near, b)
	if got := s.book.Choose(b); got != far {
		t.Errorf("when its victim is dead it chooses %v, want %v", got, far)
	}
}

// Half a point of threat for each point of health, divided among all lists that the healed unit is on.
func TestHealed(t *testing.T) {
	s := newStage(people())
	hurt, healer := s.addPlayer(1), s.addPlayer(2)
	var foes [4]ecs.Entity
	for i := range foes {
		foes[i] = s.addBeast(uint64(10 + i))
		s.book.AddRawThreat(s.tick, foes[i], hurt, 5)
	}
	s.book.Healed(s.tick, healer, hurt, 40)
	for _, e := range foes {
		if got := s.book.ThreatList(e); len(got) != 2 || got[1].Entity != healer || got[1].Amount != 5 {
			t.Errorf("%v lists %+v", e, got)
		}
	}
	if n := s.book.combats.Get(healer).ThreatenedByCount; n != 4 {
		t.Errorf("the healer is on %d lists", n)
	}
}

// A full list keeps the entries with the most threat.
func TestFullList(t *testing.T) {
	s := newStage(people())
	b := s.addBeast(1)
	var all []ecs.Entity
	for i := range components.MaxThreats + 2 {
		all = append(all, s.addPlayer(uint64(2+i)))
		s.book.AddRawThreat(s.tick, b, all[i], float32(100+i))
	}
	s.check(t, append(all, b))
	if n := len(s.book.ThreatList(b)); n != components.MaxThreats {
		t.Errorf("%d on the list", n)
	}
	if s.book.combats.Get(all[0]).ThreatenedByCount != 0 || s.book.combats.Get(all[1]).ThreatenedByCount != 0 {
		t.Error("the entries with the least threat are still on it")
	}
	weak := s.addPlayer(99)
	s.book.AddRawThreat(s.tick, b, weak, 3)
	if s.book.combats.Get(weak).ThreatenedByCount != 0 {
		t.Error("one with less threat has got in")
	}
	if n := s.counter.Value("combat.threat_full"); n != 3 {
		t.Errorf("combat.threat_full is %d, want 3", n)
	}
}

// The loot recipient stays on a full list however little threat it has, and loses the right when it leaves the list.
func TestFullListKeepsLootRecipient(t *testing.T) {
	s := newStage(people())
	b, first := s.addBeast(1), s.addPlayer(2)
	s.book.vitals.Get(b).Health = 1000
	s.book.DealDamage(s.tick, &Damage{By: first, To: b, School: 1, Amount: 1})
	for i := range components.MaxThreats {
		s.book.DealDamage(s.tick, &Damage{By: s.addPlayer(uint64(3 + i)), To: b, School: 1, Amount: uint32(2 + i)})
	}
	combat, listed := s.book.combats.Get(b), s.book.ThreatList(b)
	if combat.LootRecipient != 2 || len(listed) != components.MaxThreats || s.book.combats.Get(first).ThreatenedByCount != 1 {
		t.Errorf("it is tapped by %d and lists %d, want 2 and %d", combat.LootRecipient, len(listed), components.MaxThreats)
	}
	for _, h := range listed {
		if h.Amount == 2 {
			t.Error("the entry with the second least threat is still on the list")
		}
	}
	s.book.RemoveThreat(s.tick, b, first)
	if combat.LootRecipient != 0 {
		t.Errorf("when the recipient has left, it is tapped by %d", combat.LootRecipient)
	}
}

// Through a fight of random acts, the threat of each unit is the sum of its acts since the fight began: its damage,
// its share of half of what it healed, and what was added, each with the modifiers of the time.
func TestThreatIsTheSumOfActs(t *testing.T) {
	type pair struct{ beast, player ecs.Entity }
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 6))
		s := newStage(people())
		var beasts, players []ecs.Entity
		for i := range 5 {
			beasts = append(beasts, s.addBeast(uint64(10+i)))
			players = append(players, s.addPlayer(uint64(1+i)))
		}
		want := make(map[pair]float64)
		provoke := func(b, p ecs.Entity, amount float32) {
			want[pair{b, p}] += float64(amount * s.book.CombatStats(p).ThreatDone)
		}
		engage := func(b, p ecs.Entity) { want[pair{b, p}] += 0 }
		forget := func(which func(pair) bool) {
			maps.DeleteFunc(want, func(p pair, _ float64) bool { return which(p) })
		}
		for range 2000 {
			b, p := beasts[r.IntN(len(beasts))], players[r.IntN(len(players))]
			switch op := r.IntN(100); {
			case op < 35:
				amount := uint32(1 + r.IntN(3))
				if out := s.book.DealDamage(s.tick, &Damage{By: p, To: b, School: 1, Amount: amount, Periodic: op < 10}); out.Killed {
					forget(func(p pair) bool { return p.beast == b })
					s.book.Revive(b, 50)
				} else {
					provoke(b, p, float32(amount))
				}
			case op < 55:
				if out := s.book.DealDamage(s.tick, &Damage{By: b, To: p, School: 1, Amount: uint32(1 + r.IntN(3))}); out.Killed {
					forget(func(it pair) bool { return it.player == p })
					s.book.Revive(p, 80)
				} else {
					engage(b, p)
				}
			case op < 75:
				to := players[r.IntN(len(players))]
				healed, _ := s.book.Heal(to, uint32(r.IntN(8)))
				haters := 0
				s.book.ThreatenedBy(to, func(ecs.Entity, float32) { haters++ })
				s.book.ThreatenedBy(to, func(beast ecs.Entity, _ float32) {
					if healed > 0 {
						provoke(beast, p, float32(healed)/2/float32(haters))
					}
				})
				s.book.Healed(s.tick, p, to, healed)
			case op < 88:
				amount := float32(r.IntN(50))
				s.book.AddThreat(s.tick, b, p, amount)
				provoke(b, p, amount)
			case op < 90:
				s.book.ClearThreat(b)
				forget(func(it pair) bool { return it.beast == b })
			case op < 94:
				s.book.RemoveThreat(s.tick, b, p)
				forget(func(it pair) bool { return it == pair{b, p} })
			case op < 97:
				s.book.CombatStats(p).ThreatDone = float32(r.IntN(8)) / 4
			default:
				s.next()
				s.book.EndCombats(s.tick)
			}
			count := 0
			for _, b := range beasts {
				for _, h := range s.book.ThreatList(b) {
					count++
					if sum, there := want[pair{b, h.Entity}]; !there || math.Abs(sum-float64(h.Amount)) > 1e-3*max(sum, 1) {
						t.Fatalf("seed %d: %v has %v threat with %v, want %v (%v)", seed, h.Entity, h.Amount, b, sum, there)
					}
				}
			}
			if count != len(want) {
				t.Fatalf("seed %d: %d entries, want %d", seed, count, len(want))
			}
		}
	}
}
