package movement

import "muster/components"

// What a player may be believed to have saved, our own choices.
const (
	hurry      = 1.1 // times the speed that a client may go at, on the world's clock; its own clock drifts
	burstSec   = 10  // a connection stands still so long, and then gives everything at once
	savedSec   = 2   // what is saved by standing is good for so many seconds of running, and slackYards
	forfeit    = 2   // times the speed at which what is more than that is lost; more than hurry, or it never is
	slackYards = 10  // more than that; reports are early or late, and places rounded
)

// earn gives a player what it may have gone since its last report: all of a silence, since a connection that stands still
// gives everything at once, or bit by bit soon after. What a player does not go then it loses, but for a little: who
// reports that it stands saves no more than that. Whether a silence was spent standing, nobody knows.
func earn(p *components.MoveValidation, nowMs uint32, speed float32) {
	since := float32(nowMs-p.SeenMs) / 1000
	kept := float32(savedSec*speed) + slackYards
	if p.Credit > kept {
		p.Credit = max(p.Credit-float32(since*forfeit*speed), kept)
	}
	p.Credit = min(p.Credit+float32(since*hurry*speed), float32(burstSec*speed)+slackYards)
	p.SeenMs = nowMs
}
