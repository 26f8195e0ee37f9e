package systems

import (
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/components/move"
	"muster/internal/metric"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/systems/respawn"
	"muster/systems/rules"
)

// conditional is a creature whose script has one row, when it is damaged by a player, under conditions.
func conditional(list ...defs.Condition) *defs.World {
	d := walker(defs.ScriptRow{Event: defs.ScriptDamaged, When: [6]uint32{0, 1000}, Action: defs.ScriptSetCounter, Do: [6]uint32{0, 1}, Target: defs.ScriptSelf, Conditions: 1})
	d.Creatures[0].Faction, d.Creatures[0].Type = defs.FactionHostile, 7
	d.Conditions = []defs.Conditions{list}
	d.GameEvents = []defs.GameEvent{{ID: 3}, {ID: 8}}
	return d
}

// Each kind of condition holds and does not hold, of the player by whom something happens and of the creature.
func TestConditions(t *testing.T) {
	is := func(kind defs.ConditionKind, target uint8, values ...uint32) defs.Condition {
		c := defs.Condition{Kind: kind, Target: target}
		copy(c.Value[:], values)
		return c
	}
	not := func(c defs.Condition) defs.Condition {
		c.Not = true
		return c
	}
	in := func(group uint32, c defs.Condition) defs.Condition {
		c.Group = group
		return c
	}
	const player, creature = 0, 1
	for i, test := range []struct {
		holds bool
		list  []defs.Condition
	}{
		{true, []defs.Condition{is(defs.ConditionAlways, player)}},
		{false, []defs.Condition{not(is(defs.ConditionAlways, player))}},
		{true, []defs.Condition{is(defs.ConditionLevel, player, 1, defs.CompareEqual)}},
		{true, []defs.Condition{is(defs.ConditionLevel, creature, 1, defs.CompareHighOrEqual)}},
		{false, []defs.Condition{is(defs.ConditionLevel, player, 1, defs.CompareHigh)}},
		{true, []defs.Condition{is(defs.ConditionLevel, player, 2, defs.CompareLow)}},
		{false, []defs.Condition{is(defs.ConditionLevel, player, 0, defs.CompareLowOrEqual)}},
		{true, []defs.Condition{is(defs.ConditionClass, player, 1)}},
		{false, []defs.Condition{is(defs.ConditionClass, player, 2)}},
		{true, []defs.Condition{is(defs.ConditionRace, player, 1|8)}},
		{false, []defs.Condition{is(defs.ConditionRace, creature, 0xFFFFFFFF)}},
		{true, []defs.Condition{is(defs.ConditionGender, player, 0)}},
		{false, []defs.Condition{is(defs.ConditionGender, player, 1)}},
		{true, []defs.Condition{is(defs.ConditionMap, player, 0)}},
		{false, []defs.Condition{is(defs.ConditionMap, player, 571)}},
		{true, []defs.Condition{is(defs.ConditionCreatureType, creature, 7)}},
		{false, []defs.Condition{is(defs.ConditionCreatureType, player, 7)}},
		{true, []defs.Condition{is(defs.ConditionEntry, player, 4)}},
		{false, []defs.Condition{is(defs.ConditionEntry, creature, 4)}},
		{true, []defs.Condition{is(defs.ConditionEntry, creature, 3|1<<8, 7, 1)}},
		{false, []defs.Condition{is(defs.ConditionEntry, creature, 3|2<<8, 7, 1)}}, // of another map
		{false, []defs.Condition{is(defs.ConditionEntry, creature, 3, 8)}},
		{false, []defs.Condition{is(defs.ConditionEntry, creature, 3|1<<8, 0, 2)}},
		{true, []defs.Condition{is(defs.ConditionTypeMask, player, 16)}},
		{false, []defs.Condition{is(defs.ConditionTypeMask, creature, 16)}},
		{true, []defs.Condition{is(defs.ConditionTypeMask, creature, 8)}},
		{true, []defs.Condition{is(defs.ConditionAlive, creature)}},
		{false, []defs.Condition{not(is(defs.ConditionAlive, player))}},
		{true, []defs.Condition{is(defs.ConditionHealth, creature, 995, defs.CompareEqual)}},
		{true, []defs.Condition{is(defs.ConditionHealthPct, creature, 99, defs.CompareEqual)}},
		{false, []defs.Condition{is(defs.ConditionHealthPct, creature, 99, defs.CompareHigh)}},
		{false, []defs.Condition{is(defs.ConditionEvent, player, 1)}},
		{true, []defs.Condition{not(is(defs.ConditionEvent, player, 0))}},
		{false, []defs.Condition{is(defs.ConditionItem, player, 5, 1)}},
		{true, []defs.Condition{not(is(defs.ConditionItemEquipped, player, 5))}},
		{false, []defs.Condition{is(defs.ConditionAura, player, 500)}},
		{true, []defs.Condition{is(defs.ConditionNearCreature, player, 7, 15)}},
		{false, []defs.Condition{is(defs.ConditionNearCreature, player, 7, 5)}},
		{false, []defs.Condition{is(defs.ConditionNearCreature, player, 7, 15, 1)}},
		{false, []defs.Condition{is(defs.ConditionNearCreature, creature, 7, 15)}}, // it is not near itself

		{false, []defs.Condition{is(defs.ConditionAlive, player), is(defs.ConditionClass, player, 2)}},                 // all of a group
		{true, []defs.Condition{is(defs.ConditionClass, player, 2), in(1, is(defs.ConditionAlive, player))}},           // of any group
		{false, []defs.Condition{is(defs.ConditionClass, player, 2), in(1, not(is(defs.ConditionAlive, player)))}},     // of none
		{true, []defs.Condition{in(4, is(defs.ConditionAlive, player)), in(4, is(defs.ConditionLevel, player, 1, 0))}}, // groups have any numbers
	} {
		d := conditional(test.list...)
		r := newReserve(t, d, 1)
		r.enter(1, 0, 0)
		r.tick()
		e := r.only(t)
		ask(r.world, rules.Damage{By: r.space.Find(1), To: e, School: 1, Amount: 5})
		r.tick()
		r.tick()
		if got := r.counter(e, 0) == 1; got != test.holds {
			t.Errorf("%d: %+v: %v", i, test.list, got)
		}
	}
}

// A row that is timed is asked again when its conditions have not held, and happens when they do.
func TestTimedConditions(t *testing.T) {
	d := walker(defs.ScriptRow{
		Event: defs.ScriptUpdate, When: [6]uint32{100, 100, 1000, 1000}, Action: defs.ScriptSetCounter, Do: [6]uint32{0, 1}, Target: defs.ScriptSelf, Conditions: 1,
	})
	d.Conditions = []defs.Conditions{{{Kind: defs.ConditionNearCreature, Target: 1, Value: [3]uint32{8, 50}}}}
	other := d.Creatures[0]
	other.Entry, other.Script = 8, 0
	d.Creatures = append(d.Creatures, other)
	r := newReserve(t, d, 1)
	r.enter(1, 0, 0)
	for range 60 {
		r.tick()
	}
	e := r.only(t)
	if n := r.counter(e, 0); n != 0 || r.metric.Counter("condition.asked").Value() != 3 {
		t.Errorf("it has happened %d times, and was asked %d times, want 0 and 3", n, r.metric.Counter("condition.asked").Value())
	}
	ask(r.world, rules.Summon{Entry: 8, At: components.Position{X: 20}, ForMs: 60_000, Summoner: e})
	for range 60 {
		r.tick()
	}
	if n := r.counter(e, 0); n != 3 {
		t.Errorf("it has happened %d times in 3 s, want 3", n)
	}
}

// A listener is a player that talks, and what it is sent.
type listener struct {
	t      *testing.T
	world  *World
	port   *frame.Exchange
	cursor frame.Cursor
	n      uint64
}

// hear runs a tick and returns the menus that the player is sent, and how often its window is closed.
func (l *listener) hear() (menus []msg.GossipMessage, closed int) {
	l.t.Helper()
	l.n++
	step(l.world, l.port, l.n)
	for _, packet := range packets(l.t, l.port, &l.cursor) {
		switch packet.op {
		case msg.OpGossipMessage:
			var m msg.GossipMessage
			decode(l.t, packet.body, &m)
			menus = append(menus, m)
		case msg.OpGossipComplete:
			closed++
		}
	}
	return menus, closed
}

func (l *listener) say(op uint16, m msg.Message) {
	l.world.Inbox().Add(frame.Item{Session: 1, Op: op, Body: msg.Append(nil, wire.V12340, m)})
}

// What a menu shows depends on conditions of the player: its text is the last that holds, and options that do not hold can be neither seen
// nor chosen. A script shows another menu with its own text, and closes the window.
func TestConditionalGossip(t *testing.T) {
	send := defs.ScriptRow{Event: defs.ScriptGossipSelect, When: [6]uint32{41, 1}, Action: defs.ScriptSendGossip, Do: [6]uint32{42, 950}, Target: defs.ScriptInvoker}
	end := defs.ScriptRow{Event: defs.ScriptGossipSelect, When: [6]uint32{42, 0}, Action: defs.ScriptCloseGossip, Target: defs.ScriptInvoker}
	d := walker(send, end)
	c := &d.Creatures[0]
	c.GossipMenu, c.NPCFlags = 41, components.NPCGossip
	d.Maps[0].Spawns[0].X = 2
	d.Conditions = []defs.Conditions{
		{{Kind: defs.ConditionNearCreature, Value: [3]uint32{7, 3}}}, // near enough to whisper
		{{Kind: defs.ConditionClass, Value: [3]uint32{2}}},
	}
	d.GossipMenus = []defs.GossipMenu{
		{ID: 41, Text: 900, Texts: []defs.GossipText{{Text: 900}, {Text: 901, Conditions: 1}, {Text: 902, Conditions: 2}}, Options: []defs.GossipOption{
			{ID: 0, Text: "Whisper", NPCFlags: 1, Conditions: 1}, {ID: 1, Text: "Script", NPCFlags: 1}, {ID: 2, Text: "Secret", NPCFlags: 1, Conditions: 2},
		}},
		{ID: 42, Text: 903, Options: []defs.GossipOption{{ID: 0, Text: "Bye", NPCFlags: 1}}},
	}
	counters := new(metric.Table)
	l := listener{t: t, world: New(Config{Defs: d, Map: &d.Maps[0], Metric: counters}), port: frame.NewExchange()}
	l.cursor = frame.Cursor{Session: 1, GUID: 1, Tick: l.port.Newest()}
	enter(l.world, 1, 0, 0)
	l.hear()
	l.hear()
	guid := components.CreatureGUID(7, respawn.FirstCounter)
	l.say(msg.OpGossipHello, &msg.GossipHello{GUID: guid})
	menus, _ := l.hear()
	if len(menus) != 1 || menus[0].Text != 901 || len(menus[0].Options) != 2 || menus[0].Options[0].Text != "Whisper" || menus[0].Options[1].ID != 1 {
		t.Fatalf("near: %+v", menus)
	}
	l.say(msg.OpGossipSelect, &msg.GossipSelect{GUID: guid, Menu: 41, Option: 2})
	if menus, closed := l.hear(); len(menus) != 0 || closed != 0 || counters.Counter("gossip.closed").Value() != 1 {
		t.Errorf("an option that does not hold: %+v, %d", menus, closed)
	}
	l.say(msg.OpGossipSelect, &msg.GossipSelect{GUID: guid, Menu: 41, Option: 1})
	menus, _ = l.hear()
	if len(menus) != 1 || menus[0].Menu != 42 || menus[0].Text != 950 || len(menus[0].Options) != 1 {
		t.Fatalf("by a script: %+v", menus)
	}
	l.say(msg.OpGossipSelect, &msg.GossipSelect{GUID: guid, Menu: 42, Option: 0})
	if menus, closed := l.hear(); len(menus) != 0 || closed != 1 {
		t.Errorf("closed by a script: %+v, %d", menus, closed)
	}
	ask(l.world, move.Teleport{Entity: l.world.Find(1), To: life.Place{X: -2}})
	for range 3 {
		l.hear()
	}
	l.say(msg.OpGossipHello, &msg.GossipHello{GUID: guid})
	if menus, _ := l.hear(); len(menus) != 1 || menus[0].Text != 900 || len(menus[0].Options) != 1 || menus[0].Options[0].ID != 1 {
		t.Errorf("farther away: %+v", menus)
	}
}
