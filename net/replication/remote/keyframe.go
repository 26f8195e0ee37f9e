package remote

import (
	"fmt"
	"time"

	"muster/ecs/grid"
	"muster/net/replication/frame"
)

// A gateway that has missed more than the ring of a world has goes on with a keyframe. It is two things. What happened in cells is lost: the
// world is asked, by items of its inbox, to send the players of the gateway all that they see anew, and the frame of the tick that does so is the
// key. What concerns single sessions is not lost: the world keeps the private halves that the gateway does not have yet. The gateway, which has
// noted what its players' clients know, has them forget that, gives them what was theirs alone meanwhile, and then the key.

// A backlog is what a world keeps of what a gateway may not have.
type backlog struct {
	since   uint64 // the tick after which the private halves of all ticks are in it
	private []tickBytes
	size    int       // bytes of private
	after   uint64    // the last tick that the gateway has, if a key is wanted
	wanted  time.Time // since when a key is, zero if none is
	next    bool      // the next frame is it: the gateway had no players then, and those that enter since miss nothing of it
	key     uint64    // tick of the last key
	sent    time.Time // when that was sent last
}

type tickBytes struct {
	tick  uint64
	bytes []byte
}

// add adds a copy of a private half. If that is too much, what there was is dropped: a gap that reaches back so far is not filled.
func (b *backlog) add(tick uint64, private []byte) {
	if b.size += len(private); b.size > maxBacklog {
		*b = backlog{since: tick, key: b.key}
		return
	}
	b.private = append(b.private, tickBytes{tick, append([]byte(nil), private...)})
}

// forget drops what a gateway has.
func (b *backlog) forget(seen uint64) {
	n := 0
	for n < len(b.private) && b.private[n].tick <= seen {
		b.size -= len(b.private[n].bytes)
		n++
	}
	clear(b.private[:n])
	b.private = b.private[n:]
	b.since = max(b.since, seen)
}

// lose tells a gateway that what it misses after a tick is not to be had any more.
func (w *World) lose(p *peer, after uint64) {
	w.config.Metric.Count(FramesLost)
	w.out.begin(kindLost, w.config.Life)
	w.out.u64(p.life)
	w.out.number(after)
	w.send(p)
}

// wantKey has a key be made for a gateway that has the frames up to a tick, or sent again.
func (w *World) wantKey(p *peer, after uint64) {
	b, now := &p.backlog, time.Now()
	if after < b.since {
		w.lose(p, after)
		return
	}
	b.after = after
	if b.key > after {
		if now.Sub(b.sent) < repeatAge {
			return
		}
		if frames, ok := w.window.After(b.key - 1); ok && len(frames) > 0 && frames[0].Tick == b.key {
			w.sendKey(p, frames[0])
			return
		}
	}
	if w.config.Exchange.Stopped() {
		w.lose(p, after) // no tick makes one any more
		return
	}
	if now.Sub(b.wanted) < keyAge {
		return
	}
	b.wanted, b.next = now, len(p.players) == 0
	var in frame.Inbox
	for session := range p.players {
		in.Add(frame.Item{Session: session, AtMs: w.config.Exchange.NowMs(), Op: frame.OpRefresh})
	}
	if w.config.Exchange.Post(&in) != nil {
		b.wanted = time.Time{} // it asks again
	}
}

// keys sends the gateways that wait for it a frame that is a key for them.
func (w *World) keys(f *frame.Frame) {
	for _, p := range w.gateways {
		if p.backlog.wanted.IsZero() {
			continue
		}
		refreshed := p.backlog.next || len(p.players) == 0
		for _, session := range f.Refreshed {
			refreshed = refreshed || w.owner(session) == p
		}
		if refreshed {
			p.backlog.wanted = time.Time{}
			w.sendKey(p, f)
		}
	}
}

// sendKey sends a gateway a key, with the private halves before it.
func (w *World) sendKey(p *peer, f *frame.Frame) {
	b := &p.backlog
	b.key, b.sent = f.Tick, time.Now()
	var body, between writer
	count := 0
	for _, t := range b.private {
		if t.tick > b.after && t.tick < f.Tick {
			count++
			between.text(t.bytes)
		}
	}
	body.number(uint64(count))
	body.bytes(between.b)
	w.shared = w.encoder.AppendShared(w.shared[:0], f)
	body.text(w.shared)
	body.b = w.encoder.AppendPrivate(body.b, f, func(session uint32) bool { return w.owner(session) == p })
	w.config.Metric.Count(Keyframes)
	w.config.Log.Info("a gateway is sent a keyframe", "gateway", p.number, "map", w.config.Address.Map, "after", b.after, "tick", f.Tick, "bytes", len(body.b), "players", len(p.players))
	w.inParts(body.b, func(part, parts int, bytes []byte) {
		w.out.begin(kindKey, w.config.Life)
		w.out.number(f.Tick)
		w.out.number(b.after)
		w.out.number(uint64(part))
		w.out.number(uint64(parts))
		w.out.bytes(bytes)
		w.send(p)
	})
}

// A key is a keyframe that is on its way to a gateway.
type key struct {
	tick, after uint64
	pieces      pieces
}

// key takes a part of a keyframe, and goes on with it when it is complete.
func (g *Gateway) key(m *reader) error {
	tick, after := m.number(), m.number()
	part, parts := m.partOf()
	body := m.rest()
	if m.err == nil && (tick < 2 || after > tick-2) {
		m.fail("a keyframe of tick %d after %d", tick, after)
	}
	if m.err != nil || after != g.last || tick < g.coming.tick {
		return nil // it has what the keyframe is for, or waits for a later one
	}
	if g.coming.tick != tick || g.coming.after != after {
		g.coming = key{tick: tick, after: after}
	}
	g.coming.pieces.put(part, parts, body)
	g.asked = time.Now() // more of it is on its way
	if !g.coming.pieces.complete() {
		return nil
	}
	whole := &reader{b: g.coming.pieces.whole()}
	g.coming = key{}
	between := make([][]byte, whole.count())
	for i := range between {
		between[i] = whole.text()
	}
	shared, private := whole.text(), whole.rest()
	if whole.err != nil {
		return fmt.Errorf("%w: map %d, keyframe of tick %d: %w", ErrLost, g.config.Address.Map, tick, whole.err)
	}
	g.config.Metric.Count(Keyframes)
	g.config.Log.Warn("the gateway has missed more than the world keeps, and goes on with a keyframe", "map", g.config.Address.Map, "after", after, "tick", tick)
	f := g.config.Exchange.Write()
	if err := g.decoder.Bridge(f, tick-1, g.regions.views, &g.regions.census, between, g.local); err != nil {
		g.config.Exchange.Publish(f)
		return fmt.Errorf("%w: map %d, keyframe of tick %d: %w", ErrLost, g.config.Address.Map, tick, err)
	}
	g.regions.follow(f)
	g.config.Exchange.Publish(f)
	g.last = tick - 1
	return g.publish(tick, &assembly{shared: pieces{parts: [][]byte{shared}}, private: private})
}

// seen is the cells in some view.
func (in *interest) seen() *grid.Set {
	in.union.Clear()
	for _, v := range in.views {
		in.union.AddView(v)
	}
	return &in.union
}
