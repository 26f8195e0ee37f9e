package sqldump

import (
	"bytes"
	"io"
)

// windowSize is how many bytes of a dump are in memory at once, beside the text of one row.
const windowSize = 256 << 10

// A source is a window over the bytes of a dump. What is unread is buf[pos:end].
type source struct {
	from     io.Reader
	buf      []byte
	pos, end int
	line     int // of buf[counted], from 1
	counted  int // at most pos
	err      error
}

func newSource(from io.Reader) source {
	return source{from: from, buf: make([]byte, windowSize), line: 1}
}

// at is the line of buf[pos].
func (s *source) at() int {
	s.line += bytes.Count(s.buf[s.counted:s.pos], []byte{'\n'})
	s.counted = s.pos
	return s.line
}

// need reads until n bytes are unread, and reports whether there are so many. n is much less than windowSize.
func (s *source) need(n int) bool {
	for s.end-s.pos < n && s.err == nil {
		s.fill()
	}
	return s.end-s.pos >= n
}

// more reports whether there is an unread byte.
func (s *source) more() bool { return s.pos < s.end || s.need(1) }

// peek is the next byte, 0 at the end.
func (s *source) peek() byte {
	if !s.more() {
		return 0
	}
	return s.buf[s.pos]
}

// emptyReads is how many reads in a row may give nothing.
const emptyReads = 100

func (s *source) fill() {
	s.at()
	s.end = copy(s.buf, s.buf[s.pos:s.end])
	s.pos, s.counted = 0, 0
	for range emptyReads {
		n, err := s.from.Read(s.buf[s.end:])
		s.end += n
		s.err = err
		if n > 0 || err != nil {
			return
		}
	}
	s.err = io.ErrNoProgress
}

// has reports whether the unread bytes begin with text. The caller needs as many before.
func (s *source) has(text string) bool {
	return s.end-s.pos >= len(text) && string(s.buf[s.pos:s.pos+len(text)]) == text
}

// skipLine goes behind the next line break.
func (s *source) skipLine() {
	for s.more() {
		if i := bytes.IndexByte(s.buf[s.pos:s.end], '\n'); i >= 0 {
			s.pos += i + 1
			return
		}
		s.pos = s.end
	}
}
