package movement

import (
	"testing"

	"muster/components"
)

const runSpeed = 7

// spend has a player report in a tick that it has come so far, and reports whether it can be.
func spend(p *components.MoveValidation, nowMs uint32, far float32) bool {
	earn(p, nowMs, runSpeed)
	if far > p.Credit {
		return false
	}
	p.Credit -= far
	return true
}

// Who runs all the time is always believed, whatever its connection does to its reports.
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

// stall is a connection that stands still every twenty seconds for a while, and gives what it holds back evenly
// within another.
func stall(forMs, withinMs uint32) func(uint32) uint32 {
	return func(at uint32) uint32 {
		since := at % 20_000
		if since >= forMs+withinMs {
			return at
		}
		return at - since + forMs + since*withinMs/(forMs+withinMs)
	}
}

// Who stands for ten seconds and says so can go two seconds of running at once afterwards, and the slack.
func TestStandingSavesLittle(t *testing.T) {
	for _, stepMs := range []uint32{100, 500, 1000} {
		p := new(components.MoveValidation)
		for now := stepMs; now <= 10_000; now += stepMs {
			spend(p, now, 0)
		}
		most := savedSec*runSpeed + slackYards + hurry*runSpeed*float32(stepMs)/1000
		if p.Credit > most {
			t.Errorf("reports each %d ms: a credit of %v yards, want no more than %v", stepMs, p.Credit, most)
		}
	}
}
