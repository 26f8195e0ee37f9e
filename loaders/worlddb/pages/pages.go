// Package pages writes database files of SQLite without SQLite: tables whose rows come in the order of their keys. Each page is written
// once, one behind the other. What comes of it is a database like any other, which SQLite reads and changes. It reads tables, too.
//
// Source: SQLite, Database File Format, https://www.sqlite.org/fileformat2.html.
package pages

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
)

// Size is that of a page, in bytes.
const Size = 16384

// lockPage is the page with the byte that SQLite locks. It has nothing.
const lockPage = 1<<30/Size + 1

// maxPage is the last page that a file may have.
const maxPage = 1<<32 - 2

// headSize is how much of page 1 the header of the file takes.
const headSize = 100

// writeSize is how many bytes are written at once.
const writeSize = 1 << 20

// A File is a database that is being written. Its first error is that of all calls after it.
type File struct {
	file   *os.File
	out    *bufio.Writer
	next   uint32 // the page that is written next
	tables []*Table
	err    error
}

// Create makes a file, or empties the one that is there.
func Create(path string) (*File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	f := &File{file: file, out: bufio.NewWriterSize(file, writeSize), next: 1}
	var first [Size]byte // is written by Close
	f.write(first[:])
	return f, nil
}

// write appends a page, and returns its number.
func (f *File) write(page []byte) uint32 {
	n := f.next
	if f.err == nil {
		_, f.err = f.out.Write(page)
	}
	if f.next++; f.next == lockPage {
		var nothing [Size]byte
		f.write(nothing[:])
	}
	if f.next >= maxPage && f.err == nil {
		f.err = errors.New("pages: a database of more pages than SQLite knows")
	}
	return n
}

// Abort closes the file, which is no database then.
func (f *File) Abort() error { return f.file.Close() }

// Close writes what is left and closes the file, which is a database then.
func (f *File) Close() error {
	schema := &Table{file: f}
	var r Record
	for i, t := range f.tables {
		r.Reset()
		r.Text([]byte("table"))
		r.Text([]byte(t.name))
		r.Text([]byte(t.name))
		r.Int(int64(t.finish()))
		r.Text([]byte(t.definition))
		schema.Row(int64(i+1), r.Bytes())
	}
	first := schema.top()
	if !first.fits(headSize) { // behind the header: the root has it as its only child, which is allowed here alone
		first = &page{kind: interiorTable, right: schema.write(first)}
	}
	first.compose(headSize)
	f.head(first.data[:headSize])
	err := errors.Join(f.err, f.out.Flush())
	if err == nil {
		_, err = f.file.WriteAt(first.data[:], 0)
	}
	return errors.Join(err, f.file.Close())
}

// writtenBy is the version of SQLite that the file says has written it.
const writtenBy = 3_046_000

// head writes the header of the file.
func (f *File) head(to []byte) {
	copy(to, "SQLite format 3\x00")
	binary.BigEndian.PutUint16(to[16:], Size)
	to[18], to[19] = 1, 1                  // a journal that is rolled back
	to[21], to[22], to[23] = 64, 32, 32    // fractions of payloads, which are fixed
	binary.BigEndian.PutUint32(to[24:], 1) // changes of the file
	binary.BigEndian.PutUint32(to[28:], f.next-1)
	binary.BigEndian.PutUint32(to[40:], 1) // changes of the schema
	binary.BigEndian.PutUint32(to[44:], 4) // format of the schema
	binary.BigEndian.PutUint32(to[56:], 1) // UTF-8
	binary.BigEndian.PutUint32(to[92:], 1) // the change as of which the number of pages counts
	binary.BigEndian.PutUint32(to[96:], writtenBy)
}

// Table adds a table. Its definition is a CREATE TABLE without a key other than the primary one. The table is one of rows if its key is one
// INTEGER, or if it has none, and otherwise WITHOUT ROWID.
func (f *File) Table(name, definition string, withoutRowID bool) *Table {
	t := &Table{file: f, name: name, definition: definition, keyed: withoutRowID}
	f.tables = append(f.tables, t)
	return t
}

// Err is the first error.
func (f *File) Err() error {
	if f.err != nil {
		return fmt.Errorf("pages: %w", f.err)
	}
	return nil
}
