package trace

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"muster/net/protocol/msg"
)

// The blocks and options that are written; others are skipped in reading.
//
// Source: pcapng, "Options" and "Block Definition".
const (
	sectionHeader       = 0x0A0D0D0A
	interfaceDescribed  = 1
	interfaceStatistics = 5
	enhancedPacket      = 6

	byteOrderMagic = 0x1A2B3C4D

	optEnd         = 0
	optComment     = 1
	shbApplication = 4
	ifName         = 2
	ifDescription  = 3
	ifTimeUnit     = 9
	isbDropped     = 5
	epbFlags       = 2
	epbDropped     = 4

	inbound  = 1 // of epbFlags: from the client
	outbound = 2
)

// LinkType is that of all interfaces, LINKTYPE_USER0, whose meaning is left to its users. Here a packet is one of the
// world connection with a plain header, of six bytes from the client and of four or five to it.
//
// Source: LINKTYPE_USER0, link-layer header types.
const LinkType = 147

// nanoseconds is the unit of time, as a power of ten.
const nanoseconds = 9

// maxBlock bounds a block in reading, in bytes: no packet is longer than its header can say.
const maxBlock = 1<<23 + 1<<16

// A pcapngWriter has an interface for each session, whose name is the number of the session, and whose description is the
// account.
type pcapngWriter struct {
	w          io.Writer
	b          []byte
	begun      bool
	interfaces map[uint64]*count // by session
}

// A count is what an interface has lost.
type count struct {
	at      uint32 // the number of the interface
	dropped uint64 // so far
}

// Write writes a packet, or the statistics of its interface with the note as their comment. The comment of a packet is the
// name of its opcode.
func (w *pcapngWriter) Write(p *Packet) error {
	w.b = w.b[:0]
	if !w.begun {
		w.begun = true
		w.block(sectionHeader, func() {
			w.u32(byteOrderMagic)
			w.u16(1) // version 1.0
			w.u16(0)
			w.u64(^uint64(0)) // of a length that is not known
			w.option(shbApplication, []byte("muster"))
			w.option(optEnd, nil)
		})
	}
	of := w.interfaces[p.Session]
	if of == nil {
		of = &count{at: uint32(len(w.interfaces))}
		w.interfaces[p.Session] = of
		w.block(interfaceDescribed, func() {
			w.u16(LinkType)
			w.u16(0)
			w.u32(0) // packets are whole
			w.option(ifName, strconv.AppendUint(nil, p.Session, 10))
			w.option(ifDescription, []byte(p.Account))
			w.option(ifTimeUnit, []byte{nanoseconds})
			w.option(optEnd, nil)
		})
	}
	of.dropped += p.Dropped
	at, since := of.at, uint64(p.At.UnixNano())
	if p.Bytes == nil {
		w.block(interfaceStatistics, func() {
			w.u32(at)
			w.u32(uint32(since >> 32))
			w.u32(uint32(since))
			w.option(optComment, []byte(p.Note))
			w.option(isbDropped, binary.LittleEndian.AppendUint64(nil, of.dropped))
			w.option(optEnd, nil)
		})
	} else {
		w.block(enhancedPacket, func() { w.packet(at, since, p) })
	}
	_, err := w.w.Write(w.b)
	return err
}

func (w *pcapngWriter) packet(at uint32, since uint64, p *Packet) {
	w.u32(at)
	w.u32(uint32(since >> 32))
	w.u32(uint32(since))
	w.u32(uint32(len(p.Bytes)))
	w.u32(uint32(len(p.Bytes)))
	w.padded(p.Bytes)
	op, _ := p.Op()
	w.option(optComment, []byte(Name(p.Direction, op)))
	flags := uint32(inbound)
	if p.Direction == msg.ToClient {
		flags = outbound
	}
	w.option(epbFlags, binary.LittleEndian.AppendUint32(nil, flags))
	if p.Dropped > 0 {
		w.option(epbDropped, binary.LittleEndian.AppendUint64(nil, p.Dropped))
	}
	w.option(optEnd, nil)
}

func (w *pcapngWriter) u16(v uint16) { w.b = binary.LittleEndian.AppendUint16(w.b, v) }
func (w *pcapngWriter) u32(v uint32) { w.b = binary.LittleEndian.AppendUint32(w.b, v) }
func (w *pcapngWriter) u64(v uint64) { w.b = binary.LittleEndian.AppendUint64(w.b, v) }

// block writes a block, with its length before and behind it.
func (w *pcapngWriter) block(kind uint32, body func()) {
	start := len(w.b)
	w.u32(kind)
	w.u32(0)
	body()
	length := uint32(len(w.b) - start + 4)
	binary.LittleEndian.PutUint32(w.b[start+4:], length)
	w.u32(length)
}

// option writes an option; one without a value is left out.
func (w *pcapngWriter) option(code uint16, value []byte) {
	if len(value) == 0 && code != optEnd {
		return
	}
	w.u16(code)
	w.u16(uint16(len(value)))
	w.padded(value)
}

// padded writes bytes up to a multiple of four.
func (w *pcapngWriter) padded(b []byte) {
	w.b = append(w.b, b...)
	w.b = append(w.b, make([]byte, -len(b)&3)...)
}

// ErrFormat is returned for bytes that are no pcapng, or not of a trace.
var ErrFormat = errors.New("trace: not a pcapng of muster trace")

// A Reader reads the pcapng of a Writer.
type Reader struct {
	r          *bufio.Reader
	interfaces []Packet // what the packets of each have in common, and Dropped so far
	b          []byte
}

// NewReader reads a pcapng from its beginning.
func NewReader(r io.Reader) *Reader { return &Reader{r: bufio.NewReader(r)} }

// Next is the next packet or note. The error is io.EOF at the end, io.ErrUnexpectedEOF within a block, or ErrFormat.
func (r *Reader) Next() (*Packet, error) {
	for {
		kind, body, err := r.block()
		if err != nil {
			return nil, err
		}
		var p *Packet
		switch kind {
		case sectionHeader:
			if len(body) < 16 || binary.LittleEndian.Uint32(body) != byteOrderMagic || binary.LittleEndian.Uint16(body[4:]) != 1 {
				return nil, fmt.Errorf("%w: section header", ErrFormat)
			}
			r.interfaces = r.interfaces[:0]
		case interfaceDescribed:
			err = r.described(body)
		case enhancedPacket:
			p, err = r.packet(body)
		case interfaceStatistics:
			p, err = r.statistics(body)
		}
		if err != nil || p != nil {
			return p, err
		}
	}
}

// block reads a block, whose body is valid until the next.
func (r *Reader) block() (kind uint32, body []byte, err error) {
	var head [8]byte
	if _, err := io.ReadFull(r.r, head[:]); err != nil {
		return 0, nil, err
	}
	kind, length := binary.LittleEndian.Uint32(head[:]), binary.LittleEndian.Uint32(head[4:])
	if r.b == nil && kind != sectionHeader || length < 12 || length%4 != 0 || length > maxBlock {
		return 0, nil, fmt.Errorf("%w: block %#x of %d bytes", ErrFormat, kind, length)
	}
	if cap(r.b) < int(length) {
		r.b = make([]byte, length)
	}
	body = r.b[:length-8]
	if _, err := io.ReadFull(r.r, body); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return 0, nil, err
	}
	if again := binary.LittleEndian.Uint32(body[len(body)-4:]); again != length {
		return 0, nil, fmt.Errorf("%w: a block of %d bytes ends as one of %d", ErrFormat, length, again)
	}
	return kind, body[:len(body)-4], nil
}

// options visits the options of a block.
func options(b []byte, visit func(code uint16, value []byte)) error {
	for len(b) >= 4 {
		code, n := binary.LittleEndian.Uint16(b), int(binary.LittleEndian.Uint16(b[2:]))
		if code == optEnd {
			return nil
		}
		if b = b[4:]; len(b) < n+(-n&3) {
			return fmt.Errorf("%w: option %d of %d bytes", ErrFormat, code, n)
		}
		visit(code, b[:n])
		b = b[n+(-n&3):]
	}
	return nil
}

func (r *Reader) described(b []byte) error {
	if len(b) < 8 || binary.LittleEndian.Uint16(b) != LinkType {
		return fmt.Errorf("%w: interface", ErrFormat)
	}
	var p Packet
	unit := byte(6) // as it is without the option
	var bad error
	err := options(b[8:], func(code uint16, value []byte) {
		switch {
		case code == ifName:
			p.Session, bad = strconv.ParseUint(string(value), 10, 64)
		case code == ifDescription:
			p.Account = string(value)
		case code == ifTimeUnit && len(value) == 1:
			unit = value[0]
		}
	})
	if bad != nil || unit != nanoseconds {
		return fmt.Errorf("%w: interface of no session", ErrFormat)
	}
	r.interfaces = append(r.interfaces, p)
	return err
}

// of begins what an interface has, with its number and time.
func (r *Reader) of(b []byte) (*Packet, error) {
	if len(b) < 12 || uint64(binary.LittleEndian.Uint32(b)) >= uint64(len(r.interfaces)) {
		return nil, fmt.Errorf("%w: no such interface", ErrFormat)
	}
	p := r.interfaces[binary.LittleEndian.Uint32(b)]
	p.Dropped = 0
	p.At = time.Unix(0, int64(uint64(binary.LittleEndian.Uint32(b[4:]))<<32|uint64(binary.LittleEndian.Uint32(b[8:])))).UTC()
	return &p, nil
}

func (r *Reader) packet(b []byte) (*Packet, error) {
	p, err := r.of(b)
	if err != nil {
		return nil, err
	}
	if len(b) < 20 {
		return nil, fmt.Errorf("%w: packet", ErrFormat)
	}
	dropped, n := &r.interfaces[binary.LittleEndian.Uint32(b)], int(binary.LittleEndian.Uint32(b[12:]))
	if b = b[20:]; n < 0 || n > len(b) || n+(-n&3) > len(b) {
		return nil, fmt.Errorf("%w: packet of %d bytes", ErrFormat, n)
	}
	p.Bytes = append([]byte{}, b[:n]...)
	err = options(b[n+(-n&3):], func(code uint16, value []byte) {
		switch {
		case code == epbFlags && len(value) == 4:
			switch binary.LittleEndian.Uint32(value) & 3 {
			case inbound:
				p.Direction = msg.ToServer
			case outbound:
				p.Direction = msg.ToClient
			}
		case code == epbDropped && len(value) == 8:
			p.Dropped = binary.LittleEndian.Uint64(value)
			dropped.Dropped += p.Dropped
		}
	})
	if err == nil && p.Direction == 0 {
		err = fmt.Errorf("%w: a packet without direction", ErrFormat)
	}
	return p, err
}

func (r *Reader) statistics(b []byte) (*Packet, error) {
	p, err := r.of(b)
	if err != nil {
		return nil, err
	}
	return p, options(b[12:], func(code uint16, value []byte) {
		switch {
		case code == optComment:
			p.Note = string(value)
		case code == isbDropped && len(value) == 8:
			dropped := &r.interfaces[binary.LittleEndian.Uint32(b)].Dropped
			p.Dropped = binary.LittleEndian.Uint64(value) - *dropped // it is of all
			*dropped += p.Dropped
		}
	})
}
