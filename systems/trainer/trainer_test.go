package trainer

import (
	"encoding/hex"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/goods"
	"muster/systems/rules"
)

// A stage is a world with a player of the class 1 and the race 3, the GUID 2 and the level 10, and a trainer with the GUID 9. The money
// that its lessons cost is asked for, and a test gives it.
type stage struct {
	*ecs.World
	system *Trainer
	plan   *sched.Plan
	log    *change.Log
	tick   sched.Tick
	count  metric.Table

	player, trainer ecs.Entity
	kind            *ecs.Archetype
	objects         ecs.Accessor[components.Object]
	units           ecs.Accessor[components.Unit]
	vitals          ecs.Accessor[components.Vitals]
	stances         ecs.Accessor[components.Stance]
	sessions        ecs.Accessor[components.Session]
	books           ecs.Accessor[components.Spellbook]
	homes           ecs.Accessor[components.HomeCell]
}

// school has the spells that are taught, by the ID: 1 to 3 the ranks of one, 4 one of another class, 5 one that teaches 6 and 7, 8 of
// the level 20, 9 that needs a skill, 10 that needs 6, 11 for nothing, and 12, which there is not.
func school() *defs.World {
	learn := func(id uint32) defs.Effect { return defs.Effect{Kind: defs.EffectLearn, Trigger: id} }
	return &defs.World{
		Spells: []defs.Spell{
			{ID: 1}, {ID: 2, Replaces: 1}, {ID: 3, Replaces: 2}, {ID: 4, Class: 2}, {ID: 5, Effects: [3]defs.Effect{learn(6), {}, learn(7)}},
			{ID: 6, Class: 1}, {ID: 7}, {ID: 8}, {ID: 9}, {ID: 10}, {ID: 11},
		},
		Trainers: []defs.Trainer{{Entry: 50, Greeting: "Hello", Spells: []defs.TrainerSpell{
			{Spell: 1, Copper: 10, Level: 1}, {Spell: 2, Copper: 20, Level: 10}, {Spell: 3, Copper: 30, Level: 10}, {Spell: 4, Copper: 40},
			{Spell: 5, Copper: 50}, {Spell: 8, Copper: 80, Level: 20}, {Spell: 9, Copper: 90, Skill: 333, SkillRank: 1},
			{Spell: 10, Copper: 100, Abilities: [3]uint32{0, 6}}, {Spell: 11}, {Spell: 12, Copper: 120},
		}}},
	}
}

func newStage(d *defs.World) *stage {
	w := ecs.NewWorld(8)
	s := &stage{World: w, system: new(Trainer), tick: sched.Tick{N: 5, NowMs: 250, Quantum: 50e6}}
	ecs.Share(w, d)
	index := new(space.Space)
	ecs.Share(w, index)
	ecs.Share(w, &s.count)
	s.log = change.NewLog(w)
	ecs.Share(w, s.log)
	rules.Share(w)
	s.plan = sched.NewPlan(w.EndStage, sched.Bind(w, sched.Act, new(TrainerRequests)), sched.Bind(w, sched.Act, s.system))
	s.objects, s.units = ecs.NewAccessor[components.Object](w), ecs.NewAccessor[components.Unit](w)
	s.vitals, s.stances = ecs.NewAccessor[components.Vitals](w), ecs.NewAccessor[components.Stance](w)
	s.sessions, s.books = ecs.NewAccessor[components.Session](w), ecs.NewAccessor[components.Spellbook](w)
	s.homes = ecs.NewAccessor[components.HomeCell](w)
	both := slices.Concat(components.CombatParts(), ecs.Of2[components.Position, components.HomeCell]())
	s.kind = ecs.NewArchetype(w, slices.Concat(components.PlayerParts(), both, ecs.Of2[components.Session, components.Spellbook]())...)
	s.player = s.addPlayer(2)
	s.trainer = ecs.NewArchetype(w, slices.Concat(components.CreatureParts(), both)...).Spawn()
	*s.objects.Get(s.trainer) = components.Object{GUID: 9, Entry: 50}
	*s.units.Get(s.trainer) = components.Unit{Level: 10, Faction: defs.FactionFriendly}
	s.vitals.Get(s.trainer).Health = 100
	s.stances.Get(s.trainer).NPCFlags = components.NPCTrainer
	index.Add(9, s.trainer)
	return s
}

func (s *stage) addPlayer(guid uint64) ecs.Entity {
	e := s.kind.Spawn()
	s.sessions.Get(e).ID, s.objects.Get(e).GUID = uint32(guid), guid
	*s.units.Get(e) = components.Unit{Level: 10, Faction: defs.FactionFriendly}
	s.units.Get(e).Bytes0[components.ByteClass], s.units.Get(e).Bytes0[components.ByteRace] = 1, 3
	s.vitals.Get(e).Health = 100
	s.homes.Get(e).Set(1, grid.At(0, 0, 0))
	return e
}

// know has a player know spells, ascending.
func (s *stage) know(e ecs.Entity, ids ...uint32) {
	b := s.books.Get(e)
	b.Count = uint32(copy(b.Spells[:], ids))
}

func emit[T any](s *stage, all ...T) {
	for _, it := range all {
		*ecs.QueueOf[T](s.World).Next() = it
	}
}

func (s *stage) ask(n uint32) {
	emit(s, change.Sent[msg.TrainerListQuery]{By: s.player, N: n, Msg: msg.TrainerListQuery{GUID: 9}})
}

func (s *stage) buy(spell, n uint32) {
	emit(s, change.Sent[msg.TrainerBuy]{By: s.player, N: n, Msg: msg.TrainerBuy{GUID: 9, Spell: spell}})
}

// A result is what a tick has sent, as opcodes with bodies in hexadecimal, and asked for.
type result struct {
	sent   []string
	bodies []string
	asked  []goods.GiveMoney
	taught []uint32
}

func (s *stage) run() (got result) {
	s.plan.Run(s.tick)
	for b := s.log.Builder.Bytes; len(b) > 0; {
		op, payload, header, _ := wire.ServerHeader(b)
		got.bodies = append(got.bodies, hex.EncodeToString(b[header:header+payload]))
		got.sent = append(got.sent, fmt.Sprintf("%x %s", op, got.bodies[len(got.bodies)-1]))
		b = b[header+payload:]
	}
	got.asked = slices.Clone(ecs.QueueOf[goods.GiveMoney](s.World).All())
	for _, it := range ecs.QueueOf[rules.TeachSpell](s.World).All() {
		got.taught = append(got.taught, it.Spell)
	}
	s.log.Builder.Bytes = s.log.Builder.Bytes[:0]
	s.log.Builder.Cut()
	s.log.Reset()
	s.EndTick()
	s.tick.N++
	return got
}

// pay answers what lessons cost.
func (s *stage) pay(asked []goods.GiveMoney, ok bool) {
	for _, it := range asked {
		emit(s, goods.MoneyGiven{GiveMoney: it, OK: ok})
	}
}

// The list of what a trainer teaches to a player that knows some spells: the state of each, and its bytes.
//
// Source: Trainer::GetSpellState and Trainer::SendSpells, AzerothCore; smsg_trainer_list.wowm, wow_messages (states 0 available, 1
// not, 2 known).
func TestList(t *testing.T) {
	for _, c := range []struct {
		name  string
		knows []uint32
		want  map[uint32]msg.TrainerState
	}{
		{"nothing", nil, map[uint32]msg.TrainerState{1: 0, 2: 1, 3: 1, 5: 0, 8: 1, 9: 1, 10: 1, 11: 0}},
		{"the first rank", []uint32{1}, map[uint32]msg.TrainerState{1: 2, 2: 0, 3: 1, 5: 0, 8: 1, 9: 1, 10: 1, 11: 0}},
		{"the third rank, and with it those below", []uint32{3}, map[uint32]msg.TrainerState{1: 2, 2: 2, 3: 2, 5: 0, 8: 1, 9: 1, 10: 1, 11: 0}},
		{"one of two that are taught together", []uint32{6}, map[uint32]msg.TrainerState{1: 0, 2: 1, 3: 1, 5: 0, 8: 1, 9: 1, 10: 0, 11: 0}},
		{"the other one", []uint32{7}, map[uint32]msg.TrainerState{1: 0, 2: 1, 3: 1, 5: 0, 8: 1, 9: 1, 10: 1, 11: 0}},
		{"both", []uint32{6, 7, 11}, map[uint32]msg.TrainerState{1: 0, 2: 1, 3: 1, 5: 2, 8: 1, 9: 1, 10: 0, 11: 2}},
	} {
		s := newStage(school())
		s.know(s.player, c.knows...)
		s.ask(0)
		got := s.run()
		if len(got.sent) != 1 || !strings.HasPrefix(got.sent[0], "1b1 ") {
			t.Fatalf("%s: %v", c.name, got.sent)
		}
		var m msg.TrainerList
		b, _ := hex.DecodeString(got.bodies[0])
		if err := msg.Decode(wire.V12340, b, &m); err != nil {
			t.Fatal(err)
		}
		states := map[uint32]msg.TrainerState{}
		for _, sp := range m.Spells {
			states[sp.Spell] = sp.State
		}
		if m.GUID != 9 || m.Kind != 0 || m.Greeting != "Hello" || !reflect.DeepEqual(states, c.want) {
			t.Errorf("%s: %+v, want %v", c.name, m, c.want)
		}
		if want := (msg.TrainerSpell{Spell: 9, State: 1, Copper: 90, Skill: 333, SkillRank: 1}); m.Spells[5] != want {
			t.Errorf("%+v, want %+v", m.Spells[5], want)
		}
	}
}

// A spell is taught itself if none of its effects teaches another: one that triggers one does not, and neither does one that names
// none.
func TestTaught(t *testing.T) {
	d := school()
	d.Spells = append(d.Spells, defs.Spell{ID: 13, Effects: [3]defs.Effect{{Kind: defs.EffectLearn}}},
		defs.Spell{ID: 14, Effects: [3]defs.Effect{{Kind: defs.EffectApplyAura, Trigger: 6}}})
	s := newStage(d)
	for id, want := range map[uint32][3]uint32{5: {6, 0, 7}, 13: {13}, 14: {14}, 12: {12}} {
		if got := s.system.taught(id); got != want {
			t.Errorf("spell %d teaches %v, want %v", id, got, want)
		}
	}
}

// What one player knows the next one does not.
func TestKnownToOthers(t *testing.T) {
	s := newStage(school())
	s.know(s.player, 1, 6, 7, 11)
	s.ask(0)
	s.player = s.addPlayer(3)
	s.ask(1)
	got := s.run()
	if len(got.bodies) != 2 || !strings.Contains(got.bodies[0], "01000000"+"02"+"0a000000") || !strings.Contains(got.bodies[1], "01000000"+"00"+"0a000000") {
		t.Errorf("%v", got.bodies)
	}
}

// A list has no more than the client bears.
func TestLongList(t *testing.T) {
	d := school()
	for id := uint32(100); id < 1000; id++ {
		d.Spells = append(d.Spells, defs.Spell{ID: id})
		d.Trainers[0].Spells = append(d.Trainers[0].Spells, defs.TrainerSpell{Spell: id})
	}
	s := newStage(d)
	for range 2 {
		s.ask(0)
		if got := s.run(); len(got.bodies) != 1 || got.bodies[0][24:32] != "20030000" { // 800
			t.Fatalf("%.40s", got.bodies)
		}
	}
}

// Who is taught nothing: those at another GUID, far away, of a dead trainer, who have just come, and of whom the trainer does not
// teach the class, the race or a profession.
//
// Source: Trainer::IsTrainerValidForPlayer and Player::GetNPCIfCanInteractWith, AzerothCore.
func TestUnable(t *testing.T) {
	for _, c := range []struct {
		name   string
		sets   func(s *stage, of *defs.Trainer)
		unable uint64
	}{
		{"all", func(*stage, *defs.Trainer) {}, 0},
		{"its class", func(_ *stage, of *defs.Trainer) { of.Requirement = 1 }, 0},
		{"another class", func(_ *stage, of *defs.Trainer) { of.Requirement = 2 }, 1},
		{"its race", func(_ *stage, of *defs.Trainer) { of.Kind, of.Requirement = defs.TrainerMount, 3 }, 0},
		{"another race", func(_ *stage, of *defs.Trainer) { of.Kind, of.Requirement = defs.TrainerMount, 1 }, 1},
		{"those that know a spell", func(_ *stage, of *defs.Trainer) { of.Kind, of.Requirement = defs.TrainerProfession, 7 }, 1},
		{"and it knows a higher rank", func(s *stage, of *defs.Trainer) {
			of.Kind, of.Requirement = defs.TrainerProfession, 1
			s.know(s.player, 2)
		}, 0},
		{"no trainer", func(s *stage, _ *defs.Trainer) { s.stances.Get(s.trainer).NPCFlags = components.NPCVendor }, 1},
		{"without spells", func(s *stage, _ *defs.Trainer) { s.objects.Get(s.trainer).Entry = 51 }, 1},
		{"a dead player", func(s *stage, _ *defs.Trainer) { s.vitals.Get(s.player).Health = 0 }, 1},
		{"one that has just come", func(s *stage, _ *defs.Trainer) {
			*s.homes.Get(s.player) = components.HomeCell{}
			s.homes.Get(s.player).Set(uint32(s.tick.N), grid.At(0, 0, 0))
		}, 1},
	} {
		for _, buys := range []bool{false, true} {
			s := newStage(school())
			c.sets(s, &ecs.Shared[defs.World](s.World).Trainers[0])
			if buys {
				s.buy(5, 0)
			} else {
				s.ask(0)
			}
			got := s.run()
			if n := s.count.Value("trainer.unable"); n != c.unable || len(got.sent)+len(got.asked) == 0 != (n > 0) {
				t.Errorf("%s, buys %v: %d are refused, %v, %+v", c.name, buys, n, got.sent, got.asked)
			}
		}
	}
}

// What a player pays for is asked of its money first, all or nothing, and taught when it is there; else it is told why not.
//
// Source: Trainer::TeachSpell, AzerothCore; smsg_trainer_buy_failed.wowm, wow_messages (0 unavailable, 1 not enough money, 2 not enough
// skill).
func TestBuy(t *testing.T) {
	failed := func(spell uint32, why uint32) []string {
		return []string{fmt.Sprintf("1b4 0900000000000000%02x000000%02x000000", spell, why)}
	}
	bought := func(spell uint32) []string { return []string{fmt.Sprintf("1b3 0900000000000000%02x000000", spell)} }
	for _, c := range []struct {
		name   string
		spell  uint32
		copper int64 // 0: nothing is asked for
		ok     bool
		first  []string // before the answer
		taught []uint32
		sent   []string
	}{
		{"a spell", 1, 10, true, nil, []uint32{1}, bought(1)},
		{"without the money", 1, 10, false, nil, nil, failed(1, 1)},
		{"two spells", 5, 50, true, nil, []uint32{6, 7}, bought(5)},
		{"for nothing", 11, 0, true, bought(11), nil, nil},
		{"one that is not taught", 7, 0, true, failed(7, 0), nil, nil},
		{"of a rank too high", 2, 0, true, failed(2, 2), nil, nil},
		{"of another class", 4, 0, true, failed(4, 2), nil, nil},
		{"of a higher level", 8, 0, true, failed(8, 2), nil, nil},
	} {
		s := newStage(school())
		s.buy(c.spell, 0)
		got := s.run()
		if !slices.Equal(got.sent, c.first) {
			t.Errorf("%s: sent %v, want %v", c.name, got.sent, c.first)
		}
		if c.copper == 0 {
			if len(got.asked) != 0 || len(got.taught) > 0 != (c.spell == 11) {
				t.Errorf("%s: asked %+v, taught %v", c.name, got.asked, got.taught)
			}
			continue
		}
		if want := (goods.GiveMoney{To: s.player, Copper: -c.copper, Ticket: 3<<30 + 1, Exact: true}); len(got.asked) != 1 || got.asked[0] != want || len(got.taught) != 0 {
			t.Fatalf("%s: asked %+v, want %+v; taught %v", c.name, got.asked, want, got.taught)
		}
		other := got.asked[0]
		other.Ticket = 7 // another system's
		s.pay([]goods.GiveMoney{other}, true)
		if early := s.run(); len(early.taught)+len(early.sent) != 0 {
			t.Errorf("%s: taught %v by another's money", c.name, early.taught)
		}
		s.pay(got.asked, c.ok)
		s.pay(got.asked, c.ok) // and not twice
		if got = s.run(); !slices.Equal(got.taught, c.taught) || !slices.Equal(got.sent, c.sent) {
			t.Errorf("%s: taught %v, sent %v; want %v, %v", c.name, got.taught, got.sent, c.taught, c.sent)
		}
		if len(s.system.lessons) != 0 {
			t.Errorf("%s: %+v are left", c.name, s.system.lessons)
		}
	}
}

// Requests are executed in the order in which they arrived. A spell is not sold twice before it is paid for, and the next rank is
// sold with the one before.
func TestLessonsInOrder(t *testing.T) {
	s := newStage(school())
	s.buy(2, 3)
	s.buy(1, 1)
	s.buy(1, 2)
	s.ask(0)
	got := s.run()
	if len(got.asked) != 2 || got.asked[0].Copper != -10 || got.asked[1].Copper != -20 || got.asked[0].Ticket == got.asked[1].Ticket {
		t.Errorf("asked %+v", got.asked)
	}
	if len(got.sent) != 2 || !strings.HasPrefix(got.sent[0], "1b1 ") || got.sent[1] != "1b4 09000000000000000100000002000000" {
		t.Errorf("sent %v", got.sent)
	}
	s.ask(0)
	if got := s.run(); !strings.Contains(got.bodies[0], "01000000"+"02"+"0a000000") || !strings.Contains(got.bodies[0], "02000000"+"02"+"14000000") {
		t.Errorf("what is being paid for is not known: %v", got.bodies)
	}
	s.Despawn(s.player)
	s.EndStage()
	s.pay(got.asked, true)
	if got := s.run(); len(got.sent)+len(got.taught) != 0 || len(s.system.lessons) != 0 {
		t.Errorf("the gone are taught: %v %v", got.sent, got.taught)
	}
}

// What another player is paying for is not known to this one.
func TestLessonsOfOthers(t *testing.T) {
	s := newStage(school())
	s.buy(1, 0)
	s.run()
	first := s.player
	s.player = s.addPlayer(3)
	s.buy(1, 0)
	got := s.run()
	if len(got.asked) != 1 || got.asked[0].To != s.player || s.player == first {
		t.Errorf("%+v", got.asked)
	}
}

// A spell book that has no room for what is taught and what is paid for is not sold any.
func TestFullBook(t *testing.T) {
	for room, want := range map[int]int{0: 0, 2: 0, 3: 1, 5: 1, 6: 2} {
		s := newStage(school())
		b := s.books.Get(s.player)
		b.Count = uint32(life.MaxSpells - room)
		for i := range b.Spells[:b.Count] {
			b.Spells[i] = 1000 + uint32(i)
		}
		s.buy(1, 0)
		s.buy(5, 1)
		if got := s.run(); len(got.asked) != want || len(got.sent) != 2-want {
			t.Errorf("with room for %d: %+v %v", room, got.asked, got.sent)
		}
	}
}

// An option of a gossip menu that opens the list does, and others do not.
func TestGossipOpensList(t *testing.T) {
	for opens, want := range map[defs.GossipWindow]int{defs.GossipNothing: 0, defs.GossipVendor: 0, defs.GossipTrainer: 1} {
		s := newStage(school())
		emit(s, rules.Gossip{By: s.player, GUID: 9, Opens: opens})
		if got := s.run(); len(got.sent) != want {
			t.Errorf("window %d: %v", opens, got.sent)
		}
	}
}

// Ranks that replace each other in a circle are known, and the search for them ends; the requests of a player that has gone are
// dropped.
func TestCircleOfRanks(t *testing.T) {
	d := school()
	d.Spells[0].Replaces = 3
	s := newStage(d)
	s.know(s.player, 2)
	s.buy(1, 0)
	if got := s.run(); len(got.sent) != 1 || got.sent[0] != "1b4 09000000000000000100000002000000" || len(s.system.known) != maxRanks {
		t.Errorf("%v, %d known", got.sent, len(s.system.known))
	}
	emit(s, Request{By: s.player, Entry: 50})
	s.Despawn(s.player)
	s.EndStage()
	if got := s.run(); len(got.sent) != 0 {
		t.Errorf("%v", got.sent)
	}
}
