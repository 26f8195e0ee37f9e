package gameobject

import (
	"math"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/components/move"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// Chairs has players sit down on chairs and benches.
type Chairs struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	place    ecs.Res[defs.Map]
	space    ecs.Res[space.Space]
	out      change.Out
	used     ecs.Events[rules.ObjectUsed]

	teleports ecs.Emit[move.Teleport]
	stands    ecs.Emit[rules.SetStand]

	objects   ecs.Read[components.Object]
	positions ecs.Read[components.Position]
	stances   ecs.Read[components.Stance]

	seated []life.Place `snapshot:"-"` // in this tick, by teleports that have not happened yet

	inUse sched.Counter `name:"gameobject.in_use"`
}

// OnEvents implements sched.Handler.
func (s *Chairs) OnEvents(sched.Tick) {
	s.seated = s.seated[:0]
	for _, u := range s.used.All() {
		if template := s.defs.Get().GameObject(s.objects.Get(u.Object).Entry); template.Type == defs.ObjectChair && !u.Reported {
			s.seat(&u, template)
		}
	}
}

// Limits of chairs: a seat is taken if a player sits on a chair that near to it, and a chair has no more seats than that.
//
// Source: GameObject::Use, AzerothCore; the number of seats is our own choice.
const (
	seatYards = 0.1
	maxSeats  = 64
)

// seat has a player sit down on the nearest free seat. Seats are in a row across the way that the chair faces.
//
// Source: GameObject::Use, AzerothCore.
func (s *Chairs) seat(u *rules.ObjectUsed, template *defs.GameObject) {
	at, p := s.positions.Get(u.Object), s.positions.Get(u.By)
	across := float64(at.O) + math.Pi/2
	seats := min(max(template.Data[defs.ChairSlots], 1), maxSeats)
	var best life.Place
	nearest := float32(math.Inf(1))
	for i := range seats {
		along := float64(template.Size) * (float64(i) - float64(seats-1)/2)
		seat := life.Place{
			Map: s.place.Get().ID, X: at.X + float32(along*math.Cos(across)), Y: at.Y + float32(along*math.Sin(across)), Z: at.Z, O: at.O,
		}
		dx, dy := seat.X-p.X, seat.Y-p.Y
		if d := float32(dx*dx) + float32(dy*dy); d < nearest && !s.taken(u, &seat) {
			best, nearest = seat, d
		}
	}
	if math.IsInf(float64(nearest), 1) {
		s.out.Refuse(u.By, u.Op, &s.inUse)
		return
	}
	s.seated = append(s.seated, best)
	s.teleports.Emit(move.Teleport{Entity: u.By, To: best})
	height := min(template.Data[defs.ChairHeight], components.SittingOnHighChair-components.SittingOnLowChair)
	s.stands.Emit(rules.SetStand{Entity: u.By, State: uint8(components.SittingOnLowChair + height), Say: true})
}

// taken reports whether another player sits on a seat.
func (s *Chairs) taken(u *rules.ObjectUsed, seat *life.Place) (yes bool) {
	for _, other := range s.seated {
		yes = yes || other == *seat
	}
	s.space.Get().Order.Within(seat.X, seat.Y, seatYards, grid.Living, func(e ecs.Entity) {
		if e == u.By || !s.entities.Exists(e) || !s.stances.Has(e) {
			return
		}
		switch s.stances.Get(e).Bytes1[components.ByteStand] {
		case components.SittingOnChair, components.SittingOnLowChair, components.SittingOnMediumChair, components.SittingOnHighChair:
			yes = true
		}
	})
	return yes
}
