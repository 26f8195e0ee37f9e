package frame

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// RingFrames is how many of the newest frames an exchange keeps readable by default, also while its world writes
// the next: four seconds of 50 ms. Ticks that a world skips have no frame and use none of them up.
const RingFrames = 80

// MaxRing is the most frames of an exchange: 15 s of 6 ms, so that it reaches over a restart of the bus between worlds and gateways. One process needs 800 of them, four seconds of 5 ms.
const MaxRing = 2500

// ringLen has one place more, for the frame that is being written.
const ringLen = MaxRing + 1

// An Exchange is where one gateway and one world meet. The gateway puts items in and replays frames; the
// world takes inboxes and publishes frames. Every method may be called from any goroutine.
type Exchange struct {
	mu       sync.Mutex
	inbox    Inbox
	departed []Departed
	saves    Saves
	answers  []Answered
	wants    uint32
	wake     chan struct{} // holds one token after an item arrived in an empty inbox

	count  atomic.Uint64                  // frames published
	newest atomic.Uint64                  // tick of the last of them
	end    atomic.Bool                    // there will be no more
	moved  atomic.Bool                    // since another process is to have the world
	ring   [ringLen]atomic.Pointer[Frame] // the n-th, from 1, is at n modulo ringLen

	oldest uint64 // the number of the oldest frame of the ring, at least 1; the world's
	age    uint64 // Frame.slot.age of the newest; the world's

	// Keep is how many units of time the frames that are kept readable have together; default RingFrames. A frame has
	// those from the frame before it on, Longest at most: so that nothing is lost where a world skips units. At most
	// MaxRing frames are kept.
	Keep uint64
	// Longest is the longest step, in units; default 1.
	Longest uint64

	// Flushed is the tick up to which the gateway has flushed its players; the newest if it has none. It is called on any goroutine; nil is the newest
	// tick. It is set before use.
	Flushed func() (tick uint64)

	// Now is the world's clock, by which a gateway dates what arrives. It is set before use.
	Now func() time.Duration
	// Lead is how long before a tick what is to be in its inbox must be posted at the latest, where the world is in another process; nil is no time. It is called
	// on any goroutine, and is set before use.
	Lead func() time.Duration

	// Saving is set if Saves is called. It is set before the world starts.
	Saving bool
	// KeepsSaves is set if Saves of frames are read later than their tick. It is set before the world starts.
	KeepsSaves bool

	// Happened is called with each frame that has Happenings, before it is published, on the world's goroutine: it keeps
	// nothing of it, and does not wait. Nil does nothing. It is set before the world starts.
	Happened func(f *Frame)

	// Publishing is called with each frame before it is published, on the world's goroutine: it keeps nothing of it, and does not
	// wait. Nil does nothing. It is set before the world starts.
	Publishing func(f *Frame)

	// Published is called after each new frame, and after Stop, on the world's goroutine; nil does nothing. It
	// is set before the world starts.
	Published func(tick uint64)
}

// A Departed is a player that has left a world, with the character as Character.Wire wrote it.
type Departed struct {
	Session   uint32
	Away      bool // to another map: the character's
	Character []byte
}

// A slot is a frame's place in an exchange, and how many windows hold it there. A world writes into a
// frame again only if no window holds it; otherwise it leaves the frame to its readers and makes a new
// one.
type slot struct {
	number   atomic.Uint64 // the n-th frame of its exchange, from 1; 0 while it is not to be read
	previous uint64        // tick of the frame before it, 0 if it is the first
	age      uint64        // units that the frames so far have together
	readers  atomic.Int32
}

// NewExchange returns an exchange whose ring is empty.
func NewExchange() *Exchange { return &Exchange{wake: make(chan struct{}, 1)} }

// NowMs is the world's clock in ms, as items and packets have it: it wraps after 49 days.
func (p *Exchange) NowMs() uint32 { return uint32(p.Now() / time.Millisecond) }

// Post adds items for the world's next tick; those for a world that has ended are dropped.
func (p *Exchange) Post(in *Inbox) error {
	if in.Len() == 0 || p.Stopped() {
		return nil
	}
	p.mu.Lock()
	err := p.inbox.AddAll(in)
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default:
	}
	return err
}

// Wake delivers when items may have arrived since the last receive.
func (p *Exchange) Wake() <-chan struct{} { return p.wake }

// Take swaps the waiting items with in, which must be empty, and seals them.
func (p *Exchange) Take(in *Inbox) {
	p.mu.Lock()
	p.inbox, *in = *in, p.inbox
	p.mu.Unlock()
	in.Seal()
}

// Empty reports that no items wait.
func (p *Exchange) Empty() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.inbox.Len() == 0
}

// Newest is the tick of the last published frame.
func (p *Exchange) Newest() uint64 { return p.newest.Load() }

// Write gives the world the frame to build the next tick in. Ticks start at 1 and ascend; a tick that is
// skipped has no frame, which is the same as an empty one.
func (p *Exchange) Write() (f *Frame) {
	n, keep := p.count.Load()+1, p.keeps()
	for p.oldest = max(p.oldest, 1); p.oldest < n; p.oldest++ {
		at := p.at(p.oldest)
		old := at.Load()
		if n-p.oldest <= MaxRing && p.age-old.slot.age < keep {
			break
		}
		old.slot.number.Store(0)
		at.Store(nil)
		if f == nil && old.slot.readers.Load() == 0 {
			f = old
		}
	}
	if f == nil {
		f = new(Frame)
	}
	p.at(n).Store(f)
	return f
}

// keeps is how many units are kept.
func (p *Exchange) keeps() uint64 { return cmp.Or(p.Keep, RingFrames) }

// unflushedShare of what is kept may be left to flush, our own choice: three quarters are for clients that have not taken what was flushed.
const unflushedShare = 4

// Full reports whether a quarter of the ring is not flushed yet, so that what has frames at once is to wait with the next one. A world does not: it waits
// for no gateway.
func (p *Exchange) Full() bool {
	return p.Flushed != nil && p.Newest() >= p.Flushed()+min(p.keeps(), MaxRing)/unflushedShare
}

// Publish makes the frame that Write gave visible, and keeps its departed players for Departed and its snapshots
// of the others for Saves.
func (p *Exchange) Publish(f *Frame) {
	if p.Happened != nil && len(f.Happenings) > 0 {
		p.Happened(f)
	}
	if p.Publishing != nil {
		p.Publishing(f)
	}
	if len(f.Left) > 0 || p.Saving && len(f.Saves) > 0 || f.Wants > 0 || len(f.Answers) > 0 {
		p.mu.Lock()
		p.answers = answered(p.answers, f)
		p.wants += f.Wants
		if p.Saving {
			p.saves.add(f)
		}
		for _, l := range f.Left {
			p.departed = append(p.departed, Departed{l.Session, l.Away, slices.Clone(f.In(l.Character))})
		}
		p.mu.Unlock()
	}
	if p.KeepsSaves {
		f.kept = append(f.kept[:0], f.Saves...)
		f.Saves = f.kept
	}
	n := p.count.Load() + 1
	f.slot.previous = p.newest.Load()
	p.age += min(f.Tick-f.slot.previous, max(p.Longest, 1))
	f.slot.age = p.age
	f.slot.number.Store(n)
	p.count.Store(n)
	p.newest.Store(f.Tick)
	if p.Published != nil {
		p.Published(f.Tick)
	}
}

// Stop marks the world as ended: it takes no more items and publishes no more frames. Players that are in
// it never depart, and must be given up.
func (p *Exchange) Stop() {
	p.end.Store(true)
	if p.Published != nil {
		p.Published(p.Newest())
	}
}

// Move is Stop for a world that has ended in order, for another process to have it.
func (p *Exchange) Move() {
	p.moved.Store(true)
	p.Stop()
}

// Moved reports that the world has stopped by Move.
func (p *Exchange) Moved() bool { return p.moved.Load() }

// Stopped reports that the world has ended. The frames that it published stay readable, and all of them were
// published before.
func (p *Exchange) Stopped() bool { return p.end.Load() }

// Departed takes all players that have left since it was last called, in order. They are kept for it
// however many frames are published meanwhile.
func (p *Exchange) Departed() []Departed {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := p.departed
	p.departed = nil
	return all
}

// Wanted is how many GUIDs for items the world has asked for since it was last called.
func (p *Exchange) Wanted() (items uint32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	items, p.wants = p.wants, 0
	return items
}

// Saves swaps the snapshots taken since it was last called with into, which it empties first. A player that has
// departed is in no later snapshot: a caller of Departed and then Saves has all snapshots of a player that
// precede its departure.
func (p *Exchange) Saves(into *Saves) {
	into.reset()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.saves, *into = *into, p.saves
}

// SavesSoon reports whether a snapshot waits for Saves that is to be saved soon.
func (p *Exchange) SavesSoon() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.saves.soon
}

// at is where the n-th frame is, until it is overwritten.
func (p *Exchange) at(n uint64) *atomic.Pointer[Frame] { return &p.ring[n%ringLen] }

// A Window is a gateway's hold on the frames of an exchange during one round of flushes: a frame that it has
// looked at stays as it is until Close. One goroutine owns it. The zero Window must be opened first.
type Window struct {
	exchange *Exchange
	count    uint64 // frames published at the time of Open
	frames   [ringLen]*Frame
	oldest   int // the frames from here on are held, every one up to the newest
	// Newest is the newest tick at the time of Open.
	Newest uint64
}

// Open starts a round on an exchange.
func (w *Window) Open(p *Exchange) {
	w.exchange, w.oldest, w.Newest = p, ringLen, 0
	for w.count = p.count.Load(); w.count > 0; w.count = p.count.Load() {
		if w.hold() { // else it has been overwritten meanwhile
			w.Newest = w.frames[w.oldest].Tick
			return
		}
	}
}

// After is the frames after a tick up to Newest, in order. It is not ok if some of them have been
// overwritten: an observer that needs them is lost. The slice is valid until Close.
func (w *Window) After(tick uint64) (frames []*Frame, ok bool) {
	ok = true
	for ok && w.oldest < ringLen && w.frames[w.oldest].slot.previous > tick {
		ok = w.hold()
	}
	held := w.frames[w.oldest:]
	first, _ := slices.BinarySearchFunc(held, tick+1, func(f *Frame, tick uint64) int {
		return cmp.Compare(f.Tick, tick)
	})
	return held[first:], ok
}

// hold takes hold of the newest frame that is not held yet, if it is still there.
func (w *Window) hold() bool {
	if w.oldest == 0 {
		return false
	}
	n := w.count - uint64(ringLen-w.oldest)
	f := w.exchange.at(n).Load()
	if f == nil {
		return false
	}
	f.slot.readers.Add(1)
	if f.slot.number.Load() != n {
		f.slot.readers.Add(-1)
		return false
	}
	w.oldest--
	w.frames[w.oldest] = f
	return true
}

// Close ends the round.
func (w *Window) Close() {
	for _, f := range w.frames[w.oldest:] {
		f.slot.readers.Add(-1)
	}
	clear(w.frames[w.oldest:])
	w.oldest = ringLen
}
