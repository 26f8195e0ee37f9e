package journal

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"muster/components/life"
	"muster/loaders/store"
)

// How long the store is left alone after it failed to take a batch: at first, and at most.
const (
	minBackOff = 50 * time.Millisecond
	maxBackOff = 2 * time.Second
)

// applyRounds writes pending entries to the store, and all of them at the end if it can.
func (j *Journal) applyRounds() {
	for j.waitForWork() && j.persevere(context.Background(), j.stopApply) && j.pause(j.config.Pause, j.stopApply) {
	}
	ctx, cancel := context.WithTimeout(context.Background(), j.config.Drain)
	defer cancel()
	j.persevere(ctx, ctx.Done())
}

func (j *Journal) waitForWork() bool {
	select {
	case <-j.work:
		return true
	case <-j.stopApply:
		return false
	}
}

// pause waits. It is false at the end.
func (j *Journal) pause(d time.Duration, end <-chan struct{}) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-end:
		return false
	}
}

// persevere writes the queue to the store, and retries until it has all of it. It is false if the journal ends first.
func (j *Journal) persevere(ctx context.Context, end <-chan struct{}) bool {
	for backOff := minBackOff; ; backOff = min(2*backOff, maxBackOff) {
		before := j.taken()
		err := j.applyRound(ctx)
		if err == nil {
			if j.taken() > before { // all may have changed meanwhile, and wait for the disk: then nothing was tried
				j.tookAll()
			}
			return true
		}
		j.config.Metric.Count("journal.retry")
		j.failed(err)
		// Entries that failed together are not retried together.
		if !j.pause(backOff/2+rand.N(backOff/2), end) {
			return false
		}
	}
}

// taken is how many batches the store has taken so far.
func (j *Journal) taken() uint64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.batches
}

// applyRound writes the queue to the store, in batches, and stops at the first that it does not take. What changes
// meanwhile is the next round's.
func (j *Journal) applyRound(ctx context.Context) error {
	j.mu.Lock()
	left := len(j.pending.queue)
	j.mu.Unlock()
	for {
		j.mu.Lock()
		batch := j.pending.dequeue(min(left, j.config.Batch), (*entry).written)
		j.mu.Unlock()
		if err := j.applyBatch(ctx, batch); err != nil {
			return err
		}
		if left -= len(batch); left <= 0 || len(batch) == 0 {
			return nil
		}
	}
}

func (j *Journal) applyBatch(ctx context.Context, batch []*entry) error {
	ctx, cancel := context.WithTimeout(ctx, j.config.Timeout)
	defer cancel()
	return j.apply(ctx, batch)
}

// apply writes some entries to the store. If it does not take one of them, that waits again, and the error is
// returned.
func (j *Journal) apply(ctx context.Context, batch []*entry) error {
	select {
	case <-j.applying:
	case <-ctx.Done():
		j.mu.Lock()
		defer j.mu.Unlock()
		j.pending.enqueue(batch...)
		return context.Cause(ctx)
	}
	defer func() { j.applying <- struct{}{} }()
	batch, list, err := j.take(ctx, batch)
	var each []error
	if err == nil && len(list) > 0 {
		began := time.Now()
		each, err = j.Store.SaveCharacters(ctx, list)
		if err == nil {
			j.saved.Observe(time.Since(began))
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for i, e := range batch {
		became := err
		if became == nil {
			became = each[i]
		}
		if again := j.settle(e, became); again != nil {
			err = again
		}
	}
	if err == nil && len(batch) > 0 {
		j.wrote = time.Now()
		j.batches++
	}
	signal(j.dirty) // files may go
	return err
}

// take returns the characters of a batch as the store is to have them, without deleted ones. A character that has
// changed since it was chosen waits again, until the change is on the disk.
func (j *Journal) take(ctx context.Context, batch []*entry) (taken []*entry, list []store.Character, err error) {
	whole := make([]store.Character, len(batch))
	for i, e := range batch {
		if whole[i], err = j.complete(ctx, e); err != nil {
			j.mu.Lock()
			defer j.mu.Unlock()
			j.pending.enqueue(batch...)
			return nil, nil, err
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	sick := j.degraded.Load()
	for i, e := range batch {
		c := &whole[i]
		switch {
		case e.gone:
			continue
		case !sick && !e.written():
			j.pending.enqueue(e)
			continue
		case e.has == life.All:
			c = &e.now
		}
		e.taken = c.Version
		taken, list = append(taken, e), append(list, *c)
	}
	if sick { // the disk does not keep the group together: one batch must
		for _, e := range j.pending.dequeue(len(j.pending.queue), func(e *entry) bool { return !e.written() }) {
			e.taken = e.now.Version
			taken, list = append(taken, e), append(list, e.now)
		}
	}
	return taken, list, nil
}

// complete returns a character with the lists that its entry lacks. An orphan is dropped.
func (j *Journal) complete(ctx context.Context, e *entry) (store.Character, error) {
	j.mu.Lock()
	copied := *e
	j.mu.Unlock()
	if copied.has == life.All || copied.gone {
		return copied.now, nil
	}
	stored, err := j.Store.Character(ctx, copied.now.GUID)
	if errors.Is(err, store.ErrNotFound) {
		return copied.now, nil // which the store is going to say again
	}
	if err != nil {
		return copied.now, err
	}
	c, ok := copied.over(&stored)
	if !ok {
		j.orphan(e)
	}
	return c, nil
}

// orphan drops an entry that is still incomplete.
func (j *Journal) orphan(e *entry) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if e.has != life.All && !e.gone {
		j.config.Metric.Count("journal.orphan")
		j.pending.drop(e)
	}
}

// settle records the store's result for an entry. It returns the error if it is to be retried.
func (j *Journal) settle(e *entry, err error) error {
	switch {
	case err == nil, errors.Is(err, store.ErrStale): // it had it by another way, or since a try that seemed to fail
	case errors.Is(err, store.ErrNotFound):
		j.config.Metric.Count("journal.gone")
	case errors.Is(err, store.ErrLife):
		j.config.Metric.Count("journal.refused")
	default:
		e.stored(false)
		if !e.gone {
			j.pending.enqueue(e)
		}
		return err
	}
	last := e.taken >= e.now.Version
	e.stored(true)
	if last {
		j.pending.drop(e)
	}
	return nil
}
