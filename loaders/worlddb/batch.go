package worlddb

import (
	"database/sql/driver"

	"muster/loaders/worlddb/sqldump"
)

// Bounds of what is on its way to the scratch at once. A batch is sent when it has so many rows, or so many bytes of text; one with as many as largeBatch
// is alone on its way, and its texts are not kept.
const (
	batches    = 3
	batchRows  = 256
	batchBytes = 1 << 20
	largeBatch = 2 * batchBytes
)

// A batch is rows of one table that are added by one statement.
type batch struct {
	table     *table
	statement string
	ignore    bool
	args      []driver.NamedValue // of all rows, one after the other
	lines     []int               // of the dump, of each row
	bytes     int                 // of texts

	duplicate int64 // rows with the key of another
	failed    []failure
	full      error // of the disk: no row was added after it
}

// A failure is a row that SQLite has refused.
type failure struct {
	line int
	err  error
}

// add adds the rows. One with the key of another takes its place, and is counted if it should not.
func (b *batch) add(s *scratch) {
	n := len(b.table.columns)
	for i, line := range b.lines {
		args := b.args[i*n : (i+1)*n]
		added, err := s.add(b.statement, args)
		if b.ignore && err == nil && added == 0 || isDuplicate(err) {
			b.duplicate++
		}
		if isDuplicate(err) {
			_, err = s.add(b.table.replace, args)
		}
		if isFull(err) {
			b.full = err
			return
		}
		if err != nil {
			b.failed = append(b.failed, failure{line, err})
		}
	}
}

// An adder adds batches to a scratch beside the goroutine that reads the dump, in the order in which they are sent. While one is on its way
// nothing else may use the scratch.
type adder struct {
	sent, done chan *batch
	ended      chan struct{}
	out        int    // how many are sent and not received
	open       *batch // that rows are added to; nil if there is none
	free       []*batch
}

func newAdder(s *scratch) *adder {
	a := &adder{sent: make(chan *batch, batches), done: make(chan *batch, batches), ended: make(chan struct{})}
	for range batches {
		a.free = append(a.free, new(batch))
	}
	go func() {
		defer close(a.ended)
		for b := range a.sent {
			b.add(s)
			a.done <- b
		}
	}()
	return a
}

// stop ends the goroutine when it has added what was sent. A nil adder has none.
func (a *adder) stop() {
	if a == nil {
		return
	}
	close(a.sent)
	<-a.ended
}

// room is the batch for a row, which has room for it.
func (im *importer) room(t *table, s *sqldump.Statement) (*batch, error) {
	statement, ignore := t.insert, false
	switch {
	case s.Verb == sqldump.Replace:
		statement = t.replace
	case s.Ignore:
		statement, ignore = t.ignore, true
	}
	if b := im.adder.open; b != nil {
		if b.table == t && b.statement == statement && len(b.lines) < batchRows && b.bytes < batchBytes {
			return b, nil
		}
		im.send()
	}
	if len(im.adder.free) == 0 {
		if err := im.receive(); err != nil {
			return nil, err
		}
	}
	last := len(im.adder.free) - 1
	b := im.adder.free[last]
	im.adder.free = im.adder.free[:last]
	*b = batch{table: t, statement: statement, ignore: ignore, args: b.args[:0], lines: b.lines[:0], failed: b.failed[:0]}
	im.adder.open = b
	return b, nil
}

// send sends the open batch.
func (im *importer) send() {
	im.adder.sent <- im.adder.open
	im.adder.open = nil
	im.adder.out++
}

// receive waits for a batch, and counts what became of its rows. The error is of the disk, or the end of a strict import.
func (im *importer) receive() error {
	b := <-im.adder.done
	im.adder.out--
	if b.bytes >= largeBatch {
		clear(b.args)
	}
	im.adder.free = append(im.adder.free, b)
	c := im.of(b.table.name)
	c.duplicate += b.duplicate
	c.bad += int64(len(b.failed))
	for _, f := range b.failed {
		if err := im.complain(f.line, b.table.name, f.err.Error()); err != nil {
			return err
		}
	}
	return b.full
}

// settled waits until all rows are added.
func (im *importer) settled() error {
	if im.adder == nil {
		return nil
	}
	if im.adder.open != nil {
		im.send()
	}
	for im.adder.out > 0 {
		if err := im.receive(); err != nil {
			return err
		}
	}
	return nil
}
