package console

import (
	"context"
	"fmt"
	"strings"
	"time"

	"muster/net/gateway"
	"muster/sched/tickstats"
)

// window is the time whose ticks the block is of: 500 of 50 ms, as those of other servers.
//
// Source: the summary of .server info, cs_server.cpp, AzerothCore.
const window = 25 * time.Second

// info is the block that operators paste, line for line. It has a part for the queue if a connection
// waits.
//
// Source: HandleServerInfoCommand, cs_server.cpp, AzerothCore.
func (c *Console) info(_ context.Context, a *call) ([]string, error) {
	if err := a.args.End(); err != nil {
		return nil, err
	}
	stats := c.Realm.Stats()
	s := c.stats(a.by).Summary(window)
	players := fmt.Sprintf("Connected players: %d. Characters in world: %d.", stats.Select+stats.Entering+stats.World+stats.Transfer, stats.World)
	if stats.Queued > 0 {
		players += fmt.Sprintf(" Queue: %d.", stats.Queued)
	}
	return []string{
		players,
		fmt.Sprintf("Connection peak: %d.", stats.Peak),
		"Server uptime: " + span(time.Since(c.began)),
		fmt.Sprintf("Update time diff: %s. Last %d diffs summary:", ms(s.Last), s.N),
		"|- Mean: " + ms(s.Mean),
		"|- Median: " + ms(s.Median),
		fmt.Sprintf("|- Percentiles (95, 99, max): %s, %s, %s", ms(s.P95), ms(s.P99), ms(s.Most)),
	}, nil
}

// stats is that of a player's world, and of the slowest world for callers without one.
func (c *Console) stats(by gateway.Caller) *tickstats.Stats {
	slowest, most := new(tickstats.Stats), time.Duration(0)
	for _, p := range c.TickStats {
		if by.Account != 0 && p.Map == by.Map {
			return p
		}
		if mean := p.Summary(window).Mean; mean > most {
			slowest, most = p, mean
		}
	}
	return slowest
}

// ms formats whole milliseconds, as a clock that has no others counts them.
func ms(d time.Duration) string { return fmt.Sprintf("%dms", d.Milliseconds()) }

// span formats a time as operators are used to read it.
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

// slowTicks lists the ticks that took longer than a step.
func (c *Console) slowTicks(_ context.Context, a *call) (said []string, err error) {
	if err := a.args.End(); err != nil {
		return nil, err
	}
	for _, p := range c.TickStats {
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
