package ladder

import (
	"context"
	"sync/atomic"
	"time"
)

// A Pacer has the rung that a server is on. Any goroutine may read it; Run changes it.
type Pacer struct {
	Rungs Rungs

	at    atomic.Int32
	ups   atomic.Uint64
	downs atomic.Uint64
	spent []atomic.Int64 // nanoseconds on each rung, up to the last judgement
}

// NewPacer returns a pacer on the first rung.
func NewPacer(rungs Rungs) *Pacer {
	return &Pacer{Rungs: rungs, spent: make([]atomic.Int64, len(rungs.All))}
}

// Rung is the present rung.
func (p *Pacer) Rung() Rung { return p.Rungs.All[p.at.Load()] }

// Stride is how many units a step has at present.
func (p *Pacer) Stride() uint64 { return p.Rung().Stride }

// Stats is what a pacer has done.
type Stats struct {
	Rung   int // the place of the present one in Rungs.All
	Up     uint64
	Down   uint64
	Spent  []time.Duration // on each rung
	Pinned bool            // there is no choice but under overload
}

// Stats may be called at any time, from any goroutine.
func (p *Pacer) Stats() Stats {
	s := Stats{Rung: int(p.at.Load()), Up: p.ups.Load(), Down: p.downs.Load(), Pinned: p.Rungs.Base == 0}
	for i := range p.spent {
		s.Spent = append(s.Spent, time.Duration(p.spent[i].Load()))
	}
	return s
}

// Run judges every so often until ctx is done. Sample fills in what has been spent; changed is told of each change.
func (p *Pacer) Run(ctx context.Context, l *Ladder, sample func(*Sample), changed func(from, to Rung)) {
	t := time.NewTicker(Every)
	defer t.Stop()
	var s Sample
	last := time.Now()
	sample(&s)
	l.Judge(Every, &s)
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		now := time.Now()
		sample(&s)
		before := p.at.Load()
		p.spent[before].Add(int64(now.Sub(last)))
		l.Judge(now.Sub(last), &s)
		last = now
		switch at := int32(l.at); {
		case at > before:
			p.ups.Add(1)
		case at < before:
			p.downs.Add(1)
		default:
			continue
		}
		p.at.Store(int32(l.at))
		changed(p.Rungs.All[before], l.Rung())
	}
}
