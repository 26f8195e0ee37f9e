package journal

import (
	"errors"
	"time"
)

// ErrFull is the error of a journal that has reached Config.MaxBytes.
var ErrFull = errors.New("journal: full")

// retryFlush is when a round is retried that failed.
const retryFlush = time.Second

// flushRounds writes notes to the disk, until the end.
func (j *Journal) flushRounds() {
	for {
		select {
		case <-j.dirty:
		case <-j.stopFlush:
			j.flush()
			return
		}
		if !j.rest(j.config.Interval) {
			j.flush()
			return
		}
		for j.flush() != nil {
			if !j.rest(retryFlush) {
				j.flush()
				return
			}
		}
	}
}

// rest waits for the interval, unless a caller waits for the disk. It is false at the end.
func (j *Journal) rest(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-j.hurry:
	case <-j.stopFlush:
		return false
	}
	return true
}

// A writing is an entry in a round: its note when the round began.
type writing struct {
	e *entry
	record
}

// flush is one round: it writes all notes, and removes files that are not needed any more.
func (j *Journal) flush() error {
	j.mu.Lock()
	waiters := j.waiters
	j.waiters = nil
	round := j.begin(j.pending.unwritten)
	j.pending.unwritten = j.pending.unwritten[:0]
	idle := len(j.pending.all) == 0
	j.mu.Unlock()

	var err error
	if len(round) > 0 {
		err = j.write(round)
		j.sound(err)
		j.end(round, err)
		signal(j.work)
	} else if idle && j.segments.bytes > j.config.Segment/4 {
		j.segments.seal()
	}
	j.segments.trim()
	j.bytes.Store(j.segments.bytes)
	for _, done := range waiters {
		done()
	}
	return err
}

// begin takes the notes of entries.
func (j *Journal) begin(noted []*entry) (round []writing) {
	for _, e := range noted {
		if e.noted = false; !e.gone {
			round = append(round, writing{e, record{since: e.since, lists: e.lists, now: e.now}})
			e.note, e.flushing = note{}, true
		}
	}
	return round
}

// write writes a round, or everything that is pending anew if the files have grown too large.
func (j *Journal) write(round []writing) error {
	s := &j.segments
	records := encode(s.next, round)
	if large := max(j.config.MaxBytes/2, 2*s.compact); s.bytes+int64(len(records)) > large {
		if err := j.rewrite(j.config.MaxBytes); err == nil {
			return nil
		} else if !errors.Is(err, ErrFull) {
			return err
		}
	}
	if s.bytes+int64(len(records)) > j.config.MaxBytes {
		return ErrFull
	}
	seg, err := s.write(records, len(round))
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for i := range round {
		if e := round[i].e; !e.gone {
			e.writtenTo(seg)
		}
	}
	return nil
}

// rewrite writes everything pending to a segment of its own, after which the segments before it are not needed. It
// returns ErrFull if there would be more than limit bytes, those before it included.
func (j *Journal) rewrite(limit int64) error {
	s := &j.segments
	j.mu.Lock()
	var round []writing
	for _, e := range j.pending.all {
		round = append(round, writing{e, record{since: e.base, lists: e.has, now: e.now}})
	}
	j.mu.Unlock()
	records := encode(s.next, round)
	if s.bytes+int64(len(records)+segmentHead) > limit {
		return ErrFull
	}
	s.seal()
	seg, err := s.write(records, len(round))
	if err != nil {
		return err
	}
	j.mu.Lock()
	for i := range round {
		e := round[i].e
		if e.gone {
			continue
		}
		e.letGo()
		e.writtenTo(seg)
	}
	j.mu.Unlock()
	s.compact = int64(len(records))
	return nil
}

// end ends a round. What did not get to the disk is noted again.
func (j *Journal) end(round []writing, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for i := range round {
		w := &round[i]
		if w.e.flushing = false; err != nil && !w.e.gone {
			w.e.since = w.since
			w.e.lists |= w.lists
			j.pending.unwrite(w.e)
		}
	}
}

// encode encodes a round: all of it counts or nothing.
func encode(number uint64, round []writing) (b []byte) {
	for i := range round {
		r := &round[i].record
		r.number, r.last = number+uint64(i), i == len(round)-1
		b = r.append(b)
	}
	return b
}

// sound calls the alarm, or ends it.
func (j *Journal) sound(err error) {
	if err != nil {
		j.config.Metric.Count("journal.sync_failed")
		if errors.Is(err, ErrFull) {
			j.config.Metric.Count("journal.full")
		}
	}
	if failed := err != nil; j.degraded.Swap(failed) != failed {
		j.config.Alarm(err)
	}
}
