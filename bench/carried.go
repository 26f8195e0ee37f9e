package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"sync"
	"sync/atomic"
	"time"

	"muster/net/replication/frame"
	"muster/net/replication/natsbus"
)

// Bytes of messages besides what they carry.
//
// Source: the kinds of messages of net/replication/remote, with a tick of three bytes.
const (
	sharedHeader  = 20 // version, kind, life, tick, the tick before it, part, parts, how many gateways, how many regions
	privateHeader = 14 // version, kind, life, tick, how many regions
	inputHeader   = 21 // version, kind, life, gateway, number, the world's life
	helloBytes    = 36
	welcomeBytes  = 36 // besides blocks of sessions
	// partBytes is up to how many bytes of a half are in one message.
	partBytes = 256 << 10
	// helloTicks is how many ticks lie between two heartbeats of a gateway, which the world answers: a quarter of a second.
	helloTicks = 5
	// blockSessions is how many sessions a block has, of which a welcome names each.
	blockSessions = 256
)

// A carriedSubject says what a message is about.
type carriedSubject struct {
	kind    subjectKind
	world   int
	gateway int          // of ofGateway
	region  frame.Region // of ofRegion
}

type subjectKind int

const (
	ofInput subjectKind = iota
	ofAll
	ofGateway
	ofRegion
)

// carriedRealm is the realm that the server of muster nats has credentials for.
const carriedRealm = "muster"

// String is the subject as NATS has it.
//
// Source: remote.Address, net/replication/remote.
func (s carriedSubject) String() string {
	out := fmt.Sprintf("muster.%s.out.%d.0", carriedRealm, s.world)
	switch s.kind {
	case ofInput:
		return fmt.Sprintf("muster.%s.in.%d.0", carriedRealm, s.world)
	case ofGateway:
		return fmt.Sprintf("%s.%d", out, s.gateway+1)
	case ofRegion:
		return fmt.Sprintf("%s.r%d", out, s.region)
	}
	return out
}

// A carriedMessage is one that NATS is given.
type carriedMessage struct {
	from    int // the number of the gateway for input, that of the world for frames
	subject carriedSubject
	length  int
	copies  int // how many take it
}

// A carriedTick is what NATS carries of a tick: input from gateways shortly before it, and frames from worlds.
type carriedTick struct{ input, frames []carriedMessage }

// A carriage is what NATS carries of a division, tick by tick.
type carriage struct {
	worlds, gateways int
	ticks            []carriedTick
	pending          [][]int                 // bytes of input for the next tick, by world and gateway
	regions          []map[frame.Region]bool // those that messages were of, by world
}

func newCarriage(worlds, gateways int) *carriage {
	c := &carriage{worlds: worlds, gateways: gateways}
	for range worlds {
		c.pending = append(c.pending, make([]int, gateways))
		c.regions = append(c.regions, make(map[frame.Region]bool))
	}
	return c
}

// begin begins a tick.
func (c *carriage) begin() { c.ticks = append(c.ticks, carriedTick{}) }

// put notes what a session sends a world for the tick. What the world itself is sent is from no gateway.
func (c *carriage) put(world int, it frame.Item) {
	if it.Session != frame.NoSession {
		c.pending[world][int(it.Session)%c.gateways] += inputBytes + len(it.Body)
	}
}

// publish notes what a world has been sent for the tick, all of a gateway at once, and its frame: the lengths of its private halves, by gateway, 0 for those without
// one, and its shared halves with their regions, of which there are none if the frame is whole. Now and then there are heartbeats beside them, and answers.
func (c *carriage) publish(world, players int, private []int, shared [][]byte, regions []frame.Region) {
	n := len(c.ticks) - 1
	t := &c.ticks[n]
	with := 0
	for gateway, input := range c.pending[world] {
		send := func(length int) {
			t.input = append(t.input, carriedMessage{gateway, carriedSubject{kind: ofInput, world: world}, length, 1})
		}
		answer := func(length int) {
			t.frames = append(t.frames, carriedMessage{world, carriedSubject{kind: ofGateway, world: world, gateway: gateway}, length, 1})
		}
		if input > 0 {
			inParts(input, func(n int) { send(inputHeader + n) })
		}
		if private[gateway] > 0 {
			with++
			inParts(private[gateway], func(n int) { answer(privateHeader + n) })
		}
		if (n+gateway)%helloTicks == 0 {
			send(helloBytes)
			answer(welcomeBytes + 2*(players/c.gateways/blockSessions+1))
		}
	}
	clear(c.pending[world])
	parts := func(s carriedSubject, header, length int) {
		inParts(length, func(n int) { t.frames = append(t.frames, carriedMessage{world, s, header + n, c.gateways}) })
	}
	for i, r := range regions {
		c.regions[world][r] = true
		parts(carriedSubject{kind: ofRegion, world: world, region: r}, regionBytes, len(shared[i]))
	}
	whole := 0
	if len(regions) == 0 {
		whole = len(shared[0])
	}
	parts(carriedSubject{kind: ofAll, world: world}, sharedHeader+with+2*len(regions), whole)
}

// inParts visits the lengths of the parts in which so many bytes are sent, one at least.
func inParts(length int, part func(n int)) {
	for ; length > partBytes; length -= partBytes {
		part(partBytes)
	}
	part(length)
}

// A bus is a server of NATS in a process of its own, as muster cluster has it.
type bus struct {
	url             string
	worker, gateway string // files with credentials; "" is none
	spent           func() (time.Duration, error)
}

// natsReady is what muster nats prints.
var natsReady = regexp.MustCompile(`^ready (\S+) (\S+) (\S+)$`)

// startBus starts a server of NATS.
func startBus(ctx context.Context, muster string) (*bus, *process, error) {
	p, said, err := start(ctx, muster, natsReady, "nats", "--realm", carriedRealm)
	if err != nil {
		return nil, nil, err
	}
	return &bus{url: said[0], worker: said[1], gateway: said[2], spent: p.cpu}, p, nil
}

// carryTime bounds what a division takes: a message that has not arrived by then is lost.
const carryTime = 2 * time.Minute

// carry has NATS carry the ticks of a division again and again, for a time at least, each when all of the last has arrived. It returns what the server takes of a tick,
// in nanoseconds of processor time.
func (b *bus) carry(ctx context.Context, c *carriage, least time.Duration) (nanos float64, err error) {
	ctx, cancel := context.WithTimeout(ctx, carryTime)
	defer cancel()
	e := &carrying{carriage: c, names: make(map[carriedSubject]string), done: make(chan struct{}, 1)}
	defer e.close()
	if err := e.connect(b); err != nil {
		return 0, err
	}
	if err := e.play(ctx, c.ticks[:min(len(c.ticks), helloTicks)]); err != nil {
		return 0, err
	}
	before, err := b.spent()
	if err != nil {
		return 0, err
	}
	ticks := 0
	for began := time.Now(); ticks == 0 || time.Since(began) < least; ticks += len(c.ticks) {
		if err := e.play(ctx, c.ticks); err != nil {
			return 0, err
		}
	}
	after, err := b.spent()
	return float64(after-before) / float64(ticks), err
}

// A carrying is the connections of the worlds and gateways of a division.
type carrying struct {
	*carriage
	worlds, gateways []*natsbus.Bus
	names            map[carriedSubject]string
	left             atomic.Int64  // messages that are to arrive
	done             chan struct{} // holds a token once none is left
	bytes            [partBytes + 64<<10]byte
}

func (e *carrying) close() {
	for _, all := range [][]*natsbus.Bus{e.worlds, e.gateways} {
		for _, one := range all {
			one.Close()
		}
	}
}

// connect connects all, and has each take what it takes of the others: a gateway all regions that there are.
func (e *carrying) connect(b *bus) error {
	for world := range e.carriage.worlds {
		if err := e.join(&e.worlds, b.url, "world", natsbus.Worker, b.worker, carriedSubject{kind: ofInput, world: world}); err != nil {
			return err
		}
	}
	for gateway := range e.carriage.gateways {
		var all []carriedSubject
		for world, regions := range e.regions {
			all = append(all, carriedSubject{kind: ofAll, world: world}, carriedSubject{kind: ofGateway, world: world, gateway: gateway})
			for r := range regions {
				all = append(all, carriedSubject{kind: ofRegion, world: world, region: r})
			}
		}
		if err := e.join(&e.gateways, b.url, "gateway", natsbus.Gateway, b.gateway, all...); err != nil {
			return err
		}
	}
	return nil
}

// join makes a connection with its subscriptions.
func (e *carrying) join(all *[]*natsbus.Bus, url, name string, role natsbus.Role, credentials string, subjects ...carriedSubject) error {
	one, err := natsbus.Connect(natsbus.Config{URL: url, Name: name, Role: role, Credentials: credentials})
	if err != nil {
		return err
	}
	*all = append(*all, one)
	for _, subject := range subjects {
		if e.names[subject] == "" {
			e.names[subject] = subject.String()
		}
		if _, err := one.Subscribe(e.names[subject], e.take); err != nil {
			return err
		}
	}
	return errors.Join(one.Flush(), one.LastError())
}

// take notes that a message has arrived.
func (e *carrying) take([]byte) {
	if e.left.Add(-1) == 0 {
		e.done <- struct{}{}
	}
}

// play has NATS carry ticks, one after another.
func (e *carrying) play(ctx context.Context, ticks []carriedTick) error {
	for i := range ticks {
		if err := e.send(ctx, e.gateways, ticks[i].input); err != nil {
			return fmt.Errorf("input: %w", err)
		}
		if err := e.send(ctx, e.worlds, ticks[i].frames); err != nil {
			return fmt.Errorf("frames: %w", err)
		}
	}
	return nil
}

// send sends messages, those of each sender in order and all senders at once, and waits until all have arrived.
func (e *carrying) send(ctx context.Context, from []*natsbus.Bus, all []carriedMessage) error {
	copies := 0
	by := make([][]carriedMessage, len(from))
	for _, m := range all {
		copies += m.copies
		by[m.from] = append(by[m.from], m)
	}
	if copies == 0 {
		return nil
	}
	e.left.Store(int64(copies))
	failed := make([]error, len(from))
	var sending sync.WaitGroup
	for i, messages := range by {
		if len(messages) == 0 {
			continue
		}
		sending.Go(func() {
			for _, m := range messages {
				failed[i] = errors.Join(failed[i], from[i].Publish(e.names[m.subject], e.bytes[:m.length]))
			}
		})
	}
	sending.Wait()
	if err := errors.Join(failed...); err != nil {
		return err
	}
	select {
	case <-e.done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%d of %d messages have not arrived: %w", e.left.Load(), copies, ctx.Err())
	}
}

// A natsCost is the processor time of NATS for the players of one map, in cores.
type natsCost struct {
	base float64 // for what it is sent, however many gateways read it
	each float64 // for a gateway more
}

// natsCostOf is that of so much for one gateway, and so much for several.
func natsCostOf(one, several float64, gateways int) (c natsCost) {
	if gateways < 2 {
		return natsCost{base: one}
	}
	c.each = max((several-one)/float64(gateways-1), 0)
	c.base = max(one-c.each, 0)
	return c
}

// players is how many on one map take a core, in proportion to those that were measured, with so many players to a gateway, all of which read the whole map.
func (c natsCost) players(measured, seats float64) float64 {
	a, b := c.each/measured/seats, c.base/measured
	if a == 0 {
		return 1 / b
	}
	return (math.Sqrt(b*b+4*a) - b) / (2 * a)
}
