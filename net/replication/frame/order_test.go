package frame_test

import (
	"testing"

	"muster/net/protocol/msg"
	"muster/net/replication/frame"
)

// docs/frames.md, "Order within a tick": movement is together whether an opcode is for one direction or for both, auras
// follow the values, and all other broadcasts are before them. What is for one player alone comes before all of that if it
// is an order for its mover, and after it if it shows how the tick ended.
func TestOrder(t *testing.T) {
	for _, c := range []struct {
		name string
		op   uint16
		part frame.Part
	}{
		{"MSG_MOVE_HEARTBEAT", msg.OpMoveHeartbeat, frame.Moves},
		{"MSG_MOVE_STOP", msg.OpMoveStop, frame.Moves},
		{"MSG_MOVE_TELEPORT", msg.OpMoveTeleport, frame.Moves},
		{"MSG_MOVE_SET_RUN_SPEED", msg.OpMoveSetRunSpeed, frame.Moves},
		{"SMSG_SPLINE_MOVE_ROOT", msg.OpSplineMoveRoot, frame.Moves},
		{"SMSG_MONSTER_MOVE", msg.OpMonsterMove, frame.Moves},
		{"SMSG_AURA_UPDATE", msg.OpAuraUpdate, frame.After},
		{"SMSG_AURA_UPDATE_ALL", msg.OpAuraUpdateAll, frame.After},
		{"SMSG_EMOTE", msg.OpEmoted, frame.Events},
		{"SMSG_POWER_UPDATE", msg.OpPowerUpdate, frame.Events},
	} {
		if got := frame.PartOf(c.op); got != c.part {
			t.Errorf("%s stands in part %v, want %v", c.name, got, c.part)
		}
	}
	for _, c := range []struct {
		name  string
		op    uint16
		place frame.Place
	}{
		{"MSG_MOVE_TELEPORT_ACK", msg.OpMoveTeleportAck, frame.First},
		{"SMSG_FORCE_RUN_SPEED_CHANGE", msg.OpForceRunSpeedChange, frame.First},
		{"SMSG_MOVE_SET_CAN_FLY", msg.OpMoveSetCanFly, frame.First},
		{"SMSG_MOVE_KNOCK_BACK", msg.OpMoveKnockBack, frame.First},
		{"SMSG_TRANSFER_ABORTED", msg.OpTransferAborted, frame.First},
		{"SMSG_LOGOUT_RESPONSE", msg.OpLogoutResponse, frame.Middle},
		{"SMSG_PLAYED_TIME", msg.OpPlayedTimeResponse, frame.Middle},
		{"SMSG_TRANSFER_PENDING", msg.OpTransferPending, frame.Last},
		{"SMSG_TIME_SYNC_REQ", msg.OpTimeSyncReq, frame.Last},
		{"SMSG_INIT_WORLD_STATES", msg.OpInitWorldStates, frame.Last},
		{"SMSG_UPDATE_OBJECT", msg.OpUpdateObject, frame.Last},
		{"SMSG_COMPRESSED_UPDATE_OBJECT", msg.OpCompressedUpdateObject, frame.Last},
		{"SMSG_DESTROY_OBJECT", msg.OpDestroyObject, frame.Last},
		{"SMSG_ITEM_PUSH_RESULT", msg.OpItemPushResult, frame.Last},
		{"SMSG_AURA_UPDATE_ALL", msg.OpAuraUpdateAll, frame.Last},
		{"SMSG_CORPSE_RECLAIM_DELAY", msg.OpCorpseReclaimDelay, frame.Last},
		{"SMSG_DEATH_RELEASE_LOC", msg.OpDeathReleaseLoc, frame.Last},
		{"SMSG_AURA_UPDATE", msg.OpAuraUpdate, frame.Middle},
		{"SMSG_MONSTER_MOVE", msg.OpMonsterMove, frame.Middle},
		{"SMSG_ATTACKERSTATEUPDATE", msg.OpAttackerState, frame.Middle},
	} {
		if got := frame.PlaceOf(c.op); got != c.place {
			t.Errorf("%s stands at place %v, want %v", c.name, got, c.place)
		}
	}
}
