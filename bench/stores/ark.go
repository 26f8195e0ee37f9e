package stores

import "github.com/mlange-42/ark/ecs"

// arkColumns is ark, arche's successor, walked by columns.
type arkColumns struct {
	world   *ecs.World
	make    *ecs.Map6[Position, Velocity, Vitals, State, Origin, Name]
	two     *ecs.Filter2[Position, Velocity]
	three   *ecs.Filter3[Position, Velocity, Vitals]
	states  *ecs.Filter1[State]
	sums    *ecs.Filter3[Position, Vitals, State]
	churned []ecs.Entity
	spawned int // of a batch
	begin   func(ecs.Entity, *Position, *Velocity, *Vitals, *State, *Origin, *Name)
}

func newArk(n int) *arkColumns {
	w := ecs.NewWorld(max(n, 1024))
	s := &arkColumns{
		world: w, make: ecs.NewMap6[Position, Velocity, Vitals, State, Origin, Name](w),
		two: ecs.NewFilter2[Position, Velocity](w), three: ecs.NewFilter3[Position, Velocity, Vitals](w),
		states: ecs.NewFilter1[State](w), sums: ecs.NewFilter3[Position, Vitals, State](w),
	}
	s.begin = func(e ecs.Entity, p *Position, v *Velocity, h *Vitals, _ *State, origin *Origin, name *Name) {
		*p, *v, *h, *name = nth(s.spawned)
		*origin = Origin(*p)
		s.churned = append(s.churned, e)
		s.spawned++
	}
	s.spawn(n)
	return s
}

// spawn makes some movers.
func (s *arkColumns) spawn(n int) {
	s.churned, s.spawned = s.churned[:0], 0
	s.make.NewBatchFn(n, s.begin)
}

func newArkColumns(n int) Store { return newArk(n) }

func (s *arkColumns) Move(dt float32) {
	q := s.two.Query()
	for q.NextTable() {
		p, v := q.GetColumns()
		moveRows(p, v, dt)
	}
}

func (s *arkColumns) Regain(dt float32) {
	q := s.three.Query()
	for q.NextTable() {
		p, v, h := q.GetColumns()
		regainRows(p, v, h, dt)
	}
}

func (s *arkColumns) Toggle() {
	q := s.states.Query()
	for q.NextTable() {
		toggleRows(q.GetColumns())
	}
}

func (s *arkColumns) Turn(n int) {
	s.spawn(n)
	for _, e := range s.churned {
		s.world.RemoveEntity(e)
	}
}

func (s *arkColumns) Sums() (place float64, health, flagged uint64) {
	q := s.sums.Query()
	for q.NextTable() {
		place, health, flagged = sumRows(q.GetColumns())
	}
	return place, health, flagged
}

// arkQuery is ark, walked entity by entity.
type arkQuery struct{ *arkColumns }

func newArkQuery(n int) Store { return arkQuery{newArk(n)} }

func (s arkQuery) Move(dt float32) {
	q := s.two.Query()
	for q.Next() {
		p, v := q.Get()
		advance(p, v, dt)
	}
}

func (s arkQuery) Regain(dt float32) {
	q := s.three.Query()
	for q.Next() {
		p, v, h := q.Get()
		advance(p, v, dt)
		h.regain()
	}
}

func (s arkQuery) Toggle() {
	q := s.states.Query()
	for q.Next() {
		q.Get().Flags ^= InCombat
	}
}
