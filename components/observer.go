package components

import "muster/ecs/grid"

// Observer makes an entity an observer: it sees the stencil around its home cell in some layers. It remembers the
// layers at the end of the tick before, as HomeCell does the cell.
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

// BodyYards is the distance to its body within which a ghost sees the living. MustSeeYards is the range of
// visibility.
//
// Source: WorldObject::CanSeeOrDetect, AzerothCore, which asks the same of the entity that is seen.
const BodyYards = grid.MustSeeYards

// VisibleLayers are the layers that a player sees. A game master sees all. A ghost sees ghosts, and the living while
// it is near its body; the living see no ghosts. A hidden player sees hidden ones, too.
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
