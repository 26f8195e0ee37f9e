package session

import (
	"fmt"

	"muster/net/protocol/msg"
)

// A Refusal is a packet, or a part of one, that was not used, for a reason. It is counted already.
type Refusal struct {
	Reason string
	Detail any       // nil, or what fmt.Sprint makes a text of, which is done only if the refusal is logged
	Op     uint32    // of the packet that was read last
	State  msg.State // that it came in
}

// A chatType is a type of chat that there is not.
type chatType uint32

func (c chatType) String() string { return fmt.Sprintf("type %d", uint32(c)) }

// A mover is the unit that another client's movement names.
type mover uint64

func (m mover) String() string { return fmt.Sprintf("mover %#x", uint64(m)) }

// A claim is how long an addon block is, and how long it says it is when it is inflated.
type claim struct {
	bytes int
	says  uint32
}

func (c claim) String() string { return fmt.Sprintf("%d bytes claim to be %d", c.bytes, c.says) }

// ignore counts and reports that something is not used.
func (s *Session) ignore(t *Turn, reason string, detail any) {
	s.count(reason)
	t.Refused = append(t.Refused, Refusal{reason, detail, s.op, s.state})
}

// opcodes is a set of opcodes.
type opcodes [(noOpcode + 63) / 64]uint64

// add adds an opcode, and reports whether it is new.
func (o *opcodes) add(op uint32) bool {
	word, bit := &o[op/64], uint64(1)<<(op%64)
	had := *word&bit != 0
	*word |= bit
	return !had
}

// unhandled counts a packet that is understood by nothing, and reports the first of each opcode.
func (s *Session) unhandled(t *Turn, reason string) {
	if s.noted == nil {
		s.noted = new(opcodes)
	}
	if s.noted.add(s.op) {
		s.ignore(t, reason, nil)
	} else {
		s.count(reason)
	}
}

func (s *Session) count(reason string) {
	if s.config.Metric != nil {
		s.config.Metric.Count(reason)
	}
}
