package instances

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"muster/internal/metric"
	"muster/loaders/registry"
	"muster/net/gateway"
	"muster/net/replication/remote"
)

// A BindRegistry is the part of a registry that has the binds of characters: registry.Registry.
type BindRegistry interface {
	Instances(ctx context.Context, realm string) ([]registry.Instance, error)
	BoundInstances(ctx context.Context, realm string, guid uint64) ([]registry.Instance, error)
	UnbindInstances(ctx context.Context, realm string, guid uint64, id uint32, all bool, where uint32) (int, error)
	BindInstance(ctx context.Context, realm string, guid uint64, number uint32, most int) error
}

// ClientConfig is what a Client is made with. All but the last two are required.
type ClientConfig struct {
	Exits    map[uint32]gateway.Place // of each instanced map: where its players are put that are in no instance of it
	Slots    int                      // how many instances this gateway can have players in at a time; none if it is 0
	Registry BindRegistry
	Bus      remote.Bus
	Realm    string // its name
	Subject  string // its name as one token of a subject
	Gateway  uint8  // the number of this one
	Life     uint64 // another number for each process with that number, ascending
	// Link connects a slot of the gateway, from 1, in which the instance before has ended, with the world of an instance.
	Link   func(ctx context.Context, slot int, number, id uint32) (Linked, error)
	Metric *metric.Table
	Log    *slog.Logger
}

// A Linked is the world of an instance in another process, as it is connected with the gateway. If that world is lost it is the next one of the instance.
type Linked interface {
	// State is the world as it is now: ready is closed when it can be entered, and ended when it is lost.
	State() (ready, ended <-chan struct{})
	// Stop ends the connection, and returns when it has ended. It is called once.
	Stop()
}

// Times, our own choices.
const (
	askTime   = 500 * time.Millisecond // for an answer, until the question is asked again
	asks      = 8                      // how often it is asked
	tellEvery = 2 * time.Second        // how often orchestrators are told which characters are inside, besides when that changes
	idleTime  = 2 * time.Second        // after which a world without players of this gateway is disconnected
	lookAgain = 50 * time.Millisecond  // until a world that is lost is looked for again
)

// A Client asks the orchestrators of a realm which instance a character enters, and connects the gateway with it. It tells them which characters are inside.
type Client struct {
	config ClientConfig
	left   chan struct{} // holds a token when a character has left

	linking sync.Mutex // is held while a slot is taken or given back
	mu      sync.Mutex
	links   []*link // by slot less 1; nil is free
	visits  map[uint64]registry.Visitor
	last    uint64 // visit; at first the life of this process
	said    uint64 // the last visit when orchestrators were told that no player is inside
	asked   uint64 // questions
	open    map[uint64]chan message
	closed  bool
}

// A link is an instance that this gateway has players in, or had.
type link struct {
	slot   int // from 1
	number uint32
	world  Linked
	inside int // in it, or on their way, through this gateway
	idle   time.Time
}

var _ gateway.Instances = (*Client)(nil)

// NewClient returns a client, which asks while Run runs.
func NewClient(c ClientConfig) *Client {
	c.Log, c.Metric = cmp.Or(c.Log, slog.Default()), cmp.Or(c.Metric, new(metric.Table))
	c.Metric.Declare(Refused, Unanswered, Malformed)
	return &Client{
		config: c, left: make(chan struct{}, 1), links: make([]*link, c.Slots), visits: make(map[uint64]registry.Visitor), last: c.Life, said: c.Life,
		open: make(map[uint64]chan message),
	}
}

// Exit implements gateway.Instances.
func (c *Client) Exit(id uint32) (at gateway.Place, ok bool) {
	at, ok = c.config.Exits[id]
	return at, ok
}

// Enter implements gateway.Instances.
func (c *Client) Enter(ctx context.Context, v gateway.Visit) (slot int, leave func(), err error) {
	if len(c.links) == 0 {
		return 0, nil, gateway.AbortMapNotAllowed
	}
	visit, err := c.begin(v)
	var l *link
	if err == nil {
		if l, err = c.enter(ctx, v, visit); err != nil {
			c.end(visit)
		}
	}
	if err != nil {
		c.config.Metric.Count(Refused)
		if _, by := err.(gateway.Abort); !by { // no rule refuses it
			c.config.Log.Warn("an instance cannot be entered", "map", v.Map, "guid", v.GUID, "err", err)
		}
		return 0, nil, err
	}
	return l.slot, sync.OnceFunc(func() {
		c.leave(l)
		c.end(visit)
	}), nil
}

// errUnanswered is the error for a question that no orchestrator has answered.
var errUnanswered = errors.New("instances: no orchestrator answers")

// enter finds the instance of a character, and waits until its world can be entered.
func (c *Client) enter(ctx context.Context, v gateway.Visit, visit uint64) (*link, error) {
	e := registry.Entry{Map: v.Map, GUID: v.GUID, Account: v.Account, Visit: visit}
	a, err := c.ask(ctx, &message{kind: kindEnter, entry: e, login: v.Login})
	switch {
	case err != nil:
		return nil, errors.Join(gateway.AbortError, err)
	case a.abort != 0:
		return nil, a.abort
	}
	c.mu.Lock()
	c.visits[visit] = registry.Visitor{Visit: visit, GUID: v.GUID, Number: a.instance}
	c.mu.Unlock()
	l, err := c.link(ctx, a.instance, v.Map)
	if err != nil {
		return nil, err
	}
	if err := l.wait(ctx); err != nil {
		c.leave(l)
		return nil, errors.Join(gateway.AbortError, err)
	}
	return l, nil
}

// begin notes a character that is to enter an instance which is not known yet.
func (c *Client) begin(v gateway.Visit) (visit uint64, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.visits) >= maxInside {
		return 0, gateway.AbortTooManyRealm
	}
	c.last++
	c.visits[c.last] = registry.Visitor{Visit: c.last, GUID: v.GUID}
	return c.last, nil
}

// end notes that a character is out of an instance, or has not come in.
func (c *Client) end(visit uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.visits, visit)
	signal(c.left)
}

// Number is that of the instance in a slot of the gateway, from 1; 0 if there is none.
func (c *Client) Number(slot int) uint32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l := c.links[slot-1]; l != nil {
		return l.number
	}
	return 0
}

// leave notes that one character less is in an instance.
func (c *Client) leave(l *link) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l.inside--; l.inside == 0 {
		l.idle = time.Now()
	}
}

// link is the connection with the world of an instance, for one character more.
func (c *Client) link(ctx context.Context, number, id uint32) (*link, error) {
	c.linking.Lock()
	defer c.linking.Unlock()
	l, at, old, err := c.slot(number)
	if l != nil || err != nil {
		return l, err
	}
	if old != nil {
		old.world.Stop()
	}
	l = &link{slot: at + 1, number: number, inside: 1}
	if l.world, err = c.config.Link(ctx, l.slot, number, id); err != nil {
		return nil, errors.Join(gateway.AbortError, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.links[at] = l
	return l, nil
}

// slot is the link of an instance, for one character more, or else where there is room for one; in place of an old one that is to be stopped, if that is
// not nil.
func (c *Client) slot(number uint32) (l *link, at int, old *link, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, 0, nil, gateway.AbortError
	}
	for _, l := range c.links {
		if l != nil && l.number == number {
			l.inside++
			return l, 0, nil, nil
		}
	}
	if at = slices.Index(c.links, nil); at < 0 {
		at = slices.IndexFunc(c.links, func(l *link) bool { return l.inside == 0 })
	}
	if at < 0 {
		return nil, 0, nil, gateway.AbortTooManyRealm
	}
	old, c.links[at] = c.links[at], nil
	return nil, at, old, nil
}

// wait waits until the world can be entered, also if it is lost and another one takes its place.
func (l *link) wait(ctx context.Context) error {
	for {
		ready, ended := l.world.State()
		select {
		case <-ready:
			select {
			case <-ended:
			default:
				return nil
			}
		case <-ended:
		case <-ctx.Done():
			return fmt.Errorf("instances: instance %d has no worker yet: %w", l.number, ctx.Err())
		}
		select {
		case <-time.After(lookAgain):
		case <-ctx.Done():
		}
	}
}

// ask asks the orchestrators, again and again for a while.
func (c *Client) ask(ctx context.Context, m *message) (message, error) {
	answer := make(chan message, 1)
	c.mu.Lock()
	c.asked++
	m.gateway, m.life, m.number = c.config.Gateway, c.config.Life, c.asked
	c.open[m.number] = answer
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.open, m.number)
	}()
	b := m.append(nil)
	again := time.NewTicker(askTime)
	defer again.Stop()
	for range asks {
		c.config.Bus.Publish(questions(c.config.Subject), b) // what is not sent is sent again
		select {
		case a := <-answer:
			return a, nil
		case <-again.C:
		case <-ctx.Done():
			c.config.Metric.Count(Unanswered)
			return message{}, errUnanswered
		}
	}
	c.config.Metric.Count(Unanswered)
	return message{}, errUnanswered
}

// take takes an answer.
func (c *Client) take(b []byte) {
	m, err := read(b)
	if err != nil || m.kind != kindAnswer {
		c.config.Metric.Count(Malformed)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if answer := c.open[m.number]; answer != nil && m.life == c.config.Life {
		answer <- m
		delete(c.open, m.number)
	}
}

// Run takes answers, tells orchestrators which characters are inside, and ends connections that are not used, until ctx is done.
func (c *Client) Run(ctx context.Context) {
	stop, err := c.config.Bus.Subscribe(answers(c.config.Subject, c.config.Gateway), c.take)
	if err != nil {
		c.config.Log.Error("orchestrators cannot be asked for instances", "err", err)
		return
	}
	defer stop()
	tell, sweep := time.NewTicker(tellEvery), time.NewTicker(sweepEvery)
	defer tell.Stop()
	defer sweep.Stop()
	var telling sync.WaitGroup
	defer telling.Wait()
	changed := make(chan struct{}, 1)
	telling.Go(func() {
		for ctx.Err() == nil {
			select {
			case <-changed:
				c.tell(ctx)
			case <-ctx.Done():
			}
		}
	})
	for {
		select {
		case <-tell.C:
			signal(changed)
		case <-c.left:
			signal(changed)
		case <-sweep.C:
			c.sweep()
		case <-ctx.Done():
			return
		}
	}
}

// signal puts a token into a channel that holds one.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// tell tells an orchestrator which players are inside, unless it has been told that none is and none has been since.
func (c *Client) tell(ctx context.Context) {
	c.mu.Lock()
	last, none := c.last, len(c.visits) == 0
	m := &message{kind: kindInside, newest: last}
	for visit, v := range c.visits {
		if v.Number == 0 { // an answer is on its way
			m.newest = min(m.newest, visit-1)
		} else {
			m.inside = append(m.inside, v)
		}
	}
	said := none && c.said == last
	c.mu.Unlock()
	if said {
		return
	}
	slices.SortFunc(m.inside, func(a, b registry.Visitor) int { return cmp.Compare(a.Visit, b.Visit) })
	if _, err := c.ask(ctx, m); err == nil && none {
		c.mu.Lock()
		c.said = last
		c.mu.Unlock()
	}
}

// sweep ends the connections that have not been used for idleTime.
func (c *Client) sweep() {
	c.stop(func(l *link) bool { return l.inside == 0 && time.Since(l.idle) >= idleTime })
}

// Close ends all connections. Nothing is entered any more.
func (c *Client) Close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.stop(func(*link) bool { return true })
}

// stop ends those connections that are chosen.
func (c *Client) stop(chosen func(*link) bool) {
	c.linking.Lock()
	defer c.linking.Unlock()
	for at := range c.links {
		c.mu.Lock()
		l := c.links[at]
		ok := l != nil && chosen(l)
		if ok {
			c.links[at] = nil
		}
		c.mu.Unlock()
		if ok {
			l.world.Stop()
		}
	}
}

// List has a line for each instance of the realm, by number.
func (c *Client) List(ctx context.Context) (lines []string, err error) {
	list, err := c.config.Registry.Instances(ctx, c.config.Realm)
	if err != nil {
		return nil, err
	}
	for _, in := range list {
		state := fmt.Sprintf("%d players inside", in.Inside)
		if in.Inside == 0 && in.Empty > 0 {
			state = fmt.Sprintf("empty for %v", in.Empty.Round(time.Second))
		}
		lines = append(lines, listed(in.Number, in.Map, state, in.Bound))
	}
	return append(lines, fmt.Sprintf("%d instances in the realm.", len(list))), nil
}

// Bound has a line for each instance that a character is bound to.
func (c *Client) Bound(ctx context.Context, guid uint64) (lines []string, err error) {
	list, err := c.config.Registry.BoundInstances(ctx, c.config.Realm, guid)
	if err != nil {
		return nil, err
	}
	for _, in := range list {
		lines = append(lines, fmt.Sprintf("map: %d, inst: %d", in.Map, in.Number))
	}
	return append(lines, fmt.Sprintf("player binds: %d", len(list))), nil
}

// Unbind unbinds a character from its instance of a map, or from all of them, but from that of the map where it is, and returns how many there
// were.
func (c *Client) Unbind(ctx context.Context, guid uint64, id uint32, all bool, where uint32) (int, error) {
	return c.config.Registry.UnbindInstances(ctx, c.config.Realm, guid, id, all, where)
}

// Bind binds a character to an instance, in place of its own of the same map: it enters that one the next time. The error is
// ErrUnknown, or an Abort if it has no room, or that of the registry.
func (c *Client) Bind(ctx context.Context, guid uint64, number uint32) error {
	var rules Rules
	rules.setDefaults()
	err := c.config.Registry.BindInstance(ctx, c.config.Realm, guid, number, rules.bound())
	switch {
	case errors.Is(err, registry.ErrOlder):
		return ErrUnknown
	case errors.Is(err, registry.ErrBound):
		return gateway.AbortFull
	}
	return err
}
