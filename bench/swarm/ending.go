package swarm

import (
	"fmt"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"muster/internal/conformance"
)

// settle records, at the end of the measured time, how long those have waited that wait still: a server that hangs
// until the end must not look like one that was fast as long as it spoke. What has waited a moment only is recorded as
// well; it would have come later, never sooner.
//
// A ping waits for its answer. A move waits until some client has been shown it or a later one of the same mover, and
// is recorded once for each client that knows the mover, as its relays would be: how much of a percentile a stall takes
// must not depend on whether it ended. A single client that is not served, while others are, shows in the pings.
func (r *run) settle() {
	for i := range r.clients {
		c := &r.clients[i]
		if c.stage != stageInWorld {
			continue
		}
		for n := c.answered + 1; n <= c.pings; n++ {
			record(r.ping, time.Duration(r.now-c.pingDueAt(n)))
			r.report.Unanswered++
		}
	}
	if r.measured.from == 0 || r.config.Behaviour.stands() {
		return
	}
	blindTo := ""
	for mover, observers := range r.observers() {
		for due := range r.trails[mover].waiting(r.measured.from) {
			waited := time.Duration(r.now - due)
			if observers > 0 {
				recordTimes(r.movement, waited, observers)
				r.report.Unrelayed += uint64(observers)
			}
			if r.isOverdue(waited, observers) {
				me, _ := r.clients[mover].checker.Unit(r.clients[mover].guid)
				blindTo = fmt.Sprintf("%s, known by %d, moved %v before the end, dead %v, ghost %v", r.clients[mover].account, observers, waited.Round(time.Millisecond), me.Dead, me.Ghost)
			}
		}
	}
	if r.inWorld > 1 && blindTo != "" && r.relays == 0 {
		r.report.Blind, r.report.BlindTo = true, blindTo
	}
}

// isOverdue reports whether a move has waited for so long that clients are blind, if none was shown a move: one that so many others know the mover of.
func (r *run) isOverdue(waited time.Duration, observers int64) bool {
	if r.config.Behaviour.scatters() {
		return waited >= apartAfter && observers > 0
	}
	return waited >= blindAfter
}

// blindAfter is how long a move must have been due for clients to be blind that have been shown none, be it that their
// moves are not relayed or that they never meet. It is no promise about latency: a run so short that nothing could come
// of it does not fail for that.
//
// Those that go apart meet seldom: they are blind if one knows another, and apartAfter has passed, longer than a world may pause while another process goes on with it. One move may be all that
// they would have been shown.
const (
	blindAfter = time.Second
	apartAfter = 10 * time.Second
)

// observers is how many other clients, of those that are verified, know each client that is in the world.
func (r *run) observers() []int64 {
	all := make([]int64, len(r.clients))
	for i := range r.clients {
		c := &r.clients[i]
		if c.stage != stageInWorld || c.framed {
			continue
		}
		for guid := range c.checker.GUIDs() {
			if mover, ok := r.byGUID[guid]; ok && mover != c.id {
				all[mover]++
			}
		}
	}
	return all
}

// finish sums up.
func (r *run) finish() Report {
	r.tick()
	r.settle()
	p, w := &r.report, &r.measured
	p.RampMs = float64(r.now) / 1e6
	if w.from != 0 {
		p.RampMs = float64(w.from) / 1e6
		p.MeasureMs = float64(r.now-w.from) / 1e6
		p.ServerPercent = percent(w.takenThen, r.taken(), time.Duration(r.now-w.from))
		p.InWorld = InWorld{Least: w.least, End: r.inWorld}
		p.In = r.received.over(r.received.minus(w.receivedThen), time.Duration(r.now-w.from))
		p.Out = r.sent.over(r.sent.minus(w.sentThen), time.Duration(r.now-w.from))
		p.Processor = used().over(w.usedThen, time.Duration(r.now-w.from), r.received.packets-w.receivedThen.packets)
	} else {
		p.In, p.Out = r.received.over(traffic{}, 0), r.sent.over(traffic{}, 0)
		p.InWorld.End = r.inWorld
	}
	if r.config.Behaviour == Grind {
		p.Harvest = r.harvest()
	}
	if r.config.Behaviour == Trade {
		p.Trades = &r.trades
	}
	p.Memory = memory(r.samples)
	p.Movement, p.Login, p.Ping = latencyOf(r.movement), latencyOf(r.login), latencyOf(r.ping)
	p.Behind = latencyOf(r.behind.times)
	histograms := map[string]*hdrhistogram.Histogram{
		MetricMovement: r.movement, MetricLogin: r.login, MetricPing: r.ping,
		MetricSwing: r.grinds.swing, MetricCast: r.grinds.cast, MetricLoot: r.grinds.loot,
	}
	for _, o := range r.config.SLO {
		p.Objectives = append(p.Objectives, o.outcome(histograms[o.Metric]))
	}
	for i := range r.clients {
		c := &r.clients[i]
		r.count(&c.checker)
		if !c.framed {
			p.Verified++
		}
	}
	r.bar.finish()
	return *p
}

func (t traffic) over(during traffic, d time.Duration) Traffic {
	all := Traffic{Packets: t.packets, Bytes: t.bytes}
	if d > 0 {
		all.PacketsPerSecond = float64(during.packets) / d.Seconds()
		all.BytesPerSecond = float64(during.bytes) / d.Seconds()
	}
	return all
}

func (r *run) close() {
	for i := range r.clients {
		r.hangUp(&r.clients[i])
	}
	r.poll.close()
}

// count takes over what a client's checker has counted.
func (r *run) count(checker *conformance.Client) {
	of := func(k conformance.Kind) *Violations {
		if k.Rule().Note && !r.config.Strict {
			return &r.report.Notes
		}
		return &r.report.Violations
	}
	tally := checker.Violations()
	tally.Each(func(k conformance.Kind, n uint32) {
		v, rule := of(k), k.Rule()
		v.Total += uint64(n)
		v.ByKind[rule.Name] += uint64(n)
		v.Rules[rule.Name] = Rule{Rule: rule.Text, Source: rule.Source}
	})
	const most = 10
	checker.EachText(func(k conformance.Kind, text string) {
		if v := of(k); len(v.First) < most {
			v.First = append(v.First, text)
		}
	})
}
