package session

import "muster/net/protocol/msg"

// A Refusal is a packet, or a part of one, that was not used, for a reason. It is counted already.
type Refusal struct {
	Reason string
	Detail string    // may be empty
	Op     uint32    // of the packet that was read last
	State  msg.State // that it came in
}

// ignore counts and reports that something is not used.
func (s *Session) ignore(t *Turn, reason, detail string) {
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
		s.ignore(t, reason, "")
	} else {
		s.count(reason)
	}
}

func (s *Session) count(reason string) {
	if s.config.Metric != nil {
		s.config.Metric.Count(reason)
	}
}
