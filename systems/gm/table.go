package gm

import "muster/net/protocol/command"

// handlers has the handler of each command of a world.
var handlers = []struct {
	path string
	do   handler
}{
	{"additem", (*System).addItem},
	{"appear", (*System).appear},
	{"aura", (*System).aura},
	{"cast", (*System).cast},
	{"cast self", (*System).castSelf},
	{"character level", (*System).setLevel},
	{"cheat casttime", cheat(cheatCastTime)},
	{"cheat cooldown", cheat(cheatCooldown)},
	{"cheat god", cheat(cheatGod)},
	{"cheat power", cheat(cheatPower)},
	{"combatstop", (*System).combatStop},
	{"cooldown", (*System).cooldown},
	{"damage", (*System).damage},
	{"die", (*System).die},
	{"gm", (*System).gm},
	{"gm fly", (*System).fly},
	{"gm visible", (*System).visible},
	{"go", (*System).goHere},
	{"go creature", (*System).goCreature},
	{"go creature id", (*System).goCreatureID},
	{"go xyz", (*System).goXYZ},
	{"gps", (*System).gps},
	{"guid", (*System).guid},
	{"learn", (*System).learn},
	{"learn all my class", (*System).learnAll},
	{"levelup", (*System).levelUp},
	{"lookup creature", (*System).lookupCreature},
	{"lookup item", (*System).lookupItem},
	{"lookup spell", (*System).lookupSpell},
	{"lookup teleport", (*System).lookupTeleport},
	{"maxskill", (*System).noSkills},
	{"modify health", (*System).modifyHealth},
	{"modify hp", (*System).modifyHealth},
	{"modify mana", (*System).modifyMana},
	{"modify money", (*System).modifyMoney},
	{"modify scale", (*System).modifyScale},
	{"modify speed", (*System).modifySpeed},
	{"npc add", (*System).npcAdd},
	{"npc add temp", (*System).npcAddTemp},
	{"npc delete", (*System).npcDelete},
	{"npc info", (*System).npcInfo},
	{"npc move", (*System).npcMove},
	{"npc near", (*System).npcNear},
	{"npc set movetype", (*System).npcSetMoveType},
	{"pinfo", (*System).playerInfo},
	{"respawn all", (*System).respawnAll},
	{"revive", (*System).revive},
	{"save", (*System).save},
	{"saveall", (*System).saveAll},
	{"setskill", (*System).noSkills},
	{"summon", (*System).summon},
	{"teleport", (*System).teleport},
	{"teleport del", (*System).teleportDel},
	{"teleport name", (*System).teleportName},
	{"teleport put", (*System).teleportPut},
	{"unaura", (*System).unaura},
	{"unlearn", (*System).unlearn},
	{"wp load", (*System).wayLoad},
	{"wp show", (*System).wayShow},
	{"wp unload", (*System).wayUnload},
}

// Init implements ecs.Initializer: it finds the row of each handler.
func (s *System) Init() {
	s.handlers = make([]handler, len(command.Table))
	for i := range command.Table {
		for _, d := range handlers {
			if d.path == command.Table[i].Path {
				s.handlers[i] = d.do
			}
		}
	}
}
