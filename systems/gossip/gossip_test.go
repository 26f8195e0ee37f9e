package gossip

import (
	"encoding/hex"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/condition"
	"muster/systems/rules"
)

// A stage is a world with a player of the class 1, and creatures that talk: the GUIDs are 2 for the player, and 9 for an innkeeper of
// the entry 50 with the menu 1. Its menus are those of talk.
type stage struct {
	*ecs.World
	defs  *defs.World
	plan  *sched.Plan
	log   *change.Log
	tick  sched.Tick
	count metric.Table

	player, keeper ecs.Entity
	objects        ecs.Accessor[components.Object]
	units          ecs.Accessor[components.Unit]
	vitals         ecs.Accessor[components.Vitals]
	stances        ecs.Accessor[components.Stance]
	homes          ecs.Accessor[components.HomeCell]
	dialogs        ecs.Accessor[components.Dialog]
	books          ecs.Accessor[components.Spellbook]
}

// talk has the menus: 0 for all that have no options, 1 of the innkeeper, 2 with its own text and no options, 3 which closes.
func talk() *defs.World {
	return &defs.World{
		Creatures: []defs.Creature{{Entry: 50, GossipMenu: 1, NPCFlags: components.NPCGossip | components.NPCVendor | components.NPCTrainer}},
		GossipMenus: []defs.GossipMenu{
			{ID: 0, Options: []defs.GossipOption{{ID: 7, Text: "For all", NPCFlags: 1}}},
			{ID: 1, Text: 70, Options: []defs.GossipOption{
				{ID: 1, Icon: 3, Text: "More", BoxText: "Sure?", NPCFlags: 1, Menu: 2},
				{ID: 2, Icon: 1, Text: "Wares", NPCFlags: 0x80, Opens: defs.GossipVendor},
				{ID: 3, Text: "Lessons", NPCFlags: 0x10, Opens: defs.GossipTrainer},
				{ID: 4, Text: "Where?", NPCFlags: 1, Point: 5, Close: true},
				{ID: 5, Text: "Flights", NPCFlags: 0x2000},
				{ID: 6, Text: "Nothing", NPCFlags: 1, Point: 6},
			}},
			{ID: 2, Text: 71},
			{ID: 3, Text: 72, Options: []defs.GossipOption{{ID: 1, NPCFlags: 1, Close: true, Menu: 1}}},
		},
		PointsOfInterest: []defs.PointOfInterest{{ID: 5, X: 10, Y: 20, Icon: 7, Flags: 99, Data: 3, Name: "Inn"}},
		Vendors:          []defs.Vendor{{Entry: 50}},
		Trainers:         []defs.Trainer{{Entry: 50}},
	}
}

func newStage(d *defs.World) *stage {
	w := ecs.NewWorld(8)
	s := &stage{World: w, defs: d, tick: sched.Tick{N: 5, NowMs: 250, Quantum: 50e6}}
	ecs.Share(w, d)
	ecs.Share(w, &defs.Map{})
	index := new(space.Space)
	ecs.Share(w, index)
	ecs.Share(w, &s.count)
	s.log = change.NewLog(w)
	ecs.Share(w, s.log)
	rules.Share(w)
	s.plan = sched.NewPlan(w.EndStage, sched.Bind(w, sched.Act, new(GossipRequests)), sched.Bind(w, sched.Act, new(condition.Condition)), sched.Bind(w, sched.Act, new(Gossip)))
	s.objects, s.units = ecs.NewAccessor[components.Object](w), ecs.NewAccessor[components.Unit](w)
	s.vitals, s.stances = ecs.NewAccessor[components.Vitals](w), ecs.NewAccessor[components.Stance](w)
	s.homes, s.dialogs = ecs.NewAccessor[components.HomeCell](w), ecs.NewAccessor[components.Dialog](w)
	s.books = ecs.NewAccessor[components.Spellbook](w)
	both := slices.Concat(components.CombatParts(), ecs.Of2[components.Position, components.HomeCell]())
	s.player = ecs.NewArchetype(w, slices.Concat(components.PlayerParts(), both,
		ecs.Of3[components.Session, components.Spellbook, components.Dialog]())...).Spawn()
	s.keeper = ecs.NewArchetype(w, slices.Concat(components.CreatureParts(), both)...).Spawn()
	*s.objects.Get(s.player), *s.objects.Get(s.keeper) = components.Object{GUID: 2}, components.Object{GUID: 9, Entry: 50}
	for _, e := range []ecs.Entity{s.player, s.keeper} {
		s.units.Get(e).Faction, s.vitals.Get(e).Health = defs.FactionFriendly, 100
	}
	s.units.Get(s.player).Bytes0[components.ByteClass], s.units.Get(s.player).Bytes0[components.ByteRace] = 1, 3
	s.homes.Get(s.player).Set(1, grid.At(0, 0, 0))
	s.stances.Get(s.keeper).NPCFlags = d.Creatures[0].NPCFlags
	index.Add(9, s.keeper)
	return s
}

func emit[T any](s *stage, it T) { *ecs.QueueOf[T](s.World).Next() = it }

func (s *stage) hello(n uint32) {
	emit(s, change.Sent[msg.GossipHello]{By: s.player, N: n, Msg: msg.GossipHello{GUID: 9}})
}

func (s *stage) choose(menu, option, n uint32) {
	emit(s, change.Sent[msg.GossipSelect]{By: s.player, N: n, Msg: msg.GossipSelect{GUID: 9, Menu: menu, Option: option}})
}

// A packet is one that was sent.
type packet struct {
	op   uint16
	body []byte
}

// run runs a tick, and returns what was sent and what was talked about.
func (s *stage) run() (sent []packet, talks []rules.Gossip) {
	s.plan.Run(s.tick)
	for b := slices.Clone(s.log.Builder.Bytes); len(b) > 0; {
		op, payload, header, _ := wire.ServerHeader(b)
		sent = append(sent, packet{op, b[header : header+payload]})
		b = b[header+payload:]
	}
	talks = slices.Clone(ecs.QueueOf[rules.Gossip](s.World).All())
	s.log.Builder.Bytes = s.log.Builder.Bytes[:0]
	s.log.Builder.Cut()
	s.log.Reset()
	s.EndTick()
	s.tick.N++
	return sent, talks
}

// menu decodes the only packet, which is a menu.
func menu(t *testing.T, sent []packet) (m msg.GossipMessage) {
	t.Helper()
	if len(sent) != 1 || sent[0].op != 0x17D {
		t.Fatalf("sent %+v, want one menu", sent)
	}
	if err := msg.Decode(wire.V12340, sent[0].body, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// ids are those of the options of a menu.
func ids(m *msg.GossipMessage) (all []uint32) {
	for _, o := range m.Options {
		all = append(all, o.ID)
	}
	return all
}

// A player that talks to a creature is shown its menu: the options for its flags, and of those that open a window, the ones whose
// window there is.
//
// Source: Player::PrepareGossipMenu and Player::SendPreparedGossip, AzerothCore.
func TestMenu(t *testing.T) {
	for _, c := range []struct {
		name string
		sets func(d *defs.World, s *stage)
		text uint32
		want []uint32
	}{
		{"all", nil, 70, []uint32{1, 2, 3, 4, 6}},
		{"of no vendor's flag", func(_ *defs.World, s *stage) { s.stances.Get(s.keeper).NPCFlags &^= components.NPCVendor }, 70, []uint32{1, 3, 4, 6}},
		{"of a vendor's option for others", func(d *defs.World, s *stage) {
			s.stances.Get(s.keeper).NPCFlags &^= components.NPCVendor
			d.GossipMenus[1].Options[1].NPCFlags = 1
		}, 70, []uint32{1, 3, 4, 6}},
		{"without wares", func(d *defs.World, _ *stage) { d.Vendors = nil }, 70, []uint32{1, 3, 4, 6}},
		{"without lessons", func(d *defs.World, _ *stage) { d.Trainers = nil }, 70, []uint32{1, 2, 4, 6}},
		{"of a trainer's option for others", func(d *defs.World, s *stage) {
			s.stances.Get(s.keeper).NPCFlags &^= components.NPCTrainer
			d.GossipMenus[1].Options[2].NPCFlags = 1
		}, 70, []uint32{1, 2, 4, 6}},
		{"of another class's trainer", func(d *defs.World, _ *stage) { d.Trainers[0].Requirement = 2 }, 70, []uint32{1, 2, 4, 6}},
		{"of another race's trainer", func(d *defs.World, _ *stage) {
			d.Trainers[0].Kind, d.Trainers[0].Requirement = defs.TrainerMount, 1
		}, 70, []uint32{1, 2, 4, 6}},
		{"of a trade that it knows", func(d *defs.World, s *stage) {
			d.Trainers[0].Kind, d.Trainers[0].Requirement = defs.TrainerProfession, 77
			b := s.books.Get(s.player)
			b.Count, b.Spells[0] = 1, 77
		}, 70, []uint32{1, 2, 3, 4, 6}},
		{"a menu without options", func(d *defs.World, _ *stage) { d.Creatures[0].GossipMenu = 2 }, 71, []uint32{7}},
		{"no menu", func(d *defs.World, _ *stage) { d.Creatures[0].GossipMenu = 99 }, 0xFFFFFF, []uint32{7}},
		{"no menu for anyone", func(d *defs.World, _ *stage) { d.Creatures[0].GossipMenu, d.GossipMenus = 99, nil }, 0xFFFFFF, nil},
	} {
		d := talk()
		s := newStage(d)
		if c.sets != nil {
			c.sets(d, s)
		}
		s.hello(4)
		sent, talks := s.run()
		m := menu(t, sent)
		id := d.Creatures[0].GossipMenu
		if m.GUID != 9 || m.Menu != id || m.Text != c.text || !slices.Equal(ids(&m), c.want) {
			t.Errorf("%s: %+v, want text %d, options %v", c.name, m, c.text, c.want)
		}
		if want := []rules.Gossip{{By: s.player, Creature: s.keeper, GUID: 9, Menu: id, N: 4}}; !slices.Equal(talks, want) {
			t.Errorf("%s: %+v, want %+v", c.name, talks, want)
		}
		if got := *s.dialogs.Get(s.player); got != (components.Dialog{Creature: 9, Menu: id}) {
			t.Errorf("%s: the dialog is %+v", c.name, got)
		}
		if c.name == "all" {
			if want := (msg.GossipOption{ID: 1, Icon: 3, Text: "More", BoxText: "Sure?"}); m.Options[0] != want {
				t.Errorf("%+v, want %+v", m.Options[0], want)
			}
		}
	}
}

// A menu has no more options than clients bear.
//
// Source: GOSSIP_MAX_MENU_ITEMS, GossipDef.h, AzerothCore (32).
func TestLongMenu(t *testing.T) {
	d := talk()
	for id := uint32(100); id < 150; id++ {
		d.GossipMenus[1].Options = append(d.GossipMenus[1].Options, defs.GossipOption{ID: id, NPCFlags: 1})
	}
	s := newStage(d)
	for range 2 {
		s.hello(0)
		sent, _ := s.run()
		if m := menu(t, sent); len(m.Options) != 32 {
			t.Fatalf("%d options", len(m.Options))
		}
	}
}

// Who is not talked to: one at another GUID, the dead, enemies, those that offer nothing, and by players that are dead or have just
// come.
//
// Source: Player::GetNPCIfCanInteractWith, AzerothCore.
func TestUnable(t *testing.T) {
	for _, c := range []struct {
		name   string
		sets   func(s *stage)
		unable uint64
	}{
		{"all is well", func(*stage) {}, 0},
		{"a dead creature", func(s *stage) { s.vitals.Get(s.keeper).Health = 0 }, 1},
		{"a dead player", func(s *stage) { s.vitals.Get(s.player).Health = 0 }, 1},
		{"an enemy", func(s *stage) { s.units.Get(s.keeper).Faction = defs.FactionHostile }, 1},
		{"one without services", func(s *stage) { s.stances.Get(s.keeper).NPCFlags = 0 }, 1},
		{"a player that has just come", func(s *stage) {
			*s.homes.Get(s.player) = components.HomeCell{}
			s.homes.Get(s.player).Set(uint32(s.tick.N), grid.At(0, 0, 0))
		}, 1},
	} {
		for _, selects := range []bool{false, true} {
			s := newStage(talk())
			*s.dialogs.Get(s.player) = components.Dialog{Creature: 9, Menu: 1}
			c.sets(s)
			if selects {
				s.choose(1, 1, 0)
			} else {
				s.hello(0)
			}
			sent, talks := s.run()
			if n := s.count.Value("gossip.unable"); n != c.unable || len(sent) > 0 != (n == 0) || len(talks) > 0 != (n == 0) {
				t.Errorf("%s, selects %v: %d are refused, %+v, %+v", c.name, selects, n, sent, talks)
			}
		}
	}
}

// What an option does that a player was shown: another menu, a mark on its map, a window, the end of the talk.
//
// Source: Player::OnGossipSelect and PlayerMenu::SendPointOfInterest, AzerothCore; docs/protocol.md 5.3 (0x17E is empty).
func TestChoose(t *testing.T) {
	point := "63000000" + "00002041" + "0000a041" + "07000000" + "03000000" + hex.EncodeToString([]byte("Inn\x00"))
	for _, c := range []struct {
		option uint32
		sent   []string
		dialog components.Dialog
		opens  defs.GossipWindow
	}{
		{2, nil, components.Dialog{Creature: 9, Menu: 1}, defs.GossipVendor},
		{3, nil, components.Dialog{Creature: 9, Menu: 1}, defs.GossipTrainer},
		{4, []string{"224 " + point, "17e "}, components.Dialog{}, 0},
		{6, nil, components.Dialog{Creature: 9, Menu: 1}, 0}, // a point that there is not
	} {
		s := newStage(talk())
		s.hello(0)
		s.run()
		s.choose(1, c.option, 8)
		all, talks := s.run()
		var sent []string
		for _, p := range all {
			sent = append(sent, fmt.Sprintf("%x %x", p.op, p.body))
		}
		if !slices.Equal(sent, c.sent) || *s.dialogs.Get(s.player) != c.dialog {
			t.Errorf("option %d: sent %v, want %v; %+v", c.option, sent, c.sent, *s.dialogs.Get(s.player))
		}
		want := []rules.Gossip{{By: s.player, Creature: s.keeper, GUID: 9, Menu: 1, Option: c.option, N: 8, Opens: c.opens, Selected: true}}
		if !reflect.DeepEqual(talks, want) {
			t.Errorf("option %d: %+v, want %+v", c.option, talks, want)
		}
	}
}

// A menu that an option opens is the one that is talked about then; one with no options of its own, which is not the creature's, has
// none of all. A menu wins over the end of the talk.
func TestOtherMenu(t *testing.T) {
	d := talk()
	s := newStage(d)
	s.hello(0)
	s.choose(1, 1, 1) // in the same tick
	sent, talks := s.run()
	if len(sent) != 2 || len(talks) != 2 {
		t.Fatalf("%+v", sent)
	}
	if m := menu(t, sent[1:]); m.Menu != 2 || m.Text != 71 || len(m.Options) != 0 {
		t.Errorf("%+v", m)
	}
	s.choose(1, 1, 0)
	if sent, _ = s.run(); len(sent) != 0 || s.count.Value("gossip.closed") != 1 {
		t.Errorf("an option of the menu before: %+v", sent)
	}
	d.GossipMenus[1].Options[0].Menu = 3
	s.hello(0)
	s.run()
	s.choose(1, 1, 0)
	s.run()
	s.choose(3, 1, 0)
	sent, _ = s.run()
	if m := menu(t, sent); m.Menu != 1 || s.dialogs.Get(s.player).Menu != 1 {
		t.Errorf("%+v", m)
	}
}

// An option that a player was not shown does nothing: of another creature or menu, one that there is not, or one that is not offered.
func TestClosed(t *testing.T) {
	for _, c := range []struct {
		name         string
		dialog       components.Dialog
		menu, option uint32
	}{
		{"before a hello", components.Dialog{}, 1, 1}, {"of another creature", components.Dialog{Creature: 8, Menu: 1}, 1, 1},
		{"of another menu", components.Dialog{Creature: 9, Menu: 2}, 1, 1}, {"none", components.Dialog{Creature: 9, Menu: 1}, 1, 9},
		{"not offered", components.Dialog{Creature: 9, Menu: 1}, 1, 5},
	} {
		s := newStage(talk())
		*s.dialogs.Get(s.player) = c.dialog
		s.choose(c.menu, c.option, 0)
		sent, talks := s.run()
		if len(sent)+len(talks) != 0 || s.count.Value("gossip.closed") != 1 || *s.dialogs.Get(s.player) != c.dialog {
			t.Errorf("%s: %+v %+v", c.name, sent, talks)
		}
	}
}

// Messages are answered in the order in which they arrived.
func TestOrder(t *testing.T) {
	s := newStage(talk())
	s.choose(1, 4, 1)
	s.hello(2)
	if sent, _ := s.run(); len(sent) != 1 || s.count.Value("gossip.closed") != 1 {
		t.Errorf("an option before the hello: %+v", sent)
	}
}

// Of many conditions of several messages in a tick, each menu has those that hold for its player. What a script shows has none of them.
func TestConditionsOfManyMessages(t *testing.T) {
	d := talk()
	d.Conditions = []defs.Conditions{{{Kind: defs.ConditionClass, Value: [3]uint32{1}}}, {{Kind: defs.ConditionClass, Value: [3]uint32{2}}}}
	d.GossipMenus[1].Options = nil
	for id := range uint32(32) {
		d.GossipMenus[1].Options = append(d.GossipMenus[1].Options, defs.GossipOption{ID: id, NPCFlags: 1, Conditions: 1 + id%3/2})
	}
	d.GossipMenus[1].Texts = []defs.GossipText{{Text: 80, Conditions: 1}, {Text: 81, Conditions: 2}, {Text: 82, Conditions: 1}, {Text: 83, Conditions: 2}}
	s := newStage(d)
	for _, n := range []uint32{3, 0, 2} {
		s.hello(n)
	}
	emit(s, rules.ShowGossip{Player: s.player, Creature: s.keeper, Menu: 1, Text: 90})
	sent, _ := s.run()
	if len(sent) != 4 {
		t.Fatalf("sent %+v", sent)
	}
	for i := range sent {
		m := menu(t, sent[i:i+1])
		text, options := uint32(82), 22 // of 32, each third but the last
		if i == 3 {
			text, options = 90, 0
		}
		if m.Text != text || len(m.Options) != options || slices.ContainsFunc(m.Options, func(o msg.GossipOption) bool { return o.ID%3 == 2 }) {
			t.Errorf("%d: %+v", i, m)
		}
	}
}
