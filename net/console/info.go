package console

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"muster/net/gate"
	"muster/sched/pulse"
)

// window is how many ticks the block is of.
//
// Source: the summary of .server info, cs_server.cpp, AzerothCore.
const window = 500

// A summary is of the last n ticks of a world.
type summary struct {
	n                                  int
	last, mean, median, p95, p99, most time.Duration
}

func summarise(p *pulse.Pulse) (s summary) {
	all := p.Took(window)
	n := len(all)
	s.n = n
	if n == 0 {
		return s
	}
	s.last = all[n-1]
	slices.Sort(all)
	for _, d := range all {
		s.mean += d
	}
	s.mean /= time.Duration(n)
	s.median, s.p95, s.p99, s.most = percentile(all, 50), percentile(all, 95), percentile(all, 99), all[n-1]
	return s
}

// percentile lies between the two of a sorted list that are nearest to it.
//
// Source: UpdateTime::GetPercentile, UpdateTime.cpp, AzerothCore.
func percentile(sorted []time.Duration, percent int) time.Duration {
	at, part := (len(sorted)-1)*percent/100, (len(sorted)-1)*percent%100
	d := sorted[at]
	if part > 0 {
		d += (sorted[at+1] - d) * time.Duration(part) / 100
	}
	return d
}

// info is the block that operators paste, line for line. It has a part for
// the queue if somebody waits.
//
// Source: HandleServerInfoCommand, cs_server.cpp, AzerothCore; ecosystem.md 1a.
func (c *Console) info(_ context.Context, a *call) ([]string, error) {
	if err := a.args.End(); err != nil {
		return nil, err
	}
	stats := c.Realm.Stats()
	s := summarise(c.pulse(a.by))
	players := fmt.Sprintf("Connected players: %d. Characters in world: %d.", stats.Select+stats.Entering+stats.World+stats.Transfer, stats.World)
	if stats.Queued > 0 {
		players += fmt.Sprintf(" Queue: %d.", stats.Queued)
	}
	return []string{
		players,
		fmt.Sprintf("Connection peak: %d.", stats.Peak),
		"Server uptime: " + span(time.Since(c.began)),
		fmt.Sprintf("Update time diff: %s. Last %d diffs summary:", ms(s.last), s.n),
		"|- Mean: " + ms(s.mean),
		"|- Median: " + ms(s.median),
		fmt.Sprintf("|- Percentiles (95, 99, max): %s, %s, %s", ms(s.p95), ms(s.p99), ms(s.most)),
	}, nil
}

// pulse is that of a player's world, and of the slowest world for those who are in none.
func (c *Console) pulse(by gate.Caller) *pulse.Pulse {
	slowest, most := new(pulse.Pulse), time.Duration(0)
	for _, p := range c.Pulses {
		if by.Account != 0 && p.Map == by.Map {
			return p
		}
		if mean := summarise(p).mean; mean > most {
			slowest, most = p, mean
		}
	}
	return slowest
}

// ms says whole milliseconds, as a clock that has no others counts them.
func ms(d time.Duration) string { return fmt.Sprintf("%dms", d.Milliseconds()) }

// span says a time as operators are used to read it.
//
// Source: secsToTimeString, Util.cpp, AzerothCore.
func span(d time.Duration) string {
	s := int64(d / time.Second)
	var parts []string
	for _, u := range [...]struct {
		name string
		sec  int64
	}{{"day(s)", 86400}, {"hour(s)", 3600}, {"minute(s)", 60}, {"second(s)", 1}} {
		if n := s / u.sec; n > 0 || u.sec == 1 && len(parts) == 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, u.name))
			s %= u.sec
		}
	}
	return strings.Join(parts, " ")
}

// slowTicks says which ticks took longer than a step.
func (c *Console) slowTicks(_ context.Context, a *call) (said []string, err error) {
	if err := a.args.End(); err != nil {
		return nil, err
	}
	for _, p := range c.Pulses {
		for _, slow := range p.Slow() {
			said = append(said, fmt.Sprintf("map %d (%s): tick %d took %s, %s ago", p.Map, p.Name, slow.N, ms(slow.Took),
				span(p.Now()-slow.Ended)))
		}
	}
	if len(said) == 0 {
		said = []string{"No tick was slow."}
	}
	return said, nil
}
