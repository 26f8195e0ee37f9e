package components

import "muster/ecs/grid"

// Observer makes an entity an observer: it sees the stencil around its home in some layers. It remembers which it saw at
// the end of the tick before, as a Home does.
type Observer struct {
	Layers uint32 // bit per layer
	Prev   uint32 // the layers before the change of tick Tick
	Tick   uint32 // the last tick in which Layers was set
}

// Set changes the layers in a tick.
func (s *Observer) Set(tick, layers uint32) {
	if s.Tick != tick {
		s.Prev, s.Tick = s.Layers, tick
	}
	s.Layers = layers
}

// Before is the layers at the end of the tick before the given one, which is the running one.
func (s Observer) Before(tick uint32) uint32 {
	if s.Tick == tick {
		return s.Prev
	}
	return s.Layers
}

// BodyYards is how near its body a ghost must be to see the living around it. MustSeeYards is how far anybody sees.
//
// Source: WorldObject::CanSeeOrDetect, AzerothCore, which asks the same of whom it sees.
const BodyYards = grid.MustSeeYards

// VisibleLayers is the layers that a player sees. A game master sees all. A ghost sees ghosts, and the living as long as it is near
// its body; the living see no ghosts. Who hides sees those who hide, too.
//
// Source: WorldObject::CanSeeOrDetect and AuraEffect::HandleAuraGhost, AzerothCore; there one's own party sees one's
// ghost, and ghosts see bodies wherever they are.
func VisibleLayers(master, ghost, nearBody, hidden bool) (layers uint32) {
	const living, ghosts, invisible = 1 << grid.Living, 1 << grid.Ghosts, 1 << grid.Invisible
	if master {
		return living | ghosts | invisible
	}
	if layers = living; ghost {
		if layers = ghosts; nearBody {
			layers |= living
		}
	}
	if hidden {
		layers |= invisible
	}
	return layers
}
