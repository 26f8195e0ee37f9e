package tickstats

import "muster/ecs/grid"

// crowds is how many crowds a Stats remembers.
const crowds = 8

// A Crowd is a cell with many awake entities.
type Crowd struct {
	Cell    grid.Cell
	Things  int // awake entities, players among them
	Players int
}

// Crowds are the cells of a world with the most awake entities, the fullest first; those without entities are none.
type Crowds [crowds]Crowd

// Add adds a cell if it is one of the fullest.
func (c *Crowds) Add(crowd Crowd) {
	for i := range c {
		if crowd.Things > c[i].Things {
			crowd, c[i] = c[i], crowd
		}
	}
}

// Crowd records which cells are the fullest.
func (p *Stats) Crowd(c *Crowds) {
	var values [crowds * 3]int64
	for i := range c {
		values[3*i], values[3*i+1], values[3*i+2] = int64(c[i].Cell), int64(c[i].Things), int64(c[i].Players)
	}
	p.crowded.write(&values)
}

// Crowds returns those recorded last.
func (p *Stats) Crowds() (all []Crowd) {
	values := p.crowded.read()
	for i := 0; i < len(values) && values[i+1] > 0; i += 3 {
		all = append(all, Crowd{grid.Cell(values[i]), int(values[i+1]), int(values[i+2])})
	}
	return all
}
