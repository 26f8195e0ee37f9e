package systems

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/net/protocol/command"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/systems/death"
	"muster/systems/respawn"
)

// A court is a world with a game master, session 1, and a player beside it, session 2.
type court struct {
	t       *testing.T
	world   *World
	port    *frame.Exchange
	n       uint64
	seen    []seen // by the game master in the last tick
	see     frame.Cursor
	inboxes [][]byte // the inbox of each tick
}

type seen struct {
	op   uint16
	body []byte
}

func newCourt(t *testing.T) *court { return courtOf(t, Config{}) }

func courtOf(t *testing.T, config Config, change ...func(*defs.World)) *court {
	d := meadow(rand.New(rand.NewPCG(1, 1)), 5, 0)
	d.Creatures[0].Name = "Wolf"
	d.Maps[0].Zones = []defs.Zone{{ID: 5, Name: "Mooring", MinX: -500, MinY: -500, MaxX: 500, MaxY: 500}}
	d.Spells = []defs.Spell{
		{ID: 7, Name: "Ward", Class: 1, DurationMs: 10_000, Effects: [3]defs.Effect{{Kind: defs.EffectApplyAura, Aura: defs.AuraHealth, Target: defs.TargetCaster, Amount: 10}}},
		{ID: 9, Name: "Bolt", Class: 8, Flags: defs.SpellHarmful, Effects: [3]defs.Effect{{Kind: defs.EffectSchoolDamage, Target: defs.TargetEnemy, Amount: 10}}},
	}
	d.Spells[1].Rank = "Rank 1"
	for rank, id := range []uint32{11, 12} {
		d.Spells = append(d.Spells, defs.Spell{ID: id, Name: "Bolt", Rank: fmt.Sprint("Rank ", rank+2), Class: 8, Replaces: d.Spells[rank+1].ID})
	}
	d.Items = []defs.Item{{Entry: 40, Name: "Rope", Stack: 20}, {Entry: 41, Name: "Hemp Cord", Stack: 20}}
	for _, change := range change {
		change(d)
	}
	config.Defs, config.Map = d, &d.Maps[0]
	c := &court{t: t, world: New(config), port: frame.NewExchange()}
	c.see = frame.Cursor{Session: 1, GUID: 1}
	for i, level := range []uint8{3, 0} {
		character := frame.Character{
			GUID: uint64(i + 1), Name: []string{"Anna", "Bert"}[i], Race: 1, Class: 1, Level: 1, SecurityLevel: level, X: float32(i),
		}
		c.world.Inbox().Add(frame.Item{Session: uint32(i + 1), Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, &character)})
	}
	c.world.Inbox().Add(frame.Item{Session: frame.NoSession, Op: frame.OpLease, Body: msg.Append(nil, wire.V12340, &frame.Lease{First: 1, Count: 100})})
	c.step()
	return c
}

// step runs a tick, and reads what the game master is sent.
func (c *court) step() {
	c.n++
	c.world.Inbox().Seal()
	in, _ := c.world.Inbox().AppendBinary(nil)
	c.inboxes = append(c.inboxes, in)
	step(c.world, c.port, c.n)
	var w frame.Window
	w.Open(c.port)
	defer w.Close()
	var r frame.Replayer
	out, ok := r.Replay(nil, &w, &c.see)
	if !ok {
		c.t.Fatal("lost the stream")
	}
	c.seen = nil
	for len(out) > 0 {
		op, payload, header, _ := wire.ServerHeader(out)
		c.seen = append(c.seen, seen{op, out[header : header+payload]})
		out = out[header+payload:]
	}
}

// says has a player send a chat message, and returns the answer to the game master.
func (c *court) says(session uint32, kind msg.ChatType, text string) (lines []string) {
	c.t.Helper()
	c.world.Inbox().Add(frame.Item{Session: session, Op: msg.OpChatMessage, Body: msg.Append(nil, wire.V12340,
		&msg.ChatMessage{Type: uint32(kind), Language: 7, Text: text})})
	c.step()
	return c.lines()
}

// lines is what the game master was sent in the last tick.
func (c *court) lines() (lines []string) {
	for _, s := range c.seen {
		var m msg.Chat
		switch s.op {
		case msg.OpChat:
			decode(c.t, s.body, &m)
		case msg.OpGMChat:
			decode(c.t, s.body, (*msg.GMChat)(&m))
		default:
			continue
		}
		if m.Type == msg.ChatSystem {
			lines = append(lines, m.Text)
		} else {
			lines = append(lines, fmt.Sprintf("type %d: %s", m.Type, m.Text))
		}
	}
	return lines
}

func (c *court) do(text string) []string { c.t.Helper(); return c.says(1, msg.ChatSay, text) }

func (c *court) selects(guid uint64) {
	c.world.Inbox().Add(frame.Item{Session: 1, Op: msg.OpSetSelection, Body: msg.Append(nil, wire.V12340, &msg.SetSelection{GUID: guid})})
	c.step()
}

// TestVerbFollowsSelection has a command refer to the target that was selected before it, though both selections and
// the command come in one tick.
func TestVerbFollowsSelection(t *testing.T) {
	c := newCourt(t)
	c.world.Inbox().Add(frame.Item{Session: 1, Op: msg.OpSetSelection, Body: msg.Append(nil, wire.V12340, &msg.SetSelection{GUID: 2})})
	lines := c.do(".guid")
	if want := []string{"Bert has GUID 0x0000000000000002, counter 2."}; !slices.Equal(lines, want) {
		t.Errorf("after a choice: %q, want %q", lines, want)
	}
	for _, step := range []any{uint64(0), ".modify hp 5", uint64(2), ".modify hp 7", uint64(0)} {
		it := frame.Item{Session: 1, Op: msg.OpSetSelection}
		switch v := step.(type) {
		case uint64:
			it.Body = msg.Append(nil, wire.V12340, &msg.SetSelection{GUID: v})
		case string:
			it.Op = msg.OpChatMessage
			it.Body = msg.Append(nil, wire.V12340, &msg.ChatMessage{Type: uint32(msg.ChatSay), Language: 7, Text: v})
		}
		c.world.Inbox().Add(it)
	}
	c.step()
	if a, b := part[components.Vitals](c, 1).Health, part[components.Vitals](c, 2).Health; a != 5 || b != 7 {
		t.Errorf("the asker has %d health, the other %d, want 5 and 7", a, b)
	}
	if got := part[components.Target](c, 1).GUID; got != 0 {
		t.Errorf("the game master has %#x selected, want none", got)
	}
}

func (c *court) heard(op uint16) bool {
	return slices.ContainsFunc(c.seen, func(s seen) bool { return s.op == op })
}

// What becomes of a cast is answered in its tick, to players and operators: that it is cast, or why not.
func TestCastIsAnswered(t *testing.T) {
	c := newCourt(t)
	wolf := components.CreatureGUID(7, respawn.FirstCounter)
	for _, say := range []struct {
		target uint64
		verb   string
		want   string
	}{
		{0, ".cast 7", "[Anna casts Ward.]"},
		{0, ".cast 9", "[Anna cannot cast Bolt: bad targets.]"},
		{2, ".cast 9 triggered", "[Anna cannot cast Bolt: bad targets.]"},
		{2, ".cast self 7", "[Bert casts Ward.]"},
		{wolf, ".cast self 9", "[Wolf cannot cast Bolt: bad targets.]"},
		{0, ".cast 8", "[There is no such spell.]"},
	} {
		c.selects(say.target)
		got := fmt.Sprint(c.do(say.verb))
		c.step()
		if next := c.lines(); got != say.want || len(next) != 0 {
			t.Errorf("%s at %#x: %s and then %s, want %s", say.verb, say.target, got, next, say.want)
		}
	}
	c.selects(0)
	c.operator("cast 9", notDone+"Anna cannot cast Bolt: bad targets.")
}

// What becomes of goods is answered in the tick of the command, to players and operators: that they are there or gone,
// or why not.
func TestGoodsAreAnswered(t *testing.T) {
	c := newCourt(t)
	for _, say := range []struct{ verb, want string }{
		{".additem 40 25", "[Anna has got 25 of Rope.]"},
		{".additem 40 -5", "[Anna has lost 5 of Rope.]"},
		{".additem 40 -50", "[Anna has lost 20 of Rope.]"},
		{".additem 40 1000", "[Anna cannot carry 1000 of Rope (reason 50).]"},
		{".modify money 500", "[Anna has 500 copper.]"},
		{".modify money 2147483647", "[That is more than a player can have.]"},
		{".modify money -200", "[Anna has 300 copper.]"},
		{".modify money 2147483348", "[That is more than a player can have.]"},
		{".modify money 2147483347", "[Anna has 2147483647 copper.]"},
		{".modify money -2147483647", "[Anna has 0 copper.]"},
	} {
		if got := fmt.Sprint(c.do(say.verb)); got != say.want {
			t.Errorf("%s: %s, want %s", say.verb, got, say.want)
		}
	}
	c.operator("additem 40 3", "Anna has got 3 of Rope.")
	c.operator("modify money 7", "Anna has 7 copper.")
	c.operator("additem 40 1000", notDone+"Anna cannot carry 1000 of Rope (reason 50).")
	c.operator("modify money 2147483647", notDone+"That is more than a player can have.")
}

// notDone begins what a gateway is answered about a command that was not executed.
const notDone = "\x15"

// operator executes a command of an operator about the first player, and compares its answer.
func (c *court) operator(text, want string) {
	c.t.Helper()
	c.world.Inbox().Add(frame.Item{Session: 1, Op: frame.OpCommand, Body: msg.Append(nil, wire.V12340,
		&frame.Command{ID: 5, Level: 3, Text: text})})
	c.step()
	if got, want := fmt.Sprint(c.port.Answers()), fmt.Sprintf("[{5 %s}]", want); got != want {
		c.t.Errorf("an operator gets %s, want %s", got, want)
	}
}

// part is a component of a player.
func part[T any](c *court, guid uint64) *T {
	column := ecs.NewAccessor[T](c.world.ecs)
	return column.Get(c.world.space.Find(guid))
}

// Every command of a world answers a player that may use it: without arguments, and with invalid ones.
func TestEveryVerbAnswers(t *testing.T) {
	for i := range command.Table {
		v := &command.Table[i]
		if v.Scope == command.Server {
			continue
		}
		c := newCourt(t)
		for _, args := range []string{"", " 1", " -1", " NaN", " on", " Bert", " Nobody", ` "`, " 4294967296", " 1 2 3 4 5 6 7 8", " |cff|Hx:|h", " " + strings.Repeat("9", 200)} {
			lines := c.do("." + v.Path + args)
			if len(lines) == 0 && !strings.HasPrefix(v.Path, "go") && v.Path != "appear" && !strings.HasPrefix(v.Path, "teleport") {
				t.Errorf(".%s%s is not answered", v.Path, args)
			}
			c.step()
			c.step()
			p := part[components.Position](c, 1)
			if v := part[components.Vitals](c, 1); v.Health > v.MaxHealth || !p.OnMap() {
				t.Errorf(".%s%s: %+v %+v", command.Table[i].Path, args, v, p)
			}
		}
	}
}

// A command is not relayed to any chat, whatever the level of its sender; other text that begins like one is.
func TestVerbsAreNotSpeech(t *testing.T) {
	c := newCourt(t)
	for _, s := range []struct {
		by   uint32
		kind msg.ChatType
		text string
		want string
	}{
		{1, msg.ChatSay, ".gm on", "[GM mode is on.]"},
		{1, msg.ChatGuild, ".gm off", "[GM mode is off.]"},
		{1, msg.ChatSay, "!gm on", "[GM mode is on.]"},
		{1, msg.ChatSay, ".nonsense", "[There is no such verb.]"},
		{1, msg.ChatSay, "...", "[type 1: ...]"},
		{2, msg.ChatSay, ".gm on", "[]"}, // the answer to the sender alone
		{2, msg.ChatYell, ".", "[type 6: .]"},
		{2, msg.ChatSay, ". hm", "[type 1: . hm]"},
	} {
		if got := fmt.Sprint(c.says(s.by, s.kind, s.text)); got != s.want {
			t.Errorf("session %d says %q: Anna gets %s, want %s", s.by, s.text, got, s.want)
		}
	}
	if flags := part[components.PlayerAppearance](c, 2).Flags; flags&components.PlayerGM != 0 {
		t.Error("a player is a game master")
	}
}

// Commands of players without a level are as many as their words, in a second of the world. What is too much is counted, and
// reported to the gateway for its log; game masters say as much as they like.
func TestCommandsAreThrottled(t *testing.T) {
	c := newCourt(t)
	for session := range uint32(2) {
		for range components.ChatThrottleMessages + 2 {
			c.world.Inbox().Add(frame.Item{Session: session + 1, Op: msg.OpChatMessage, Body: msg.Append(nil, wire.V12340,
				&msg.ChatMessage{Type: uint32(msg.ChatSay), Language: 7, Text: ".save"})})
		}
	}
	c.n++
	c.world.Inbox().Seal()
	var f frame.Frame
	c.world.Tick(c.n, &f)
	want := slices.Repeat([]frame.Refusal{{Session: 2, Op: msg.OpChatMessage, Reason: "chat.flood"}}, 2)
	if !slices.Equal(f.Refusals, want) {
		t.Errorf("reported are %+v, want %+v", f.Refusals, want)
	}
	if n := c.world.config.Metric.Value("chat.flood"); n != 2 {
		t.Errorf("%d are counted, want 2", n)
	}
}

// Modes are those of the game master, but for taxis, which are about the selected player. The status says which are on.
//
// Source: cs_cheat.cpp, AzerothCore.
func TestCheats(t *testing.T) {
	c := newCourt(t)
	set := func(guid uint64) uint16 { return part[components.Cheats](c, guid).Set }
	status := func(want ...string) {
		t.Helper()
		got := c.do(".cheat status")
		for i, mode := range []string{
			"Casting at once is ", "Casting without cooldowns is ", "God mode is ", "Casting for nothing is ", "Knowing all taxi paths is ", "Waterwalking is ",
		} {
			if len(got) != 6 || got[i] != mode+want[i]+"." {
				t.Fatalf("the status is %q, want %s%s at %d", got, mode, want[i], i)
			}
		}
	}
	status("off", "off", "off", "off", "off", "off")
	for _, say := range []struct {
		verb, want string
		own        uint16
	}{
		{".cheat casttime on", "[Casting at once is on.]", 1 << 7},
		{".cheat cooldown", "[Casting without cooldowns is on.]", 1<<7 | 1<<8},
		{".cheat taxi on", "[Knowing all taxi paths is on.]", 1<<7 | 1<<8 | 1<<10},
		{".cheat taxi perhaps", "[Use: cheat taxi [on/off]]", 1<<7 | 1<<8 | 1<<10},
		{".cheat casttime off", "[Casting at once is off.]", 1<<8 | 1<<10},
		{".cheat waterwalk", "[Waterwalking is on.]", 1<<8 | 1<<10},
	} {
		if got := fmt.Sprint(c.do(say.verb)); got != say.want || set(1) != say.own {
			t.Errorf("%s: %s, %b; want %s, %b", say.verb, got, set(1), say.want, say.own)
		}
	}
	c.step() // the order to walk on water
	status("off", "on", "off", "off", "on", "on")
	c.selects(2)
	c.do(".cheat god on")
	c.do(".cheat taxi")
	if set(1) != 1<<6|1<<8|1<<10 || set(2) != 1<<10 {
		t.Errorf("with another selected the game master has %b, the other %b", set(1), set(2))
	}
}

// What bots wait for after a verb.
//
// Source: protocol.md 3.1.6.
func TestVerbsDo(t *testing.T) {
	c := newCourt(t)
	unit := func() *components.Unit { return part[components.Unit](c, 1) }

	if lines := c.do(".gps"); len(lines) < 2 || !strings.Contains(lines[1], "X: 0.000000 Y: 0.000000") {
		t.Errorf(".gps: %q", lines)
	}
	c.do(".gm on")
	if part[components.PlayerAppearance](c, 1).Flags&components.PlayerGM == 0 || unit().Flags&components.UnitImmuneToNPC == 0 {
		t.Error(".gm on does nothing")
	}
	c.do(".cheat god on")
	if c.do(".damage 100000"); part[components.Vitals](c, 1).Health != 1 {
		t.Errorf("with .cheat god health is %d", part[components.Vitals](c, 1).Health)
	}
	c.do(".cheat god off")
	if c.do(".die"); part[components.Vitals](c, 1).Health != 0 {
		t.Error(".die does not kill")
	}
	if c.says(1, msg.ChatGuild, ".revive"); part[components.Vitals](c, 1).Health == 0 {
		t.Error(".revive does not revive")
	}
	c.do(".levelup 4")
	if unit().Level != 5 || !c.heard(msg.OpLevelUpInfo) {
		t.Errorf(".levelup 4 leads to level %d", unit().Level)
	}
	c.do(".character level Bert 3")
	if level := part[components.Unit](c, 2).Level; level != 3 {
		t.Errorf(".character level leads to %d", level)
	}
	c.do(".modify money 500")
	if c.do(".modify money -200"); part[components.Progress](c, 1).Coinage != 300 {
		t.Errorf("there are %d copper", part[components.Progress](c, 1).Coinage)
	}
	if c.do(".additem 40 25"); !c.heard(msg.OpItemPushResult) {
		t.Error(".additem pushes nothing")
	}
	c.do(".additem 40 -5")
	if n := part[components.Inventory](c, 1).Total(40); n != 20 {
		t.Errorf("there are %d ropes, want 20", n)
	}
	c.do(".learn 9")
	c.step()
	if book := part[components.Spellbook](c, 1); !book.Knows(9) {
		t.Error(".learn does not teach")
	}
	c.do(".learn all my class")
	c.do(".unlearn 9")
	c.step()
	if book := part[components.Spellbook](c, 1); book.Knows(9) || !book.Knows(7) {
		t.Error("the book is wrong")
	}
	if c.do(".aura 7"); part[components.UnitAuras](c, 1).Block == 0 {
		t.Error(".aura puts nothing on")
	}
	if c.do(".unaura 7"); part[components.UnitAuras](c, 1).Block != 0 {
		t.Error(".unaura takes nothing off")
	}
	c.do(".modify speed run 2")
	if c.step(); part[components.Speeds](c, 1)[components.SpeedRun] != 14 {
		t.Errorf("runs at %v", part[components.Speeds](c, 1)[components.SpeedRun])
	}
	c.do(".go xyz 100 200 0")
	if c.step(); !c.heard(msg.OpMoveTeleportAck) {
		t.Errorf(".go xyz does not teleport: %+v", c.seen)
	}
	c.do(".tele mooring")
	c.step()
	if p := part[components.Position](c, 1); p.X != 0 || p.Y != 0 {
		t.Errorf(".tele leads to %+v", p)
	}
	c.do(".gm visible off")
	if layer := part[components.HomeCell](c, 1).Cell.Layer(); layer != grid.Invisible {
		t.Errorf("hides in layer %d", layer)
	}
	c.do(".gm visible on")
	if layer := part[components.HomeCell](c, 1).Cell.Layer(); layer != grid.Living {
		t.Errorf("comes back in layer %d", layer)
	}
}

// A verb with something that is not of its syntax does nothing, and says how it is used.
func TestVerbsWithJunk(t *testing.T) {
	c := newCourt(t)
	for line, want := range map[string]string{
		".save me":                            "[Use: save]",
		".saveall now":                        "[Use: saveall]",
		".gps 1 2 3":                          "[Use: gps [$name]]",
		".die slowly":                         "[Use: die]",
		".damage -1":                          "[Use: damage #damage_amount [$school [$spellid]] / #percent pct]",
		".damage 0":                           "[Use: damage #damage_amount [$school [$spellid]] / #percent pct]",
		".go xyz NaN 0":                       "[Use: go xyz #x #y [#z [#mapid [#orientation]]]]",
		".go xyz 1e38 0":                      "[Use: go xyz #x #y [#z [#mapid [#orientation]]]]",
		".go xyz 0 0 0 77":                    "[There is no map 77.]",
		".additem 40 1000000000":              "[Use: additem [$playername] #itemID/[#itemName]/#itemLink [#itemCount]]",
		".additem 42":                         "[There is no such item.]",
		".additem [Hope]":                     "[There is no such item.]",
		".additem [Rope":                      "[There is no such item.]",
		".modify money 999999999999999999999": "[Use: modify money #money]",
		".modify money -2147483649":           "[Use: modify money #money]",
		".modify speed -1":                    "[Use: modify speed [$speedtype] #rate]",
		".modify scale NaN":                   "[Use: modify scale #scale]",
		".npc add 4294967296":                 "[Use: npc add #creatureid]",
		".levelup 256":                        "[Use: levelup [$playername] [#numberoflevels]]",
	} {
		if got := fmt.Sprint(c.do(line)); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
	if v, p := part[components.Vitals](c, 1), part[components.Position](c, 1); v.Health != v.MaxHealth || *p != (components.Position{}) {
		t.Errorf("something has been done: %+v %+v", v, p)
	}
}

// A spell may be learned with its higher ranks, and forgotten with all.
func TestLearnRanks(t *testing.T) {
	c := newCourt(t)
	knows := func() []uint32 {
		book := part[components.Spellbook](c, 1)
		return slices.Clone(book.Spells[:book.Count])
	}
	for _, say := range []struct {
		verb, want string
		knows      []uint32
	}{
		{".learn 11", "[Anna learns Bolt Rank 2.]", []uint32{11}},
		{".unlearn 9 all", "[Anna forgets Bolt Rank 3.]", nil},
		{".learn 9", "[Anna learns Bolt Rank 1.]", []uint32{9}},
		{".learn 11 all", "[Anna learns Bolt Rank 3.]", []uint32{12}},
		{".unlearn 11", "[Anna forgets Bolt Rank 2.]", []uint32{12}},
		{".unlearn 11 all", "[Anna forgets Bolt Rank 3.]", nil},
		{".learn 9 all", "[Anna learns Bolt Rank 3.]", []uint32{12}},
		{".learn 9 none", "[Use: learn #spell [all]]", []uint32{12}},
	} {
		if got := fmt.Sprint(c.do(say.verb)); got != say.want || !slices.Equal(knows(), say.knows) {
			t.Errorf("%s: %s, knows %v; want %s, %v", say.verb, got, knows(), say.want, say.knows)
		}
	}
}

// A creature can be assigned another path of the map, and its path can be listed.
func TestWays(t *testing.T) {
	c := courtOf(t, Config{})
	wolf := components.CreatureGUID(7, respawn.FirstCounter)
	e := c.world.Find(wolf)
	posts := ecs.NewAccessor[components.SpawnInfo](c.world.ecs)
	ecs.Shared[defs.Map](c.world.ecs).Paths = []defs.Path{{Nodes: []defs.Node{{X: 1, Y: 2}, {X: 3, Y: 4, PauseMs: 500}}}}
	c.selects(wolf)
	for _, say := range []struct {
		verb, want string
		path       int32
	}{
		{".wp show", "[It has no way of its own.]", -1},
		{".wp load 1", "[There is no such way on this map.]", -1},
		{".wp load", "[Use: wp load $pathid]", -1},
		{".wp load 0", "[Wolf goes way 0.]", 0},
		{".wp show", "[Wolf has way 0, which has 2 nodes. 1: X: 1.0 Y: 2.0 Z: 0.0, waits 0 ms 2: X: 3.0 Y: 4.0 Z: 0.0, waits 500 ms]", 0},
		{".wp unload", "[Wolf goes no way.]", -1},
		{".wp unload", "[It has no way of its own.]", -1},
	} {
		if got := fmt.Sprint(c.do(say.verb)); got != say.want || posts.Get(e).Path != say.path {
			t.Errorf("%s: %s, path %d; want %s, %d", say.verb, got, posts.Get(e).Path, say.want, say.path)
		}
	}
	if c.selects(0); fmt.Sprint(c.do(".wp show")) != "[There is no such creature here.]" {
		t.Error("a player has a way")
	}
}

// An item may be a link, as clients write it, or have its name.
func TestAddItemLink(t *testing.T) {
	c := newCourt(t)
	c.do(".additem |cff9d9d9d|Hitem:40:0:0:0:0:0:0:0|h[Rope]|h|r 3")
	if n := part[components.Inventory](c, 1).Total(40); n != 3 {
		t.Errorf("there are %d ropes", n)
	}
	if c.do(".additem [hemp cord] 2"); part[components.Inventory](c, 1).Total(41) != 2 {
		t.Error("there are no cords")
	}
	c.do(".additem Bert [Rope]")
	c.do(".additem Bert 40 1")
	if n := part[components.Inventory](c, 2).Total(40); n != 2 {
		t.Errorf("Bert has %d ropes", n)
	}
}

// A ghost that hides comes back as a ghost.
func TestHiddenGhost(t *testing.T) {
	c := courtOf(t, Config{Reclaim: death.AtCorpse})
	c.do(".die")
	c.world.Inbox().Add(frame.Item{Session: 1, Op: msg.OpRepopRequest, Body: []byte{0}})
	c.step()
	layer := func() int { return part[components.HomeCell](c, 1).Cell.Layer() }
	if layer() != grid.Ghosts {
		t.Fatalf("the ghost is in layer %d", layer())
	}
	if c.do(".gm visible off"); layer() != grid.Invisible {
		t.Errorf("hides in layer %d", layer())
	}
	if c.do(".gm visible on"); layer() != grid.Ghosts {
		t.Errorf("comes back in layer %d", layer())
	}
	if c.do(".revive"); layer() != grid.Living {
		t.Errorf("lives in layer %d", layer())
	}
}

// A creature that is taken out twice in one tick is gone once, and comes back once.
func TestGoneTwice(t *testing.T) {
	c := newCourt(t)
	near := c.do(".npc near 5")
	entry, counter := ecs.Shared[defs.World](c.world.ecs).Creatures[0].Entry, uint32(respawn.FirstCounter)
	c.selects(components.CreatureGUID(entry, counter))
	for _, line := range []string{
		".die", ".respawn all", fmt.Sprintf(".npc delete %d", counter), fmt.Sprintf(".npc delete %d", counter), ".npc delete",
		fmt.Sprintf(".npc move %d", counter),
	} {
		c.world.Inbox().Add(frame.Item{Session: 1, Op: msg.OpChatMessage, Body: msg.Append(nil, wire.V12340,
			&msg.ChatMessage{Type: uint32(msg.ChatSay), Text: line})})
	}
	gone := 0
	for range 4 {
		c.step()
		for _, s := range c.seen {
			var m msg.Chat
			if s.op == msg.OpChat {
				if decode(t, s.body, &m); strings.HasSuffix(m.Text, "is gone.") {
					gone++
				}
			}
		}
	}
	if gone != 1 {
		t.Errorf("it is gone %d times", gone)
	}
	if again := c.do(".npc near 5"); len(again) != len(near) {
		t.Errorf("there were %q, and are %q", near, again)
	}
}

// A creature that stands begins to wander on request, and stops on request; it does not walk a path that it does not
// have. One without a wander distance of its own wanders five yards around its spawn point.
func TestMoveTypes(t *testing.T) {
	c := newCourt(t)
	entry := ecs.Shared[defs.World](c.world.ecs).Creatures[0].Entry
	c.do(fmt.Sprintf(".npc add %d", entry))
	c.step()
	var counter uint32 // of the newest
	for _, line := range c.do(".npc near 1") {
		var n uint32
		if _, rest, ok := strings.Cut(line, "counter "); ok {
			fmt.Sscan(rest, &n)
		}
		counter = max(counter, n)
	}
	wolf := c.world.Find(components.CreatureGUID(entry, counter))
	if !c.world.ecs.Exists(wolf) {
		t.Fatal("there is no wolf")
	}
	positions := ecs.NewAccessor[components.Position](c.world.ecs)
	walked := func() (far float32) {
		from := *positions.Get(wolf)
		for range 20 * 20 {
			c.step()
			p := positions.Get(wolf)
			far = max(far, float32(math.Hypot(float64(p.X-from.X), float64(p.Y-from.Y))))
		}
		return far
	}
	if far := walked(); far != 0 {
		t.Errorf("it walked %v yards before the request", far)
	}
	for _, says := range []struct{ line, want string }{
		{".npc set movetype stay", "There is no such creature here."}, // itself is none
		{fmt.Sprintf(".npc set movetype %d way", counter), "It has no way of its own."},
		{fmt.Sprintf(".npc set movetype %d fly", counter), "Use: npc set movetype"},
		{fmt.Sprintf(".npc set movetype %d random NODEL again", counter), "Use: npc set movetype"},
		{fmt.Sprintf(".npc set movetype %d random NODEL", counter), "Wolf has something else to do."},
	} {
		if lines := c.do(says.line); len(lines) != 1 || !strings.HasPrefix(lines[0], says.want) {
			t.Errorf("%s: %q, want %q", says.line, lines, says.want)
		}
	}
	if far := walked(); far < 0.5 || far > 10 {
		t.Errorf("it strolled %v yards away, want up to 10", far)
	}
	c.selects(components.CreatureGUID(entry, counter))
	c.do(".npc set movetype stay")
	walked() // home
	if far := walked(); far != 0 {
		t.Errorf("it walked %v yards after the request to stay", far)
	}
}

func TestCreatureVerbs(t *testing.T) {
	c := newCourt(t)
	entry := ecs.Shared[defs.World](c.world.ecs).Creatures[0].Entry
	if lines := c.do(fmt.Sprintf(".npc add temp %d", entry)); len(lines) != 1 || lines[0] != "Wolf is here." {
		t.Fatalf(".npc add: %q", lines)
	}
	c.step()
	lines := c.do(".npc near 5")
	if len(lines) < 2 || !strings.HasPrefix(lines[0], "Wolf, entry") {
		t.Fatalf(".npc near: %q", lines)
	}
	var counter uint64
	if _, err := fmt.Sscanf(lines[0][strings.Index(lines[0], "counter"):], "counter %d", &counter); err != nil {
		t.Fatal(err)
	}
	guid := components.CreatureGUID(entry, uint32(counter))
	c.selects(guid)
	if lines := c.do(".npc info"); len(lines) != 3 || !strings.HasPrefix(lines[0], "Wolf, entry") {
		t.Errorf(".npc info: %q", lines)
	}
	c.do(".npc delete")
	for range 3 {
		c.step()
	}
	if e := c.world.space.Find(guid); c.world.ecs.Exists(e) {
		t.Error(".npc delete leaves it there")
	}
	if lines := c.do(".npc info"); fmt.Sprint(lines) != "[What is selected is not there any more.]" {
		t.Errorf("after that: %q", lines)
	}
}

// Operators ask by the inbox; the answer is in the frame.
func TestCommands(t *testing.T) {
	c := newCourt(t)
	command := func(session uint32, line string) string {
		c.world.Inbox().Add(frame.Item{Session: session, Op: frame.OpCommand, Body: msg.Append(nil, wire.V12340,
			&frame.Command{ID: 7, Level: command.Console, Text: line})})
		c.step()
		all := c.port.Answers()
		if len(all) != 1 || all[0].ID != 7 {
			t.Fatalf("%s: %+v", line, all)
		}
		return all[0].Text
	}
	wolf := ecs.Shared[defs.World](c.world.ecs).Creatures[0].Entry
	for _, s := range []struct {
		session uint32
		line    string
		want    string
	}{
		{frame.NoSession, "gps", notDone + "gps is about a character: say whose, as in #Anna gps."},
		{frame.NoSession, "lookup spell olt", "9 - Bolt Rank 1\n11 - Bolt Rank 2\n12 - Bolt Rank 3"},
		{frame.NoSession, "saveall", "2 players of map 0 are being saved."},
		{frame.NoSession, "dance", notDone + "There is no such verb."},
		{2, "levelup 2", "Bert comes from level 1 to level 3."},
		{9, "gps", notDone + "That character is not there any more."},
		{frame.NoSession, "teleport put 0 5 6 7 1.5 Old Camp", "Old Camp is a place now."},
		{frame.NoSession, "teleport put 0 5 6 7 1.5 old camp", notDone + "There is a place Old Camp already."},
		{frame.NoSession, "teleport put 77 5 6 7 1.5 Camp", notDone + "There is no map 77."},
		{frame.NoSession, "teleport put 0 1e9 6 7 1.5 Camp", notDone + "Use: teleport put #mapid #x #y #z #orientation $name"},
		{frame.NoSession, "teleport put 0 5 6 7 1.5", notDone + "Use: teleport put #mapid #x #y #z #orientation $name"},
		{frame.NoSession, "teleport put 0 5 6 7 1.5 " + strings.Repeat("x", 101), notDone + "A name of a place has at most 100 bytes."},
		{frame.NoSession, "lookup teleport camp", "map 0 - Old Camp"},
		{2, "teleport old ca", ""},
		{2, "gps", "Bert is on map 0 (), zone 5.\nX: 5.000000 Y: 6.000000 Z: 7.000000 Orientation: 1.500000\n" +
			"The ground is at 0.000000, the cell is 0:576,576."},
		{frame.NoSession, "teleport del old", notDone + "No such place was given its name."},
		{frame.NoSession, "teleport del OLD CAMP", "Old Camp is forgotten."},
		{2, "teleport old camp", notDone + "There is no such place."},
		{frame.NoSession, "server info", notDone + "server info is not for a world."},
		{frame.NoSession, "npc put 16777215 0 5 6 7", notDone + "There is no such creature."},
		{frame.NoSession, fmt.Sprintf("npc put %d 77 5 6 7", wolf), notDone + "There is no map 77."},
		{frame.NoSession, fmt.Sprintf("npc put %d 0 5 6", wolf), notDone + "Use: npc put #creatureid #mapid #x #y #z [#orientation]"},
		{frame.NoSession, "npc remove 0xf130000000000001", ""},
		{frame.NoSession, "npc kill 0xf130000000000001", ""},
		{frame.NoSession, "npc kill wolf", notDone + "Use: npc kill #guid"},
		{frame.NoSession, "npc health 0xf130000000000001 5", ""},
		{frame.NoSession, "npc health 0xf130000000000001", notDone + "Use: npc health #guid #newhp"},
		{frame.NoSession, "npc go 0xf130000000000001 1 2 3", ""},
		{frame.NoSession, "npc go 0xf130000000000001 1 2 1e9", notDone + "Use: npc go #guid #x #y #z [#orientation]"},
		{frame.NoSession, "npc remove wolf", notDone + "Use: npc remove #guid"},
	} {
		if got := command(s.session, s.line); got != s.want {
			t.Errorf("%s: %q, want %q", s.line, got, s.want)
		}
	}
	// A creature comes in the tick of the command, with the GUID that the answer says, and goes with one that names it.
	text := command(frame.NoSession, fmt.Sprintf("npc put %d 0 5 6 7 1.5", wolf))
	guid, err := strconv.ParseUint(text, 0, 64)
	if e := c.world.space.Find(guid); err != nil || !c.world.ecs.Exists(e) {
		t.Fatalf("a creature is brought: %q, %v", text, err)
	}
	if at := part[components.Position](c, guid); *at != (components.Position{X: 5, Y: 6, Z: 7, O: 1.5}) {
		t.Errorf("it is at %+v", at)
	}
	c.selects(guid)
	if got := command(1, "modify scale 2"); got != "Wolf has scale 2." {
		t.Errorf("with a selection: %q", got)
	}
	if got := command(1, "@modify scale 2"); got != "Anna has scale 2." {
		t.Errorf("about the character itself: %q", got)
	}
	// One that a GUID names is moved, hurt and killed without a game master.
	if got := command(frame.NoSession, "npc go "+text+" 9 8 7 1"); got != "Wolf is there." {
		t.Errorf("it is moved: %q", got)
	}
	c.step()
	if at := part[components.Position](c, guid); *at != (components.Position{X: 9, Y: 8, Z: 7, O: 1}) {
		t.Errorf("moved, it is at %+v", at)
	}
	if at := part[components.SpawnInfo](c, guid).At; at != (components.Position{X: 9, Y: 8, Z: 7, O: 1}) {
		t.Errorf("moved, it stays at %+v", at)
	}
	most := part[components.Vitals](c, guid).MaxHealth
	if got, want := command(frame.NoSession, "npc health "+text+" 3"), fmt.Sprintf("Wolf has 3 of %d health.", most); got != want || part[components.Vitals](c, guid).Health != 3 {
		t.Errorf("it is hurt: %q, and has %+v", got, part[components.Vitals](c, guid))
	}
	if got := command(frame.NoSession, "npc kill "+text); got != "Wolf is dead." || part[components.Vitals](c, guid).Health != 0 {
		t.Errorf("it is killed: %q, and has %+v", got, part[components.Vitals](c, guid))
	}
	if got := command(frame.NoSession, "npc kill "+text); got != notDone+"The dead do not die." {
		t.Errorf("it is killed again: %q", got)
	}
	if got := command(frame.NoSession, "npc remove "+text); got != "Wolf is gone." {
		t.Errorf("it is removed: %q", got)
	}
	for range 3 {
		c.step()
	}
	if e := c.world.space.Find(guid); c.world.ecs.Exists(e) {
		t.Error("it is still there")
	}
}
