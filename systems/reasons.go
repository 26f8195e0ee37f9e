package systems

import (
	"log/slog"

	"muster/internal/refuse"
)

// Reasons lists why a world does not use what a client sends, beside what the game itself answers. The gateway of the client
// logs them.
func Reasons() []refuse.Reason {
	const dropped, corrected = "The packet is dropped.", "The packet is dropped, and MSG_MOVE_TELEPORT_ACK has the position that counts, once a second; too many in a minute close the connection."
	return []refuse.Reason{
		{Name: "intake.unhandled", Level: slog.LevelInfo, Why: "No system reads this message.", Does: dropped, Do: "Nothing."},
		{Name: "intake.bad_body", Level: slog.LevelInfo, Why: "The body does not have the layout of its opcode in build 12340.", Does: dropped, Do: "Compare the layout with the message in net/protocol/msg."},
		{Name: "intake.long_body", Level: slog.LevelInfo, Why: "Bytes are left over after the message.", Does: "The message is used.", Do: "Leave them out: another server may drop the packet."},
		{Name: "intake.no_trigger", Level: slog.LevelDebug, Why: "There is no such area trigger on this map.", Does: dropped, Do: "Nothing."},
		{Name: "move.far_trigger", Level: slog.LevelInfo, Why: "A player reports an area trigger that it is not in, or is dead, or on its way.", Does: dropped, Do: "Walk in: within its radius and 5 yards."},
		{Name: "intake.no_pvp", Level: slog.LevelInfo, Why: "Players do not fight each other.", Does: dropped, Do: "Nothing."},
		{Name: "intake.time_skipped", Level: slog.LevelDebug, Why: "The client's clock has jumped; the times of moves follow from CMSG_TIME_SYNC_RESP.", Does: dropped, Do: "Answer SMSG_TIME_SYNC_REQ."},

		{Name: "anticheat_foreign_mover", Level: slog.LevelWarn, Why: "The movement is of another unit than the character.", Does: corrected, Do: "Write the packed GUID of the own character first."},
		{Name: "anticheat_not_finite", Level: slog.LevelWarn, Why: "A number of the movement is infinite or none.", Does: corrected, Do: "Compare the layout of movements: flags decide which numbers follow."},
		{Name: "anticheat_off_map", Level: slog.LevelWarn, Why: "The place is outside the map.", Does: corrected, Do: "Stay within 17,066 yards of the middle."},
		{Name: "anticheat_bad_facing", Level: slog.LevelWarn, Why: "The orientation is no angle.", Does: corrected, Do: "Send radians from 0 to 2 pi."},
		{Name: "anticheat_clock", Level: slog.LevelWarn, Why: "The client's time goes back.", Does: corrected, Do: "Send milliseconds of a monotonic clock."},
		{Name: "anticheat_speed", Level: slog.LevelWarn, Why: "The way is longer than the speed and the time since the last movement allow.", Does: corrected, Do: "Move at the speed that the last SMSG_FORCE_RUN_SPEED_CHANGE has, 7 yards in a second before one."},
		{Name: "anticheat_jump", Level: slog.LevelWarn, Why: "The place is more than 100 yards away from the last.", Does: corrected, Do: "Move step by step, and wait for teleports before you go on from there."},
		{Name: "anticheat_flight", Level: slog.LevelWarn, Why: "The movement flies, and the character cannot.", Does: corrected, Do: "Leave out the flags of flight before SMSG_MOVE_SET_CAN_FLY."},
		{Name: "anticheat_held", Level: slog.LevelWarn, Why: "The character is dead, rooted or stunned, and moves for more than 2 s.", Does: corrected, Do: "Stand still until it can move again."},
		{Name: "anticheat_other_speed", Level: slog.LevelWarn, Why: "The acknowledged speed is another than the ordered one.", Does: corrected, Do: "Send the speed of the order back."},
		{Name: "move.late", Level: slog.LevelDebug, Why: "The client sent the movement before it knew that it was teleported, charmed, rooted or stunned.", Does: dropped, Do: "Nothing."},
		{Name: "move.unanswered", Level: slog.LevelInfo, Why: "A teleport, a speed or a root was not acknowledged in time.", Does: "It counts from now on.", Do: "Answer MSG_MOVE_TELEPORT_ACK, SMSG_FORCE_*_CHANGE and SMSG_FORCE_MOVE_ROOT with their acknowledgements and counters."},
		{Name: "move.stale_answer", Level: slog.LevelInfo, Why: "The acknowledgement is of no order that is open.", Does: dropped, Do: "Send each acknowledgement once, with the counter of the order."},

		{Name: "chat.dead", Level: slog.LevelInfo, Why: "The character is dead.", Does: dropped, Do: "Revive first; whispers and channels are open."},
		{Name: "chat.bad_emote", Level: slog.LevelInfo, Why: "There is no such emote, or the character is dead.", Does: dropped, Do: "Send CMSG_TEXT_EMOTE, from a character that lives."},
		{Name: "combat.bad_stance", Level: slog.LevelInfo, Why: "There is no such stance or way to show weapons.", Does: dropped, Do: "Stand, sit, sleep or kneel; show none, melee or ranged weapons."},
		{Name: "spell.bad_button", Level: slog.LevelInfo, Why: "There is no such button on the action bars.", Does: dropped, Do: "Use buttons 0 to 143."},
		{Name: "loot.gone", Level: slog.LevelInfo, Why: "No body is open, or there is no money in it.", Does: dropped, Do: "Send CMSG_LOOT, and wait for SMSG_LOOT_RESPONSE."},
		{Name: "loot.unable", Level: slog.LevelInfo, Why: "The character is dead.", Does: dropped, Do: "Revive first."},
		{Name: "loot.empty_chest", Level: slog.LevelInfo, Why: "Nothing is in the chest: it has no loot that is executed, or gets new loot later.", Does: "SMSG_LOOT_RESPONSE has an error.", Do: "Nothing."},
		{Name: "gameobject.gone", Level: slog.LevelInfo, Why: "There is no such game object on the map.", Does: dropped, Do: "Use game objects that were created for the client."},
		{Name: "gameobject.too_far", Level: slog.LevelInfo, Why: "The game object is farther away than its type can be used from, 3 to 10 yards for most.", Does: dropped, Do: "Walk there first."},
		{Name: "gameobject.dead", Level: slog.LevelInfo, Why: "The character is dead, or a ghost.", Does: dropped, Do: "Revive first."},
		{Name: "gameobject.in_use", Level: slog.LevelInfo, Why: "The door, button or goober was used already and has not been reset, or all seats are taken.", Does: dropped, Do: "Wait until its flags have no GO_FLAG_IN_USE."},
		{Name: "gameobject.unable", Level: slog.LevelInfo, Why: "Nothing happens with game objects of this type, or this one cannot be selected.", Does: dropped, Do: "Nothing: docs/worlds.md says which types are executed."},
		{Name: "gossip.unable", Level: slog.LevelInfo, Why: "No creature that talks is near, or the character is dead.", Does: dropped, Do: "Walk to a creature with NPC flags."},
		{Name: "gossip.closed", Level: slog.LevelInfo, Why: "The option is none of the menu that the character was shown last.", Does: dropped, Do: "Send CMSG_GOSSIP_HELLO, and choose of the options of SMSG_GOSSIP_MESSAGE."},
		{Name: "trainer.unable", Level: slog.LevelInfo, Why: "No trainer that teaches the character is near, or the character is dead.", Does: dropped, Do: "Walk to a trainer of the character's class."},
		{Name: "vendor.unable", Level: slog.LevelInfo, Why: "The character is dead.", Does: dropped, Do: "Revive first."},
		{Name: "vendor.bad_slot", Level: slog.LevelInfo, Why: "The slot of the list is 0, or the place for what is bought is in none of the character's bags.", Does: dropped, Do: "Count slots from 1, as SMSG_LIST_INVENTORY does; name a bag by its GUID, and the backpack by that of the character."},
		{Name: "trade.out_of_turn", Level: slog.LevelInfo, Why: "The character trades already and asks for another trade, or has none, or none that the player that was asked has agreed to.", Does: dropped, Do: "Wait for SMSG_TRADE_STATUS: 2 once the trade is open, 3 or 8 when it is over."},
		{Name: "trade.bad_slot", Level: slog.LevelInfo, Why: "The offer has no such slot, the character has no item there that can be traded, or offers it already.", Does: "CMSG_CLEAR_TRADE_ITEM is dropped; CMSG_SET_TRADE_ITEM cancels the trade.", Do: "Offer what is in the bags and is not bound, in the slots 0 to 5; slot 6 only shows an item."},
		{Name: "death.unable", Level: slog.LevelInfo, Why: "The character is not dead, or no ghost, or has no such offer, or no spirit healer is near.", Does: dropped, Do: "Release the spirit first, and stand near a spirit healer or the corpse."},
		{Name: "death.reclaim_early", Level: slog.LevelInfo, Why: "A ghost may not reclaim its corpse yet.", Does: dropped, Do: "Wait for the time of SMSG_CORPSE_RECLAIM_DELAY."},
		{Name: "death.reclaim_far", Level: slog.LevelInfo, Why: "The corpse is more than 39 yards away, or on another map.", Does: dropped, Do: "Walk to the place that MSG_CORPSE_QUERY has."},
	}
}
