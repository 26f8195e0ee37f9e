// Package sqldump reads and writes the SQL text that mysqldump writes and that updates of community databases are written in: statement
// by statement, and row by row where a statement has rows, so that a dump of any size takes the same memory. It knows the statements
// that change tables and their rows; all others are skipped.
package sqldump

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxText bounds the text of a row, and of a statement without its rows, in bytes. It is as much as the client mysql sends by default.
//
// Source: MySQL Reference Manual, mysql Client Options, max-allowed-packet.
const maxText = 16 << 20

// An Error says why a statement or a row cannot be read. The reader goes on behind it.
type Error struct {
	Line   int
	Table  string // "" if the statement has not named one
	Reason string

	Truncated bool // the dump ends here
}

func (e *Error) Error() string {
	if e.Table == "" {
		return fmt.Sprintf("sqldump: line %d: %s", e.Line, e.Reason)
	}
	return fmt.Sprintf("sqldump: line %d: table %s: %s", e.Line, e.Table, e.Reason)
}

// errTruncated is the end of the dump within a statement.
var errTruncated = errors.New("the dump ends within a statement")

// A Reader reads a dump. Make one with NewReader for each file: variables are those of a file.
type Reader struct {
	source
	text      []byte // of the literals of this row or statement
	delimiter string
	versions  int // how many version comments are open
	open      int // how many parentheses of a row or a statement are
	depth     int // of the expression that is read
	terms     int // of the expressions of this statement
	variables map[string]Value

	statement *Statement // of which rows are read, or nil
	begun     bool       // the first row is behind
	single    []Value    // the row of INSERT … SET
	row       []Value
}

// NewReader makes a reader of UTF-8 or a one-byte encoding, which it does not distinguish.
func NewReader(from io.Reader) *Reader {
	r := &Reader{source: newSource(from), delimiter: ";", variables: make(map[string]Value)}
	r.need(3)
	if r.has("\xEF\xBB\xBF") {
		r.pos += 3
	}
	return r
}

// fail makes an error of this place.
func (r *Reader) fail(format string, args ...any) error {
	return &Error{Line: r.at(), Reason: fmt.Sprintf(format, args...)}
}

// located is an error with line and table, if it is one of the dump.
func (r *Reader) located(err error, s *Statement) error {
	if err == nil {
		return nil
	}
	e := new(Error)
	if !errors.As(err, &e) {
		e = &Error{Line: r.at(), Reason: err.Error(), Truncated: err == errTruncated}
	}
	if s != nil && e.Table == "" {
		e.Table = s.Table
	}
	return e
}

// Next goes to the next statement; rows of the last one that are not read yet are skipped. The error is io.EOF at the end, an
// *Error of a statement that cannot be read, after which Next may be called again, or that of the file.
func (r *Reader) Next() (*Statement, error) {
	for r.statement != nil {
		if _, err := r.Row(); err != nil && !errors.As(err, new(*Error)) {
			break
		}
	}
	for {
		r.text, r.versions, r.open, r.depth, r.terms = r.text[:0], 0, 0, 0, 0
		r.space()
		if !r.more() {
			return nil, r.err
		}
		if r.takeDelimiter() {
			continue
		}
		if r.need(2); r.has("--") {
			r.skipLine() // without the space that makes it a comment
			continue
		}
		if r.takeWord("DELIMITER") {
			r.setDelimiter()
			continue
		}
		s := &Statement{Line: r.at()}
		err := r.readStatement(s)
		switch {
		case err != nil:
			err = r.located(err, s)
			r.skip()
			return nil, err
		case s.Verb == Insert || s.Verb == Replace:
			r.statement, r.begun = s, false
			return s, nil
		}
		r.skip()
		if s.Verb != nothing {
			return s, nil
		}
	}
}

// Row reads the next row of an Insert or Replace. It and the bytes in it are the reader's until the next call. The error is
// io.EOF behind the last one, or an *Error of a row that cannot be read, after which Row may be called again.
func (r *Reader) Row() ([]Value, error) {
	s := r.statement
	if s == nil {
		return nil, io.EOF
	}
	if s.set {
		if r.begun {
			r.endRows()
			return nil, io.EOF
		}
		r.begun = true
		return r.single, nil
	}
	r.text, r.open, r.depth, r.terms = r.text[:0], 0, 0, 0
	if err := r.nextRow(s); err != nil {
		r.endRows()
		return nil, err
	}
	s.Row = r.at()
	row, err := r.readRow()
	if err == nil {
		return row, nil
	}
	err = r.located(err, s)
	r.skipRow()
	return nil, err
}

// nextRow goes behind the ( of the next row. The error is io.EOF if there is none.
func (r *Reader) nextRow(s *Statement) error {
	r.space()
	if r.begun {
		switch c := r.peek(); {
		case !r.more() || r.atDelimiter():
			return io.EOF
		case c == ',':
			r.pos++
			r.space()
		case r.isWord("ON"):
			s.OnDuplicate = true
			return io.EOF
		case r.isWord("AS"): // a name for what is inserted
			s.OnDuplicate = true
			return io.EOF
		default:
			return r.located(r.fail("%q behind a row", c), s)
		}
	}
	for r.peek() == '-' { // a comment that lacks a -
		r.skipLine()
		r.space()
	}
	switch c := r.peek(); {
	case !r.more():
		return r.located(errTruncated, s)
	case c != '(':
		return r.located(r.fail("%q where a row is expected", c), s)
	}
	r.begun = true
	r.pos++
	r.open = 1
	return nil
}

// endRows skips the rest of the statement of which rows are read.
func (r *Reader) endRows() {
	r.statement = nil
	r.skip()
}

func (r *Reader) readRow() ([]Value, error) {
	r.row = r.row[:0]
	for {
		r.row = append(r.row, Value{})
		v := &r.row[len(r.row)-1]
		if r.plain(v) {
			r.pos++
			if r.buf[r.pos-1] == ')' {
				return r.row, nil
			}
			continue
		}
		var err error
		if *v, err = r.value(); err != nil {
			return nil, err
		}
		r.space()
		switch c := r.peek(); c {
		case ',':
			r.pos++
		case ')':
			r.pos++
			return r.row, nil
		default:
			if !r.more() {
				return nil, errTruncated
			}
			return nil, r.fail("%q behind a value", c)
		}
	}
}

// plain reads NULL, a number, or a text without escapes, with nothing around it, which most values are: a comma or the end of the row is next. It reads
// nothing, and reports false, if there is anything else.
func (r *Reader) plain(v *Value) bool {
	rest := r.buf[r.pos:r.end]
	if len(rest) < maxDigits+3 {
		return false
	}
	switch rest[0] {
	case '\'':
		return r.plainText(v, rest[1:])
	case 'N':
		if string(rest[:4]) != "NULL" || rest[4] != ',' && rest[4] != ')' {
			return false
		}
		r.pos += len("NULL")
		return true
	}
	i, n := 0, int64(0)
	if rest[0] == '-' {
		i = 1
	}
	first := i
	for i < maxDigits && isDigit(rest[i]) {
		n = n*10 + int64(rest[i]-'0')
		i++
	}
	if i == first {
		return false
	}
	point := i
	if rest[i] == '.' {
		for i++; i < maxDigits && isDigit(rest[i]); i++ {
			n = n*10 + int64(rest[i]-'0')
		}
	}
	switch {
	case rest[i] != ',' && rest[i] != ')':
		return false
	case i == point:
		if first == 1 {
			n = -n
		}
		v.Kind, v.Int = Int, n
	case n >= 1<<53: // has to be rounded more than once
		return false
	default:
		v.Kind, v.Float = Float, float64(n)/powers[i-point-1]
		if first == 1 {
			v.Float = -v.Float
		}
	}
	r.pos += i
	return true
}

// powers are those of ten, by which a number is divided exactly as it is to be rounded.
var powers = [maxDigits]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17}

// plainText reads a text behind its first quote.
func (r *Reader) plainText(v *Value, rest []byte) bool {
	i := bytes.IndexByte(rest, '\'')
	if i < 0 || i+1 >= len(rest) || rest[i+1] != ',' && rest[i+1] != ')' || bytes.IndexByte(rest[:i], '\\') >= 0 || len(r.text)+i > maxText {
		return false
	}
	from := len(r.text)
	r.text = append(r.text, rest[:i]...)
	v.Kind, v.Bytes = Text, r.text[from:len(r.text):len(r.text)]
	r.pos += len("''") + i
	return true
}

// value reads one value of a row.
func (r *Reader) value() (Value, error) {
	v, ok, err := r.literal()
	if err != nil {
		return Value{}, err
	}
	var e Expr
	if ok {
		r.space()
		if c := r.peek(); c == ',' || c == ')' {
			return v, nil
		}
		e, err = r.infix(Expr{Value: v}, 0)
	} else {
		e, err = r.expr(0)
	}
	if err != nil {
		return Value{}, err
	}
	return r.constant(e)
}

// skipRow goes behind the row that cannot be read, which has r.open open parentheses.
func (r *Reader) skipRow() {
	for r.open > 0 {
		r.text = r.text[:0]
		r.space()
		if !r.more() || r.atDelimiter() {
			return
		}
		switch c := r.buf[r.pos]; c {
		case '\'', '"', '`':
			r.quoted(c)
			continue
		case '(':
			r.open++
		case ')':
			r.open--
		}
		r.pos++
	}
}

// skip goes behind the delimiter.
func (r *Reader) skip() {
	for {
		r.text = r.text[:0]
		r.space()
		if !r.more() || r.takeDelimiter() {
			return
		}
		switch c := r.buf[r.pos]; c {
		case '\'', '"', '`':
			r.quoted(c)
		default:
			r.pos++
		}
	}
}

func (r *Reader) atDelimiter() bool {
	r.need(len(r.delimiter))
	return r.has(r.delimiter)
}

func (r *Reader) takeDelimiter() bool {
	if !r.atDelimiter() {
		return false
	}
	r.pos += len(r.delimiter)
	return true
}

// maxDelimiter bounds a delimiter, which is a few signs.
const maxDelimiter = 16

// setDelimiter reads the rest of the line of DELIMITER.
func (r *Reader) setDelimiter() {
	r.need(4 * maxDelimiter)
	line := r.buf[r.pos:min(r.end, r.pos+4*maxDelimiter)]
	line, _, _ = bytes.Cut(line, []byte{'\n'})
	if d := strings.TrimSpace(string(line)); d != "" && len(d) <= maxDelimiter {
		r.delimiter = d
	}
	r.skipLine()
}

// space skips what separates words: blanks, comments, and the signs around a version comment, whose text is executed.
func (r *Reader) space() {
	for r.more() {
		switch r.buf[r.pos] {
		case ' ', '\n', '\t', '\r', '\f', '\v':
			r.pos++
		case '#':
			if r.atDelimiter() {
				return
			}
			r.skipLine()
		case '-':
			if r.need(3); !r.has("--") || r.end-r.pos > 2 && r.buf[r.pos+2] > ' ' {
				return
			}
			r.skipLine()
		case '/':
			if r.need(12); !r.has("/*") {
				return
			}
			r.comment()
		case '*':
			if r.need(2); r.versions == 0 || !r.has("*/") {
				return
			}
			r.versions--
			r.pos += 2
		default:
			return
		}
	}
}

// never is the version of MariaDB's comments that no client executes.
const never = "999999"

// comment skips a comment, or only its beginning if it is a version comment.
func (r *Reader) comment() {
	at := 2
	if r.has("/*M!") {
		at = 3
	}
	if r.end-r.pos > at && r.buf[r.pos+at] == '!' {
		digits := at + 1
		for digits < at+7 && r.pos+digits < r.end && isDigit(r.buf[r.pos+digits]) {
			digits++
		}
		if string(r.buf[r.pos+at+1:r.pos+digits]) != never {
			r.versions++
			r.pos += digits
			return
		}
	}
	r.pos += 2
	for r.more() {
		i := bytes.IndexByte(r.buf[r.pos:r.end], '*')
		if i < 0 {
			r.pos = r.end
			continue
		}
		r.pos += i
		if r.need(2); r.has("*/") {
			r.pos += 2
			return
		}
		r.pos++
	}
}
