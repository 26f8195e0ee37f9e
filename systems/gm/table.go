package gm

import "muster/net/verb"

// deeds says what each verb of a world does.
var deeds = []struct {
	path string
	do   deed
}{
	{"additem", (*system).addItem},
	{"appear", (*system).appear},
	{"aura", (*system).aura},
	{"cast", (*system).cast},
	{"cast self", (*system).castSelf},
	{"character level", (*system).setLevel},
	{"cheat casttime", cheat(cheatCastTime)},
	{"cheat cooldown", cheat(cheatCooldown)},
	{"cheat god", cheat(cheatGod)},
	{"cheat power", cheat(cheatPower)},
	{"combatstop", (*system).combatStop},
	{"cooldown", (*system).cooldown},
	{"damage", (*system).damage},
	{"die", (*system).die},
	{"gm", (*system).gm},
	{"gm fly", (*system).fly},
	{"gm visible", (*system).visible},
	{"go", (*system).goHere},
	{"go creature", (*system).goCreature},
	{"go creature id", (*system).goCreatureID},
	{"go xyz", (*system).goXYZ},
	{"gps", (*system).gps},
	{"guid", (*system).guid},
	{"learn", (*system).learn},
	{"learn all my class", (*system).learnAll},
	{"levelup", (*system).levelUp},
	{"lookup creature", (*system).lookupCreature},
	{"lookup item", (*system).lookupItem},
	{"lookup spell", (*system).lookupSpell},
	{"lookup teleport", (*system).lookupTeleport},
	{"maxskill", (*system).noSkills},
	{"modify health", (*system).modifyHealth},
	{"modify hp", (*system).modifyHealth},
	{"modify mana", (*system).modifyMana},
	{"modify money", (*system).modifyMoney},
	{"modify scale", (*system).modifyScale},
	{"modify speed", (*system).modifySpeed},
	{"npc add", (*system).npcAdd},
	{"npc add temp", (*system).npcAddTemp},
	{"npc delete", (*system).npcDelete},
	{"npc info", (*system).npcInfo},
	{"npc move", (*system).npcMove},
	{"npc near", (*system).npcNear},
	{"npc set movetype", (*system).npcSetMoveType},
	{"pinfo", (*system).playerInfo},
	{"respawn all", (*system).respawnAll},
	{"revive", (*system).revive},
	{"save", (*system).save},
	{"saveall", (*system).saveAll},
	{"setskill", (*system).noSkills},
	{"summon", (*system).summon},
	{"teleport", (*system).teleport},
	{"teleport del", (*system).teleportDel},
	{"teleport name", (*system).teleportName},
	{"teleport put", (*system).teleportPut},
	{"unaura", (*system).unaura},
	{"unlearn", (*system).unlearn},
	{"wp load", (*system).wayLoad},
	{"wp show", (*system).wayShow},
	{"wp unload", (*system).wayUnload},
}

// bindAll finds the row of each deed.
func (s *system) bindAll() {
	s.deeds = make([]deed, len(verb.Table))
	for i := range verb.Table {
		for _, d := range deeds {
			if d.path == verb.Table[i].Path {
				s.deeds[i] = d.do
			}
		}
	}
}
