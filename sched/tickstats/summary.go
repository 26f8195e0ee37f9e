package tickstats

import (
	"slices"
	"time"
)

// A Summary is of the N ticks that a world had in some time.
type Summary struct {
	N                                  int
	Last, Mean, Median, P95, P99, Most time.Duration
}

// Summary returns that of the ticks in the last d of the world's time.
func (p *Stats) Summary(d time.Duration) (s Summary) {
	all := p.Took(d)
	if s.N = len(all); s.N == 0 {
		return s
	}
	s.Last = all[s.N-1]
	slices.Sort(all)
	for _, d := range all {
		s.Mean += d
	}
	s.Mean /= time.Duration(s.N)
	s.Median, s.P95, s.P99, s.Most = percentile(all, 50), percentile(all, 95), percentile(all, 99), all[s.N-1]
	return s
}

// percentile lies between the two of a sorted list that are nearest to it.
//
// Source: UpdateTime::GetPercentile, UpdateTime.cpp, AzerothCore.
func percentile(sorted []time.Duration, percent int) time.Duration {
	at, part := (len(sorted)-1)*percent/100, (len(sorted)-1)*percent%100
	d := sorted[at]
	if part > 0 {
		d += (sorted[at+1] - d) * time.Duration(part) / 100
	}
	return d
}
