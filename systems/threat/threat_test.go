package threat

import (
	"maps"
	"math"
	"math/rand/v2"
	"testing"

	"muster/components"
	"muster/ecs"
	"muster/systems/rules"
)

// check compares the threat lists with their reverse links: every unit is on as many lists as its count says, the
// lists have no dead, none is empty, and none is of the dead.
func (s *stage) check(t *testing.T, all []ecs.Entity) {
	t.Helper()
	listings := make(map[ecs.Entity]int)
	blocks := 0
	for _, e := range all {
		listed := s.List(e)
		if s.threatStates.Get(e).List != 0 {
			blocks++
			if len(listed) == 0 || len(listed) > components.MaxThreats {
				t.Fatalf("a list has %d entries", len(listed))
			}
			if !s.system.Alive(e) {
				t.Fatalf("%v is dead and lists %+v", e, listed)
			}
		}
		for i, h := range listed {
			listings[h.Entity]++
			if !s.system.Alive(h.Entity) || h.Entity == e || h.Amount < 0 {
				t.Fatalf("%v lists %+v", e, h)
			}
			for _, other := range listed[:i] {
				if other.Entity == h.Entity {
					t.Fatalf("%v lists %v twice", e, h.Entity)
				}
			}
		}
	}
	if s.system.lists.Get().InUse() != blocks {
		t.Fatalf("%d lists for %d creatures", s.system.lists.Get().InUse(), blocks)
	}
	for _, e := range all {
		found := 0
		s.Against(e, func(creature ecs.Entity, amount float32) {
			found++
			at := find(s.system.lists.Get().At(s.threatStates.Get(creature).List), e)
			if at < 0 || s.List(creature)[at].Amount != amount {
				t.Fatalf("%v is linked to the list of %v, which lacks it", e, creature)
			}
		})
		if n := s.listedOn(e); n != found || n != listings[e] {
			t.Fatalf("%v counts %d lists, finds %d and is on %d", e, n, found, listings[e])
		}
		if (found > 0 || len(s.List(e)) > 0) && !s.inCombat(e) {
			t.Fatalf("%v is on %d lists, lists %d and is out of combat", e, found, len(s.List(e)))
		}
		if v := s.vitals.Get(e); v.Health > v.MaxHealth {
			t.Fatalf("%v has %d of %d health", e, v.Health, v.MaxHealth)
		}
	}
}

// After any sequence of acts the lists agree with each other.
func TestThreatListsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	s := newStage()
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
	most, gone := 0, -1
	for n := range 6000 {
		i := r.IntN(len(all))
		e, other := all[i], all[r.IntN(len(all))]
		switch op := r.IntN(100); {
		case op < 40:
			s.hit(e, other, uint32(r.IntN(6)))
		case op < 60:
			s.threaten(e, other, r.Float32()*20-5)
		case op < 66:
			s.remove(e, other)
		case op < 68:
			emit(s, rules.ClearThreat{Entity: e})
		case op < 70:
			emit(s, rules.Evade{Entity: e, On: s.threatStates.Get(e).Evading == 0})
		case op < 74:
			emit(s, rules.Heal{By: e, To: other, Amount: 10})
		case op < 76:
			emit(s, rules.Kill{Entity: e, By: other})
		case op < 82:
			if s.vitals.Get(e).Health == 0 {
				emit(s, rules.SetVitals{Entity: e, Kind: rules.Resurrected, Health: 30})
			}
		case op < 88:
			emit(s, rules.Attack{Entity: e, Victim: other, How: components.SwingMelee})
		case op < 92:
			emit(s, rules.Engage{By: e, To: other})
		case op < 94: // leaves, and another comes
			emit(s, rules.LeaveCombat{Entity: e, Gone: true})
			gone = i
		}
		if gone >= 0 || n%2 == 0 { // else it happens in the tick of the next
			s.run()
		}
		if gone >= 0 {
			s.Despawn(all[gone])
			s.EndStage()
			all[gone] = spawn(gone)
			gone = -1
		}
		if n%7 == 6 {
			s.run()
			s.check(t, all)
			most = max(most, s.system.lists.Get().InUse())
		}
	}
	if most < 5 {
		t.Errorf("at most %d creatures fight", most)
	}
}

// Half a point of threat for each point of health, divided among all lists that the healed unit is on.
func TestHealed(t *testing.T) {
	s := newStage()
	hurt, healer, late := s.addPlayer(1), s.addPlayer(2), s.addPlayer(3)
	var foes [4]ecs.Entity
	for i := range foes {
		foes[i] = s.addBeast(uint64(10 + i))
		s.threaten(foes[i], hurt, 5)
	}
	s.run()
	s.vitals.Get(hurt).Health = 40
	emit(s, rules.Heal{By: healer, To: hurt, Amount: 60}) // 20 of it are too much
	s.run()
	for _, e := range foes {
		if got := s.List(e); len(got) != 2 || got[1].Entity != healer || got[1].Amount != 5 {
			t.Errorf("%v lists %+v", e, got)
		}
	}
	if n := s.listedOn(healer); n != 4 {
		t.Errorf("the healer is on %d lists", n)
	}
	emit(s, rules.Heal{By: late, To: hurt, Amount: 60})
	s.run()
	if n := s.listedOn(late); n != 0 {
		t.Errorf("one that has healed nothing is on %d lists", n)
	}
	s.stats.Get(healer).ThreatDone = 0.5
	s.vitals.Get(hurt).Health = 40
	emit(s, rules.Heal{By: healer, To: hurt, Amount: 16}, rules.Heal{By: healer, To: hurt, Amount: 16, Quiet: true})
	s.run()
	for _, e := range foes {
		if got := s.List(e); len(got) != 2 || got[1].Amount != 6 {
			t.Errorf("with half the threat, %v lists %+v", e, got)
		}
	}
}

// A full list keeps the entries with the most threat.
func TestFullList(t *testing.T) {
	s := newStage()
	b := s.addBeast(1)
	var all []ecs.Entity
	for i := range components.MaxThreats + 2 {
		all = append(all, s.addPlayer(uint64(2+i)))
		s.threaten(b, all[i], float32(100+i))
	}
	s.run()
	s.check(t, append(all, b))
	if n := len(s.List(b)); n != components.MaxThreats {
		t.Errorf("%d on the list", n)
	}
	if s.listedOn(all[0]) != 0 || s.listedOn(all[1]) != 0 {
		t.Error("the entries with the least threat are still on it")
	}
	weak := s.addPlayer(99)
	for i, amount := range []float32{3, 102} { // 102 is the least of the list
		s.threaten(b, weak, amount)
		s.run()
		if s.listedOn(weak) != 0 {
			t.Errorf("one with %v threat has got in", amount)
		}
		if n := s.count.Value("combat.threat_full"); n != uint64(3+i) {
			t.Errorf("combat.threat_full is %d, want %d", n, 3+i)
		}
	}
	s.threaten(b, weak, 102.5)
	s.run()
	if s.listedOn(weak) != 1 || s.listedOn(all[2]) != 0 {
		t.Error("one with more threat than the least has not taken its place")
	}
}

// Several full lists of the same units stay in order as entries come and go.
func TestFullListsAgree(t *testing.T) {
	s := newStage()
	var all []ecs.Entity
	for i := range 3 {
		all = append(all, s.addBeast(uint64(1+i)))
	}
	for i := range components.MaxThreats {
		all = append(all, s.addPlayer(uint64(10+i)))
	}
	beasts, players := all[:3], all[3:]
	for _, p := range players {
		for i, b := range beasts {
			s.threaten(b, p, float32(i+1))
		}
	}
	s.run()
	s.check(t, all)
	for i, gone := range []int{23, 0, 22, 21, 5} {
		s.remove(beasts[i%3], players[gone])
		s.run()
		s.check(t, all)
	}
	for _, p := range players {
		emit(s, rules.LeaveCombat{Entity: p})
		s.run()
		s.check(t, all)
	}
}

// The loot recipient stays on a full list however little threat it has, and loses the right when it leaves the list.
func TestFullListKeepsLootRecipient(t *testing.T) {
	s := newStage()
	b, first := s.addBeast(1), s.addPlayer(2)
	s.vitals.Get(b).Health, s.vitals.Get(b).MaxHealth = 1000, 1000
	s.hit(first, b, 1)
	s.run()
	if tapped := s.tapped.Next(); len(tapped) != 1 || tapped[0] != (rules.LootRecipientSet{Entity: b, Player: first}) {
		t.Errorf("tapped: %+v", tapped)
	}
	for i := range components.MaxThreats {
		s.hit(s.addPlayer(uint64(3+i)), b, uint32(2+i))
	}
	s.run()
	listed := s.List(b)
	if s.recipient(b) != 2 || len(listed) != components.MaxThreats || s.listedOn(first) != 1 {
		t.Errorf("it is tapped by %d and lists %d, want 2 and %d", s.recipient(b), len(listed), components.MaxThreats)
	}
	if s.stances.Get(b).DynamicFlags != components.DynamicTapped {
		t.Errorf("its dynamic flags are %#x", s.stances.Get(b).DynamicFlags)
	}
	for _, h := range listed {
		if h.Amount == 2 {
			t.Error("the entry with the second least threat is still on the list")
		}
	}
	s.remove(b, first)
	s.run()
	if tapped := s.tapped.Next(); len(tapped) != 1 || tapped[0] != (rules.LootRecipientSet{Entity: b, Player: first}) {
		t.Errorf("then tapped: %+v", tapped)
	}
	if s.recipient(b) != 0 || s.stances.Get(b).DynamicFlags != 0 {
		t.Errorf("when the recipient has left, it is tapped by %d", s.recipient(b))
	}
}

// Through a fight of random acts, the threat of each unit is the sum of its acts since the fight began: its damage,
// its share of half of what it healed, and what was added, each with the modifiers of the time.
func TestThreatIsTheSumOfActs(t *testing.T) {
	type pair struct{ beast, player ecs.Entity }
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 6))
		s := newStage()
		var beasts, players []ecs.Entity
		for i := range 5 {
			beasts = append(beasts, s.addBeast(uint64(10+i)))
			players = append(players, s.addPlayer(uint64(1+i)))
		}
		want := make(map[pair]float64)
		provoke := func(b, p ecs.Entity, amount float32) {
			want[pair{b, p}] += float64(amount * s.stats.Get(p).ThreatDone)
		}
		engage := func(b, p ecs.Entity) { want[pair{b, p}] += 0 }
		forget := func(which func(pair) bool) {
			maps.DeleteFunc(want, func(p pair, _ float64) bool { return which(p) })
		}
		hit := func(by, to ecs.Entity, amount uint32, kind rules.DamageKind) (killed bool) {
			emit(s, rules.Damage{By: by, To: to, School: 1, Amount: amount, Kind: kind})
			s.run()
			dealt := s.dealt.Next()
			if len(dealt) != 1 || dealt[0].Dealt != amount {
				t.Fatalf("seed %d: a hit of %d is %+v", seed, amount, dealt)
			}
			return dealt[0].Killed
		}
		for range 2000 {
			b, p := beasts[r.IntN(len(beasts))], players[r.IntN(len(players))]
			switch op := r.IntN(100); {
			case op < 35:
				amount, kind := uint32(1+r.IntN(3)), rules.SpellDamage
				if op < 10 {
					kind = rules.PeriodicDamage
				}
				if hit(p, b, amount, kind) {
					forget(func(p pair) bool { return p.beast == b })
					emit(s, rules.SetVitals{Entity: b, Kind: rules.Resurrected, Health: 50})
				} else {
					provoke(b, p, float32(amount))
				}
			case op < 55:
				if hit(b, p, uint32(1+r.IntN(3)), rules.SpellDamage) {
					forget(func(it pair) bool { return it.player == p })
					emit(s, rules.SetVitals{Entity: p, Kind: rules.Resurrected, Health: 80})
				} else {
					engage(b, p)
				}
			case op < 75:
				to := players[r.IntN(len(players))]
				emit(s, rules.Heal{By: p, To: to, Amount: uint32(r.IntN(8))})
				var haters []ecs.Entity
				s.Against(to, func(beast ecs.Entity, _ float32) { haters = append(haters, beast) })
				s.run()
				for _, h := range s.healed.Next() {
					for _, beast := range haters {
						if h.Health > 0 {
							provoke(beast, p, float32(h.Health)/2/float32(len(haters)))
						}
					}
				}
			case op < 88:
				amount := float32(r.IntN(50))
				emit(s, rules.ThreatChange{Entity: b, By: p, Amount: amount})
				provoke(b, p, amount)
			case op < 90:
				emit(s, rules.ClearThreat{Entity: b})
				forget(func(it pair) bool { return it.beast == b })
			case op < 94:
				s.remove(b, p)
				forget(func(it pair) bool { return it == pair{b, p} })
			case op < 97:
				s.stats.Get(p).ThreatDone = float32(r.IntN(8)) / 4
			}
			s.run()
			count := 0
			for _, b := range beasts {
				for _, h := range s.List(b) {
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
