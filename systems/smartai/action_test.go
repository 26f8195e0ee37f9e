package smartai

import (
	"testing"

	"muster/components/defs"
)

// busy has the beast cast.
func busy(s *scene) { s.castings.Get(s.beast).Cast.Spell = 9 }

// fights has the beast fight the player, with 40 threat.
func fights(s *scene) {
	s.hate(s.beast, s.anna, 40)
	s.attacks.Get(s.beast).Victim = s.anna
}

func annaWears(s *scene) { s.wear(s.anna, 7, 1) }
func annaDies(s *scene)  { s.vitals.Get(s.anna).Health = 0 }
func beastDies(s *scene) { s.vitals.Get(s.beast).Health = 0 }

// actionCases are rows with the actions that other systems execute, what is given when the player attacks the beast, and what they ask for then.
var actionCases = []struct {
	name  string
	row   defs.ScriptRow
	given func(*scene)
	want  []string
}{
	{"talk", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptTalk, Do: [6]uint32{0}, Target: defs.ScriptSelf}, nil, []string{
		"0x103 to all around beast 06 00 00 00 00 00 80 32 00 00 30 f1",
		"0x96 to one 0c 00 00 00 00 00 00 80 32 00 00 30 f1 00 00 00 00 01 00 00 00 00 02 00 00 00 00 00 00 00 04 00 00 00 4f 6e 65 00 00",
	}},
	{"talk to a player", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptTalk, Do: [6]uint32{1}, Target: defs.ScriptInvoker}, nil, []string{
		"0x96 to one 0f 00 00 00 00 00 00 80 32 00 00 30 f1 00 00 00 00 01 00 00 00 00 02 00 00 00 00 00 00 00 05 00 00 00 50 73 73 74 00 00",
	}},
	{"talk to another", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptTalk, Do: [6]uint32{1, 0, 1}, Target: defs.ScriptClosestCreature, Of: [4]uint32{51, 20}}, nil, []string{
		"0x96 to one 0f 00 00 00 00 00 00 80 32 00 00 30 f1 00 00 00 00 01 00 00 00 00 01 00 80 33 00 00 30 f1 01 00 00 00 00 05 00 00 00 50 73 73 74 00 00",
	}},
	{"another talks", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptTalk, Do: [6]uint32{0}, Target: defs.ScriptClosestCreature, Of: [4]uint32{51, 20}}, nil, []string{
		"0x96 to one 0e 00 00 00 00 01 00 80 33 00 00 30 f1 00 00 00 00 01 00 00 00 00 02 00 00 00 00 00 00 00 04 00 00 00 54 77 6f 00 00",
	}},
	{"talk of no text", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptTalk, Do: [6]uint32{9}, Target: defs.ScriptSelf}, nil, nil},
	{"talk of a door", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptTalk, Do: [6]uint32{0}, Target: defs.ScriptClosestObject}, nil, nil},
	{"simple talk", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSimpleTalk, Do: [6]uint32{0}, Target: defs.ScriptClosestCreature, Of: [4]uint32{51, 20}}, nil, []string{
		"0x96 to one 0e 00 00 00 00 01 00 80 33 00 00 30 f1 00 00 00 00 01 00 00 00 00 02 00 00 00 00 00 00 00 04 00 00 00 54 77 6f 00 00",
	}},
	{"simple talk of a player", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSimpleTalk, Do: [6]uint32{0}, Target: defs.ScriptInvoker}, nil, []string{
		"0x103 to all around anna 06 00 00 00 02 00 00 00 00 00 00 00",
		"0x96 to one 01 00 00 00 00 02 00 00 00 00 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00 04 00 00 00 4f 6e 65 00 00",
	}},
	{"faction", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetFaction, Do: [6]uint32{14}, Target: defs.ScriptSelf}, nil, []string{
		"SetFaction, Entity beast, Faction 14",
	}},
	{"morph to an entry", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptMorph, Do: [6]uint32{51}, Target: defs.ScriptSelf}, nil, []string{
		"ChangeUnit, Entity beast, Part 1, Set 510",
	}},
	{"morph to a display", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptMorph, Do: [6]uint32{0, 77}, Target: defs.ScriptSelf}, nil, []string{
		"ChangeUnit, Entity beast, Part 1, Set 77",
	}},
	{"no morph", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptMorph, Target: defs.ScriptSelf}, nil, []string{
		"ChangeUnit, Entity beast, Part 1",
	}},
	{"no morph of a player", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptMorph, Do: [6]uint32{51}, Target: defs.ScriptInvoker}, nil, nil},
	{"sound", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSound, Do: [6]uint32{8}, Target: defs.ScriptSelf}, nil, []string{
		"0x2d2 to all around beast 08 00 00 00",
	}},
	{"sound for one", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSound, Do: [6]uint32{8, 1}, Target: defs.ScriptInvoker}, nil, []string{
		"0x2d2 to one 08 00 00 00",
	}},
	{"sound for one creature", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSound, Do: [6]uint32{8, 1}, Target: defs.ScriptSelf}, nil, []string{
		"0x2d2 to all around beast 08 00 00 00",
	}},
	{"sound from there", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSound, Do: [6]uint32{8, 0, 1}, Target: defs.ScriptSelf}, nil, []string{
		"0x278 to all around beast 08 00 00 00 00 00 80 32 00 00 30 f1",
	}},
	{"random sound", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptRandomSound, Do: [6]uint32{0, 9, 9, 0, 1}, Target: defs.ScriptInvoker}, nil, []string{
		"0x2d2 to one 09 00 00 00",
	}},
	{"random sound of none", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptRandomSound, Target: defs.ScriptSelf}, nil, nil},
	{"emote", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptEmote, Do: [6]uint32{5}, Target: defs.ScriptSelf}, nil, []string{
		"0x103 to all around beast 05 00 00 00 00 00 80 32 00 00 30 f1",
	}},
	{"react", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetReact, Do: [6]uint32{2}, Target: defs.ScriptSelf}, nil, []string{
		"AIOrder, Entity beast, Kind 4, Value 1",
	}},
	{"random emote", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptRandomEmote, Do: [6]uint32{5, 5}, Target: defs.ScriptSelf}, nil, []string{
		"0x103 to all around beast 05 00 00 00 00 00 80 32 00 00 30 f1",
	}},
	{"lasting emote", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetEmoteState, Do: [6]uint32{5}, Target: defs.ScriptSelf}, nil, []string{
		"SetEmoteState, Entity beast, Emote 5",
	}},
	{"cast", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptCast, Do: [6]uint32{7}, Target: defs.ScriptInvoker}, nil, []string{
		"Cast, By beast, Target anna, Spell 7",
	}},
	{"cast whatever aura the target has", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptCast, Do: [6]uint32{7}, Target: defs.ScriptInvoker}, annaWears, []string{
		"Cast, By beast, Target anna, Spell 7",
	}},
	{"cast at its summoner, not its owner", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptCast, Do: [6]uint32{7}, Target: defs.ScriptSummoner}, func(s *scene) {
		s.infos.Get(s.beast).Summoner, s.infos.Get(s.beast).Owner = s.anna, s.twin
	}, []string{"Cast, By beast, Target anna, Spell 7"}},
	{"cast at its owner without a summoner", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptCast, Do: [6]uint32{7}, Target: defs.ScriptSummoner}, func(s *scene) {
		s.infos.Get(s.beast).Owner = s.twin
	}, []string{"Cast, By beast, Target twin, Spell 7"}},
	{"cast at what is near in height, too", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptCast, Do: [6]uint32{7}, Target: defs.ScriptClosestCreature, Of: [4]uint32{51, 9}}, func(s *scene) {
		s.positions.Get(s.twin).Z = 4
	}, []string{"Cast, By beast, Target twin, Spell 7"}},
	{"cast at what is too high", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptCast, Do: [6]uint32{7}, Target: defs.ScriptClosestCreature, Of: [4]uint32{51, 9}}, func(s *scene) {
		s.positions.Get(s.twin).Z = 5
	}, nil},
	{"cast at once", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptCast, Do: [6]uint32{7, 2}, Target: defs.ScriptInvoker}, nil, []string{
		"Cast, By beast, Target anna, Spell 7, Triggered true",
	}},
	{"cast in place of another", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptCast, Do: [6]uint32{7, 1}, Target: defs.ScriptInvoker}, busy, []string{
		"Cast, By beast, Target anna, Spell 7",
		"InterruptCast, Entity beast",
	}},
	{"cast while it casts", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptCast, Do: [6]uint32{7}, Target: defs.ScriptInvoker}, busy, nil},
	{"triggered while it casts", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptCast, Do: [6]uint32{7, 2}, Target: defs.ScriptInvoker}, busy, []string{
		"Cast, By beast, Target anna, Spell 7, Triggered true",
	}},
	{"cast at what has the aura", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptCast, Do: [6]uint32{7, 32}, Target: defs.ScriptInvoker}, annaWears, nil},
	{"cast at what has not", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptCast, Do: [6]uint32{7, 32}, Target: defs.ScriptInvoker}, nil, []string{
		"Cast, By beast, Target anna, Spell 7",
	}},
	{"cast of the dead", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptCast, Do: [6]uint32{7}, Target: defs.ScriptInvoker}, beastDies, nil},
	{"self cast", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSelfCast, Do: [6]uint32{7}, Target: defs.ScriptClosestCreature, Of: [4]uint32{51, 20}}, nil, []string{
		"Cast, By twin, Target twin, Spell 7",
	}},
	{"invoker cast", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptInvokerCast, Do: [6]uint32{7}, Target: defs.ScriptClosestCreature, Of: [4]uint32{51, 20}}, nil, []string{
		"Cast, By anna, Target twin, Spell 7",
	}},
	{"cross cast", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptCrossCast, Do: [6]uint32{7, 2, 19, 51, 20}, Target: defs.ScriptInvoker}, nil, []string{
		"Cast, By twin, Target anna, Spell 7, Triggered true",
	}},
	{"add aura", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptAddAura, Do: [6]uint32{7}, Target: defs.ScriptInvoker}, nil, []string{
		"ApplyAura, By anna, To anna, Spell 7, Effects 2, Level 9, Amount [0 4 0]",
	}},
	{"remove auras", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptRemoveAuras, Do: [6]uint32{7}, Target: defs.ScriptSelf}, nil, []string{
		"RemoveAuras, From beast, Spell 7",
	}},
	{"interrupt", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptInterrupt, Do: [6]uint32{0}, Target: defs.ScriptInvoker}, nil, []string{
		"InterruptCast, Entity anna",
	}},
	{"summon at a place", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSummonCreature, Do: [6]uint32{51, 3, 4000}, Target: defs.ScriptPosition, At: [4]float32{1, 2, 3, 4}}, nil, []string{
		"Summon, Entry 51, At {1 2 3 4}, ForMs 4000, Summoner beast",
	}},
	{"summon at a target", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSummonCreature, Do: [6]uint32{51, 4, 4000, 1}, Target: defs.ScriptClosestCreature, Of: [4]uint32{51, 20}, At: [4]float32{1, 2, 3}}, nil, []string{
		"Summon, Entry 51, At {9 2 3 0}, ForMs 4000, Summoner beast, Prey anna, Peace true",
	}},
	{"summon for good", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSummonCreature, Do: [6]uint32{51, 8, 4000, 0, 1}, Target: defs.ScriptSelf}, nil, []string{
		"Summon, Entry 51, Summoner beast, Prey beast",
	}},
	{"summon until dead", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSummonCreature, Do: [6]uint32{51, 7, 9}, Target: defs.ScriptSelf}, nil, []string{
		"Summon, Entry 51, Summoner beast",
	}},
	{"summon for a corpse", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSummonCreature, Do: [6]uint32{51, 6, 9}, Target: defs.ScriptSelf}, nil, []string{
		"Summon, Entry 51, Summoner beast",
	}},
	{"summon at a door", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSummonCreature, Do: [6]uint32{51, 3}, Target: defs.ScriptClosestObject}, nil, nil},
	{"threat of one", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptThreatOne, Do: [6]uint32{50}, Target: defs.ScriptInvoker}, fights, []string{
		"ThreatChange, Entity beast, By anna, Amount 20, Raw true",
	}},
	{"less threat of one", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptThreatOne, Do: [6]uint32{0, 50}, Target: defs.ScriptInvoker}, fights, []string{
		"ThreatChange, Entity beast, By anna, Amount -20, Raw true",
	}},
	{"threat of one that has none", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptThreatOne, Do: [6]uint32{50}, Target: defs.ScriptClosestCreature, Of: [4]uint32{51, 20}}, fights, nil},
	{"threat of all", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptThreatAll, Do: [6]uint32{0, 100}, Target: defs.ScriptSelf}, fights, []string{
		"ThreatChange, Entity beast, By anna, Amount -40, Raw true",
	}},
	{"add threat", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptAddThreat, Do: [6]uint32{7, 2}, Target: defs.ScriptInvoker}, nil, []string{
		"ThreatChange, Entity beast, By anna, Amount 5, Raw true",
	}},
	{"unit flags", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetUnitFlags, Do: [6]uint32{4}, Target: defs.ScriptSelf}, nil, []string{
		"SetUnitFlags, Entity beast, Set 4",
	}},
	{"second flags", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetUnitFlags, Do: [6]uint32{4, 1}, Target: defs.ScriptSelf}, nil, []string{
		"ChangeUnit, Entity beast, Set 4",
	}},
	{"no unit flags", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptRemoveUnitFlags, Do: [6]uint32{4}, Target: defs.ScriptSelf}, nil, []string{
		"SetUnitFlags, Entity beast, Clear 4",
	}},
	{"no second flags", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptRemoveUnitFlags, Do: [6]uint32{4, 1}, Target: defs.ScriptSelf}, nil, []string{
		"ChangeUnit, Entity beast, Clear 4",
	}},
	{"no melee", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptAutoAttack, Do: [6]uint32{0}, Target: defs.ScriptSelf}, nil, []string{
		"AIOrder, Entity beast, Kind 5",
	}},
	{"melee", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptAutoAttack, Do: [6]uint32{1}, Target: defs.ScriptSelf}, nil, []string{
		"AIOrder, Entity beast, Kind 5, Value 1",
	}},
	{"no chase", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptCombatMove, Target: defs.ScriptSelf}, nil, []string{
		"AIOrder, Entity beast, Kind 6",
	}},
	{"chase", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptCombatMove, Do: [6]uint32{1}, Target: defs.ScriptSelf}, nil, []string{
		"AIOrder, Entity beast, Kind 6, Value 1",
	}},
	{"evade without a target", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptEvadeNow, Target: defs.ScriptNone}, nil, []string{
		"AIOrder, Entity beast, Kind 1",
	}},
	{"active", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetActive, Do: [6]uint32{1}, Target: defs.ScriptSelf}, nil, nil},
	{"evade", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptEvadeNow, Target: defs.ScriptSelf}, nil, []string{
		"AIOrder, Entity beast, Kind 1",
	}},
	{"flee", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptFleeForAssist, Target: defs.ScriptSelf}, nil, []string{
		"AIOrder, Entity beast, Kind 2",
	}},
	{"combat stop", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptCombatStop, Target: defs.ScriptSelf}, nil, []string{
		"LeaveCombat, Entity beast",
	}},
	{"follow", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptFollow, Do: [6]uint32{3, 2}, Target: defs.ScriptInvoker}, nil, []string{
		"WayOrder, Entity beast, Kind 6, Leader anna, Yards 3.1, Angle 2",
	}},
	{"follow at degrees", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptFollow, Do: [6]uint32{0, 90}, Target: defs.ScriptInvoker}, nil, []string{
		"WayOrder, Entity beast, Kind 6, Leader anna, Yards 0.1, Angle 1.571",
	}},
	{"follow no more", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptFollow, Target: defs.ScriptSelf}, nil, []string{
		"WayOrder, Entity beast, Kind 7",
	}},
	{"follow a door", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptFollow, Do: [6]uint32{0}, Target: defs.ScriptClosestObject}, nil, nil},
	{"die", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptDie, Target: defs.ScriptSelf}, nil, []string{
		"Kill, Entity beast, By beast",
	}},
	{"call for help", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptCallForHelp, Do: [6]uint32{900}, Target: defs.ScriptSelf}, nil, []string{
		"AIOrder, Entity beast, Kind 3, Yards 250",
	}},
	{"sheath", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetSheath, Do: [6]uint32{1}, Target: defs.ScriptSelf}, nil, []string{
		"ChangeUnit, Entity beast, Part 6, Set 1",
	}},
	{"despawn", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptForceDespawn, Target: defs.ScriptSelf}, nil, []string{
		"DespawnCreature, Entity beast",
	}},
	{"despawn of a door", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptForceDespawn, Do: [6]uint32{0}, Target: defs.ScriptClosestObject}, nil, []string{
		"DespawnObject, Entity door, Consumed true",
	}},
	{"no despawn of a player", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptForceDespawn, Do: [6]uint32{0}, Target: defs.ScriptInvoker}, nil, nil},
	{"least health", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetLeastHealth, Do: [6]uint32{5}, Target: defs.ScriptSelf}, nil, []string{
		"SetVitals, Entity beast, Kind 4, Health 5",
	}},
	{"least health by percent", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetLeastHealth, Do: [6]uint32{5, 20}, Target: defs.ScriptSelf}, nil, []string{
		"SetVitals, Entity beast, Kind 4, Health 20",
	}},
	{"no least health of a player", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetLeastHealth, Do: [6]uint32{5}, Target: defs.ScriptInvoker}, nil, nil},
	{"mount", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptMount, Do: [6]uint32{51}, Target: defs.ScriptSelf}, nil, []string{
		"ChangeUnit, Entity beast, Part 5, Set 510",
		"SetUnitFlags, Entity beast, Set 134217728",
	}},
	{"mount of a player", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptMount, Do: [6]uint32{0, 9}, Target: defs.ScriptInvoker}, nil, []string{
		"ChangeUnit, Entity anna, Part 5, Set 9",
		"SetUnitFlags, Entity anna, Set 134217728",
	}},
	{"dismount", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptMount, Target: defs.ScriptSelf}, nil, []string{
		"ChangeUnit, Entity beast, Part 5",
		"SetUnitFlags, Entity beast, Clear 134217728",
	}},
	{"data", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetData, Do: [6]uint32{1, 2}, Target: defs.ScriptSelf}, nil, nil},
	{"forward", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptMoveForward, Do: [6]uint32{5}, Target: defs.ScriptSelf}, nil, []string{
		"WayOrder, Entity beast, Kind 4, To {5 0 0}, Point 16777214",
	}},
	{"attack", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptAttackStart, Do: [6]uint32{0}, Target: defs.ScriptInvoker}, nil, []string{
		"AIOrder, Entity beast, Foe anna",
	}},
	{"kill", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptKillUnit, Do: [6]uint32{0}, Target: defs.ScriptInvoker}, nil, []string{
		"Kill, Entity anna, By beast",
	}},
	{"kill of the dead", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptKillUnit, Do: [6]uint32{0}, Target: defs.ScriptInvoker}, annaDies, nil},
	{"summon an object at a place", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSummonObject, Do: [6]uint32{60, 3}, Target: defs.ScriptPosition, At: [4]float32{1, 2, 3, 3.1415927}}, nil, []string{
		"SummonObject, Entry 60, At {1 2 3 3.1415927}, Rotation [0 0 1 -4.371139e-08], ForMs 3000",
	}},
	{"summon an object at a target", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSummonObject, Do: [6]uint32{60, 3}, Target: defs.ScriptClosestCreature, Of: [4]uint32{51, 20}, At: [4]float32{1, 2, 3}}, nil, []string{
		"SummonObject, Entry 60, At {9 2 3 0}, Rotation [0 0 0 1], ForMs 3000",
	}},
	{"summon an object where it is", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSummonObject, Do: [6]uint32{60, 3, 1}, Target: defs.ScriptInvoker}, nil, []string{
		"SummonObject, Entry 60, Rotation [0 0 0 1], ForMs 3000",
	}},
	{"summon an object nowhere", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSummonObject, Do: [6]uint32{60, 3, 1}, Target: defs.ScriptClosestCreature, Of: [4]uint32{52}}, nil, nil},
	{"run", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetRun, Do: [6]uint32{1}, Target: defs.ScriptSelf}, nil, []string{
		"WayOrder, Entity beast, Kind 5, Runs true",
	}},
	{"walk", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetRun, Target: defs.ScriptSelf}, nil, []string{
		"WayOrder, Entity beast, Kind 5",
	}},
	{"teleport", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptTeleport, Do: [6]uint32{33}, Target: defs.ScriptInvoker, At: [4]float32{1, 2, 3, 4}}, nil, []string{
		"Teleport, Entity anna, To {33 0 1 2 3 4}",
	}},
	{"teleport on its map", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptTeleport, Do: [6]uint32{defs.ScriptSameMap}, Target: defs.ScriptSelf, At: [4]float32{1, 2, 3, 4}}, nil, []string{
		"Teleport, Entity beast, To {33 0 1 2 3 4}",
	}},
	{"orientation of its point", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetOrientation, Target: defs.ScriptSelf}, nil, []string{
		"Turn, Entity beast, O 1",
	}},
	{"orientation of a position", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetOrientation, Do: [6]uint32{0}, Target: defs.ScriptPosition, At: [4]float32{0, 0, 0, 2.5}}, nil, []string{
		"Turn, Entity beast, O 2.5",
	}},
	{"orientation to a target", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetOrientation, Do: [6]uint32{0}, Target: defs.ScriptInvoker}, nil, []string{
		"Turn, Entity beast",
	}},
	{"orientation by degrees", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetOrientation, Do: [6]uint32{0, 0, 450}, Target: defs.ScriptSelf}, nil, []string{
		"Turn, Entity beast, O 1.571",
	}},
	{"random orientation", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetOrientation, Do: [6]uint32{0, 1}, Target: defs.ScriptSelf}, nil, []string{
		"Turn, Entity beast, O 3.585",
	}},
	{"orientation to a door", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetOrientation, Do: [6]uint32{0}, Target: defs.ScriptClosestObject}, nil, []string{
		"Turn, Entity beast",
	}},
	{"equip all", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptEquip, Do: [6]uint32{0, 0, 11, 12, 13}, Target: defs.ScriptSelf}, nil, []string{
		"ChangeUnit, Entity beast, Part 2, Set 11",
		"ChangeUnit, Entity beast, Part 3, Set 12",
		"ChangeUnit, Entity beast, Part 4, Set 13",
	}},
	{"equip some", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptEquip, Do: [6]uint32{0, 2, 11, 12, 13}, Target: defs.ScriptSelf}, nil, []string{
		"ChangeUnit, Entity beast, Part 3, Set 12",
	}},
	{"close gossip", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptCloseGossip, Do: [6]uint32{0}, Target: defs.ScriptInvoker}, nil, []string{
		"ShowGossip, Player anna, Creature beast, Close true",
	}},
	{"send gossip", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSendGossip, Do: [6]uint32{3, 4}, Target: defs.ScriptInvoker}, nil, []string{
		"ShowGossip, Player anna, Creature beast, Menu 3, Text 4",
	}},
	{"no gossip of a creature", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSendGossip, Do: [6]uint32{3, 4}, Target: defs.ScriptSelf}, nil, nil},
	{"NPC flags", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetNPCFlags, Do: [6]uint32{1}, Target: defs.ScriptSelf}, nil, []string{
		"ChangeUnit, Entity beast, Part 7, Set 1, Clear 4294967295",
	}},
	{"more NPC flags", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptAddNPCFlags, Do: [6]uint32{1}, Target: defs.ScriptSelf}, nil, []string{
		"ChangeUnit, Entity beast, Part 7, Set 1",
	}},
	{"fewer NPC flags", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptRemoveNPCFlags, Do: [6]uint32{1}, Target: defs.ScriptSelf}, nil, []string{
		"ChangeUnit, Entity beast, Part 7, Clear 1",
	}},
	{"random move", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptRandomMove, Do: [6]uint32{7}, Target: defs.ScriptSelf}, nil, []string{
		"SetPost, Entity beast, Wanders true, Yards 7",
		"WayOrder, Entity beast, Kind 7",
	}},
	{"no random move", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptRandomMove, Target: defs.ScriptSelf}, nil, []string{
		"SetPost, Entity beast, Wanders true",
		"WayOrder, Entity beast, Kind 7",
	}},
	{"posture", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetBytes1, Do: [6]uint32{3}, Target: defs.ScriptSelf}, nil, []string{
		"SetStand, Entity beast, State 3",
	}},
	{"stand", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptRemoveBytes1, Do: [6]uint32{3}, Target: defs.ScriptSelf}, nil, []string{
		"SetStand, Entity beast",
	}},
	{"animation", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptObjectAnim, Do: [6]uint32{2}, Target: defs.ScriptClosestObject}, nil, []string{
		"SwitchObject, Entity door, By anna, Kind 5, Value 2",
	}},
	{"activate", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptActivateObject, Do: [6]uint32{0}, Target: defs.ScriptClosestObject}, nil, []string{
		"SwitchObject, Entity door, By anna, Kind 1",
	}},
	{"reset object", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptResetObject, Do: [6]uint32{0}, Target: defs.ScriptClosestObject}, nil, []string{
		"SwitchObject, Entity door, By anna, Kind 2",
	}},
	{"object state", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetObjectState, Do: [6]uint32{1}, Target: defs.ScriptClosestObject}, nil, []string{
		"SwitchObject, Entity door, By anna, Kind 3, Value 1",
	}},
	{"object flags", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetObjectFlags, Do: [6]uint32{6}, Target: defs.ScriptClosestObject}, nil, []string{
		"SwitchObject, Entity door, By anna, Kind 4, Value 6, Clear 4294967295",
	}},
	{"more object flags", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptAddObjectFlags, Do: [6]uint32{6}, Target: defs.ScriptClosestObject}, nil, []string{
		"SwitchObject, Entity door, By anna, Kind 4, Value 6",
	}},
	{"fewer object flags", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptRemoveObjectFlags, Do: [6]uint32{6}, Target: defs.ScriptClosestObject}, nil, []string{
		"SwitchObject, Entity door, By anna, Kind 4, Clear 6",
	}},
	{"activate a player", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptActivateObject, Do: [6]uint32{0}, Target: defs.ScriptInvoker}, nil, nil},
	{"dynamic flags", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetDynamicFlags, Do: [6]uint32{2}, Target: defs.ScriptSelf}, nil, []string{
		"ChangeUnit, Entity beast, Part 8, Set 2, Clear 4294967295",
	}},
	{"more dynamic flags", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptAddDynamicFlags, Do: [6]uint32{2}, Target: defs.ScriptSelf}, nil, []string{
		"ChangeUnit, Entity beast, Part 8, Set 2",
	}},
	{"fewer dynamic flags", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptRemoveDynamicFlags, Do: [6]uint32{2}, Target: defs.ScriptSelf}, nil, []string{
		"ChangeUnit, Entity beast, Part 8, Clear 2",
	}},
	{"home here", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetHome, Target: defs.ScriptSelf}, nil, []string{
		"SetPost, Entity beast",
	}},
	{"home at its point", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetHome, Do: [6]uint32{1}, Target: defs.ScriptSelf}, nil, []string{
		"SetPost, Entity beast, At {3 4 5 1}",
	}},
	{"home at a position", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetHome, Do: [6]uint32{0}, Target: defs.ScriptPosition, At: [4]float32{1, 2, 3, 4}}, nil, []string{
		"SetPost, Entity beast, At {1 2 3 4}",
	}},
	{"home of what has no point", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetHome, Do: [6]uint32{1}, Target: defs.ScriptClosestCreature, Of: [4]uint32{51, 20}}, nil, nil},
	{"no regeneration", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetHealthRegen, Target: defs.ScriptSelf}, nil, []string{
		"SetVitals, Entity beast, Kind 5",
	}},
	{"regeneration", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetHealthRegen, Do: [6]uint32{1}, Target: defs.ScriptSelf}, nil, []string{
		"SetVitals, Entity beast, Kind 5, Health 1",
	}},
	{"root", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetRoot, Do: [6]uint32{1}, Target: defs.ScriptSelf}, nil, []string{
		"ApplyAura, To beast, Hold 1",
	}},
	{"no root", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetRoot, Target: defs.ScriptSelf}, nil, []string{
		"ApplyAura, To beast, Hold 2",
	}},
	{"no root of a player", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetRoot, Do: [6]uint32{1}, Target: defs.ScriptInvoker}, nil, nil},
	{"set power", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetPower, Do: [6]uint32{0, 50}, Target: defs.ScriptInvoker}, nil, []string{
		"PowerChange, To anna, Caster 2, Delta 20, Kind 2",
	}},
	{"add power", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptAddPower, Do: [6]uint32{0, 50}, Target: defs.ScriptSelf}, nil, []string{
		"PowerChange, To beast, Caster 17379390962869993472, Delta 50, Kind 2",
	}},
	{"remove power", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptRemovePower, Do: [6]uint32{0, 50}, Target: defs.ScriptSelf}, nil, []string{
		"PowerChange, To beast, Caster 17379390962869993472, Delta -50, Kind 2",
	}},
	{"no evade", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptDisableEvade, Do: [6]uint32{1}, Target: defs.ScriptSelf}, nil, []string{
		"AIOrder, Entity beast, Kind 7",
	}},
	{"evade again", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptDisableEvade, Target: defs.ScriptSelf}, nil, []string{
		"AIOrder, Entity beast, Kind 7, Value 1",
	}},
	{"speed", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetSpeed, Do: [6]uint32{1, 150}, Target: defs.ScriptSelf}, nil, []string{
		"SetSpeed, Entity beast, Which 1, Speed 10.5",
	}},
	{"health", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptSetHealth, Do: [6]uint32{50}, Target: defs.ScriptSelf}, nil, []string{
		"SetVitals, Entity beast, Health 50",
	}},
	{"move of a target", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptMoveTarget, Do: [6]uint32{4}, Target: defs.ScriptClosestCreature, Of: [4]uint32{51, 20}, At: [4]float32{1, 2, 3}}, nil, []string{
		"WayOrder, Entity twin, Kind 4, To {1 2 3}, Point 4",
	}},
	{"attack stop", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptAttackStop, Target: defs.ScriptSelf}, nil, []string{
		"StopAttack, Entity beast",
	}},
	{"point", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptMoveToPosition, Do: [6]uint32{4}, Target: defs.ScriptPosition, At: [4]float32{1, 2, 3}}, nil, []string{
		"WayOrder, Entity beast, Kind 4, To {1 2 3}, Point 4",
	}},
	{"point at a target", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptMoveToPosition, Do: [6]uint32{4, 0, 0, 3}, Target: defs.ScriptClosestCreature, Of: [4]uint32{51, 20}}, nil, []string{
		"WayOrder, Entity beast, Kind 4, To {5 0 0}, Point 4",
	}},
	{"point it is at", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptMoveToPosition, Do: [6]uint32{4, 0, 0, 9}, Target: defs.ScriptClosestCreature, Of: [4]uint32{51, 20}}, nil, nil},
	{"point off the map", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptMoveToPosition, Do: [6]uint32{4}, Target: defs.ScriptPosition, At: [4]float32{99999, 2, 3}}, nil, nil},
	{"escort", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptEscortStart, Do: [6]uint32{1, 1, 1, 0, 9, 2}, Target: defs.ScriptSelf}, nil, []string{
		"AIOrder, Entity beast, Kind 4, Value 1",
		"WayOrder, Entity beast, Path 1, DespawnMs 9, Runs true, Repeats true",
	}},
	{"escort pause", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptEscortPause, Do: [6]uint32{8}, Target: defs.ScriptSelf}, nil, []string{
		"WayOrder, Entity beast, Kind 1, Ms 8",
	}},
	{"escort stop", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptEscortStop, Do: [6]uint32{8, 0, 1}, Target: defs.ScriptSelf}, nil, []string{
		"WayOrder, Entity beast, Kind 3, DespawnMs 8, Fails true",
	}},
	{"escort resume", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptEscortResume, Target: defs.ScriptSelf}, nil, []string{
		"WayOrder, Entity beast, Kind 2",
	}},
	{"waypoints", defs.ScriptRow{Event: defs.ScriptAggro, Action: defs.ScriptWaypointStart, Do: [6]uint32{2, 1}, Target: defs.ScriptSelf}, nil, []string{
		"WayOrder, Entity beast, Path 2, Repeats true",
	}},
}

// What each action asks of other systems, and what clients are sent by it, when the player attacks the beast.
//
// Source: SMART_ACTION, SmartScriptMgr.h, and SmartScript::ProcessAction, AzerothCore.
func TestActions(t *testing.T) {
	for _, c := range actionCases {
		s := newScene(t, []defs.ScriptRow{c.row})
		s.begin()
		if c.given != nil {
			c.given(s)
		}
		give(s, trigger{entity: s.beast, by: s.anna, event: defs.ScriptAggro})
		want(t, c.name, s.run(), c.want...)
	}
}
