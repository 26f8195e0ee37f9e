package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"muster/loaders/store/database"
)

// maxBatch bounds how many writes share a transaction, and so how long the first waits for the last.
const maxBatch = 256

// A writer owns the connection that writes. Work that arrives while it is busy goes into its next transaction: a
// commit costs the same for one as for many.
type writer struct {
	queue
	db      *sql.DB // of conn alone
	conn    *sql.Conn
	all     *statements // of conn
	stopped chan struct{}
}

func newWriter(ctx context.Context, db *sql.DB) (*writer, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	w := &writer{
		queue: make(queue), db: db, conn: conn, all: newStatements(conn), stopped: make(chan struct{}),
	}
	go w.run()
	return w, nil
}

// close waits for work that has begun.
func (w *writer) close() error {
	close(w.queue)
	<-w.stopped
	return errors.Join(w.all.close(), w.conn.Close(), w.db.Close())
}

func (w *writer) run() {
	defer close(w.stopped)
	var batch []*work
	for first := range w.queue {
		batch = append(batch[:0], first)
		batch = w.gather(batch)
		w.commit(batch)
		for i, work := range batch {
			close(work.done)
			batch[i] = nil
		}
	}
}

// gather adds the work that waits.
func (w *writer) gather(batch []*work) []*work {
	for len(batch) < maxBatch {
		select {
		case work, open := <-w.queue:
			if !open {
				return batch
			}
			batch = append(batch, work)
		default:
			return batch
		}
	}
	return batch
}

// commit does a batch in one transaction, and returns an error to each caller. No context interrupts it: that would
// undo the work of others.
func (w *writer) commit(batch []*work) {
	s := session{context.Background(), w.all}
	if err := transact(s, batch); err != nil {
		_, _ = s.Exec("ROLLBACK") // fails if there is nothing left to roll back
		for _, work := range batch {
			work.err = err
		}
	}
}

// transact returns an error if nothing of the batch was done.
func transact(s session, batch []*work) error {
	if _, err := s.Exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	for _, work := range batch {
		if work.err = work.ctx.Err(); work.err != nil {
			continue
		}
		var err error
		if work.err, err = attempt(s, work.f); err != nil {
			return err
		}
	}
	_, err := s.Exec("COMMIT")
	return err
}

// attempt does one work of a transaction, or undoes it and returns its error. It returns lost if the transaction has
// ended: on a full disk, for example.
func attempt(s session, f func(database.Session) error) (err, lost error) {
	if _, err := s.Exec("SAVEPOINT work"); err != nil {
		return nil, err
	}
	if err = f(s); err != nil {
		if _, gone := s.Exec("ROLLBACK TO work"); gone != nil {
			return nil, err
		}
	}
	_, lost = s.Exec("RELEASE work")
	return err, lost
}
