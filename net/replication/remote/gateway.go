package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"muster/internal/metric"
	"muster/net/replication/frame"
)

// GatewayConfig is what a Gateway is made with.
type GatewayConfig struct {
	Bus      Bus
	Address  Address
	Exchange *frame.Exchange // of the gateway; the Gateway sets Now and Lead of it
	// Number is the gateway's own among those of the realm, from 1 to 255.
	Number uint32
	// Life is another number for each process with that number, ascending.
	Life uint64
	// Made is a number for what the world is made of, which both ends must have alike.
	Made uint64
	// Step is that of the world, which ticks at multiples of it by its clock: input is sent once a step, shortly before the tick that reads
	// it. 0 sends it at once.
	Step time.Duration
	// Least is the least life of a world that is taken: that of the last one, or more.
	Least  uint64
	Metric *metric.Table
	Log    *slog.Logger // default slog.Default()
}

// A Gateway is the end of a gateway for one world in another process. One goroutine, that of Run, owns it.
type Gateway struct {
	config  GatewayConfig
	mail    chan []byte
	ready   chan struct{} // closed when the world is known
	offset  atomic.Int64  // of the world's clock to the machine's, ns
	lead    atomic.Int64  // how long a message takes to the world and back, ns
	ended   chan struct{} // closed when Run has returned
	world   uint64        // its life; 0 while it is unknown
	birth   uint64        // by which the world knows the gateway
	log     uint64        // the world's
	told    [2]uint64     // tick and part of the last report of a log
	heard   time.Time
	alive   time.Time // when any message of the world came last
	rival   uint64    // the life of the world that is to follow, once this one has handed its players over; 0 if there is none
	since   time.Time // when that was heard of first
	input   outgoing
	reports incoming
	blocks  []uint32          // of the world's sessions, in the order of ours
	ours    map[uint32]uint32 // the place of each in blocks
	wanted  uint32            // sessions
	held    frame.Inbox       // taken from the exchange, and not sent yet
	due     *time.Timer       // when what the exchange has is sent
	waits   bool              // it runs
	posted  bool              // something was sent just now
	refused bool              // there was no room for what the exchange has
	last    uint64            // tick
	ahead   map[uint64]*assembly
	coming  key       // the keyframe that is on its way
	moved   time.Time // when the first of them came, or the last frame was published
	asked   time.Time
	clock   clock
	decoder frame.Decoder
	regions interest
	out     writer
	toWorld string        // subject
	every   time.Duration // between two heartbeats
	beat    time.Time
	still   uint64    // the newest tick then
	timed   time.Time // when the clock was asked for last
}

// NewGateway returns the end of a gateway.
func NewGateway(config GatewayConfig) *Gateway {
	config.Log = cmp.Or(config.Log, slog.Default())
	config.Metric.Declare(counted()...)
	g := &Gateway{
		config: config, mail: make(chan []byte, maxMail), ready: make(chan struct{}), ended: make(chan struct{}), wanted: blockSessions,
		ours: make(map[uint32]uint32), ahead: make(map[uint64]*assembly), every: heartbeat,
		toWorld: config.Address.in(),
	}
	config.Exchange.Now = func() time.Duration { return sinceBegan() + time.Duration(g.offset.Load()) }
	config.Exchange.Lead = func() time.Duration { return time.Duration(g.lead.Load()) }
	g.regions = newInterest(g.subscribe)
	return g
}

// Ready is closed when the world has answered, and its clock is known.
func (g *Gateway) Ready() <-chan struct{} { return g.ready }

// Ended is closed when Run has returned.
func (g *Gateway) Ended() <-chan struct{} { return g.ended }

// Least is the least life of a world that may follow the one that is lost: another one if it has ended. It is valid once Run has returned.
func (g *Gateway) Least() uint64 { return max(g.config.Least, g.world) }

// ErrLost is returned when the world is gone, or has gone on without the gateway for so long that it cannot catch up. The exchange
// is stopped then.
var ErrLost = errors.New("remote: the world is lost")

// ErrMoved is the ErrLost of a world that has ended in order, for another process to have it.
var ErrMoved = fmt.Errorf("%w: it has ended in order", ErrLost)

// Run serves the exchange until ctx is done, or the world is lost.
func (g *Gateway) Run(ctx context.Context) error {
	defer close(g.ended)
	defer g.config.Exchange.Stop()
	for _, subject := range []string{g.config.Address.out(), g.config.Address.to(g.config.Number)} {
		stop, err := g.config.Bus.Subscribe(subject, mailTo(g.mail, g.config.Metric))
		if err != nil {
			return err
		}
		defer stop()
	}
	defer g.regions.stop()
	defer func() {
		g.begin(kindBye)
		g.send()
	}()
	look := newLooks()
	defer look.timer.Stop()
	g.due = time.NewTimer(0) // until input is sent that has come early
	defer g.due.Stop()
	g.look()
	for {
		var err error
		look.follow(g.busy(), g.every)
		select {
		case m := <-g.mail:
			err = g.receive(m)
		case <-g.config.Exchange.Wake():
			if wait := g.early(); wait == 0 {
				g.post()
			} else if !g.waits { // what comes later does not delay what waits, whatever the clock is thought to be by then
				g.waits = true
				g.due.Reset(wait)
			}
		case <-g.due.C:
			g.post()
		case <-look.timer.C:
			look.done()
			err = g.look()
		case <-ctx.Done():
			g.post() // before it says goodbye: what its players have done is not undone
			return nil
		}
		if g.posted && look.near() {
			look.done()
			err = errors.Join(err, g.look())
		}
		if g.posted = false; err != nil {
			return err
		}
	}
}

// What arrives in the last part of a step is sent at once, and what is held until then at the latest this long before the tick, and as much
// earlier as a message takes to the world and back: a gateway reads its sockets a tenth of a step and that long before it, if it is
// the tick of the world with most of its players, and at any other moment else. In short steps it is a part of the step: each message costs both ends and NATS a
// wake-up. Where a message takes a step, nothing is held.
const (
	lastShare   = 8
	heldMargin  = 3 * time.Millisecond
	marginShare = 4 // of a step that is shorter than so many margins
)

// early is how long input is to wait for more of its tick, 0 if it is not to.
func (g *Gateway) early() time.Duration {
	step := g.config.Step
	if step == 0 || g.world == 0 {
		return 0
	}
	before := step - g.config.Exchange.Now()%step // of the tick
	lead := min(heldMargin, step/marginShare) + g.clock.took()
	if before <= max(step/lastShare, lead) {
		return 0
	}
	return before - lead
}

// busy reports whether something waits for the world, or for the rest of it, so that look is to be called soon.
func (g *Gateway) busy() bool {
	return g.world == 0 || g.rival != 0 || g.input.late(time.Now()) || len(g.ahead) > 0 || g.held.Len() > 0 || g.lacks()
}

// lacks reports whether the world is to give more sessions.
func (g *Gateway) lacks() bool { return uint64(len(g.blocks))*blockSessions < uint64(g.wanted) }

// receive handles a message of the world.
func (g *Gateway) receive(b []byte) error {
	m, kind, life := read(b)
	if life == g.world {
		g.alive = time.Now()
	}
	switch {
	case m.err != nil, life < g.world, life < g.config.Least:
	case kind == kindWelcome:
		if err := g.welcome(life, m); err != nil {
			return err
		}
	case life != g.world: // it has not welcomed this gateway yet
	case kind == kindShared || kind == kindAgain:
		g.part(kind, m)
	case kind == kindRegion:
		g.region(m)
	case kind == kindPrivate:
		g.private(m)
	case kind == kindReport:
		g.report(m)
	case kind == kindKey:
		if err := g.key(m); err != nil {
			return err
		}
	case kind == kindTime:
		then, now := m.u64(), m.u64()
		if m.err == nil {
			g.time(time.Duration(then), time.Duration(now))
		}
	case kind == kindLost:
		if m.u64() == g.config.Life && m.number() == g.last && m.err == nil {
			return fmt.Errorf("%w: map %d has not kept what was missed since tick %d", ErrLost, g.config.Address.Map, g.last)
		}
	case kind == kindBye:
		if m.number() == g.reports.last && m.err == nil {
			g.config.Least = life + 1
			g.config.Exchange.Move()
			return fmt.Errorf("%w: map %d", ErrMoved, g.config.Address.Map)
		}
	default:
		m.fail("kind %d", kind)
	}
	if m.err != nil {
		g.config.Metric.Count(Malformed)
		g.config.Log.Warn("malformed message", "map", g.config.Address.Map, "err", m.err)
		return nil
	}
	return g.advance()
}

// welcome notes what the world has and gives.
func (g *Gateway) welcome(life uint64, m *reader) error {
	mine, birth, input, newest, ended, asks, log := m.u64(), m.number(), m.number(), m.number(), m.flag(), m.flag(), m.u64()
	blocks := make([]uint32, m.count())
	for i := range blocks {
		blocks[i] = uint32(m.number())
	}
	if m.err != nil || mine != g.config.Life {
		return nil
	}
	switch {
	case g.world == 0:
		g.world, g.birth, g.last, g.log = life, birth, newest, log
		g.config.Exchange.Join(newest)
	case g.world != life && log != 0 && log == g.log && g.birth == birth && newest >= g.last: // else the log has lost what was seen
		g.follow(life)
	case g.world != life:
		if g.rival == 0 {
			g.since = time.Now()
		}
		g.rival = max(g.rival, life)
		return g.replaced(log)
	case g.birth != birth:
		return fmt.Errorf("%w: map %d has given this gateway up", ErrLost, g.config.Address.Map)
	}
	g.heard = time.Now()
	if ended && newest <= g.last {
		g.config.Least = life + 1
		return fmt.Errorf("%w: map %d has ended", ErrLost, g.config.Address.Map)
	}
	g.input.acknowledge(input)
	if len(blocks) > len(g.blocks) {
		for i := len(g.blocks); i < len(blocks); i++ {
			g.ours[blocks[i]] = uint32(i)
		}
		g.blocks = blocks
		g.post()
	}
	if newest > g.last && len(g.ahead) == 0 {
		g.ask()
	}
	if asks {
		g.hello()
	}
	return nil
}

// replaced fails if another world has the map. One without a log, that goes on, is given time to hand its players over: it may not have heard yet that it is another's.
func (g *Gateway) replaced(log uint64) error {
	if now := time.Now(); g.log == 0 && log == 0 && now.Sub(g.alive) <= aliveTime && now.Sub(g.since) <= replacedTime {
		return nil
	}
	g.config.Least = g.rival
	return fmt.Errorf("%w: map %d has begun anew", ErrLost, g.config.Address.Map)
}

// follow goes on with another process that continues the world. What that has not read is sent to it again; what it reports
// again is known by its tick.
func (g *Gateway) follow(life uint64) {
	g.config.Log.Info("another process continues the world", "map", g.config.Address.Map, "tick", g.last)
	g.world, g.reports, g.clock = life, incoming{}, clock{}
	clear(g.ahead)
	for i := range g.input.kept {
		g.input.kept[i].at = time.Time{}
	}
}

// part takes a part of a frame.
func (g *Gateway) part(kind byte, m *reader) {
	tick, previous := m.number(), m.number()
	part, parts := m.partOf()
	private, regions := false, []frame.Region(nil)
	if kind == kindShared {
		for range m.count() {
			private = m.number() == uint64(g.config.Number) || private
		}
		regions = m.regions()
	}
	body := m.rest()
	if m.err == nil && previous >= tick {
		m.fail("tick %d after %d", tick, previous)
	}
	if m.err != nil {
		return
	}
	a := g.at(tick)
	if a == nil || a.shared.complete() && (a.again || kind == kindShared) {
		return
	}
	switch again := kind == kindAgain; {
	case a.shared.parts == nil || again && !a.again:
		a.shared, a.previous, a.again = pieces{}, previous, again
		a.hasPrivate, a.regions = private, regions
	case again != a.again: // it is being sent again, and the first copy is late
		return
	}
	a.shared.put(part, parts, body)
}

// region takes a part of what a frame has in a region.
func (g *Gateway) region(m *reader) {
	tick, r := m.number(), m.number()
	part, parts := m.partOf()
	body := m.rest()
	if m.err == nil && r >= frame.Regions {
		m.fail("region %d", r)
	}
	if m.err != nil {
		return
	}
	a := g.at(tick)
	if a == nil {
		return
	}
	if a.divided == nil {
		a.divided = make(map[frame.Region]*pieces)
	}
	p := a.divided[frame.Region(r)]
	if p == nil {
		p = new(pieces)
		a.divided[frame.Region(r)] = p
	}
	p.put(part, parts, body)
}

// private takes the private half of a frame.
func (g *Gateway) private(m *reader) {
	tick, looks := m.number(), m.regions()
	if m.err != nil {
		return
	}
	if a := g.at(tick); a != nil {
		a.looks, a.private = looks, m.rest()
	}
}

// subscribe has what frames have in a region be sent. What it misses by an error it asks for.
func (g *Gateway) subscribe(r frame.Region) (stop func()) {
	stop, err := g.config.Bus.Subscribe(g.config.Address.region(r), mailTo(g.mail, g.config.Metric))
	if err != nil {
		g.config.Log.Warn("a region is not heard: it is asked for in each tick", "map", g.config.Address.Map, "region", r, "err", err)
		return func() {}
	}
	return stop
}

// whole reports whether a frame has all that the players of the gateway need. If that is in a region which it has not taken yet, it takes it and asks
// for the frame at once: the region is heard from the next frame on.
func (g *Gateway) whole(a *assembly) (ok bool) {
	ok = true
	a.missing(g.regions.needed, func(r frame.Region) {
		ok = false
		if g.regions.take(r, time.Now()) {
			g.asked = time.Time{}
			g.ask()
		}
	})
	return ok
}

// at is what there is of a tick, nil if it is not wanted.
func (g *Gateway) at(tick uint64) *assembly {
	if tick <= g.last {
		return nil
	}
	a := g.ahead[tick]
	if a == nil {
		if len(g.ahead) >= maxAhead && !g.forget(tick) {
			return nil
		}
		if len(g.ahead) == 0 {
			g.moved = time.Now()
		}
		a = new(assembly)
		g.ahead[tick] = a
	}
	return a
}

// forget makes room for a tick, in place of the last one after it. It is not ok if there is none.
func (g *Gateway) forget(tick uint64) (ok bool) {
	last := tick
	for other := range g.ahead {
		last = max(last, other)
	}
	delete(g.ahead, last)
	return last > tick
}

// advance publishes the frames that can be, and asks for what is missing. What arrives at once, after the process has stood still or the bus was away, is
// published as fast as it is read, so that none is overwritten before: the rest waits in ahead, and look goes on.
func (g *Gateway) advance() error {
	for g.world != 0 && len(g.ahead) > 0 {
		if g.config.Exchange.Full() {
			return nil
		}
		tick, a := g.next()
		if a == nil {
			break
		}
		if err := g.publish(tick, a); err != nil {
			return err
		}
	}
	if len(g.ahead) == 0 {
		return nil
	}
	for _, a := range g.ahead {
		if a.complete() && a.previous > g.last { // else its regions are on their way
			g.ask()
			break
		}
	}
	return nil
}

// next is the complete frame that follows the last one, nil if there is none.
func (g *Gateway) next() (tick uint64, next *assembly) {
	for tick, a := range g.ahead {
		if a.complete() && a.previous <= g.last && g.whole(a) { // before the gateway joined, it may have been another
			return tick, a
		}
	}
	return 0, nil
}

// publish makes a frame visible to the sessions of the gateway.
func (g *Gateway) publish(tick uint64, a *assembly) error {
	shared, private := a.halves(), a.private
	if a.again {
		m := reader{b: shared[0]}
		shared[0], private = m.text(), m.rest()
		if m.err != nil {
			return fmt.Errorf("%w: map %d, tick %d: %w", ErrLost, g.config.Address.Map, tick, m.err)
		}
	}
	f := g.config.Exchange.Write()
	err := g.decoder.Decode(f, tick, g.regions.views, shared, private, g.local)
	g.regions.follow(f)
	g.config.Exchange.Publish(f)
	g.last, g.moved = tick, time.Now()
	for old := range g.ahead {
		if old <= tick {
			delete(g.ahead, old)
		}
	}
	if err != nil {
		return fmt.Errorf("%w: map %d, tick %d: %w", ErrLost, g.config.Address.Map, tick, err)
	}
	return nil
}

// local is the gateway's number for a session of the world.
func (g *Gateway) local(world uint32) (session uint32, ok bool) {
	at, ok := g.ours[world/blockSessions]
	return at*blockSessions + world%blockSessions, ok
}

// ask asks for the frames after the last one, now and then.
func (g *Gateway) ask() {
	now := time.Now()
	if now.Sub(g.asked) < repeatAge/2 {
		return
	}
	g.asked = now
	g.config.Metric.Count(FramesMissed)
	g.begin(kindMissing)
	g.out.u64(g.world)
	g.out.number(g.last)
	g.send()
}

// report passes on what the world reports.
func (g *Gateway) report(m *reader) {
	life, number := m.u64(), m.number()
	if m.err != nil || life != g.config.Life {
		return
	}
	g.reports.take(number, m.rest(), func(body []byte) bool {
		if err := g.relay(body); err != nil {
			m.fail("%v", err)
		}
		return true
	})
}

// relay gives the exchange a report.
func (g *Gateway) relay(body []byte) error {
	m := &reader{b: body}
	r := readReport(m)
	if m.err != nil {
		return m.err
	}
	if at := [2]uint64{r.tick, r.part}; r.tick != 0 {
		if slices.Compare(at[:], g.told[:]) <= 0 {
			return nil
		}
		g.told = at
	}
	var saves frame.Saves
	for i := range r.saves {
		saves.Put(&r.saves[i].Save, r.saves[i].lists)
	}
	g.config.Exchange.Relay(&saves, r.answers, r.wants)
	return nil
}

// post sends the world what the exchange has for it.
func (g *Gateway) post() {
	if g.refused = g.world == 0 || g.input.full(); g.refused { // look tries again
		return
	}
	if g.waits {
		g.waits = false
		g.due.Stop()
	}
	var fresh frame.Inbox
	g.config.Exchange.Take(&fresh)
	if g.held.AddAll(&fresh) != nil {
		g.config.Metric.Add(InputLost, uint64(fresh.Len()))
	}
	if g.held.Len() == 0 {
		return
	}
	var in, held frame.Inbox
	for i := range g.held.Len() {
		it := g.held.At(i)
		if it.Session != frame.NoSession {
			block := it.Session / blockSessions
			if block >= uint32(len(g.blocks)) { // it waits until the world gives more
				g.wanted = max(g.wanted, (block+1)*blockSessions)
				held.Add(it)
				continue
			}
			it.Session = g.blocks[block]*blockSessions + it.Session%blockSessions
		}
		in.Add(it)
		if in.Size() >= maxPart {
			g.postPart(&in)
		}
	}
	g.held = held
	g.postPart(&in)
}

// postPart sends some input as one message, and empties it.
func (g *Gateway) postPart(in *frame.Inbox) {
	if in.Len() > 0 {
		if body, err := in.AppendBinary(g.input.room()); err != nil {
			g.config.Metric.Add(InputLost, uint64(in.Len()))
		} else {
			g.sendInput(g.input.add(body, time.Now()), body)
		}
		in.Reset()
		g.posted = true
	}
}

func (g *Gateway) sendInput(number uint64, body []byte) {
	g.begin(kindInput)
	g.out.number(number)
	g.out.u64(g.world)
	g.out.bytes(body)
	g.send()
}

// time notes the world's time, in answer to a message of a time of the machine.
func (g *Gateway) time(then, world time.Duration) {
	now := sinceBegan()
	g.offset.Store(int64(g.clock.add(now-then, world+(now-then)/2-now)))
	g.lead.Store(int64(g.clock.took()))
	select {
	case <-g.ready:
	default:
		close(g.ready)
	}
}

// look repeats what is not acknowledged, and sends heartbeats. It fails if the world is silent.
func (g *Gateway) look() error {
	now := time.Now()
	if g.world != 0 && now.Sub(g.heard) > silence {
		return fmt.Errorf("%w: map %d is silent", ErrLost, g.config.Address.Map)
	}
	if g.rival != 0 {
		if err := g.replaced(0); err != nil {
			return err
		}
	}
	if g.world != 0 {
		g.input.due(now, repeatAge, g.sendInput)
		if g.refused || g.early() == 0 { // else it is sent in time
			g.post()
		}
		if err := g.advance(); err != nil {
			return err
		}
		if len(g.ahead) > 0 && !g.config.Exchange.Full() && now.Sub(g.moved) >= lookEvery {
			g.ask()
		}
		g.regions.sweep(now)
	}
	g.every = heartbeat
	if !g.busy() && g.clock.full() && g.config.Exchange.Newest() == g.still {
		g.every = idleBeat
	}
	if now.Sub(g.beat) >= g.every-lookEvery {
		g.beat, g.still = now, g.config.Exchange.Newest()
		g.hello()
		if !g.clock.full() || now.Sub(g.timed) >= idleBeat {
			g.timed = now
			g.begin(kindTime)
			g.out.u64(uint64(sinceBegan()))
			g.send()
		}
	}
	return nil
}

// hello is the heartbeat to the world.
func (g *Gateway) hello() {
	g.begin(kindHello)
	g.out.number(g.reports.last)
	g.out.number(uint64(g.wanted))
	g.out.u64(g.Least()) // so that a world whose clock was set back can take a greater life
	g.out.u64(g.config.Made)
	g.out.number(g.last)
	g.send()
}

func (g *Gateway) begin(kind byte) {
	g.out.begin(kind, g.config.Life)
	g.out.number(uint64(g.config.Number))
}

// send publishes what was written. What is not sent is repeated.
func (g *Gateway) send() {
	if err := g.config.Bus.Publish(g.toWorld, g.out.b); err != nil {
		g.config.Metric.Count(NotSent)
	}
}
