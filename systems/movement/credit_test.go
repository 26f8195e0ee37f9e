package movement

import (
	"testing"

	"muster/components"
)

const runSpeed = 7

// spend has a player report in a tick that it has moved a distance, and reports whether that is accepted.
func spend(p *components.MoveValidation, nowMs uint32, far float32) bool {
	addCredit(p, nowMs, runSpeed)
	if far > p.Credit {
		return false
	}
	p.Credit -= far
	return true
}

// A player that runs all the time is always accepted, whatever its connection does to its reports.
func TestHonestRunnersHaveCredit(t *testing.T) {
	for name, c := range map[string]struct {
		stepMs  uint32                     // between two reports
		arrives func(sentMs uint32) uint32 // when the world reads them
	}{
		"each tenth of a second": {100, func(at uint32) uint32 { return at }},
		"each half second":       {500, func(at uint32) uint32 { return at }},
		"each five seconds":      {5000, func(at uint32) uint32 { return at }},
		"six seconds at once":    {100, stall(6000, 0)},
		"six within a second":    {100, stall(6000, 1000)},
		"six within two":         {500, stall(6000, 2000)},
		"ten seconds at once":    {500, stall(10_000, 0)},
		"two at once, always": {100, func(at uint32) uint32 {
			return at / 2000 * 2000
		}},
	} {
		p := &components.MoveValidation{SeenMs: 20_000, Credit: savedSec*runSpeed + slackYards}
		for sent := 20_000 + c.stepMs; sent < 120_000; sent += c.stepMs {
			if far := runSpeed * float32(c.stepMs) / 1000; !spend(p, max(c.arrives(sent), p.SeenMs), far) {
				t.Errorf("%s: struck at %d ms with a credit of %v yards", name, sent, p.Credit)
				break
			}
		}
	}
}

// stall is a connection that stalls every twenty seconds, and delivers the delayed messages evenly within another
// time.
func stall(forMs, withinMs uint32) func(uint32) uint32 {
	return func(at uint32) uint32 {
		since := at % 20_000
		if since >= forMs+withinMs {
			return at
		}
		return at - since + forMs + since*withinMs/(forMs+withinMs)
	}
}

// A player that reports standing for ten seconds can then move as far at once as it runs in two seconds, and the
// slack.
func TestStandingSavesLittle(t *testing.T) {
	for _, stepMs := range []uint32{100, 500, 1000} {
		p := new(components.MoveValidation)
		for now := stepMs; now <= 10_000; now += stepMs {
			spend(p, now, 0)
		}
		most := savedSec*runSpeed + slackYards + worldTolerance*runSpeed*float32(stepMs)/1000
		if p.Credit > most {
			t.Errorf("reports each %d ms: a credit of %v yards, want no more than %v", stepMs, p.Credit, most)
		}
	}
}
