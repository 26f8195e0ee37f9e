package console

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"muster/net/gate"
)

// window is how many ticks a Pulse remembers.
//
// Source: the summary of .server info, cs_server.cpp, AzerothCore.
const window = 500

// maxSlow is how many slow ticks it remembers.
const maxSlow = 10

// A Pulse is how long the ticks of a world take. One goroutine beats; any may ask.
type Pulse struct {
	Map  uint32
	Name string
	Step time.Duration

	mu   sync.Mutex
	took [window]time.Duration
	n    uint64 // beats so far; the last is at n-1 modulo window
	slow []slowTick
}

type slowTick struct {
	n    uint64
	took time.Duration
	at   time.Time
}

// Beat notes a tick. It does not allocate once there were some slow ones.
func (p *Pulse) Beat(n uint64, took time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.took[p.n%window] = took
	p.n++
	if took > p.Step {
		if len(p.slow) == maxSlow {
			p.slow = p.slow[:copy(p.slow, p.slow[1:])]
		}
		p.slow = append(p.slow, slowTick{n, took, time.Now()})
	}
}

// A summary is of the n ticks that a Pulse remembers.
type summary struct {
	n                                  int
	last, mean, median, p95, p99, most time.Duration
}

func (p *Pulse) summary() (s summary) {
	p.mu.Lock()
	n := int(min(p.n, window))
	s.n = n
	all := slices.Clone(p.took[:n])
	if n > 0 {
		s.last = p.took[(p.n-1)%window]
	}
	p.mu.Unlock()
	if n == 0 {
		return s
	}
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

// info is the block that operators paste, line for line. Nobody waits in a queue here, so that it has no such part.
//
// Source: HandleServerInfoCommand, cs_server.cpp, AzerothCore; ecosystem.md 1a.
func (c *Console) info(_ context.Context, a *call) ([]string, error) {
	if err := a.args.End(); err != nil {
		return nil, err
	}
	stats := c.Realm.Stats()
	s := c.pulse(a.by).summary()
	return []string{
		fmt.Sprintf("Connected players: %d. Characters in world: %d.", stats.Select+stats.Entering+stats.World+stats.Transfer, stats.World),
		fmt.Sprintf("Connection peak: %d.", stats.Peak),
		"Server uptime: " + span(time.Since(c.began)),
		fmt.Sprintf("Update time diff: %s. Last %d diffs summary:", ms(s.last), s.n),
		"|- Mean: " + ms(s.mean),
		"|- Median: " + ms(s.median),
		fmt.Sprintf("|- Percentiles (95, 99, max): %s, %s, %s", ms(s.p95), ms(s.p99), ms(s.most)),
	}, nil
}

// pulse is that of a player's world, and of the slowest world for those who are in none.
func (c *Console) pulse(by gate.Caller) *Pulse {
	slowest, most := new(Pulse), time.Duration(0)
	for _, p := range c.Pulses {
		if by.Account != 0 && p.Map == by.Map {
			return p
		}
		if mean := p.summary().mean; mean > most {
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
		p.mu.Lock()
		for _, s := range p.slow {
			said = append(said, fmt.Sprintf("map %d (%s): tick %d took %s, %s ago", p.Map, p.Name, s.n, ms(s.took),
				span(time.Since(s.at))))
		}
		p.mu.Unlock()
	}
	if len(said) == 0 {
		said = []string{"No tick was slow."}
	}
	return said, nil
}
