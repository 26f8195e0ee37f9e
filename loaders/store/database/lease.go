package database

import (
	"context"
	"errors"
	"slices"
	"time"

	"muster/loaders/store"
)

// leaseSize is how many GUIDs a store reserves at once. Those left when a process is killed are lost: there are 8,000
// ranges.
const leaseSize = 1000

const (
	takeRange = `UPDATE guids SET next = next + $1 WHERE kind = $2 AND next <= $3 RETURNING next`
	giveRange = `UPDATE guids SET next = $1 WHERE kind = 'character' AND next = $2`
)

// A lease is a range of GUIDs that no other process gives out.
type lease struct {
	free      chan struct{} // holds a value while the fields below are not in use
	next, end uint64        // next ≤ GUID < end
	back      []uint64      // below next, and not used after all
}

func newLease() *lease {
	l := &lease{free: make(chan struct{}, 1)}
	l.free <- struct{}{}
	return l
}

// take returns an unused GUID, in ascending order but for those that were put back. Others wait while it reserves
// another range from the database; it returns store.ErrFull if there is none.
func (l *lease) take(ctx context.Context, db DB) (uint64, error) {
	select {
	case <-l.free:
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	defer func() { l.free <- struct{}{} }()
	if n := len(l.back); n > 0 {
		guid := l.back[n-1]
		l.back = l.back[:n-1]
		return guid, nil
	}
	if l.next == l.end {
		next, end, err := another(ctx, db)
		if err != nil {
			return 0, err
		}
		l.next, l.end = next, end
	}
	l.next++
	return l.next - 1, nil
}

func another(ctx context.Context, db DB) (next, end uint64, err error) {
	var after uint64
	err = db.Write(ctx, func(s Session) error {
		return s.Row(takeRange, []any{leaseSize, "character", store.MaxGUID}, &after)
	})
	if errors.Is(err, store.ErrNotFound) {
		err = store.ErrFull
	}
	if err != nil {
		return 0, 0, err
	}
	return after - leaseSize, min(after, store.MaxGUID+1), nil
}

// put takes a GUID back. It is certain that nothing is stored under it.
func (l *lease) put(guid uint64) {
	<-l.free
	l.back = append(l.back, guid)
	l.free <- struct{}{}
}

// giveBack returns unused GUIDs to the database, if no other process has reserved a range since. The lease is not
// used any more.
func (l *lease) giveBack(ctx context.Context, db DB) error {
	for {
		i := slices.Index(l.back, l.next-1)
		if i < 0 {
			break
		}
		l.back = slices.Delete(l.back, i, i+1)
		l.next--
	}
	if l.next == l.end {
		return nil
	}
	return db.Write(ctx, func(s Session) error {
		_, err := s.Exec(giveRange, l.next, l.end)
		return err
	})
}

// LeaseItems implements store.Store. It also forgets items that are gone for store.GoneTime: one process after the other does.
func (s *Store) LeaseItems(ctx context.Context, n int) (first uint64, err error) {
	err = s.write(ctx, func(q Session) (err error) {
		if n < 1 || n > store.MaxLease {
			return store.ErrFull
		}
		if _, err := q.Exec(raiseRange, "item", uint64(store.FirstItem)); err != nil {
			return err
		}
		if first, err = advance(q, "item", n, store.MaxItem); err != nil {
			return err
		}
		_, err = q.Exec(forgetGone, time.Now().Add(-store.GoneTime).Unix())
		return err
	})
	if err != nil {
		return 0, err
	}
	return first, nil
}
