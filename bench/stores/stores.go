// Package stores keeps the same movers in several ways: in plain slices, which is the floor; in muster's store, by rows
// and by query; in two other stores; and as objects on the heap. What is done with them is the same in all.
package stores

import (
	"math/rand/v2"
	"unsafe"
)

// The six components of a mover, 96 bytes without pointers.
type (
	// Position is where it is.
	Position struct{ X, Y, Z, O float32 }
	// Velocity is where it goes, per second.
	Velocity struct{ X, Y, Z, O float32 }
	// Vitals is what it has, and regains.
	Vitals struct{ Health, Max, Gain, Spent uint32 }
	// State has a bit for each thing that is so.
	State struct{ Flags, Since uint32 }
	// Origin is where it belongs.
	Origin struct{ X, Y, Z, O float32 }
	// Name is what it is called by.
	Name struct{ GUID, Owner, Guild uint64 }
)

// Bytes is what a mover's components come to.
const Bytes = int(unsafe.Sizeof(Position{}) + unsafe.Sizeof(Velocity{}) + unsafe.Sizeof(Vitals{}) +
	unsafe.Sizeof(State{}) + unsafe.Sizeof(Origin{}) + unsafe.Sizeof(Name{}))

// InCombat is the bit of State that Toggle turns.
const InCombat = 1

// A Store has movers.
type Store interface {
	// Move moves all on by dt seconds: two components.
	Move(dt float32)
	// Regain moves all on, and has them gain health: three components.
	Regain(dt float32)
	// Toggle turns a flag of each mover on or off.
	Toggle()
	// Turn makes n more movers, all together where the store can, and removes them.
	Turn(n int)
	// Sums says something of all movers that does not depend on their order.
	Sums() (place float64, health, flagged uint64)
}

// Ordered is a Store that names the mover of each row.
type Ordered interface {
	Store
	Order() []Name
}

// Makers make stores of so many movers by name; all begin alike.
var Makers = []struct {
	Name string
	Make func(n int) Store
}{
	{"plain slices", newSlices},
	{"ecs, rows", newRows},
	{"ecs, query", newQuery},
	{"ark, columns", newArkColumns},
	{"ark, query", newArkQuery},
	{"donburi", newDonburi},
	{"objects", newObjects},
}

// Make makes the store of a name, of which there is one.
func Make(name string, n int) Store {
	for _, m := range Makers {
		if m.Name == name {
			return m.Make(n)
		}
	}
	panic("stores: no " + name)
}

// Churn makes n more movers of a store, and removes them, so many at a time.
func Churn(s Store, n, atATime int) {
	for ; n > 0; n -= atATime {
		s.Turn(min(n, atATime))
	}
}

// nth is a mover as it begins.
func nth(i int) (p Position, v Velocity, h Vitals, name Name) {
	p = Position{X: float32(i % 1000), Y: float32(i / 1000)}
	v = Velocity{X: float32(i%7) - 3, Y: float32(i%5) - 2, Z: 0, O: 0.25}
	return p, v, Vitals{Health: uint32(i % 100), Max: 200, Gain: uint32(i%3) + 1}, Name{GUID: uint64(i) + 1}
}

// advance moves one mover on.
func advance(p *Position, v *Velocity, dt float32) {
	p.X += float32(v.X * dt)
	p.Y += float32(v.Y * dt)
	p.Z += float32(v.Z * dt)
	p.O += float32(v.O * dt)
}

// regain has one mover gain health.
func (h *Vitals) regain() { h.Health = min(h.Health+h.Gain, h.Max) }

// tally is the sums of a store in the making.
type tally struct {
	place           float64
	health, flagged uint64
}

func (t *tally) add(p *Position, h *Vitals, s *State) {
	t.place += float64(p.X) + float64(p.Y) + float64(p.O)
	t.health += uint64(h.Health)
	t.flagged += uint64(s.Flags & InCombat)
}

// shuffled is the numbers below n in an order in which no memory lies.
func shuffled(n int) []int { return rand.New(rand.NewPCG(1, 2)).Perm(n) }
