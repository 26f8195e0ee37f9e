package movement

import "muster/components"

// The distance that a player can save up, our own choices.
const (
	worldTolerance = 1.1 // factor of speed by the world's clock; a client's clock drifts
	burstSec       = 10  // a connection may stall so long, and then deliver everything at once
	savedSec       = 2   // standing saves so many seconds of running, and slackYards
	expiry         = 2   // factor of speed at which credit above that expires; more than worldTolerance, or it never does
	slackYards     = 10  // reports are early or late, and positions rounded
)

// addCredit adds the distance that a player may have moved since its last report: that of a whole silence, since a
// connection that stalls delivers everything at once or soon after. Credit that a player does not use expires but for
// a small rest, so a player that reports standing saves no more than that. Whether a silent player stood is not
// known.
func addCredit(p *components.MoveValidation, nowMs uint32, speed float32) {
	since := float32(nowMs-p.SeenMs) / 1000
	kept := float32(savedSec*speed) + slackYards
	if p.Credit > kept {
		p.Credit = max(p.Credit-float32(since*expiry*speed), kept)
	}
	p.Credit = min(p.Credit+float32(since*worldTolerance*speed), float32(burstSec*speed)+slackYards)
	p.SeenMs = nowMs
}
