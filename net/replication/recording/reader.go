package recording

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

var (
	// ErrFormat is returned for bytes that are no log, or a log of another muster.
	ErrFormat = errors.New("recording: not a log that this muster reads")
	// ErrDamaged is returned for a log that is not as it was written.
	ErrDamaged = errors.New("recording: damaged")
	// ErrTorn is returned when a log ends within a record, or without an end record: its writer was killed.
	// What was read before is valid.
	ErrTorn = errors.New("recording: torn off")
)

// A Record is the next entry of a log: an inbox or a digest of tick N, or why it ends.
type Record struct {
	N      uint64
	Inbox  []byte // as frame.Inbox.UnmarshalBinary reads it; nil if this is none
	Digest []byte // nil if this is none
	End    string // not empty with the last record
}

// A Reader reads a log from its beginning.
type Reader struct {
	Header Header

	r      *bufio.Reader
	offset int64
	buf    []byte
	ended  bool
	err    error // what it has failed with
}

// NewReader reads the header of a log.
func NewReader(r io.Reader) (*Reader, error) {
	t, header, err := newReader(r, magic)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(header))
	decoder.DisallowUnknownFields() // an unknown setting makes another world
	if err := decoder.Decode(&t.Header); err != nil {
		err = fmt.Errorf("%w: header: %w", ErrFormat, err)
		if json.Unmarshal(header, &t.Header) == nil {
			err = &SettingError{t.Header, err}
		}
		return nil, err
	}
	return t, nil
}

// A SettingError is the error for a log of a world with a setting that this release does not know. It wraps ErrFormat.
type SettingError struct {
	Header Header // without it
	err    error
}

func (e *SettingError) Error() string { return e.err.Error() }
func (e *SettingError) Unwrap() error { return e.err }

// newReader reads how a file begins, and its header, which it leaves to be understood.
func newReader(r io.Reader, magic string) (t *Reader, header []byte, err error) {
	t = &Reader{r: bufio.NewReaderSize(r, 1<<20)}
	begins := make([]byte, len(magic))
	n, err := io.ReadFull(t.r, begins)
	switch {
	case err == nil && string(begins) == magic:
	case err == io.EOF || err == io.ErrUnexpectedEOF && string(begins[:n]) == magic[:n]:
		return nil, nil, fmt.Errorf("%w: there is no header", ErrTorn)
	case err != nil && err != io.ErrUnexpectedEOF:
		return nil, nil, err
	default:
		return nil, nil, fmt.Errorf("%w: it begins with %q, and not with %q", ErrFormat, begins[:n], magic)
	}
	t.offset = int64(len(magic))
	k, header, err := t.next()
	switch {
	case err == io.EOF:
		return nil, nil, fmt.Errorf("%w: there is no header", ErrTorn)
	case err != nil:
		return nil, nil, err
	case k != kindHeader:
		return nil, nil, ErrFormat
	}
	return t, header, nil
}

// Next is the next record; its bytes are valid until the next call. After the end record it fails with io.EOF; with
// ErrTorn if there is no end record, with ErrDamaged if a record is not as it was written. Having failed, it fails
// again.
func (t *Reader) Next() (record Record, err error) {
	if t.err == nil {
		record, t.err = t.read()
	}
	return record, t.err
}

func (t *Reader) read() (Record, error) {
	if t.ended {
		if _, err := t.r.Peek(1); err != io.EOF {
			return Record{}, t.damaged("something follows its end")
		}
		return Record{}, io.EOF
	}
	k, body, err := t.next()
	if err == io.EOF {
		return Record{}, fmt.Errorf("%w after %d bytes", ErrTorn, t.offset)
	}
	if err != nil {
		return Record{}, err
	}
	switch {
	case k == kindEnd && len(body) > 0:
		t.ended = true
		return Record{End: string(body)}, nil
	case k == kindTick && len(body) >= 8:
		return Record{N: binary.LittleEndian.Uint64(body), Inbox: body[8:]}, nil
	case k == kindDigest && len(body) >= 8:
		return Record{N: binary.LittleEndian.Uint64(body), Digest: body[8:]}, nil
	}
	return Record{}, t.damaged(fmt.Sprintf("a record of kind %d with %d bytes", k, len(body)))
}

// next is the next record of any kind, io.EOF at the end of the bytes.
func (t *Reader) next() (kind, []byte, error) {
	var head [recordHead]byte
	switch n, err := io.ReadFull(t.r, head[:]); err {
	case nil:
	case io.ErrUnexpectedEOF:
		return 0, nil, fmt.Errorf("%w after %d bytes, with %d of the head of a record", ErrTorn, t.offset, n)
	default:
		return 0, nil, err
	}
	length := binary.LittleEndian.Uint32(head[:])
	if crc32.Checksum(head[:4], castagnoli) != binary.LittleEndian.Uint32(head[4:]) || length == 0 || length > maxRecord {
		return 0, nil, t.damaged("the head of a record")
	}
	if cap(t.buf) < int(length) {
		t.buf = make([]byte, length, length+length/2)
	}
	t.buf = t.buf[:length]
	switch n, err := io.ReadFull(t.r, t.buf); err {
	case nil:
	case io.EOF, io.ErrUnexpectedEOF:
		return 0, nil, fmt.Errorf("%w after %d bytes, with %d of a record of %d", ErrTorn, t.offset, n, length)
	default:
		return 0, nil, err
	}
	if crc32.Checksum(t.buf, castagnoli) != binary.LittleEndian.Uint32(head[8:]) {
		return 0, nil, t.damaged("a record")
	}
	t.offset += recordHead + int64(length)
	return kind(t.buf[0]), t.buf[1:], nil
}

func (t *Reader) damaged(what string) error {
	return fmt.Errorf("%w after %d good bytes: %s", ErrDamaged, t.offset, what)
}

// Records visits the records of a part of a log that begins after its header and ends with a record, each as Next returns it.
func Records(b []byte, visit func(Record) error) error {
	t := &Reader{r: bufio.NewReader(bytes.NewReader(b))}
	for {
		if _, err := t.r.Peek(1); err == io.EOF {
			return nil
		}
		record, err := t.read()
		if err == nil {
			err = visit(record)
		}
		if err != nil {
			return err
		}
	}
}
