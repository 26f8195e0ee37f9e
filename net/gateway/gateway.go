// Package gateway connects sockets and worlds. It accepts connections, gives each a session, passes
// players' input to the world they are in, and sends them their part of its frames.
//
// Event loops of gnet own the sockets; each session, its cipher and its cursor belong to one loop, and
// nothing of them is locked. While the steps of the worlds are short, sockets are served as bytes arrive. When they are
// long, for there is much to do, a loop is held between drain points, two in each step and four while some player is
// entering, so that one wake-up serves everything that has arrived meanwhile. Nothing that a world has is sent as it
// happens: a player is flushed every few ticks, with one call, from the loop that owns the connection. What waits for a
// store is done by a few workers.
package gateway

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/panjf2000/gnet/v2"

	"muster/internal/refuse"
	"muster/net/gateway/session"
	"muster/net/replication/frame"
)

// A Gate is one gateway.
type Gate struct {
	config    Config                       // its Settings are those of the start
	settings  atomic.Pointer[Settings]     // as they are now
	session   session.Config               // of every session
	links     atomic.Pointer[[]*worldLink] // the worlds, each at its place
	following sync.Mutex                   // is held while one takes the place of another

	acceptor        acceptor
	queue           queue      // without Claims
	realmQueue      realmQueue // with them
	roster          roster
	channels        channels
	pendingCommands pendingCommands
	returns         returns
	returnsAgain    returns  // that were not taken with others
	requests        *workers // do what clients wait for
	entries         *workers // find instances for players between two worlds: a world may have to be made first
	saves           *workers // separate, so that no client waits for failing saves; called by keepers, which may block
	pollScheduler   pollScheduler
	engine          *gnet.Client
	loops           atomic.Pointer[[]*loop] // those that have had a connection
	newLoop         sync.Mutex

	ctx          context.Context // of the store's work
	cancel       context.CancelFunc
	clock        func() time.Time
	closing      atomic.Bool               // no player enters a world any more
	closingSince atomic.Pointer[time.Time] // nil before
	resetting    atomic.Bool               // and none is saved
	done         chan struct{}             // closed when the loops are no longer held
	stopped      chan struct{}             // closed when nothing is left
	accepting    sync.WaitGroup
	wg           sync.WaitGroup

	births      births
	counters    counters
	connections atomic.Uint64 // so far
	transfers   atomic.Uint64 // the number of the last hand-over: from a random one on, so that no gateway uses one again
	refusals    *refuse.Log
	traces      traces
	happened    func(Happening) // nil if nothing observes connections
}

// A worldLink is a world as the gateway sees it.
type worldLink struct {
	id     uint32 // of the map
	slot   int    // of an instance, from 1; 0 the world of a map
	at     int    // its place in Gate.worldLinks
	port   *frame.Exchange
	fresh  chan struct{}   // holds a token after a frame was published
	ready  <-chan struct{} // closed when it can be entered; nil from the start
	kept   chan struct{}   // closed when Gate.keep has returned
	ended  bool            // no player gets a number any more; the roster's
	inside atomic.Int32    // players that loops flush
}

// New returns a gateway that does not listen yet. It fails if the configuration lacks what is required,
// or if the store cannot count the characters.
func New(config Config) (*Gate, error) {
	if config.Store == nil || config.Start == nil || len(config.Exchanges) == 0 {
		return nil, errors.New("gateway: no store, no start or no worlds")
	}
	config.setDefaults()
	config.Metric.Declare(counted()...)
	g := &Gate{
		config: config,
		session: session.Config{
			Realm: config.Realm, Templates: config.Templates,
			Metric: config.Metric, PacketsPerDrain: config.PacketsPerDrain, Policies: config.Policies,
		},
		clock:   time.Now,
		done:    make(chan struct{}),
		stopped: make(chan struct{}),
	}
	g.settings.Store(&config.Settings)
	g.refusals = refuse.New(g.config.Log, Reasons(), session.Reasons(), config.Reasons)
	g.ctx, g.cancel = context.WithCancel(context.Background())
	n, err := config.Store.CountCharacters(g.ctx, 0)
	if err != nil {
		return nil, fmt.Errorf("gateway: count the characters: %w", err)
	}
	g.births.next = n
	g.transfers.Store(rand.Uint64() >> 1)
	g.loops.Store(new([]*loop))
	g.returns.wake = make(chan struct{}, 1)
	g.returnsAgain.wake = make(chan struct{}, 1)
	g.roster.init()
	g.channels.init(g.config.TwoSides.Channel, g.config.Others)
	g.pollScheduler.init(g)
	g.acceptor.init(&g.config)
	g.queue.places, g.queue.longest = g.config.MaxPlayers, g.config.MaxQueue
	g.realmQueue.init(g)
	var links []*worldLink
	for id, port := range config.Exchanges {
		links = append(links, g.newLink(id, len(links), port))
	}
	for n := range config.Slots {
		links = append(links, g.newSlot(n+1, len(links)))
	}
	g.links.Store(&links)
	return g, nil
}

// worldLinks are the worlds as they are now. The list is not changed.
func (g *Gate) worldLinks() []*worldLink { return *g.links.Load() }

// published runs on the world's goroutine after every frame, and when the world has ended.
func (g *Gate) published(s *worldLink) {
	for _, l := range *g.loops.Load() {
		l.wake()
	}
	signal(s.fresh)
}

// holds reports whether loops are held between drain points. In short steps they are not while a connection is on its way into a world, which sends one packet after
// the other and waits for each answer.
func (g *Gate) holds() bool {
	step := g.step()
	return step >= g.config.HeldStep && (step >= longStep || !g.counters.arriving())
}

// step is the present step of the worlds.
func (g *Gate) step() time.Duration { return time.Duration(g.config.Pace().Stride) * g.config.Quantum }

// Accept has the gateway accept connections of TCP from a listener, which it closes, in place of one of its own. It is called before
// Listen.
func (g *Gate) Accept(l net.Listener) { g.acceptor.listener = l }

// Listen begins to serve; it returns at once. It fails if the address cannot be had.
func (g *Gate) Listen() error {
	if err := g.acceptor.open(); err != nil {
		return fmt.Errorf("gateway: listen: %w", err)
	}
	engine, err := gnet.NewClient(&events{gate: g},
		gnet.WithNumEventLoop(g.config.Loops), gnet.WithReadBufferCap(readBuffer), gnet.WithLogger(logger{g.config.Log}))
	if err == nil {
		err = engine.Start()
	}
	if err != nil {
		g.acceptor.close()
		return fmt.Errorf("gateway: event loops: %w", err)
	}
	g.engine = engine
	g.requests = startWorkers(g.config.Workers, g.config.Requests)
	g.entries = startWorkers(g.config.Workers, g.config.Requests)
	g.saves = startWorkers(g.config.Workers, g.config.Requests)
	g.wg.Go(g.pollScheduler.run)
	g.wg.Go(g.giveBack)
	g.wg.Go(g.giveBackAgain)
	if g.config.Claims != nil {
		g.wg.Go(g.realmQueue.run)
	}
	for _, s := range g.worldLinks() {
		if !s.ended { // an empty slot
			g.wg.Go(func() { g.keep(s) })
		}
	}
	for range acceptGoroutines {
		g.accepting.Go(g.admit)
	}
	return nil
}

// Addr is where the gateway listens; it is valid after Listen.
func (g *Gate) Addr() netip.AddrPort { return g.acceptor.addr() }

// Run listens, unless Listen was called, and returns when Shutdown is through.
func (g *Gate) Run() error {
	if g.engine == nil {
		if err := g.Listen(); err != nil {
			return err
		}
	}
	<-g.stopped
	return nil
}

// closeTime is how long Shutdown waits for connections to close.
const closeTime = 2 * time.Second

// Shutdown accepts no more connections, takes all players out of their worlds, saves them, and closes their
// connections. The worlds must go on running until it returns. If ctx ends before all are saved, the error is
// that of ctx and says how many are left; the connections are closed all the same.
func (g *Gate) Shutdown(ctx context.Context) error {
	if g.engine == nil || g.close() {
		return nil
	}
	now := time.Now()
	g.closingSince.Store(&now)
	g.acceptor.close()
	g.accepting.Wait()
	g.eachLoop((*loop).emptyWorlds)
	var errs []error
	if err := wait(ctx, g.roster.whenEmpty()); err != nil {
		errs = append(errs, fmt.Errorf("gateway: %d players are left in their worlds or unsaved: %w", g.roster.count(), err))
	}
	g.eachLoop((*loop).closeAll)
	closing, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	if wait(closing, g.acceptor.whenEmpty()) != nil {
		errs = append(errs, errors.New("gateway: connections do not close"))
	}
	g.cancel()
	close(g.done)
	errs = append(errs, g.engine.Stop())
	for _, l := range *g.loops.Load() {
		if l.batch != nil {
			l.batch.close()
		}
	}
	g.wg.Wait()
	g.requests.stop()
	g.entries.stop()
	g.saves.stop()
	g.refusals.Flush()
	close(g.stopped)
	return errors.Join(errs...)
}

// close has no player enter a world, and no world follow another, from now on. It reports whether that was so before.
func (g *Gate) close() (before bool) {
	g.following.Lock()
	defer g.following.Unlock()
	return g.closing.Swap(true)
}

// ShutdownUnsaved is Shutdown when no world runs any more, or players are to stay in theirs: it stops the exchanges, saves no more than what worlds
// have reported, and the reason of closing is Reset.
func (g *Gate) ShutdownUnsaved(ctx context.Context) error {
	g.resetting.Store(true)
	for _, s := range g.worldLinks() {
		s.port.Stop()
	}
	return g.Shutdown(ctx)
}

// eachLoop has every loop do something, and does not wait for it.
func (g *Gate) eachLoop(do func(*loop)) {
	for _, l := range *g.loops.Load() {
		l.do(func() { do(l) })
	}
}

func wait(ctx context.Context, until <-chan struct{}) error {
	select {
	case <-until:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// signal puts a token into a channel that holds one.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
