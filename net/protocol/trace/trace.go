// Package trace has the packets of sessions in order, as text, as JSON lines and as pcapng, which it reads again.
//
// A packet is kept as it is on the wire, but with a plain header. Passwords are not in it: see Scrub.
package trace

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// A Packet is one of a session, or what is to be noted of it.
type Packet struct {
	At        time.Time
	Session   uint64
	Account   string
	Direction msg.Direction // msg.ToServer or msg.ToClient
	Bytes     []byte        // with a plain header; nil if this is a note
	Dropped   uint64        // how many packets before this one are missing, because they were not read in time
	Note      string        // without packet: why nothing more follows
}

// Op is the opcode, and the body what follows the header. They are 0 and nil if the bytes are no packet.
func (p *Packet) Op() (op uint32, body []byte) {
	if p.Direction == msg.ToServer {
		op, n, ok := wire.ClientHeader(p.Bytes)
		if !ok || n != len(p.Bytes)-wire.ClientHeaderLen {
			return 0, nil
		}
		return op, p.Bytes[wire.ClientHeaderLen:]
	}
	short, n, header, ok := wire.ServerHeader(p.Bytes)
	if !ok || n != len(p.Bytes)-header {
		return 0, nil
	}
	return uint32(short), p.Bytes[header:]
}

// Name is the name of an opcode, or its number if it has none.
func Name(d msg.Direction, op uint32) string {
	if name := msg.Name(op); d == msg.ToServer && name != "" {
		return name
	}
	if row := msg.Lookup(d, op); row != nil {
		return row.Name
	}
	return fmt.Sprintf("%#x", op)
}

// A Writer writes packets in a format.
type Writer interface {
	Write(p *Packet) error
}

// Format names the formats of NewWriter.
const (
	Text   = "text"
	JSON   = "json"
	Pcapng = "pcapng"
)

// NewWriter writes a format, nil if it is none.
func NewWriter(format string, w io.Writer) Writer {
	switch format {
	case Text:
		return textWriter{w}
	case JSON:
		return jsonWriter{json.NewEncoder(w)}
	case Pcapng:
		return &pcapngWriter{w: w, interfaces: make(map[uint64]*count)}
	}
	return nil
}

type textWriter struct{ to io.Writer }

// Write writes one line: the time, the session, the account, C>S from the client or S>C to it, the opcode, the length of the
// body and the message. Lines about what is missing begin with two dashes behind the time.
func (w textWriter) Write(p *Packet) error {
	at := p.At.UTC().Format("15:04:05.000000")
	if p.Dropped > 0 {
		if _, err := fmt.Fprintf(w.to, "%s -- %d packets are missing\n", at, p.Dropped); err != nil {
			return err
		}
	}
	if p.Bytes == nil {
		_, err := fmt.Fprintf(w.to, "%s -- %d %s %s\n", at, p.Session, shown(p.Account), p.Note)
		return err
	}
	op, body := p.Op()
	_, err := fmt.Fprintf(w.to, "%s %d %s %s %s %d %s\n", at, p.Session, shown(p.Account), arrow(p.Direction), Name(p.Direction, op), len(body),
		describe(p.Direction, op, body))
	return err
}

// shown is the name of an account with what cannot be seen escaped: before the login it is what the client claims to have.
func shown(name string) string {
	quoted := strconv.QuoteToGraphic(name)
	return quoted[1 : len(quoted)-1]
}

func arrow(d msg.Direction) string {
	if d == msg.ToServer {
		return "C>S"
	}
	return "S>C"
}

type jsonWriter struct{ to *json.Encoder }

// A Line is what a line of JSON has.
type Line struct {
	At        time.Time       `json:"at"`
	Session   uint64          `json:"session"`
	Account   string          `json:"account,omitempty"`
	Direction string          `json:"direction,omitempty"` // to_server or to_client
	Opcode    string          `json:"opcode,omitempty"`
	Number    uint32          `json:"number,omitempty"` // of the opcode
	Packet    []byte          `json:"packet,omitempty"` // with its header, in base64
	Message   json.RawMessage `json:"message,omitempty"`
	Error     string          `json:"error,omitempty"` // why the body is no message
	Dropped   uint64          `json:"dropped,omitempty"`
	Note      string          `json:"note,omitempty"`
}

// Write writes a Line.
func (w jsonWriter) Write(p *Packet) error {
	l := Line{At: p.At, Session: p.Session, Account: p.Account, Dropped: p.Dropped, Note: p.Note}
	if p.Bytes != nil {
		op, body := p.Op()
		l.Direction, l.Opcode, l.Number, l.Packet = "to_client", Name(p.Direction, op), op, p.Bytes
		if p.Direction == msg.ToServer {
			l.Direction = "to_server"
		}
		var err error
		if l.Message, err = message(p.Direction, op, body); err != nil {
			l.Error = err.Error()
		}
	}
	return w.to.Encode(&l)
}
