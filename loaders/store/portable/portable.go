// Package portable writes all contents of a store as text, and fills another store of any kind with it.
//
// A dump is lines of JSON in UTF-8. The first is {"muster":"store","version":1}. Then comes a line per
// record, in the order of store.Store.Export: an object of one field, which is counters, realm, account,
// character or data, with what store.Record has under the names that it has there. Bytes of fixed length are
// in hexadecimal, bodies of data in base64. The last line is {"end":{"records":n,"sha256":"…"}} with the
// number of records and the hash of every byte before it: a dump that was cut or changed is refused.
//
// A change of a field raises the version, but not one that is left out while it is 0; older versions stay readable. The dump in testdata tests that.
package portable

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"

	"muster/loaders/store"
)

// version is that of the dumps that are written.
const version = 1

// maxLine is the length of a line in bytes. The longest is a block of data.
const maxLine = 1 << 20

// Errors of a dump.
var (
	ErrFormat = errors.New("portable: no dump of a store")
	ErrNewer  = errors.New("portable: a dump of a newer muster")
	ErrCut    = errors.New("portable: the dump was cut, or changed")
)

// Progress is how far a dump or a load has come.
type Progress struct {
	Accounts, Characters, Records int
	Bytes                         int64 // of text
}

// every is how many records there are between two reports.
const every = 1000

func (p *Progress) count(r store.Record, report func(Progress)) {
	if r.Account != nil {
		p.Accounts++
	}
	if r.Character != nil {
		p.Characters++
	}
	if p.Records++; p.Records%every == 0 {
		p.send(report)
	}
}

func (p *Progress) send(report func(Progress)) {
	if report != nil {
		report(*p)
	}
}

// Dump writes all of a store as it is at one moment. It calls report, if it is not nil, now and then and at the end.
func Dump(ctx context.Context, w io.Writer, s store.Store, report func(Progress)) error {
	d := &dump{to: bufio.NewWriterSize(w, 1<<16), hash: sha256.New()}
	if err := d.line(line{Muster: "store", Version: version}); err != nil {
		return err
	}
	err := s.Export(ctx, func(r store.Record) error {
		if err := d.line(lineOf(r)); err != nil {
			return err
		}
		d.count(r, report)
		return nil
	})
	if err != nil {
		return err
	}
	if err := d.line(line{End: &end{d.Records, d.hash.Sum(nil)}}); err != nil {
		return err
	}
	d.send(report)
	return d.to.Flush()
}

type dump struct {
	to   *bufio.Writer
	hash hash.Hash // of all lines
	Progress
}

func (d *dump) line(l line) error {
	b, err := json.Marshal(l)
	if err != nil {
		return fmt.Errorf("portable: %w", err)
	}
	b = append(b, '\n')
	d.hash.Write(b)
	d.Bytes += int64(len(b))
	_, err = d.to.Write(b)
	return err
}

// Load fills an empty store with a dump, or changes nothing: it returns store.ErrNotEmpty, ErrFormat, ErrNewer,
// ErrCut, store.ErrRecord, or what the reader and the store return. It calls report, if it is not nil, now
// and then and at the end.
func Load(ctx context.Context, r io.Reader, s store.Store, report func(Progress)) error {
	l := &load{from: bufio.NewScanner(r), hash: sha256.New()}
	l.from.Buffer(make([]byte, 0, 1<<16), maxLine)
	head, err := l.line()
	switch {
	case err != nil:
		return err
	case head.Muster != "store" || head.Version < 1:
		return ErrFormat
	case head.Version > version:
		return ErrNewer
	}
	err = s.Import(ctx, func() (store.Record, error) {
		r, err := l.record()
		if err == nil {
			l.count(r, report)
		}
		return r, err
	})
	if err == nil {
		l.send(report)
	}
	return err
}

type load struct {
	from *bufio.Scanner
	hash hash.Hash // of the lines so far
	sum  []byte    // of those before the last one
	Progress
}

// record returns the next one, or io.EOF after a good end.
func (l *load) record() (store.Record, error) {
	next, err := l.line()
	if err != nil {
		return store.Record{}, err
	}
	if next.End == nil {
		return next.record()
	}
	if next.End.Records != l.Records || string(next.End.Sum) != string(l.sum) {
		return store.Record{}, ErrCut
	}
	if l.from.Scan() || l.from.Err() != nil {
		return store.Record{}, ErrCut
	}
	return store.Record{}, io.EOF
}

func (l *load) line() (next line, err error) {
	if !l.from.Scan() {
		switch err := l.from.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			return next, ErrFormat
		case err != nil:
			return next, err
		}
		return next, ErrCut
	}
	b := l.from.Bytes()
	l.sum = l.hash.Sum(l.sum[:0])
	l.hash.Write(b)
	l.hash.Write([]byte{'\n'})
	l.Bytes += int64(len(b)) + 1
	return parse(b)
}
