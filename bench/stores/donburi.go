package stores

import (
	"github.com/yohamta/donburi"
	"github.com/yohamta/donburi/filter"
)

// The components as donburi names them.
var (
	donburiPosition = donburi.NewComponentType[Position]()
	donburiVelocity = donburi.NewComponentType[Velocity]()
	donburiVitals   = donburi.NewComponentType[Vitals]()
	donburiState    = donburi.NewComponentType[State]()
	donburiOrigin   = donburi.NewComponentType[Origin]()
	donburiName     = donburi.NewComponentType[Name]()
)

// donburiStore is donburi.
type donburiStore struct {
	world              donburi.World
	two, three, states *donburi.Query
	churned            []donburi.Entity
}

func newDonburi(n int) Store {
	s := &donburiStore{
		world:  donburi.NewWorld(),
		two:    donburi.NewQuery(filter.Contains(donburiPosition, donburiVelocity)),
		three:  donburi.NewQuery(filter.Contains(donburiPosition, donburiVelocity, donburiVitals)),
		states: donburi.NewQuery(filter.Contains(donburiState)),
	}
	for i := range n {
		s.spawn(i)
	}
	return s
}

func (s *donburiStore) spawn(i int) donburi.Entity {
	e := s.world.Create(donburiPosition, donburiVelocity, donburiVitals, donburiState, donburiOrigin, donburiName)
	p, v, h, name := nth(i)
	entry := s.world.Entry(e)
	*donburiPosition.Get(entry), *donburiVelocity.Get(entry), *donburiVitals.Get(entry) = p, v, h
	*donburiOrigin.Get(entry), *donburiName.Get(entry) = Origin(p), name
	return e
}

func (s *donburiStore) Move(dt float32) {
	s.two.Each(s.world, func(e *donburi.Entry) {
		advance(donburiPosition.Get(e), donburiVelocity.Get(e), dt)
	})
}

func (s *donburiStore) Regain(dt float32) {
	s.three.Each(s.world, func(e *donburi.Entry) {
		advance(donburiPosition.Get(e), donburiVelocity.Get(e), dt)
		donburiVitals.Get(e).regain()
	})
}

func (s *donburiStore) Toggle() {
	s.states.Each(s.world, func(e *donburi.Entry) { donburiState.Get(e).Flags ^= InCombat })
}

func (s *donburiStore) Turn(n int) {
	s.churned = s.churned[:0]
	for i := range n {
		s.churned = append(s.churned, s.spawn(i))
	}
	for _, e := range s.churned {
		s.world.Remove(e)
	}
}

func (s *donburiStore) Sums() (float64, uint64, uint64) {
	var t tally
	s.three.Each(s.world, func(e *donburi.Entry) {
		t.add(donburiPosition.Get(e), donburiVitals.Get(e), donburiState.Get(e))
	})
	return t.place, t.health, t.flagged
}
