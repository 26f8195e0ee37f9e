package gateway

import (
	"time"

	"muster/net/protocol/msg"
)

// syncTime is how long a client in a world may leave SMSG_TIME_SYNC_REQ unanswered until that is reported: the first four are
// sent in it.
const syncTime = 35 * time.Second

// checkSilence closes a connection that has sent nothing for too long, and reports one in a world that does not answer
// SMSG_TIME_SYNC_REQ. A client in the queue need not send anything.
//
// Source: WorldSession::Update and WorldSession::ResetTimeOutTime, AzerothCore.
func (c *conn) checkSilence(now time.Time) {
	config, settings := &c.gate.config, c.gate.settings.Load()
	heard, inside := c.session.Heard()
	if heard.IsZero() {
		heard = c.since
	}
	switch silent := now.Sub(heard); {
	case settings.KeepIdle || c.counted == msg.Queued:
	case !inside && silent > settings.Idle:
		c.markClosing(Idle)
	case inside && !config.Still && silent > settings.IdleActive:
		c.markClosing(IdleActive)
	}
	synced, ok := c.session.Synced()
	missing := ok && !config.Still && now.Sub(synced) > syncTime
	if missing && !c.unsynced {
		c.ignore(Unsynced, msg.OpTimeSyncResp, nil)
	}
	c.unsynced = missing
}
