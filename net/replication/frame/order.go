package frame

import (
	"strings"

	"muster/net/protocol/msg"
)

// PartOf is the part of a tick's order in which a packet with an opcode is broadcast: movement with movement, auras
// after the values of the tick, and everything else before them, since it explains them.
//
// Source: docs/frames.md, "Order within a tick".
func PartOf(op uint16) Part { return order[op].part }

// PlaceOf is the position of a packet with an opcode among those for one player alone: an order for the mover, which its
// client must obey, before everything else; what shows the outcome of a tick after everything; the rest with the events.
func PlaceOf(op uint16) Place { return order[op].place }

// order has, for each opcode of the server, the positions of its packets. Other opcodes are zero.
var order = func() (all [msg.Opcodes]struct {
	part  Part
	place Place
}) {
	for i := range all {
		all[i].place = Middle
	}
	for i := range msg.Table {
		row := &msg.Table[i]
		if row.Direction&msg.ToClient == 0 {
			continue
		}
		o := &all[row.Op]
		switch {
		case row.Op == msg.OpMoveTeleportAck, strings.HasPrefix(row.Name, "SMSG_FORCE_"), strings.HasPrefix(row.Name, "SMSG_MOVE_"):
			o.place = First
		case strings.HasPrefix(row.Name, "MSG_MOVE_"), strings.HasPrefix(row.Name, "SMSG_SPLINE_"):
			o.part = Moves
		}
	}
	all[msg.OpMonsterMove].part = Moves
	all[msg.OpAuraUpdate].part, all[msg.OpAuraUpdateAll].part = After, After
	all[msg.OpTransferAborted].place = First
	for _, op := range [...]uint16{
		msg.OpInitWorldStates, msg.OpTransferPending, msg.OpTimeSyncReq, msg.OpUpdateObject, msg.OpCompressedUpdateObject, msg.OpDestroyObject,
		msg.OpItemPushResult, msg.OpAuraUpdateAll, msg.OpCorpseReclaimDelay, msg.OpDeathReleaseLoc,
	} {
		all[op].place = Last
	}
	return all
}()
