package smartai

import (
	"fmt"
	"strings"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/systems/rules"
)

// inCombat has a unit show that it is in combat.
func inCombat(s *scene, e ecs.Entity) { s.units.Get(e).Flags |= components.UnitInCombat }

// emoted has the player show the emote 34 to a creature.
func emoted(s *scene, to ecs.Entity) {
	give(s, change.Sent[msg.TextEmote]{By: s.anna, Msg: msg.TextEmote{Text: 34, Target: s.objects.Get(to).GUID}})
}

// fightsAt has the beast fight the player, so far to the north.
func fightsAt(x float32) func(*scene) {
	return func(s *scene) {
		fights(s)
		s.positions.Get(s.beast).X = x
	}
}

// hitBy7 has spell 7 of the player hit the beast.
func hitBy7(s *scene) { give(s, rules.SpellHit{By: s.anna, To: s.beast, Spell: 7}) }

// damage is damage that has been dealt.
func damage(by, to ecs.Entity, dealt uint32) rules.DamageDealt {
	return rules.DamageDealt{Damage: rules.Damage{By: by, To: to}, DamageResult: rules.DamageResult{Dealt: dealt}}
}

// hurtBy has the player deal so much damage to the beast.
func hurtBy(dealt uint32) func(*scene) {
	return func(s *scene) { give(s, damage(s.anna, s.beast, dealt)) }
}

// chooses has the player choose option 1 of menu 3 of the beast.
func chooses(s *scene) {
	give(s, rules.Gossip{By: s.anna, Creature: s.beast, Menu: 3, Option: 1, Selected: true})
}

// eventCases are events, with what they need, and by which unit they are.
var eventCases = []struct {
	name  string
	event defs.ScriptEvent
	when  [6]uint32
	given func(*scene)
	by    string // whose threat is more; "-" no unit's, "" if it does not happen
}{
	{"an emote", 22, [6]uint32{34}, func(s *scene) { emoted(s, s.beast) }, "anna"},
	{"another emote", 22, [6]uint32{35}, func(s *scene) { emoted(s, s.beast) }, ""},
	{"an emote of the dead", 22, [6]uint32{34}, func(s *scene) { annaDies(s); emoted(s, s.beast) }, ""},
	{"an emote to another", 22, [6]uint32{34}, func(s *scene) { emoted(s, s.twin) }, ""},
	{"health", 53, [6]uint32{5, 10}, func(s *scene) { give(s, rules.Healed{Heal: rules.Heal{By: s.anna, To: s.beast}, Health: 10}) }, "anna"},
	{"too much health", 53, [6]uint32{5, 10}, func(s *scene) { give(s, rules.Healed{Heal: rules.Heal{By: s.anna, To: s.beast}, Health: 11}) }, ""},
	{"too little health", 53, [6]uint32{5, 10}, func(s *scene) { give(s, rules.Healed{Heal: rules.Heal{By: s.anna, To: s.beast}, Health: 4}) }, ""},
	{"no health", 53, [6]uint32{0, 10}, func(s *scene) { give(s, rules.Healed{Heal: rules.Heal{By: s.anna, To: s.beast}}) }, ""},
	{"a summon that leaves", 35, [6]uint32{51}, func(s *scene) {
		s.infos.Get(s.twin).Summoner = s.beast
		give(s, rules.Gone{Entity: s.twin})
	}, "twin"},
	{"another that leaves", 35, [6]uint32{52}, func(s *scene) {
		s.infos.Get(s.twin).Summoner = s.beast
		give(s, rules.Gone{Entity: s.twin})
	}, ""},
	{"a summon that evades", 107, [6]uint32{51}, func(s *scene) {
		s.infos.Get(s.twin).Summoner = s.beast
		give(s, rules.Evade{Entity: s.twin, On: true})
	}, "twin"},
	{"a summon that comes back", 107, [6]uint32{}, func(s *scene) {
		s.infos.Get(s.twin).Summoner = s.beast
		give(s, rules.Evade{Entity: s.twin})
	}, ""},
	{"no aura", 23, [6]uint32{7, 0, 1000, 1000}, nil, "-"},
	{"an aura that is not to be", 23, [6]uint32{7, 0, 1000, 1000}, func(s *scene) { s.wear(s.beast, 7, 1) }, ""},
	{"stacks", 23, [6]uint32{7, 2, 1000, 1000}, func(s *scene) { s.wear(s.beast, 7, 2) }, "-"},
	{"too few stacks", 23, [6]uint32{7, 2, 1000, 1000}, func(s *scene) { s.wear(s.beast, 7, 1) }, ""},
	{"stacks of another spell", 23, [6]uint32{7, 1, 1000, 1000}, func(s *scene) { s.wear(s.beast, 8, 1) }, ""},
	{"an aura of the victim", 24, [6]uint32{7, 1, 1000, 1000}, func(s *scene) { fights(s); annaWears(s) }, "anna"},
	{"none of the victim", 24, [6]uint32{7, 1, 1000, 1000}, fights, ""},
	{"mana of the victim", 18, [6]uint32{0, 30, 1000, 1000}, fights, "anna"},
	{"more mana of the victim", 18, [6]uint32{0, 29, 1000, 1000}, fights, ""},
	{"mana without a fight", 18, [6]uint32{0, 30, 1000, 1000}, nil, ""},
	{"behind", 67, [6]uint32{0, 0, 1000, 1000, 1, 20}, fightsAt(2), "anna"},
	{"before", 67, [6]uint32{0, 0, 1000, 1000, 1, 20}, fightsAt(8), ""},
	{"too near behind", 67, [6]uint32{0, 0, 1000, 1000, 4, 20}, fightsAt(2), ""},
	{"too far behind", 67, [6]uint32{0, 0, 1000, 1000, 1, 2}, fightsAt(2), ""},
	{"at any distance, which is none", 67, [6]uint32{0, 0, 1000, 1000}, fightsAt(5), ""},
	{"a foe in sight", 10, [6]uint32{0, 5, 1000, 1000}, nil, "anna"},
	{"a foe too far", 10, [6]uint32{0, 4, 1000, 1000}, nil, ""},
	{"a foe that is dead", 10, [6]uint32{0, 5, 1000, 1000}, annaDies, ""},
	{"a friend in sight", 10, [6]uint32{1, 9, 1000, 1000}, nil, "twin"},
	{"the nearest in sight", 10, [6]uint32{2, 9, 1000, 1000}, nil, "anna"},
	{"the nearest, another", 10, [6]uint32{2, 9, 1000, 1000}, func(s *scene) { s.positions.Get(s.twin).X = 3 }, "twin"},
	{"a player among friends", 10, [6]uint32{1, 9, 1000, 1000, 1}, nil, ""},
	{"sight while it fights", 10, [6]uint32{0, 5, 1000, 1000}, fights, ""},
	{"sight in a fight", 26, [6]uint32{0, 5, 1000, 1000}, fights, "anna"},
	{"sight in a fight without one", 26, [6]uint32{0, 5, 1000, 1000}, nil, ""},
	{"a friend that lacks health", 14, [6]uint32{39, 9, 1000, 1000}, func(s *scene) { fights(s); inCombat(s, s.twin) }, "twin"},
	{"a friend that lacks less", 14, [6]uint32{40, 9, 1000, 1000}, func(s *scene) { fights(s); inCombat(s, s.twin) }, ""},
	{"that which lacks the most", 14, [6]uint32{10, 9, 1000, 1000}, func(s *scene) {
		fights(s)
		inCombat(s, s.twin)
		inCombat(s, s.beast)
		s.vitals.Get(s.twin).Health = 50
	}, "twin"},
	{"itself, which lacks the most", 14, [6]uint32{10, 9, 1000, 1000}, func(s *scene) {
		fights(s)
		inCombat(s, s.twin)
		inCombat(s, s.beast)
		s.vitals.Get(s.beast).Health = 50
	}, "beast"},
	{"a friend at peace", 14, [6]uint32{10, 9, 1000, 1000}, fights, ""},
	{"a friend too far", 14, [6]uint32{10, 7, 1000, 1000}, func(s *scene) { fights(s); inCombat(s, s.twin) }, ""},
	{"a friend that is held", 15, [6]uint32{9, 1000, 1000}, func(s *scene) {
		fights(s)
		inCombat(s, s.twin)
		s.auras.Get(s.twin).States = components.StateStunned
	}, "twin"},
	{"a friend that is not", 15, [6]uint32{9, 1000, 1000}, func(s *scene) {
		fights(s)
		inCombat(s, s.twin)
		s.auras.Get(s.twin).States = components.StateSilenced
	}, ""},
	{"a friend without an aura", 16, [6]uint32{7, 9, 1000, 1000}, func(s *scene) { inCombat(s, s.twin) }, "twin"},
	{"a friend with it", 16, [6]uint32{7, 9, 1000, 1000}, func(s *scene) { inCombat(s, s.twin); s.wear(s.twin, 7, 1) }, ""},
	{"a friend without it at peace", 16, [6]uint32{7, 9, 1000, 1000, 1}, func(s *scene) { inCombat(s, s.twin) }, ""},
	{"a friend without it in combat", 16, [6]uint32{7, 9, 1000, 1000, 1}, func(s *scene) { fights(s); inCombat(s, s.twin) }, "twin"},
	{"a creature near", 75, [6]uint32{0, 51, 8, 1000}, nil, "-"},
	{"a creature too far", 75, [6]uint32{0, 51, 7, 1000}, nil, ""},
	{"another creature", 75, [6]uint32{0, 52, 8, 1000}, nil, ""},
	{"itself, which is none", 75, [6]uint32{0, 50, 8, 1000}, nil, ""},
	{"players near", 101, [6]uint32{1, 5, 0, 1000, 1000}, nil, "-"},
	{"more players near", 101, [6]uint32{2, 5, 0, 1000, 1000}, nil, ""},
	{"few players", 102, [6]uint32{2, 5, 0, 1000, 1000}, nil, "-"},
	{"not few enough", 102, [6]uint32{1, 5, 0, 1000, 1000}, nil, ""},
	{"players too far", 101, [6]uint32{1, 4, 0, 1000, 1000}, nil, ""},
	{"players later", 101, [6]uint32{1, 5, 400, 1000, 1000}, nil, ""},
	{"a victim that casts", 13, [6]uint32{1000, 1000, 9}, func(s *scene) { fights(s); s.castings.Get(s.anna).Cast.Spell = 9 }, "anna"},
	{"health of its own", 2, [6]uint32{60, 60, 1000, 1000}, fights, "anna"},
	{"less health of its own", 2, [6]uint32{0, 59, 1000, 1000}, fights, ""},
	{"mana of its own", 3, [6]uint32{30, 30, 1000, 1000}, fights, "anna"},
	{"less mana of its own", 3, [6]uint32{0, 29, 1000, 1000}, fights, ""},
	{"evasion", 7, [6]uint32{}, func(s *scene) { give(s, rules.Evade{Entity: s.beast, On: true}) }, "-"},
	{"a spell", 8, [6]uint32{7}, hitBy7, "anna"},
	{"another spell", 8, [6]uint32{8}, hitBy7, ""},
	{"a spell of a school", 8, [6]uint32{0, defs.SchoolFire | defs.SchoolFrost}, hitBy7, "anna"},
	{"a spell of another school", 8, [6]uint32{0, defs.SchoolFrost}, hitBy7, ""},
	{"a spell that hits another", 31, [6]uint32{7}, func(s *scene) { give(s, rules.SpellHit{By: s.beast, To: s.anna, Spell: 7}) }, "anna"},
	{"a spell that hits it", 31, [6]uint32{7}, hitBy7, ""},
	{"damage", 32, [6]uint32{5, 10}, hurtBy(5), "anna"}, {"most damage", 32, [6]uint32{5, 10}, hurtBy(10), "anna"}, {"too little damage", 32, [6]uint32{5, 10}, hurtBy(4), ""},
	{"too much damage", 32, [6]uint32{5, 10}, hurtBy(11), ""}, {"no damage", 32, [6]uint32{0, 10}, hurtBy(0), ""},
	{"damage to another", 33, [6]uint32{5, 10}, func(s *scene) { give(s, damage(s.beast, s.anna, 5)) }, "anna"},
	{"damage by another", 33, [6]uint32{5, 10}, hurtBy(5), ""},
	{"a summon", 17, [6]uint32{51}, func(s *scene) { s.infos.Get(s.twin).Summoner = s.beast; give(s, change.Woken{Entity: s.twin}) }, "twin"},
	{"another summon", 17, [6]uint32{52}, func(s *scene) { s.infos.Get(s.twin).Summoner = s.beast; give(s, change.Woken{Entity: s.twin}) }, ""},
	{"a creature that is no summon", 17, [6]uint32{}, func(s *scene) { give(s, change.Woken{Entity: s.twin}) }, ""},
	{"a summon that dies", 82, [6]uint32{51}, func(s *scene) {
		s.infos.Get(s.twin).Summoner = s.beast
		give(s, rules.Death{Entity: s.twin, By: s.anna})
	}, "twin"},
	{"another that dies", 82, [6]uint32{}, func(s *scene) { give(s, rules.Death{Entity: s.twin, By: s.anna}) }, ""},
	{"being summoned", 54, [6]uint32{}, func(s *scene) { s.infos.Get(s.beast).Summoner = s.anna }, "anna"},
	{"not being summoned", 54, [6]uint32{}, func(*scene) {}, ""},
	{"an option", 62, [6]uint32{3, 1}, chooses, "anna"}, {"another option", 62, [6]uint32{3, 2}, chooses, ""}, {"an option of another menu", 62, [6]uint32{4, 1}, chooses, ""},
	{"range", 9, [6]uint32{5, 5, 1000, 1000}, fights, "anna"},
	{"health of the victim", 12, [6]uint32{60, 60, 1000, 1000}, fights, "anna"},
	{"creation", 63, [6]uint32{}, nil, "-"},
	{"init", 37, [6]uint32{}, nil, "-"}, {"reset", 25, [6]uint32{}, nil, "-"}, {"respawn", 11, [6]uint32{}, nil, "-"},
	{"respawn on the map", 11, [6]uint32{1, 33}, nil, "-"}, {"respawn on another", 11, [6]uint32{1, 34}, nil, ""},
}

// Which events have a row happen, by which unit, and what they need: the row adds threat to its invoker, and shows an emote.
//
// Source: SMART_EVENT, SmartScriptMgr.h, and SmartScript::ProcessEvent, AzerothCore.
func TestEvents(t *testing.T) {
	for _, c := range eventCases {
		s := newScene(t, []defs.ScriptRow{
			{Event: c.event, When: c.when, Next: 2, Action: defs.ScriptAddThreat, Do: [6]uint32{1}, Target: defs.ScriptInvoker},
			{ID: 1, Event: defs.ScriptLink, Action: defs.ScriptEmote, Do: [6]uint32{5}, Target: defs.ScriptSelf},
		})
		begun := c.event == defs.ScriptJustCreated || c.event == defs.ScriptInit || c.event == defs.ScriptReset || c.event == defs.ScriptRespawn || c.event == defs.ScriptJustSummoned
		early := c.event.Polled() || c.event == defs.ScriptJustSummoned // what is so before the script begins
		var got []string
		if c.given != nil && early {
			c.given(s)
		}
		got = append(got, s.begin()...)
		if c.given != nil && !early {
			c.given(s)
		}
		if !begun {
			for range 6 {
				got = append(got, s.run()...)
			}
		}
		var lines []string
		if c.by != "" && c.by != "-" {
			lines = append(lines, "ThreatChange, Entity beast, By "+c.by+", Amount 1, Raw true")
		}
		if c.by != "" {
			lines = append(lines, "0x103 to all around beast 05 00 00 00 00 00 80 32 00 00 30 f1")
		}
		want(t, c.name, got, lines...)
	}
}

// targetCases are targets of rows of the beast, and which units and game objects they are.
var targetCases = []struct {
	name   string
	target defs.ScriptTarget
	of     [4]uint32
	want   []string
}{
	{"none", 0, [4]uint32{}, nil}, {"itself", 1, [4]uint32{}, []string{"beast"}}, {"victim", 2, [4]uint32{}, []string{"anna"}},
	{"second", 3, [4]uint32{}, []string{"twin"}}, {"second within", 3, [4]uint32{7}, nil}, {"last", 4, [4]uint32{}, []string{"twin"}},
	{"last player", 4, [4]uint32{0, 1}, []string{"anna"}}, {"random player", 5, [4]uint32{0, 1}, []string{"anna"}}, {"not the first", 6, [4]uint32{}, []string{"twin"}},
	{"invoker", 7, [4]uint32{}, []string{"anna"}}, {"position", 8, [4]uint32{}, nil},
	{"range", 9, [4]uint32{51, 8, 9}, []string{"twin"}}, {"range beyond", 9, [4]uint32{51, 9, 20}, nil}, {"range within", 9, [4]uint32{51, 0, 7}, nil},
	{"range of any", 9, [4]uint32{0, 0, 20}, []string{"twin"}}, {"range of the dead", 9, [4]uint32{51, 0, 9, 2}, nil}, {"range of the living", 9, [4]uint32{51, 0, 9, 1}, []string{"twin"}},
	{"point", 10, [4]uint32{2, 33}, []string{"twin"}}, {"point of another map", 10, [4]uint32{2, 34}, nil}, {"point that is not", 10, [4]uint32{3, 33}, nil},
	{"distance", 11, [4]uint32{51, 8}, []string{"twin"}}, {"distance of the dead", 11, [4]uint32{51, 8, 2}, nil}, {"another entry", 11, [4]uint32{52, 8}, nil},
	{"stored", 12, [4]uint32{3}, []string{"twin"}}, {"another list", 12, [4]uint32{4}, nil},
	{"objects in range", 13, [4]uint32{60, 12, 13}, []string{"door"}}, {"objects beyond", 13, [4]uint32{60, 13, 20}, nil},
	{"object of a point", 14, [4]uint32{1, 33}, []string{"door"}}, {"object of another map", 14, [4]uint32{1, 34}, nil}, {"object that is not", 14, [4]uint32{2, 33}, nil},
	{"objects", 15, [4]uint32{0, 12}, []string{"door"}}, {"no objects", 15, [4]uint32{0, 11}, nil}, {"party", 16, [4]uint32{}, []string{"anna"}},
	{"players in range", 17, [4]uint32{5, 6}, []string{"anna"}}, {"players beyond", 17, [4]uint32{6, 9}, nil}, {"players", 18, [4]uint32{5}, []string{"anna"}},
	{"closest", 19, [4]uint32{0, 0}, []string{"twin"}}, {"closest dead", 19, [4]uint32{0, 0, 1}, nil}, {"closest object", 20, [4]uint32{60}, []string{"door"}},
	{"closest other object", 20, [4]uint32{61}, nil}, {"closest player", 21, [4]uint32{}, []string{"anna"}}, {"summoner", 23, [4]uint32{}, []string{"anna"}},
	{"threat list", 24, [4]uint32{}, []string{"anna", "twin"}}, {"threat list of players", 24, [4]uint32{0, 1}, []string{"anna"}},
	{"closest enemy", 25, [4]uint32{}, []string{"anna"}}, {"closest enemy within", 25, [4]uint32{4}, nil}, {"closest friend", 26, [4]uint32{}, []string{"twin"}},
	{"closest friend that is a player", 26, [4]uint32{0, 1}, nil}, {"farthest", 28, [4]uint32{}, []string{"twin"}}, {"farthest player", 28, [4]uint32{0, 1}, []string{"anna"}},
	{"summoned", 204, [4]uint32{}, []string{"twin"}}, {"summoned of an entry", 204, [4]uint32{52}, nil},
}

// Which units, and which game objects, are the targets of a row, of a beast that fights the player and the twin.
//
// Source: SMARTAI_TARGETS, SmartScriptMgr.h, and SmartScript::GetTargets, AzerothCore.
func TestTargets(t *testing.T) {
	for _, c := range targetCases {
		s := newScene(t, []defs.ScriptRow{
			{Event: defs.ScriptAggro, Action: defs.ScriptSetEmoteState, Do: [6]uint32{5}, Target: c.target, Of: c.of, Next: 2},
			{ID: 1, Event: defs.ScriptLink, Action: defs.ScriptActivateObject, Target: c.target, Of: c.of},
			{ID: 2, Event: defs.ScriptInit, Action: defs.ScriptStoreTargets, Do: [6]uint32{3}, Target: defs.ScriptClosestCreature},
		})
		s.begin()
		fights(s)
		s.hate(s.beast, s.twin, 30)
		s.infos.Get(s.beast).Summoner, s.infos.Get(s.twin).Summoner = s.anna, s.beast
		give(s, trigger{entity: s.beast, by: s.anna, event: defs.ScriptAggro})
		var lines []string
		for _, name := range c.want {
			if name == "door" {
				lines = append(lines, "SwitchObject, Entity door, By anna, Kind 1")
			} else {
				lines = append(lines, "SetEmoteState, Entity "+name+", Emote 5")
			}
		}
		want(t, c.name, s.run(), lines...)
	}
}

// objectRows are the script of the door.
func objectRows() []defs.ScriptRow {
	row := func(id uint16, event defs.ScriptEvent, when uint32) defs.ScriptRow {
		return defs.ScriptRow{ID: id, Event: event, When: [6]uint32{when}, Action: defs.ScriptSetEmoteState, Do: [6]uint32{uint32(id) + 1}, Target: defs.ScriptInvoker}
	}
	return []defs.ScriptRow{
		row(0, defs.ScriptGossipHello, 0), row(1, defs.ScriptGossipHello, 1), row(2, defs.ScriptGossipHello, 2), row(3, defs.ScriptObjectState, 1),
		{ID: 4, Event: defs.ScriptInit, Action: defs.ScriptActivateObject, Target: defs.ScriptSelf},
		{ID: 5, Event: defs.ScriptReset, Action: defs.ScriptResetObject, Target: defs.ScriptSelf},
		{ID: 6, Event: defs.ScriptUpdateOutOfCombat, When: [6]uint32{100, 100, 5000, 5000}, Action: defs.ScriptObjectAnim, Target: defs.ScriptSelf},
	}
}

// The script of a game object is told when that is used, reported and switched, and how often: a report is another thing than a use.
//
// Source: SMART_EVENT_GOSSIP_HELLO and SMART_EVENT_GO_STATE_CHANGED, SmartScript::ProcessEvent, AzerothCore.
func TestObjectScripts(t *testing.T) {
	s := newScene(t, objectRows())
	s.defs.GameObjects[0].Script = 1
	give(s, change.Woken{Entity: s.door})
	want(t, "begin", s.run(), "SwitchObject, Entity door, Kind 1")
	give(s, rules.ObjectUsed{Object: s.door, By: s.anna})
	want(t, "use", s.run(), "SetEmoteState, Entity anna, Emote 1", "SetEmoteState, Entity anna, Emote 2")
	give(s, rules.ObjectUsed{Object: s.door, By: s.anna, Reported: true})
	want(t, "report", s.run(), "SwitchObject, Entity door, By anna, Kind 5", "SetEmoteState, Entity anna, Emote 1", "SetEmoteState, Entity anna, Emote 3")
	give(s, rules.ObjectSwitched{Object: s.door, By: s.anna, State: 1})
	want(t, "switch", s.run(), "SetEmoteState, Entity anna, Emote 4")
	give(s, rules.ObjectSwitched{Object: s.door, By: s.anna, State: 0})
	want(t, "another switch", s.run())
	s.place.Objects[0].Script = 2
	other := newScene(t, nil)
	other.defs.Scripts[1].Rows = []defs.ScriptRow{{Event: defs.ScriptInit, Action: defs.ScriptActivateObject, Target: defs.ScriptSelf}}
	other.place.Objects[0].Script = 2
	give(other, change.Woken{Entity: other.door})
	want(t, "the script of a spawn point", other.run(), "SwitchObject, Entity door, Kind 1")
}

// A timeCase is a script, and what happens of it as time goes on.
type timeCase struct {
	name string
	rows []defs.ScriptRow
	list []defs.ScriptRow
	at   map[uint32]func(*scene)
	want string // the emotes, each with its time in ticks
}

func timeCases() []timeCase {
	show := func(id uint16, event defs.ScriptEvent, n uint32, when ...uint32) defs.ScriptRow {
		r := defs.ScriptRow{ID: id, Event: event, Action: defs.ScriptSetEmoteState, Do: [6]uint32{n}, Target: defs.ScriptSelf}
		copy(r.When[:], when)
		return r
	}
	do := func(r defs.ScriptRow, action defs.ScriptAction, params ...uint32) defs.ScriptRow {
		r.Action, r.Do = action, [6]uint32{}
		copy(r.Do[:], params)
		return r
	}
	phases := func(r defs.ScriptRow, mask uint16) defs.ScriptRow { r.Phases = mask; return r }
	flags := func(r defs.ScriptRow, f defs.ScriptFlag) defs.ScriptRow { r.Flags = f; return r }
	next := func(r defs.ScriptRow, n uint16) defs.ScriptRow { r.Next = n + 1; return r }
	chance := func(r defs.ScriptRow, n uint8) defs.ScriptRow { r.Chance = n; return r }
	init := func(id uint16, action defs.ScriptAction, params ...uint32) defs.ScriptRow {
		return do(show(id, defs.ScriptInit, 0), action, params...)
	}
	return []timeCase{
		{"again and again", []defs.ScriptRow{show(0, 60, 1, 100, 100, 200, 200)}, nil, nil, "1@2 1@6 1@10 1@14 1@18"},
		{"once", []defs.ScriptRow{flags(show(0, 60, 1, 100, 100, 200, 200), defs.ScriptOnce)}, nil, nil, "1@2"},
		{"in combat", []defs.ScriptRow{show(0, 0, 1, 100, 100, 200, 200)}, nil, map[uint32]func(*scene){5: func(s *scene) { fights(s); give(s, trigger{entity: s.beast, event: 4}) }}, "1@7 1@11 1@15 1@19"},
		{"out of combat", []defs.ScriptRow{show(0, 1, 1, 100, 100, 200, 200)}, nil, map[uint32]func(*scene){5: func(s *scene) { fights(s); give(s, trigger{entity: s.beast, event: 4}) }}, "1@2"},
		{"never by chance", []defs.ScriptRow{chance(show(0, 60, 1, 100, 100, 200, 200), 1)}, nil, nil, ""},
		{"in a phase", []defs.ScriptRow{phases(show(0, 60, 1, 100, 100, 200, 200), 2), do(show(1, 60, 0, 500, 500, 9000, 9000), defs.ScriptSetPhase, 2)}, nil, nil, "1@12 1@16"},
		{"in another phase", []defs.ScriptRow{phases(show(0, 60, 1, 100, 100, 200, 200), 2), do(show(1, 60, 0, 500, 500, 9000, 9000), defs.ScriptSetPhase, 1)}, nil, nil, ""},
		{"phases are counted", []defs.ScriptRow{phases(show(0, 60, 1, 100, 100, 200, 200), 4), do(show(1, 60, 0, 100, 100, 100, 100), defs.ScriptAddPhase, 2, 1)}, nil, nil, "1@8"},
		{"a change of phase", []defs.ScriptRow{show(0, 66, 3, 2), init(1, defs.ScriptSetPhase, 2)}, nil, nil, "3@1"},
		{"the same phase", []defs.ScriptRow{show(0, 66, 3, 2), init(1, defs.ScriptSetPhase, 2), do(show(2, 60, 0, 200, 200, 9000, 9000), defs.ScriptSetPhase, 2)}, nil, nil, "3@1"},
		{"one of some phases", []defs.ScriptRow{show(0, 66, 3, 4), init(1, defs.ScriptRandomPhase, 3, 3)}, nil, nil, "3@1"},
		{"a phase of a range", []defs.ScriptRow{show(0, 66, 3, 4), init(1, defs.ScriptRandomPhaseRange, 3, 3)}, nil, nil, "3@1"},
		{"the last phase", []defs.ScriptRow{show(0, 66, 3, 0x800), init(1, defs.ScriptSetPhase, 99)}, nil, nil, "3@1"},
		{"a link", []defs.ScriptRow{next(show(0, 60, 1, 100, 100, 9000, 9000), 1), next(show(1, 61, 2), 2), show(2, 61, 3)}, nil, nil, "1@2 2@2 3@2"},
		{"a link in another phase", []defs.ScriptRow{next(show(0, 60, 1, 100, 100, 9000, 9000), 1), phases(show(1, 61, 2), 1)}, nil, nil, "1@2"},
		{"a link once", []defs.ScriptRow{next(show(0, 60, 1, 100, 100, 200, 200), 1), flags(show(1, 61, 2), defs.ScriptOnce)}, nil, nil, "1@2 2@2 1@6 1@10 1@14 1@18"},
		{"a timed event", []defs.ScriptRow{show(0, 59, 1, 4), init(1, defs.ScriptCreateTimedEvent, 4, 100, 100)}, nil, nil, "1@2"},
		{"a timed event again", []defs.ScriptRow{show(0, 59, 1, 4), init(1, defs.ScriptCreateTimedEvent, 4, 100, 100, 200, 200)}, nil, nil, "1@2 1@6 1@10 1@14 1@18"},
		{"another timed event", []defs.ScriptRow{show(0, 59, 1, 5), init(1, defs.ScriptCreateTimedEvent, 4, 100, 100)}, nil, nil, ""},
		{"a timed event that is removed", []defs.ScriptRow{show(0, 59, 1, 4), init(1, defs.ScriptCreateTimedEvent, 4, 100, 100, 200, 200), do(show(2, 60, 0, 450, 450, 9000, 9000), defs.ScriptRemoveTimedEvent, 4)}, nil, nil, "1@2 1@6"},
		{"a timed event that is triggered", []defs.ScriptRow{show(0, 59, 1, 4), init(1, defs.ScriptTriggerTimedEvent, 4)}, nil, nil, "1@1"},
		{"a random timed event", []defs.ScriptRow{show(0, 59, 1, 4), init(1, defs.ScriptTriggerRandomEvent, 4, 4)}, nil, nil, "1@1"},
		{"a counter", []defs.ScriptRow{show(0, 77, 1, 3, 4), do(show(1, 60, 0, 100, 100, 100, 100), defs.ScriptSetCounter, 3, 2)}, nil, nil, "1@4"},
		{"a counter that is set", []defs.ScriptRow{show(0, 77, 1, 3, 2, 150, 150), do(show(1, 60, 0, 100, 100, 100, 100), defs.ScriptSetCounter, 3, 2, 1)}, nil, nil, "1@2 1@6 1@10 1@14 1@18"},
		{"data", []defs.ScriptRow{show(0, 38, 1, 3, 2), init(1, defs.ScriptSetData, 3, 2)}, nil, nil, "1@0"},
		{"other data", []defs.ScriptRow{show(0, 38, 1, 3, 2), init(1, defs.ScriptSetData, 3, 3)}, nil, nil, ""},
		{"a text that is over", []defs.ScriptRow{show(0, 52, 1, 0, 50), init(1, defs.ScriptTalk, 0)}, nil, nil, "1@4"},
		{"a text that is over soon", []defs.ScriptRow{show(0, 52, 1, 0), init(1, defs.ScriptTalk, 0, 100)}, nil, nil, "1@2"},
		{"a text of another", []defs.ScriptRow{show(0, 52, 1, 0, 51), init(1, defs.ScriptTalk, 0, 100)}, nil, nil, ""},
		{"a list", []defs.ScriptRow{init(0, defs.ScriptCallList, 900, 0, 2)}, []defs.ScriptRow{show(0, 0, 1, 100, 100), show(1, 0, 2, 200, 200)}, nil, "1@2 2@6"},
		{"a list with a link", []defs.ScriptRow{init(0, defs.ScriptCallList, 900, 0, 2)}, []defs.ScriptRow{next(show(0, 0, 1, 100, 100), 1), show(1, 61, 2), show(2, 0, 3, 50, 50)}, nil, "1@2 2@2 3@3"},
		{"a list out of combat", []defs.ScriptRow{init(0, defs.ScriptCallList, 900)}, []defs.ScriptRow{show(0, 0, 1, 100, 100), show(1, 0, 2, 200, 200)}, map[uint32]func(*scene){4: func(s *scene) { fights(s); give(s, trigger{entity: s.beast, event: 4}) }}, "1@2"},
		{"a list in combat", []defs.ScriptRow{init(0, defs.ScriptCallList, 900, 0, 1)}, []defs.ScriptRow{show(0, 0, 1, 100, 100)}, map[uint32]func(*scene){4: func(s *scene) { fights(s); give(s, trigger{entity: s.beast, event: 4}) }}, "1@5"},
		{"a list that ends with the combat", []defs.ScriptRow{init(0, defs.ScriptCallList, 900, 1, 2)}, []defs.ScriptRow{show(0, 0, 1, 500, 500)}, map[uint32]func(*scene){4: func(s *scene) { give(s, trigger{entity: s.beast, kind: evades}) }}, ""},
		{"a list that does not", []defs.ScriptRow{init(0, defs.ScriptCallList, 900, 0, 2)}, []defs.ScriptRow{show(0, 0, 1, 500, 500)}, map[uint32]func(*scene){4: func(s *scene) { give(s, trigger{entity: s.beast, kind: evades}) }}, "1@10"},
		{"a random list", []defs.ScriptRow{init(0, defs.ScriptCallRandomList, 900, 900)}, []defs.ScriptRow{show(0, 0, 1, 100, 100)}, nil, "1@2"},
		{"a list of a range", []defs.ScriptRow{init(0, defs.ScriptCallRandomListRange, 900, 900)}, []defs.ScriptRow{show(0, 0, 1, 100, 100)}, nil, "1@2"},
		{"a list that is not there", []defs.ScriptRow{init(0, defs.ScriptCallList, 901, 0, 2)}, []defs.ScriptRow{show(0, 0, 1, 100, 100)}, nil, ""},
		{"a death", []defs.ScriptRow{show(0, 6, 1), show(1, 60, 2, 100, 100, 200, 200)}, nil, map[uint32]func(*scene){5: func(s *scene) { give(s, trigger{entity: s.beast, kind: dies}) }}, "2@2 1@5"},
		{"a way home", []defs.ScriptRow{show(0, 21, 1), show(1, 25, 2), flags(show(2, 60, 3, 100, 100, 9000, 9000), defs.ScriptOnce)}, nil, map[uint32]func(*scene){5: func(s *scene) { give(s, trigger{entity: s.beast, kind: comesHome}) }}, "2@0 3@2 2@5 1@5 3@7"},
		{"what a reset keeps", []defs.ScriptRow{flags(show(0, 60, 3, 100, 100, 9000, 9000), defs.ScriptOnce|defs.ScriptKeeps)}, nil, map[uint32]func(*scene){5: func(s *scene) { give(s, trigger{entity: s.beast, kind: comesHome}) }}, "3@2"},
		{"a phase that ends with a reset", []defs.ScriptRow{phases(show(0, 60, 1, 100, 100, 200, 200), 2), init(1, defs.ScriptSetPhase, 2)}, nil, map[uint32]func(*scene){5: func(s *scene) { give(s, trigger{entity: s.beast, kind: comesHome}) }}, "1@2"},
		{"a phase that does not", []defs.ScriptRow{phases(show(0, 60, 1, 100, 100, 500, 500), 2), init(1, defs.ScriptSetPhase, 2), init(2, defs.ScriptKeepPhase)}, nil, map[uint32]func(*scene){5: func(s *scene) { give(s, trigger{entity: s.beast, kind: comesHome}) }}, "1@2 1@7 1@17"},
		{"a reset by a script", []defs.ScriptRow{show(0, 25, 1), do(show(1, 60, 0, 300, 300, 9000, 9000), defs.ScriptCallReset)}, nil, nil, "1@0 1@7 1@13 1@19"},
		{"a sleep", []defs.ScriptRow{show(0, 60, 1, 500, 500, 9000, 9000)}, nil, map[uint32]func(*scene){5: func(s *scene) { give(s, trigger{entity: s.beast, kind: wakes, a: 200}) }}, "1@14"},
		{"a cooldown", []defs.ScriptRow{show(0, 38, 1, 3, 2, 250, 250), do(show(1, 60, 0, 100, 100, 100, 100), defs.ScriptSetData, 3, 2)}, nil, nil, "1@2 1@8 1@14"},
		{"a kill of a player", []defs.ScriptRow{show(0, 5, 1, 0, 0, 1)}, nil, map[uint32]func(*scene){
			3: func(s *scene) { give(s, trigger{entity: s.beast, event: 5, a: 1, b: 5}) }, 6: func(s *scene) { give(s, trigger{entity: s.beast, event: 5, b: 51}) },
		}, "1@3"},
		{"a kill of an entry", []defs.ScriptRow{show(0, 5, 1, 0, 0, 0, 51)}, nil, map[uint32]func(*scene){
			3: func(s *scene) { give(s, trigger{entity: s.beast, event: 5, a: 1, b: 5}) }, 6: func(s *scene) { give(s, trigger{entity: s.beast, event: 5, b: 51}) },
		}, "1@6"},
		{"a point", []defs.ScriptRow{show(0, 34, 1, 8, 3)}, nil, map[uint32]func(*scene){
			3: func(s *scene) { give(s, rules.WayMoved{Entity: s.beast, Kind: rules.WayAtPoint, Node: 3}) }, 6: func(s *scene) { give(s, rules.WayMoved{Entity: s.beast, Kind: rules.WayAtPoint, Node: 4}) },
		}, "1@3"},
		{"a node", []defs.ScriptRow{show(0, 40, 1, 2, 70), show(1, 58, 2), show(2, 39, 3), show(3, 55, 4), show(4, 56, 5), show(5, 57, 6)}, nil, map[uint32]func(*scene){
			1: func(s *scene) { give(s, rules.WayMoved{Entity: s.beast, Kind: rules.WayStarted, Path: 1}) }, 2: func(s *scene) { give(s, rules.WayMoved{Entity: s.beast, Kind: rules.WayAtNode, Path: 1, Node: 1}) },
			3: func(s *scene) { give(s, rules.WayMoved{Entity: s.beast, Kind: rules.WayAtNode, Path: 1, Node: 2}) }, 4: func(s *scene) { give(s, rules.WayMoved{Entity: s.beast, Kind: rules.WayPaused, Path: 1}) },
			5: func(s *scene) { give(s, rules.WayMoved{Entity: s.beast, Kind: rules.WayResumed, Path: 1}) }, 6: func(s *scene) { give(s, rules.WayMoved{Entity: s.beast, Kind: rules.WayStopped, Path: 1}) },
			7: func(s *scene) { give(s, rules.WayMoved{Entity: s.beast, Kind: rules.WayEnded, Path: 1}) },
		}, "3@1 1@3 4@4 5@5 6@6 2@7"},
		{"a node of a patrol", []defs.ScriptRow{show(0, 108, 1, 2, 71), show(1, 109, 2), show(2, 40, 3)}, nil, map[uint32]func(*scene){
			1: func(s *scene) { give(s, rules.WayMoved{Entity: s.beast, Kind: rules.WayStarted, Path: 2}) }, 3: func(s *scene) { give(s, rules.WayMoved{Entity: s.beast, Kind: rules.WayAtNode, Path: 2, Node: 2}) },
			7: func(s *scene) { give(s, rules.WayMoved{Entity: s.beast, Kind: rules.WayEnded, Path: 2}) },
		}, "1@3 2@7"},
	}
}

// What happens of a script as time goes on, each after so many milliseconds.
//
// Source: SmartScript::OnUpdate and following, AzerothCore.
func TestTimes(t *testing.T) {
	for _, c := range timeCases() {
		s := newScene(t, c.rows, c.list...)
		var got []string
		for n := uint32(0); n < 20; n++ {
			if n == 0 {
				give(s, change.Woken{Entity: s.beast})
			}
			if does := c.at[n]; does != nil {
				does(s)
			}
			s.run()
			for _, it := range s.said {
				if strings.HasPrefix(it, "SetEmoteState,") {
					got = append(got, fmt.Sprintf("%s@%d", it[len(it)-1:], n))
				}
			}
		}
		if all := strings.Join(got, " "); all != c.want {
			t.Errorf("%s: %s, want %s", c.name, all, c.want)
		}
	}
}
