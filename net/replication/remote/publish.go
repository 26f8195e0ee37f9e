package remote

import (
	"encoding/binary"
	"slices"

	"muster/ecs/grid"
	"muster/net/replication/frame"
)

// publish publishes the frames since it was last called.
func (w *World) publish() {
	w.window.Open(w.config.Exchange)
	defer w.window.Close()
	frames, ok := w.window.After(w.sent)
	if !ok {
		w.config.Metric.Count(FramesLost) // its gateways will ask for them, and be told
		if len(frames) > 0 {
			for _, p := range w.gateways {
				p.backlog = backlog{since: frames[0].Previous()}
			}
		}
	}
	newest := w.newest()
	for _, f := range frames {
		if f.Tick > newest {
			break
		}
		w.publishFrame(f)
		w.sent = f.Tick
		if w.config.Sent != nil {
			w.config.Sent(f.Tick)
		}
		if w.config.Logged {
			w.reportFrame(f)
		}
	}
}

func (w *World) publishFrame(f *frame.Frame) {
	if len(w.gateways) == 0 {
		return
	}
	divides := len(f.Bytes) > w.config.Whole
	var with []uint32
	for number, p := range w.gateways {
		w.private = w.encoder.AppendPrivate(w.private[:0], f, func(session uint32) bool { return w.owner(session) == p })
		if len(w.private) > 0 {
			p.backlog.add(f.Tick, w.private)
		}
		if len(w.private) > maxPart { // it asks for it, and is sent it in parts
			with = append(with, number)
			continue
		}
		if len(w.private) > 0 {
			with = append(with, number)
			w.looks = w.looks[:0]
			if divides {
				w.findLooks(f, p)
			}
			w.out.begin(kindPrivate, w.config.Life)
			w.out.number(f.Tick)
			w.out.regions(w.looks)
			w.out.bytes(w.private)
			w.send(p)
		}
	}
	w.regions, w.shared = w.regions[:0], w.shared[:0]
	if divides {
		w.divide(f)
	}
	if len(w.regions) == 0 {
		w.shared = w.encoder.AppendShared(w.shared, f)
	}
	w.inParts(w.shared, func(part, parts int, b []byte) {
		w.beginPart(kindShared, f, part, parts)
		w.out.number(uint64(len(with)))
		for _, number := range with {
			w.out.number(uint64(number))
		}
		w.out.regions(w.regions)
		w.out.bytes(b)
		w.publishOut(w.toAll)
	})
	w.keys(f)
}

// findLooks notes the regions that new views of a gateway's sessions touch.
func (w *World) findLooks(f *frame.Frame, p *peer) {
	f.Views(func(session uint32, v grid.View, _ bool) {
		if w.owner(session) == p {
			w.looks = frame.AppendRegions(w.looks, v, 0)
		}
	})
	slices.Sort(w.looks)
	w.looks = slices.Compact(w.looks)
}

// divide sends what a frame has in each region.
func (w *World) divide(f *frame.Frame) {
	w.shared = w.encoder.Divide(w.shared, f, func(r frame.Region, half []byte) {
		w.regions = append(w.regions, r)
		subject := w.subjects[r]
		if subject == "" {
			subject = w.config.Address.region(r)
			w.subjects[r] = subject
		}
		w.inParts(half, func(part, parts int, b []byte) {
			w.out.begin(kindRegion, w.config.Life)
			w.out.number(f.Tick)
			w.out.number(uint64(r))
			w.out.number(uint64(part))
			w.out.number(uint64(parts))
			w.out.bytes(b)
			w.publishOut(subject)
		})
	})[:0]
}

// inParts visits bytes in parts that a message has room for, one at least.
func (w *World) inParts(b []byte, send func(part, parts int, b []byte)) {
	parts := max((len(b)+maxPart-1)/maxPart, 1)
	for part := range parts {
		send(part, parts, b[part*maxPart:min((part+1)*maxPart, len(b))])
	}
}

// beginPart begins the message of a part of a frame.
func (w *World) beginPart(kind byte, f *frame.Frame, part, parts int) {
	w.out.begin(kind, w.config.Life)
	w.out.number(f.Tick)
	w.out.number(f.Previous())
	w.out.number(uint64(part))
	w.out.number(uint64(parts))
}

// repeat sends a gateway the frames after a tick again, some of them if they are many, or a keyframe if they are not there any more.
func (w *World) repeat(p *peer, m *reader) {
	life, after := m.u64(), m.number()
	if m.err != nil || life != w.config.Life {
		return
	}
	w.window.Open(w.config.Exchange)
	defer w.window.Close()
	frames, ok := w.window.After(after)
	if !ok {
		w.wantKey(p, after)
		return
	}
	sent := 0
	for _, f := range frames {
		if f.Tick > w.sent || sent > maxRepeat {
			return
		}
		w.config.Metric.Count(FramesRepeated)
		w.shared = w.encoder.AppendShared(w.shared[:0], f)
		w.private = w.encoder.AppendPrivate(w.private[:0], f, func(session uint32) bool { return w.owner(session) == p })
		both := binary.AppendUvarint(nil, uint64(len(w.shared)))
		both = append(append(both, w.shared...), w.private...)
		sent += len(both)
		w.inParts(both, func(part, parts int, b []byte) {
			w.beginPart(kindAgain, f, part, parts)
			w.out.bytes(b)
			w.send(p)
		})
	}
}
