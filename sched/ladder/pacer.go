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

// Stride is how many quanta a step has at present.
func (p *Pacer) Stride() uint64 { return p.Rung().Stride }

// Step is the present step.
func (p *Pacer) Step() time.Duration { return p.Rungs.Step(p.Rung()) }

// Period is the present time between two flushes of a player.
func (p *Pacer) Period() time.Duration { return p.Rungs.Period(p.Rung()) }

// Name names the present rung.
func (p *Pacer) Name() string { return p.Rungs.Name(p.Rung()) }

// Changes is how often a longer rung was taken, and a shorter one.
func (p *Pacer) Changes() (up, down uint64) { return p.ups.Load(), p.downs.Load() }

// Spent visits the rungs with the time spent on each, up to the last judgement.
func (p *Pacer) Spent(visit func(name string, spent time.Duration)) {
	for i, rung := range p.Rungs.All {
		visit(p.Rungs.Name(rung), time.Duration(p.spent[i].Load()))
	}
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
