package frame

import "muster/net/protocol/update"

// Observers that arrive at a crowded place in the same tick need the same create blocks. So these are compressed once,
// some of a cell together, and each packet is made of what is compressed already; only the block of an observer itself
// is cut out, with the few around it. Blocks that a single observer needs are not worth it.

const (
	// bundleMost is how many create blocks are compressed together: of more, too many go with an observer's own; of
	// fewer, too little is found to be the same.
	//
	// Source: performance.md 3.4, fragment join: 25 give 3.6, 10 give 3.05, all together 3.5 for four hundred times the
	// work.
	bundleMost = 25
	// bundleLeast is how few are worth it.
	bundleLeast = 4
	// bundleSlots is how many bundles a replayer keeps: those of a few thousand subjects. With blocks of up to half a KB
	// they take at most 5 MiB.
	bundleSlots = 256
)

// A bundle is the create blocks of some subjects that are adjacent in a frame.
type bundle struct {
	frame   *Frame
	tick    uint64
	first   uint32
	n       uint32
	entered bool // they are enters, else residents
	shorter bool // compressed, and shorter for it
	update.Fragment
}

// createBytes is about the length of a create block, that of a creature.
//
// Source: performance.md 3.4.
const createBytes = 198

// storm reports whether what may be created is likely to be worth compressing.
func (r *Replayer) storm() bool {
	count := uint32(0)
	for i := range r.near {
		if n := &r.near[i]; n.after {
			count += n.enter.n
			if n.gained {
				count += n.residents.n
			}
		}
	}
	return count > 0 && r.Updates.Worth(int(count)*createBytes)
}

// create adds the create blocks of some adjacent subjects to a packet, and notes their companions. needed is the create
// half of the i-th in its frame, nil if the observer does not need it; in a storm it is worth compressing.
func (r *Replayer) create(u *update.Writer, f *Frame, of run, entered, storm bool, needed func(i uint32) *half) {
	for at, end := of.first, of.first+of.n; at < end; {
		some := min(bundleMost, end-at)
		from := len(r.created)
		for i := at; i < at+some; i++ {
			if h := needed(i); h != nil {
				r.created = append(r.created, *h)
			}
		}
		halves := r.created[from:]
		if b := r.bundle(f, at, some, entered, storm && some >= bundleLeast && len(halves) == int(some), halves); b != nil {
			u.Fragment(&b.Fragment)
		} else {
			for _, h := range halves {
				u.Block(f.In(h.block))
			}
		}
		at += some
	}
}

// bundle is those subjects as a fragment, nil if they are not to be one or only one observer has needed them yet.
func (r *Replayer) bundle(f *Frame, first, n uint32, entered, worth bool, halves []half) *bundle {
	if !worth {
		return nil
	}
	if r.bundles == nil {
		r.bundles = new([bundleSlots]bundle)
	}
	slot := first / bundleLeast * 2
	if entered {
		slot++
	}
	b := &r.bundles[slot%bundleSlots]
	if b.frame != f || b.tick != f.Tick || b.first != first || b.n != n || b.entered != entered {
		if r.Updates.Holds(&b.Fragment) {
			return nil // the slot's bundle is in the packet that is being made
		}
		b.frame, b.tick, b.first, b.n, b.entered, b.shorter = f, f.Tick, first, n, entered, false
		b.Reset()
		return nil
	}
	if b.Empty() {
		for _, h := range halves {
			b.Add(f.In(h.block))
		}
		b.shorter = r.press.Press(&b.Fragment)
	}
	if !b.shorter {
		return nil
	}
	return b
}
