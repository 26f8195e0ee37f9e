package frame

// An exchange of a gateway whose world is in another process is filled by what connects the two: with frames that a Decoder
// has made, by Write and Publish, and with what follows.

// Join sets the tick from which on frames are published. It is called once, before the first of them.
func (p *Exchange) Join(tick uint64) {
	if tick > 0 {
		f := p.Write()
		f.reset(tick)
		p.Publish(f)
	}
}

// Relay adds what a world has reported beside its frames: snapshots, answers, and for how many items it wants GUIDs. The
// saves are copied.
func (p *Exchange) Relay(saves *Saves, answers []Answered, wants uint32) {
	p.mu.Lock()
	if p.Saving {
		for i := range saves.Len() {
			s, lists := saves.At(i)
			p.saves.Put(s, lists)
		}
	}
	p.answers = bounded(append(p.answers, answers...))
	p.wants += wants
	p.mu.Unlock()
	if p.Published != nil {
		p.Published(p.Newest())
	}
}

// Put adds a snapshot, and its lists as Lists.Wire wrote them. Both are copied.
func (s *Saves) Put(save *Save, lists []byte) {
	s.list = append(s.list, *save)
	s.place(&s.list[len(s.list)-1], lists)
	s.bound()
}

// Previous is the tick of the frame before this one in its exchange, 0 if it is the first.
func (f *Frame) Previous() uint64 { return f.slot.previous }
