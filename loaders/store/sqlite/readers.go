package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// readers are goroutines that own a connection each, and its statements. A read that is given to one of them finds
// both ready, and a stack as deep as SQLite needs: most callers are goroutines that have just begun.
type readers struct {
	queue
	conns   []*sql.Conn
	all     []*statements // of conns
	running sync.WaitGroup
}

func newReaders(ctx context.Context, db *sql.DB, n int) (*readers, error) {
	r := &readers{queue: make(queue)}
	for range n {
		conn, err := db.Conn(ctx)
		if err != nil {
			return nil, errors.Join(err, r.close())
		}
		all := newStatements(conn)
		r.conns, r.all = append(r.conns, conn), append(r.all, all)
		r.running.Go(func() { r.run(all) })
	}
	return r, nil
}

// run executes reads of callers. No context interrupts a read that has begun: it is short.
func (r *readers) run(all *statements) {
	s := session{context.Background(), all}
	for w := range r.queue {
		if w.err = w.ctx.Err(); w.err == nil {
			w.err = w.f(s)
		}
		close(w.done)
	}
}

// close waits for reads that have begun.
func (r *readers) close() (err error) {
	close(r.queue)
	r.running.Wait()
	for i, conn := range r.conns {
		err = errors.Join(err, r.all[i].close(), conn.Close())
	}
	return err
}
