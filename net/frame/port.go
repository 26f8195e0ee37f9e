package frame

import (
	"sync"
	"sync/atomic"
)

// RingTicks is how many frames a port keeps: four seconds of 50 ms. A cursor whose next frame has fallen
// off is lost. Ticks that a world has skipped make nobody fall off.
const RingTicks = 80

// A Port is where one gateway and one world meet. The gateway puts items in and replays frames; the
// world takes inboxes and publishes frames. Every method may be called from any goroutine.
type Port struct {
	mu    sync.Mutex
	inbox Inbox
	wake  chan struct{} // holds one token after an item arrived in an empty inbox

	count  atomic.Uint64 // of the frames published
	newest atomic.Uint64 // tick of the last of them
	off    atomic.Uint64 // tick of the last that has fallen off the ring
	ring   [RingTicks]atomic.Pointer[slot]

	// NowMs is the world's clock, by which a gateway dates what arrives. It is set before use.
	NowMs func() uint32

	// Published is called after each new frame, on the world's goroutine; nil does nothing. It is set
	// before the world starts.
	Published func(tick uint64)
}

// A slot is a frame and how many replays are reading it. A world writes into a slot again only if
// nobody reads it; otherwise it leaves the slot to its readers and makes a new one.
type slot struct {
	Frame
	tick    atomic.Uint64 // of the published frame; 0 while it is being written
	readers atomic.Int32
}

// NewPort returns a port whose ring is empty.
func NewPort() *Port { return &Port{wake: make(chan struct{}, 1)} }

// Post adds items for the world's next tick.
func (p *Port) Post(in *Inbox) error {
	if in.Len() == 0 {
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
func (p *Port) Wake() <-chan struct{} { return p.wake }

// Take swaps the waiting items with in, which must be empty, and seals them.
func (p *Port) Take(in *Inbox) {
	p.mu.Lock()
	p.inbox, *in = *in, p.inbox
	p.mu.Unlock()
	in.Seal()
}

// Empty reports that no items wait.
func (p *Port) Empty() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.inbox.Len() == 0
}

// Newest is the tick of the last published frame.
func (p *Port) Newest() uint64 { return p.newest.Load() }

// Write gives the world the frame to build tick in. Ticks start at 1 and ascend; a tick that is skipped
// has no frame, which is the same as an empty one.
func (p *Port) Write(tick uint64) *Frame {
	at := &p.ring[p.count.Load()%RingTicks]
	s := at.Load()
	if s != nil {
		p.off.Store(s.Tick)
		s.tick.Store(0)
		if s.readers.Load() != 0 {
			s = nil
		}
	}
	if s == nil {
		s = new(slot)
		at.Store(s)
	}
	return &s.Frame
}

// Publish makes the frame that Write gave for its tick visible.
func (p *Port) Publish(f *Frame) {
	n := p.count.Load()
	p.ring[n%RingTicks].Load().tick.Store(f.Tick)
	p.count.Store(n + 1)
	p.newest.Store(f.Tick)
	if p.Published != nil {
		p.Published(f.Tick)
	}
}

// A Window is a gateway's hold on the frames of a port during one round of flushes: a frame that it has
// looked at stays as it is until Close. One goroutine owns it. The zero Window must be opened first.
type Window struct {
	port  *Port
	count uint64 // of the frames published at the time of Open
	held  [RingTicks]*slot
	// Newest is the newest tick at the time of Open.
	Newest uint64
}

// Open starts a round on a port.
func (w *Window) Open(p *Port) {
	w.port, w.Newest = p, 0
	for w.count = p.count.Load(); w.count > 0; w.count = p.count.Load() {
		if s := w.hold((w.count - 1) % RingTicks); s != nil { // else it has been overtaken meanwhile
			w.Newest = s.Tick
			return
		}
	}
}

// Frame is the frame of a tick up to Newest, nil if the tick wrote none. It is not ok if the frame has
// fallen off the ring: whoever needs it is lost.
func (w *Window) Frame(tick uint64) (f *Frame, ok bool) {
	// It stands as far before the newest as its tick does, or nearer if ticks were skipped between them.
	for back := min(w.Newest-tick+1, w.count, RingTicks); back > 0; back-- {
		s := w.hold((w.count - back) % RingTicks)
		if s != nil && s.Tick == tick {
			return &s.Frame, true
		}
		if s != nil && s.Tick > tick {
			break
		}
	}
	return nil, tick > w.port.off.Load()
}

// hold keeps a slot as it is, nil if nothing was published in it or it is being written again.
func (w *Window) hold(i uint64) *slot {
	if w.held[i] != nil {
		return w.held[i]
	}
	s := w.port.ring[i].Load()
	if s == nil {
		return nil
	}
	s.readers.Add(1)
	if s.tick.Load() == 0 {
		s.readers.Add(-1)
		return nil
	}
	w.held[i] = s
	return s
}

// Close ends the round.
func (w *Window) Close() {
	for i, s := range w.held {
		if s != nil {
			s.readers.Add(-1)
			w.held[i] = nil
		}
	}
}
