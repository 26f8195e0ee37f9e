package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"muster/bench/swarm"
	"muster/net/gateway"
)

// Targets of S9 to S11. Source: performance.md 9.
const (
	fullRate    = 20.0 // ticks per second
	closeToFull = 0.2  // that it may be less or more
)

// flagship measures a server on one processor under 10,000 clients in hubs of 50, and then under 15,000.
func flagship(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	t := swarmed{
		muster: c.Muster, clients: 10_000, behaviour: swarm.Walk, duration: 60*time.Second + margin + settle, apart: true, ramp: 300,
		floored: 20 * time.Second,
	}
	repetitions = 5
	if c.Quick {
		t.clients, t.duration, t.floored, repetitions, t.flags = 500, 6*time.Second, 6*time.Second, 1, pinned
	}
	text = t.text() + wholeTick
	for range repetitions {
		f, err := t.run(ctx)
		if err != nil {
			return "", 0, err
		}
		f.put(s)
		f.putHeld(s, "").atMost(closeToFull, OfWorst)
		s.put("tick, p99", "ms", f.served(0.99)).atMost(60, OfWorst)
		s.put("ticks between two flushes of a client", "", float64(f.to.Phases)).atMost(2, OfWorst)
		s.put("processor of the server", "% of a core", 100*f.server.cpu).atMost(90, OfMedian).stretch(75)
		f.putEach(s, &t)
		s.put(latencyP50, "ms", f.report.Movement.P50).atMost(100, OfMedian)
		s.put(latencyP99, "ms", f.report.Movement.P99).atMost(200, OfMedian)
		f.putBehind(s)
		f.putCost(s).atMost(1.35, OfRatio)
	}
	if !c.Quick {
		t.clients, t.duration, t.ramp, t.flags = 15_000, 25*time.Second, 200, []string{"--tick", "50ms", "--phases", "4", "--max-players", "15000"}
		t.rung(ctx, s, waits15000, repetitions)
	}
	return text + " The step with more clients is measured over 25 s, and flushed every 200 ms." + waitsText, repetitions, nil
}

// fullHouse measures a server on one processor under as many clients as it has descriptors for.
func fullHouse(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	t := swarmed{
		muster: c.Muster, clients: 19_500, behaviour: swarm.Walk, duration: 30 * time.Second, apart: true, ramp: 150,
		flags: []string{"--tick", "50ms", "--phases", "5", "--max-players", "19500"},
	}
	repetitions = 5
	if c.Quick {
		t.clients, t.duration, repetitions = 700, 6*time.Second, 1
	}
	text = t.text() + wholeTick + waitsText
	for range repetitions {
		f, err := t.run(ctx)
		if err != nil {
			return "", 0, err
		}
		f.put(s)
		f.putHeld(s, "").atMost(0.5, OfWorst)
		s.put("tick, p99", "ms", f.served(0.99))
		s.put("ticks between two flushes of a client", "", float64(f.to.Phases)).atMost(5, OfWorst)
		s.put("processor of the server", "% of a core", 100*f.server.cpu).atMost(100, OfMedian).stretch(90)
		f.putEach(s, &t)
		waits19500.put(s, "", f)
		f.putBehind(s)
		f.putCost(s)
	}
	return text, repetitions, nil
}

// crowd measures a server on one processor under clients that all see each other.
func crowd(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	t := swarmed{
		muster: c.Muster, clients: 2_000, behaviour: swarm.Crowd, duration: 25 * time.Second, apart: true, ramp: 200,
		flags: append([]string{"--start", "one"}, pinned...), floored: 12 * time.Second,
	}
	repetitions = 5
	if c.Quick {
		t.clients, t.duration, repetitions = 200, 8*time.Second, 1
	}
	text = t.text() + wholeTick
	for range repetitions {
		f, err := t.run(ctx)
		if err != nil {
			return "", 0, err
		}
		f.put(s)
		f.putHeld(s, "").atMost(closeToFull, OfWorst)
		s.put("tick, p99", "ms", f.served(0.99)).atMost(45, OfWorst)
		s.put("processor of the server", "% of a core", 100*f.server.cpu).atMost(60, OfMedian)
		f.putEach(s, &t)
		s.put(latencyP50, "ms", f.report.Movement.P50)
		s.put(latencyP99, "ms", f.report.Movement.P99)
		f.putBehind(s)
		f.putCost(s)
	}
	if !c.Quick {
		t.clients = 3_000
		t.rung(ctx, s, waits3000, repetitions)
		t.flags, t.ramp = []string{"--start", "one", "--observer-budget", "4096", "--tick", "50ms", "--phases", "4"}, 60
		if t.clients = 4_000; t.rung(ctx, s, waits4000, repetitions) {
			t.clients = 6_600
			t.rung(ctx, s, waits6600, repetitions)
		} else {
			waits6600.unheld(s, "6,600 clients: ", "4,000 were too many")
		}
	}
	return text + " All clients keep to one disc of 60 yards, and from 4,000 on there is a budget of 4 KiB for each flush " +
		"of a client, every 200 ms, until they are too many. Above five million relays a second, or where it reads them late, " +
		"the swarm verifies a sample of a tenth." + waitsText, repetitions, nil
}

const wholeTick = " Server and swarm have one processor each. A tick is from the moment it is due until the last player that is " +
	"to be flushed after it has been; figures of it are the bounds of a histogram."

// rung measures one step of a ladder, and says whether all of its clients stayed. If it does not hold, what is measured
// says how it broke, or the figures why there are none, and it is not repeated.
func (t *swarmed) rung(ctx context.Context, s *sheet, limits waits, repetitions int) (held bool) {
	name := fmt.Sprintf("%d,%03d clients: ", t.clients/1000, t.clients%1000)
	for range repetitions {
		f, err := t.serve(ctx)
		if err != nil {
			if f != nil {
				err = errors.Join(err, f.broken())
			}
			limits.unheld(s, name, strings.ReplaceAll(err.Error(), "\n", "; "))
			return false
		}
		f.putRung(s, name, limits)
		if f.broken() != nil {
			return false
		}
	}
	return true
}

// putRung notes what one step of a ladder came to.
func (f *figures) putRung(s *sheet, name string, limits waits) {
	f.putHeld(s, name)
	s.put(name+"tick, p99", "ms", f.served(0.99))
	s.put(name+"processor of the server", "% of a core", 100*f.server.cpu)
	s.put(name+"processor of the swarm, ramp included", "% of a core", 100*f.clients)
	s.put(name+"ticks between two flushes of a client", "", float64(f.to.Phases))
	limits.put(s, name, f)
	s.put(name+"bytes to clients", "MB/s", f.report.In.BytesPerSecond/1e6)
	s.put(name+"heartbeats left out", "per second", float64(f.to.Thinned-f.from.Thinned)/f.server.seconds)
	f.putViolations(s, name)
	s.put(name+"clients not let in or lost", "", float64(f.report.Logins.Failed.Total+f.report.Lost.Total))
}

// putEach notes what the server spends on one client in a second.
func (f *figures) putEach(s *sheet, t *swarmed) {
	s.put("processor time of a client's second", "µs", 1e6*f.server.cpu/float64(t.clients))
	s.put("clients for a whole core", "", float64(t.clients)/f.server.cpu).beside(rawEpoll, float64(t.clients)/f.base.cpu)
}

// putHeld notes how many ticks there were in a second, and how far that is from as many as there should be.
func (f *figures) putHeld(s *sheet, name string) *column {
	s.put(name+"ticks skipped", "", f.dropped)
	total := uint64(0)
	for i := range f.to.Served {
		total += f.to.Served[i] - f.from.Served[i]
	}
	rate := float64(total) / f.server.seconds
	s.put(name+"ticks", "per second", rate)
	return s.put(name+"ticks, off the rate of the world", "per second", math.Abs(rate-fullRate))
}

// putBehind notes how much of the latencies is the swarm's own.
func (f *figures) putBehind(s *sheet) {
	s.put("the swarm reads late by at most, p50", "ms", f.report.Behind.P50)
	s.put("the swarm reads late by at most, p99", "ms", f.report.Behind.P99)
}

// served is how long after it was due the players of a tick were flushed, at most, in so large a share of the ticks. It
// is a bound of the histogram; beyond the last it is an hour.
func (f *figures) served(share float64) (ms float64) {
	var upTo [len(gateway.ServedMs) + 1]uint64
	total := uint64(0)
	for i := range upTo {
		total += f.to.Served[i] - f.from.Served[i]
		upTo[i] = total
	}
	for i, ms := range gateway.ServedMs {
		if float64(upTo[i]) >= share*float64(total) {
			return float64(ms)
		}
	}
	return float64(time.Hour / time.Millisecond)
}
