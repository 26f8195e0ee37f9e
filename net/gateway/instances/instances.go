// Package instances decides which instance of a map a character enters: the one that it is bound to, or a new one. It numbers them, bounds
// them, and ends those that have been empty for a while. What an instance is made of is the caller's.
//
// Instances are those of one process, which a Journal may keep for the next one. In a cluster a Client, at a gateway, asks a Server, at an orchestrator, which decides by the same Rules about what
// the registry has: so what is bound to which instance outlives each of them. docs/adr/0033-instances-in-the-registry.md has the messages.
package instances

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"muster/internal/metric"
	"muster/loaders/registry"
	"muster/net/gateway"
)

// What is counted.
const (
	Made    = "instance.made"
	Ended   = "instance.ended"   // they were empty for Config.Empty
	Broken  = "instance.broken"  // their worlds have ended by themselves
	Refused = "instance.refused" // characters that may not enter
)

// ErrUnknown is the error for a number of no instance.
var ErrUnknown = errors.New("instances: there is no such instance")

// Config is the configuration of Instances. Zero means the documented default.
type Config struct {
	Exits map[uint32]gateway.Place // of each instanced map: where its players are put that are in no instance of it
	Rules
	// Make makes the world of an instance of a map in a slot, from 1, in which the one before has ended, or has the one of a Kept go on. It runs when Make
	// returns. Required.
	Make func(ctx context.Context, slot int, number, id uint32) (World, error)
	// Journal is told what changes; nil keeps nothing.
	Journal Journal
	// Kept is what the journal of the process before has. Restore has its instances go on, of which there are no more than slots.
	Kept Kept
	// Now is the time; default time.Now.
	Now func() time.Time
	// Metric counts.
	Metric *metric.Table
}

// A World is the world of an instance.
type World struct {
	Stop    func()          // ends it, and returns when it has ended; it is called once
	Ended   <-chan struct{} // closed when it has ended by itself
	Discard func()          // is called after Stop if the instance is no more, and removes what is kept of it; nil does nothing
}

// maxAccounts is of how many accounts the visits of the last hour are kept. More may not enter.
const maxAccounts = 100_000

// Instances are those of one process.
type Instances struct {
	config   Config
	restored chan struct{} // closed when Kept goes on

	making sync.Mutex // is held while one is made: they are small, and seldom made
	mu     sync.Mutex
	last   uint32
	slots  []*instance // by slot less 1; nil is free
	visits map[uint32]map[uint32]time.Time
	closed bool
}

// An instance is one of a map.
type instance struct {
	number, id uint32
	world      World
	stopping   bool
	bound      map[uint64]struct{} // characters

	mu      sync.Mutex // of what follows: who leaves does not wait for a disk
	inside  int        // characters in it, or on their way
	emptied time.Time  // when the last one left; zero before it is known
}

// enters counts a character that enters.
func (in *instance) enters() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.inside++
}

// leaves counts one that leaves.
func (in *instance) leaves(now time.Time) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.inside--; in.inside == 0 {
		in.emptied = now
	}
}

// presence is how many characters are inside, and since when it has been empty if none is: from now on if that is not known.
func (in *instance) presence(now time.Time) (inside int, since time.Time) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.inside == 0 && in.emptied.IsZero() {
		in.emptied = now
	}
	return in.inside, in.emptied
}

var _ gateway.Instances = (*Instances)(nil)

// New returns the instances of a process: none yet.
func New(c Config) *Instances {
	c.setDefaults()
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Metric == nil {
		c.Metric = new(metric.Table)
	}
	c.Metric.Declare(Made, Ended, Broken, Refused)
	s := &Instances{config: c, restored: make(chan struct{}), slots: make([]*instance, max(c.Slots, 0)), visits: c.Kept.visitsAt(c.Now()), last: c.Kept.Last}
	if len(c.Kept.Instances) == 0 {
		close(s.restored)
	}
	return s
}

// Restore has the instances of Config.Kept go on in slots, by their numbers. Until then characters that are to enter one wait. It is called once if there are any.
func (s *Instances) Restore(ctx context.Context) error {
	s.making.Lock()
	defer s.making.Unlock()
	for slot, number := range slices.Sorted(maps.Keys(s.config.Kept.Instances)) {
		kept := s.config.Kept.Instances[number]
		in := &instance{number: number, id: kept.Map, bound: maps.Clone(kept.Bound)}
		var err error
		if in.world, err = s.config.Make(ctx, slot+1, number, kept.Map); err != nil {
			return fmt.Errorf("instances: instance %d of map %d does not go on: %w", number, kept.Map, err)
		}
		s.mu.Lock()
		s.slots[slot] = in
		s.mu.Unlock()
	}
	s.config.Kept = Kept{}
	close(s.restored)
	return nil
}

// Exit implements gateway.Instances.
func (s *Instances) Exit(id uint32) (at gateway.Place, ok bool) {
	at, ok = s.config.Exits[id]
	return at, ok
}

// Enter implements gateway.Instances.
func (s *Instances) Enter(ctx context.Context, v gateway.Visit) (slot int, leave func(), err error) {
	if slot, leave, err = s.enter(ctx, v); err != nil {
		s.config.Metric.Count(Refused)
	}
	return slot, leave, err
}

func (s *Instances) enter(ctx context.Context, v gateway.Visit) (slot int, leave func(), err error) {
	select {
	case <-s.restored:
	case <-ctx.Done():
		return 0, nil, gateway.AbortError
	}
	s.making.Lock()
	defer s.making.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	slot = slices.IndexFunc(s.slots, func(in *instance) bool { return in.takes(v.Map) && in.binds(v.GUID) })
	if err := s.allowed(slot, v); err != nil {
		return 0, nil, err
	}
	var changes []Change
	if slot < 0 {
		slot = slices.Index(s.slots, nil)
		s.last++
		in := &instance{number: s.last, id: v.Map, bound: map[uint64]struct{}{v.GUID: {}}}
		func() {
			s.mu.Unlock() // only makers take a free slot
			defer s.mu.Lock()
			in.world, err = s.config.Make(ctx, slot+1, in.number, v.Map)
		}()
		if err != nil {
			return 0, nil, errors.Join(gateway.AbortError, err)
		}
		s.config.Metric.Count(Made)
		s.slots[slot] = in
		changes = append(changes, Change{Kind: IsMade, Number: in.number, Map: in.id}, Change{Kind: IsBound, Number: in.number, GUID: v.GUID})
	}
	in := s.slots[slot]
	in.enters()
	s.note(v.Account, in.number)
	s.keep(append(changes, Change{Kind: IsEntered, Number: in.number, Account: v.Account, Unix: s.config.Now().Unix()})...)
	return slot + 1, sync.OnceFunc(func() { in.leaves(s.config.Now()) }), nil
}

// binds reports whether a character is bound to an instance.
func (in *instance) binds(guid uint64) bool {
	_, ok := in.bound[guid]
	return ok
}

// takes reports whether players can enter an instance of a map.
func (in *instance) takes(id uint32) bool {
	if in == nil || in.id != id || in.stopping {
		return false
	}
	select {
	case <-in.world.Ended:
		return false
	default:
		return true
	}
}

// allowed is why a character may not enter the instance in a slot, or a new one if that is negative.
func (s *Instances) allowed(slot int, v gateway.Visit) error {
	if s.closed {
		return gateway.AbortError
	}
	s.forget(v.Account)
	lately := s.visits[v.Account]
	c := registry.Chance{Visited: len(lately)}
	if slot >= 0 {
		in := s.slots[slot]
		c.Number = in.number
		c.Inside, _ = in.presence(s.config.Now())
		_, c.Again = lately[in.number]
	}
	for _, in := range s.slots {
		if in != nil {
			c.Instances++
		}
	}
	if err := s.config.refuse(c, v.Login); err != nil {
		return err
	}
	if lately == nil && len(s.visits) >= maxAccounts {
		return gateway.AbortTooMany
	}
	return nil
}

// forget removes the visits of an account that are an hour old.
func (s *Instances) forget(account uint32) {
	lately := s.visits[account]
	for number, at := range lately {
		if s.config.Now().Sub(at) >= time.Hour {
			delete(lately, number)
		}
	}
	if len(lately) == 0 {
		delete(s.visits, account)
	}
}

func (s *Instances) note(account, number uint32) {
	if s.visits[account] == nil {
		s.visits[account] = make(map[uint32]time.Time)
	}
	s.visits[account][number] = s.config.Now()
}

// sweepEvery is how often Run looks for instances to end.
const sweepEvery = time.Second

// Run ends instances that are empty, until ctx is done.
func (s *Instances) Run(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			s.Sweep()
		case <-ctx.Done():
			return
		}
	}
}

// Sweep ends the instances that have been empty for Config.Empty, and those whose world has ended, when no player is left in them. It returns when they have
// ended.
func (s *Instances) Sweep() {
	s.mu.Lock()
	for account := range s.visits {
		s.forget(account)
	}
	s.keep() // what the journal could not keep
	s.mu.Unlock()
	s.end(true, func(in *instance) bool {
		inside, since := in.presence(s.config.Now())
		if inside > 0 {
			return false
		}
		select {
		case <-in.world.Ended:
			s.config.Metric.Count(Broken)
			return true
		default:
		}
		return s.config.Now().Sub(since) >= s.config.Empty
	})
}

// end ends those instances that are chosen, which is called once for each. What is kept of them is so no more if they are over.
func (s *Instances) end(over bool, chosen func(*instance) bool) {
	for i := range s.slots {
		s.mu.Lock()
		in := s.slots[i]
		ok := in != nil && !in.stopping && chosen(in)
		if ok {
			in.stopping = true
		}
		s.mu.Unlock()
		if !ok {
			continue
		}
		in.world.Stop()
		s.config.Metric.Count(Ended)
		s.mu.Lock()
		if over { // first: what is kept of an instance that is none is removed by the next process
			s.keep(Change{Kind: IsOver, Number: in.number})
			in.bound = nil // its slot is taken until all is removed, and nothing of it changes any more
		}
		s.mu.Unlock()
		if over && in.world.Discard != nil {
			in.world.Discard()
		}
		s.mu.Lock()
		s.slots[i] = nil
		s.mu.Unlock()
	}
}

// Close ends the worlds of all instances, which the next process may have go on. Nothing is entered any more.
func (s *Instances) Close() {
	s.making.Lock()
	defer s.making.Unlock()
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.end(false, func(*instance) bool { return true })
}

// List has a line for each instance, in the order of the slots.
func (s *Instances) List(context.Context) (lines []string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, in := range s.slots {
		if in == nil {
			continue
		}
		inside, since := in.presence(s.config.Now())
		state := fmt.Sprintf("%d players inside", inside)
		switch {
		case in.stopping:
			state = "ending"
		case inside == 0:
			state = fmt.Sprintf("empty for %v", s.config.Now().Sub(since).Round(time.Second))
		}
		lines = append(lines, listed(in.number, in.id, state, len(in.bound)))
	}
	return append(lines, fmt.Sprintf("%d of %d instances.", len(lines), len(s.slots))), nil
}

// listed is the line of an instance.
func listed(number, id uint32, state string, bound int) string {
	return fmt.Sprintf("Instance %d of map %d: %s, %d bound.", number, id, state, bound)
}

// Bound has a line for each instance that a character is bound to.
func (s *Instances) Bound(_ context.Context, guid uint64) (lines []string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, in := range s.slots {
		if in != nil && in.binds(guid) {
			lines = append(lines, fmt.Sprintf("map: %d, inst: %d", in.id, in.number))
		}
	}
	return append(lines, fmt.Sprintf("player binds: %d", len(lines))), nil
}

// Unbind unbinds a character from its instance of a map, or from all of them, but from that of the map where it is, and returns how many there
// were.
func (s *Instances) Unbind(_ context.Context, guid uint64, id uint32, all bool, where uint32) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, in := range s.slots {
		if in != nil && in.binds(guid) && in.id != where && (all || in.id == id) {
			s.unbind(in, guid)
			n++
		}
	}
	return n, nil
}

// Bind binds a character to an instance, in place of its own of the same map: it enters that one the next time. The error is
// ErrUnknown, or an Abort if it has no room.
func (s *Instances) Bind(_ context.Context, guid uint64, number uint32) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.slots, func(in *instance) bool { return in != nil && in.number == number && !in.stopping })
	if at < 0 {
		return ErrUnknown
	}
	in := s.slots[at]
	if !in.binds(guid) && len(in.bound) >= s.config.bound() {
		return gateway.AbortFull
	}
	for _, other := range s.slots {
		if other != nil && other.id == in.id && other.binds(guid) {
			s.unbind(other, guid)
		}
	}
	in.bound[guid] = struct{}{}
	s.keep(Change{Kind: IsBound, Number: in.number, GUID: guid})
	return nil
}

func (s *Instances) unbind(in *instance, guid uint64) {
	delete(in.bound, guid)
	s.keep(Change{Kind: IsUnbound, Number: in.number, GUID: guid})
}
