package stores

import (
	std "slices"

	"muster/ecs"
)

// rows is muster's store, walked by rows as hot systems do.
type rows struct {
	world      *ecs.World
	kind       *ecs.Archetype
	positions  ecs.Accessor[Position]
	velocities ecs.Accessor[Velocity]
	vitals     ecs.Accessor[Vitals]
	states     ecs.Accessor[State]
	origins    ecs.Accessor[Origin]
	names      ecs.Accessor[Name]
	churned    []ecs.Entity
	note       func(i int, e ecs.Entity) // adds to churned, bound once
}

func newRows(n int) Store {
	w := ecs.NewWorld(max(n, 1024))
	s := &rows{
		world:     w,
		kind:      ecs.NewArchetype(w, append(ecs.Of4[Position, Velocity, Vitals, State](), ecs.Of2[Origin, Name]()...)...),
		positions: ecs.NewAccessor[Position](w), velocities: ecs.NewAccessor[Velocity](w),
		vitals: ecs.NewAccessor[Vitals](w), states: ecs.NewAccessor[State](w),
	}
	s.origins, s.names = ecs.NewAccessor[Origin](w), ecs.NewAccessor[Name](w)
	s.note = func(_ int, e ecs.Entity) { s.churned = append(s.churned, e) }
	s.spawn(n)
	return s
}

// spawn makes some movers in their initial state.
func (s *rows) spawn(n int) {
	had := s.kind.Count()
	s.churned = s.churned[:0]
	s.kind.SpawnBatch(n, s.note)
	positions, velocities, vitals := s.positions.Rows(s.kind)[had:], s.velocities.Rows(s.kind)[had:], s.vitals.Rows(s.kind)[had:]
	origins, names := s.origins.Rows(s.kind)[had:], s.names.Rows(s.kind)[had:]
	for i := range positions {
		positions[i], velocities[i], vitals[i], names[i] = nth(i)
		origins[i] = Origin(positions[i])
	}
}

func (s *rows) Move(dt float32) {
	moveRows(s.positions.Rows(s.kind), s.velocities.Rows(s.kind), dt)
}

func (s *rows) Regain(dt float32) {
	regainRows(s.positions.Rows(s.kind), s.velocities.Rows(s.kind), s.vitals.Rows(s.kind), dt)
}

func (s *rows) Toggle() { toggleRows(s.states.Rows(s.kind)) }

// Turn spawns and despawns as a stage of a tick does.
func (s *rows) Turn(n int) {
	s.spawn(n)
	for _, e := range s.churned {
		s.world.Despawn(e)
	}
	s.world.EndStage()
}

// Order is the mover of each row. One that moves to another archetype leaves its row to the last one, and comes back last.
func (s *rows) Order() []Name { return std.Clone(s.names.Rows(s.kind)) }

func (s *rows) Sums() (float64, uint64, uint64) {
	return sumRows(s.positions.Rows(s.kind), s.vitals.Rows(s.kind), s.states.Rows(s.kind))
}

// query is muster's store, walked by queries: those of arche, through our names.
type query struct {
	*rows
	two    *ecs.Filter2[Position, Velocity]
	states *ecs.Filter1[State]
}

func newQuery(n int) Store {
	r := newRows(n).(*rows)
	return &query{r, ecs.NewFilter2[Position, Velocity](r.world), ecs.NewFilter1[State](r.world)}
}

func (s *query) Move(dt float32) {
	q := s.two.Iter()
	for q.Next() {
		p, v := q.Get()
		advance(p, v, dt)
	}
}

// Regain reaches the third component by its entity, for filters have two at most.
func (s *query) Regain(dt float32) {
	q := s.two.Iter()
	for q.Next() {
		p, v := q.Get()
		advance(p, v, dt)
		s.vitals.Get(q.Entity()).regain()
	}
}

func (s *query) Toggle() {
	q := s.states.Iter()
	for q.Next() {
		q.Get().Flags ^= InCombat
	}
}
