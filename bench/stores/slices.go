package stores

// slices is the floor: a slice for each component.
type slices struct {
	positions  []Position
	velocities []Velocity
	vitals     []Vitals
	states     []State
	origins    []Origin
	names      []Name
}

func newSlices(n int) Store {
	s := new(slices)
	for i := range n {
		s.add(i)
	}
	return s
}

func (s *slices) add(i int) {
	p, v, h, name := nth(i)
	s.positions, s.velocities, s.vitals = append(s.positions, p), append(s.velocities, v), append(s.vitals, h)
	s.states, s.origins, s.names = append(s.states, State{}), append(s.origins, Origin(p)), append(s.names, name)
}

func (s *slices) Move(dt float32)   { moveRows(s.positions, s.velocities, dt) }
func (s *slices) Regain(dt float32) { regainRows(s.positions, s.velocities, s.vitals, dt) }
func (s *slices) Toggle()           { toggleRows(s.states) }

func (s *slices) Turn(n int) {
	was := len(s.positions)
	for i := range n {
		s.add(i)
	}
	s.positions, s.velocities, s.vitals = s.positions[:was], s.velocities[:was], s.vitals[:was]
	s.states, s.origins, s.names = s.states[:was], s.origins[:was], s.names[:was]
}

func (s *slices) Sums() (float64, uint64, uint64) { return sumRows(s.positions, s.vitals, s.states) }

// moveRows is the loop that every store by columns runs.
//
//go:noinline
func moveRows(positions []Position, velocities []Velocity, dt float32) {
	velocities = velocities[:len(positions)]
	for i := range positions {
		advance(&positions[i], &velocities[i], dt)
	}
}

//go:noinline
func regainRows(positions []Position, velocities []Velocity, vitals []Vitals, dt float32) {
	velocities, vitals = velocities[:len(positions)], vitals[:len(positions)]
	for i := range positions {
		advance(&positions[i], &velocities[i], dt)
		vitals[i].regain()
	}
}

//go:noinline
func toggleRows(states []State) {
	for i := range states {
		states[i].Flags ^= InCombat
	}
}

func sumRows(positions []Position, vitals []Vitals, states []State) (float64, uint64, uint64) {
	var t tally
	for i := range positions {
		t.add(&positions[i], &vitals[i], &states[i])
	}
	return t.place, t.health, t.flagged
}
