package social

import (
	"muster/components"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/net/replication/change"
	"muster/net/replication/frame"
)

// near sends packets to those near a player that may send some, as a part of the systems that do.
type near struct {
	entities    ecs.Entities
	space       ecs.Res[space.Space]
	out         change.Out
	objects     ecs.Read[components.Object]
	positions   ecs.Read[components.Position]
	homeCells   ecs.Read[components.HomeCell]
	observers   ecs.Read[components.Observer]
	sessions    ecs.Read[components.Session]
	vitals      ecs.Read[components.Vitals]
	appearances ecs.Read[components.PlayerAppearance]
	names       ecs.ReadRef[components.Name] `inplace:"a packet points into it"`
	throttles   ecs.Write[components.ChatThrottle]
}

// dead reports whether a player is dead or a ghost. Those can neither speak nor show emotes.
//
// Source: WorldSession::HandleMessagechatOpcode, HandleTextEmoteOpcode and HandleEmoteOpcode, AzerothCore.
func (s *near) dead(e ecs.Entity) bool {
	return s.vitals.Get(e).Health == 0 || s.appearances.Get(e).Flags&components.PlayerGhost != 0
}

// around sends the packets that were written last to all that are within a distance of a player and could see it. The
// player itself gets them at once, since its client waits for them, the others with their next flush.
func (s *near) around(e ecs.Entity, yards float32) (packet frame.Span) {
	packet = s.out.Cut()
	p, sees := s.positions.Get(e), uint32(1)<<s.homeCells.Get(e).Cell.Layer()
	for layer := range grid.Layers {
		s.space.Get().Order.Within(p.X, p.Y, yards, layer, func(other ecs.Entity) {
			switch {
			case !s.entities.Exists(other) || !s.sessions.Has(other) || s.observers.Get(other).Layers&sees == 0:
			case other == e:
				s.out.SendSpanNow(e, frame.Middle, packet)
			default:
				s.out.SendSpan(other, frame.Middle, packet)
			}
		})
	}
	return packet
}
