package swarm

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"muster/internal/conformance"
	"muster/net/protocol/msg"
)

// A run is one call of Run. Everything in it belongs to the goroutine that called.
type run struct {
	config Config
	auth   netip.AddrPort
	realms map[string]netip.AddrPort // resolved addresses of realms
	fresh  uint64                    // drawn for the names of this run's new characters

	poll    *poller
	timers  timers
	clients []client
	trails  []trail          // of each client; apart, because relays of others look here
	byGUID  map[uint64]int32 // clients in the world
	decoder *conformance.Decoder
	bar     *progress

	in  []byte // what one read gives, behind the rest of the read before
	out []byte // packets being written for one client

	packets packets

	began    time.Time
	now      moment
	reading  *client // whose packet is being read
	measured window
	settled  int // clients that are in the world, or never will be
	inWorld  int
	relays   uint64 // of moves, read in the measured time
	gauge    gauge
	behind   behind
	hasHeart bool // the place where the crowd gathers is known
	heartX   float64
	heartY   float64

	movement, login, ping *hdrhistogram.Histogram
	grinds                grinds
	trades                Trades
	received, sent        traffic
	report                Report

	samples   []float64 // of the server's memory, in megabytes
	sampleDue moment
	askDue    moment // whether it is enough
}

// A window is the measured time: from is 0 before it has begun.
type window struct {
	from, to               moment
	receivedThen, sentThen traffic // at from
	usedThen               usage
	takenThen              []time.Duration
	least                  int
}

// traffic counts packets and bytes one way.
type traffic struct{ packets, bytes uint64 }

func (t traffic) minus(u traffic) traffic {
	return traffic{t.packets - u.packets, t.bytes - u.bytes}
}

// pause is the longest the loop sleeps, and so how late it may notice that the run was cancelled.
const pause = 100 * time.Millisecond

func newRun(config Config, auth netip.AddrPort) (*run, error) {
	const others = 16 // descriptors of the poller, the terminal and the like
	if limit := descriptors(); uint64(config.Clients)+others > limit {
		return nil, fmt.Errorf("%w: %d clients, but the limit of open files is %d", ErrConfig, config.Clients, limit)
	}
	poll, err := newPoller(config.Alone)
	if err != nil {
		return nil, fmt.Errorf("swarm: %w", err)
	}
	r := &run{
		config: config, auth: auth,
		realms:   make(map[string]netip.AddrPort),
		fresh:    rand.Uint64(),
		poll:     poll,
		clients:  make([]client, config.Clients),
		trails:   make([]trail, config.Clients),
		byGUID:   make(map[uint64]int32, config.Clients),
		bar:      newProgress(config),
		in:       make([]byte, readSize+maxFrame),
		began:    time.Now(),
		movement: newHistogram(), login: newHistogram(), ping: newHistogram(), grinds: newGrinds(),
		trades: Trades{Ended: newReasons(), Unbalanced: newReasons()},
	}
	sight := conformance.Config{Moved: r.relayed, Again: r.relayedAgain, Met: r.met}
	if config.Behaviour == Grind {
		sight.Hit, sight.Walked = r.attacked, r.walked
	}
	r.decoder = conformance.NewDecoder(sight)
	r.behind.times = newHistogram()
	r.report = Report{
		Auth: config.Auth, Behaviour: config.Behaviour, Clients: config.Clients,
		Ramp: config.Ramp, Seed: config.Seed, Start: r.began,
		Logins: Logins{Failed: newReasons()}, Lost: newReasons(),
		Violations: newViolations(), Notes: newViolations(), Objectives: make([]Outcome, 0, len(config.SLO)),
	}
	for i := range r.clients {
		r.clients[i].init(int32(i), config)
		r.timers.push(timer{at: moment(float64(i) / config.Ramp * 1e9), client: int32(i), kind: timerLogin})
	}
	return r, nil
}

// loop drives all clients until the measured time is over.
func (r *run) loop(ctx context.Context) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.tick()
		r.fire()
		r.gaugeRelays()
		if r.measure() {
			return nil
		}
		wait := r.sleep()
		r.tick()
		asked := r.now
		ready, err := r.poll.wait(wait)
		if err != nil {
			return fmt.Errorf("swarm: %w", err)
		}
		r.tick()
		r.behind.turn(asked, r.now)
		for i := range ready {
			r.handle(&ready[i])
			if i%32 == 31 { // a long batch must not keep what is due waiting
				r.fire()
			}
		}
	}
}

func (r *run) tick() { r.now = moment(time.Since(r.began)) }

// sleep is how long to wait for sockets, in milliseconds, rounded up: waking up once per millisecond at most is cheaper
// than once per send, and the delay is part of what is measured.
func (r *run) sleep() int {
	until := r.now + moment(pause)
	if at, ok := r.timers.next(); ok && at < until {
		until = at
	}
	if r.measured.from != 0 && r.measured.to < until {
		until = r.measured.to
	}
	if until <= r.now {
		return 0
	}
	return int((time.Duration(until-r.now) + time.Millisecond - 1) / time.Millisecond)
}

// fire does what is due.
func (r *run) fire() {
	for {
		at, ok := r.timers.next()
		if !ok || at > r.now {
			return
		}
		t := r.timers.pop()
		c := &r.clients[t.client]
		switch t.kind {
		case timerLogin:
			r.begin(c, t.at)
		case timerDeadline:
			switch {
			case !c.stage.loggingIn():
			case c.patience > r.now:
				r.timers.push(timer{at: c.patience, client: c.id, kind: timerDeadline})
			default:
				r.leave(c, "timeout "+c.stage.String())
			}
		case timerMove:
			r.move(c, t.at)
		case timerPing:
			r.sendPing(c, t.at)
		}
	}
}

// measure begins the measured time when the last client has settled, and reports its end.
func (r *run) measure() (over bool) {
	w := &r.measured
	if w.from == 0 {
		r.bar.ramp(r.settled)
		if r.settled < len(r.clients) {
			return false
		}
		w.from, w.to = r.now, r.now+moment(r.config.Duration)
		w.receivedThen, w.sentThen = r.received, r.sent
		w.usedThen = used()
		w.takenThen = r.taken()
		w.least = r.inWorld
	}
	r.bar.measure(time.Duration(r.now - w.from))
	r.sample()
	if r.now >= w.to && r.config.Longer != nil && r.config.Longer(r.movement.TotalCount()) {
		w.to = r.now + moment(pause)
	}
	return r.now >= w.to || r.enough()
}

// enough asks whether the run can end, if it is time for that.
func (r *run) enough() bool {
	if r.config.Enough == nil || r.config.Behaviour != Grind || r.now < r.askDue {
		return false
	}
	r.askDue = r.now + moment(time.Second)
	return r.config.Enough(r.harvest())
}

// Notes on relays: the moment at which the move was due, or one of these.
const (
	noteOther int64 = -iota // not of a client of ours that moves
	noteLost                // a position that its trail does not have
	noteTurn                // no new position
)

// relayed is called by a client's checker for a movement of another player whose bytes no client was sent before.
//
// A heartbeat or a stop of one of ours that is not in its trail came later than the trail is long, or the server
// changed the position. It counts as the longest latency there is: leaving it out would make a server that hangs look
// like one that is fast.
func (r *run) relayed(op uint16, m *msg.Move) (note int64) {
	note = noteOther
	if mover, ok := r.byGUID[m.Mover]; ok && !r.config.Behaviour.stands() {
		t := &r.trails[mover]
		if op != msg.OpMoveHeartbeat && op != msg.OpMoveStop {
			note = noteTurn
		} else if due, found := t.find(op, m.X, m.Y); found {
			note = int64(due)
			t.shown = max(t.shown, due)
		} else {
			note = noteLost
		}
	}
	r.relayedAgain(note)
	return note
}

// relayedAgain is called for each further client that is sent the same.
func (r *run) relayedAgain(note int64) {
	r.gauge.relays++
	if note == noteOther || r.measured.from == 0 {
		return
	}
	r.relays++
	switch {
	case note >= int64(r.measured.from):
		record(r.movement, time.Duration(int64(r.now)-note))
	case note == noteLost:
		record(r.movement, longest)
		r.report.Unmatched++
	}
}

// met is called by a client's witness for an object that it now knows: it knows where that is, too.
func (r *run) met(guid uint64) {
	if mover, ok := r.byGUID[guid]; ok {
		r.trails[mover].shown = r.now
	}
}
