package journal

import "muster/loaders/store"

// Save notes snapshots that were taken together, of characters that Character has returned to their world; if the
// process ends, all of them are found again or none. It does not wait for anything. It calls done, if that is not
// nil, from another goroutine, when they are on the disk, or when that was tried and failed: then they are kept in
// memory, and retried.
func (j *Journal) Save(together []store.Snapshot, done func()) {
	j.mu.Lock()
	soon, closed := done != nil, j.closed
	for i := range together {
		if closed || !j.pending.learn(&together[i]) {
			j.config.Metric.Count("journal.stale")
		}
		soon = soon || together[i].Soon
	}
	if done != nil && !closed {
		j.waiters = append(j.waiters, done)
	}
	j.mu.Unlock()
	if closed {
		if done != nil {
			done()
		}
		return
	}
	if soon {
		signal(j.hurry)
	}
	signal(j.dirty)
	signal(j.work)
}
