package tickstats

import "time"

const (
	// Span is the time of the world that one row of the history is of.
	Span = time.Second
	// History is the time of the world that is remembered in spans.
	History = 10 * time.Minute
)

// A Second is what is remembered of the ticks in one span, once it is over. A span without ticks has none.
type Second struct {
	N       uint64 // spans since the beginning of the world
	Ticks   int
	Late    int           // that took longer than their step
	Sum     time.Duration // of all ticks
	Longest Tick          // the one that took longest; its Load, Ended and Ran are not remembered
}

// historyFixed is how many columns a row of the history has before those of the systems.
const historyFixed = 7

// remember adds a tick to the span that it is in, and commits the one before if that is over. The writer calls it.
func (p *Stats) remember(n uint64, step, took time.Duration) {
	s := &p.second
	if at := uint64(time.Duration(n) * p.Quantum / Span); at != s.N || s.Ticks == 0 {
		if s.Ticks > 0 {
			p.commitSecond()
		}
		s.N, s.Ticks, s.Late, s.Sum, s.Longest.Took = at, 0, 0, 0, -1
	}
	s.Ticks++
	s.Sum += took
	if took > step {
		s.Late++
	}
	if t := &s.Longest; took > t.Took {
		t.N, t.Step, t.Took = n, step, took
		for i, d := range p.spent {
			t.Spent[i] = time.Duration(d)
		}
	}
}

func (p *Stats) commitSecond() {
	s, row := &p.second, p.history.next()
	for i, v := range [historyFixed]int64{
		int64(s.N), int64(s.Ticks), int64(s.Late), int64(s.Sum), int64(s.Longest.N), int64(s.Longest.Step), int64(s.Longest.Took),
	} {
		row[i].Store(v)
	}
	for i, d := range s.Longest.Spent {
		row[historyFixed+i].Store(int64(d))
	}
	p.history.commit()
}

// Seconds returns the spans after the n-th that are remembered, the oldest first; all for a negative n.
func (p *Stats) Seconds(n int64) (all []Second) {
	p.history.last(p.history.after(n), historyFixed+len(p.systems), func(row []int64) {
		s := Second{N: uint64(row[0]), Ticks: int(row[1]), Late: int(row[2]), Sum: time.Duration(row[3]),
			Longest: Tick{N: uint64(row[4]), Step: time.Duration(row[5]), Took: time.Duration(row[6])}}
		for _, v := range row[historyFixed:] {
			s.Longest.Spent = append(s.Longest.Spent, time.Duration(v))
		}
		all = append(all, s)
	})
	return all
}
