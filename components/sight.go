package components

// Sight makes an entity an observer: it sees the stencil around its home in some layers. It remembers which it saw at
// the end of the tick before, as a Home does.
type Sight struct {
	Layers uint32 // bit per layer
	Prev   uint32 // the layers before the change of tick Tick
	Tick   uint32 // the last tick in which Layers was set
}

// Set changes the layers in a tick.
func (s *Sight) Set(tick, layers uint32) {
	if s.Tick != tick {
		s.Prev, s.Tick = s.Layers, tick
	}
	s.Layers = layers
}

// Before is the layers at the end of the tick before the given one, which is the running one.
func (s *Sight) Before(tick uint32) uint32 {
	if s.Tick == tick {
		return s.Prev
	}
	return s.Layers
}
