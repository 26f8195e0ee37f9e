package session

import (
	"encoding/binary"
	"time"

	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// maxUnread bounds what a session keeps of its input: six packets of the greatest length. Only a client
// that does not wait for answers gets there.
const maxUnread = 64 << 10

// noOpcode is the first number that is no opcode of build 12340.
//
// Source: WorldSocket::ReadHeaderHandler, AzerothCore.
const noOpcode = 0x51F

// An input is what has arrived and is not read yet, and the header of the next packet.
type input struct {
	unread []byte
	read   int // bytes of unread that are read; bodies among them may still be in use

	any     bool // a header was read
	headed  bool // the next header is read, and decrypted
	op      uint32
	payload int
}

// drop forgets what is read.
func (in *input) drop() {
	if in.read == len(in.unread) {
		in.unread, in.read = nil, 0
		return
	}
	in.unread = in.unread[:copy(in.unread, in.unread[in.read:])]
	in.read = 0
}

// Feed takes bytes that arrived. It decrypts headers in place, so the session writes to in; it keeps no
// part of it.
func (s *Session) Feed(t *Turn, in []byte) {
	if s.closed {
		return
	}
	s.drop()
	if len(s.unread) == 0 {
		in = in[s.parse(t, in):] // the usual way: nothing is copied
	}
	s.unread = append(s.unread, in...)
	s.resume(t)
	if len(s.unread)-s.read > maxUnread {
		s.close(t, TooMuchInput)
	}
}

// resume reads on in what was left.
func (s *Session) resume(t *Turn) {
	s.read += s.parse(t, s.unread[s.read:])
}

// parse takes packets from the start of b until it needs more bytes or an answer, and returns how many
// bytes it has used.
func (s *Session) parse(t *Turn, b []byte) (used int) {
	if t.Now.After(s.until) {
		s.late = 0
	}
	for s.asked.Kind == Nothing && !s.closed && !s.rests(t) {
		if !s.headed {
			header := b[used:]
			if len(header) < wire.ClientHeaderLen {
				break
			}
			header = header[:wire.ClientHeaderLen]
			if s.keyed {
				s.fromPeer.XOR(header)
			}
			s.op, s.payload, _ = wire.ClientHeader(header)
			s.any = true
			if s.payload < 0 || s.payload > wire.MaxClientPayload || s.op >= noOpcode {
				s.close(t, BadHeader)
				break
			}
			s.headed = true
			used += wire.ClientHeaderLen
		}
		if len(b)-used < s.payload {
			break
		}
		if s.defers(t, len(b)-used) {
			return used
		}
		policy := s.meter(t, uint16(s.op))
		if policy == Throttle {
			s.hold(t)
			break
		}
		s.headed = false
		body := b[used : used+s.payload : used+s.payload]
		used += s.payload
		if s.tap != nil {
			s.tap.Read(s.op, body)
		}
		switch policy {
		case Process:
			s.packet(t, uint16(s.op), body)
		case Drop:
			t.Packets++
			t.Read.count(s.op)
		case Kick:
			s.close(t, Flooded)
		case Ban:
			s.close(t, FloodBan)
		}
	}
	if s.asked.Kind == Nothing && !s.pace.held { // all whole packets are read
		s.late = 0
	}
	return used
}

// A backlog is what arrived while nothing was read, and is more than may be read from one drain point to
// the next.
type backlog struct {
	late  time.Duration // for how long nothing was read; 0 without a backlog
	until time.Time     // when it must be read, or is too much
	due   bool          // Resume is to be called
}

// maxBacklog bounds a backlog, in bytes: with it a session may be fed twice more.
const maxBacklog = maxUnread - 2*MaxFeed

// backlogTime is how long a backlog may take to be read, our own choice: a hundred times as long as that of an honest
// client takes. A client that goes on sending as fast as it is read would have one for ever.
const backlogTime = 10 * time.Second

// defers reports whether the next packet, the first of so many bytes, is to be read after the next drain point. It is
// one too many for this one, but not its sender's fault: it waited because nothing was read. What is more than a
// backlog may be is not kept; it is one packet too many, as any other.
//
// Source: MAX_PROCESSED_PACKETS_IN_SAME_WORLDSESSION_UPDATE in WorldSession::Update, AzerothCore, which leaves all that
// is too many for later.
func (s *Session) defers(t *Turn, bytes int) bool {
	if s.drain != t.Drain || s.spent < s.config.packetsPerDrain() || bytes > maxBacklog {
		return false
	}
	if s.late == 0 {
		if t.Lag < time.Second {
			return false
		}
		s.ignore(t, Deferred, nil)
		s.until = t.Now.Add(backlogTime)
	}
	s.late = max(s.late, t.Lag)
	if !s.due {
		s.due, t.Wait = true, time.Millisecond
	}
	return true
}

// packet dispatches a packet by its row, if its state allows it.
func (s *Session) packet(t *Turn, op uint16, body []byte) {
	t.Packets++
	t.Read.count(uint32(op))
	s.hears(t.Now, op)
	row := msg.Lookup(msg.ToServer, uint32(op))
	allowed := row != nil && row.Allowed.Has(s.state)
	switch {
	case !s.affords(t):
		s.ignore(t, Flood, nil)
	case s.state == msg.Fresh && !allowed:
		s.close(t, BeforeLogin)
	case row == nil:
		s.unhandled(t, UnknownOpcode)
	case op == msg.OpAuthSession && !allowed:
		s.close(t, SecondLogin)
	case !allowed:
		s.ignore(t, WrongState, nil)
	case int(op) < len(handlers) && handlers[op] != nil:
		handlers[op](s, t, body)
	case row.Route == msg.ToWorld:
		s.toWorld(t, op, body)
	default:
		s.unhandled(t, NotServed)
	}
}

// affords reports whether the session may send one more packet before the next drain point.
func (s *Session) affords(t *Turn) bool {
	if s.drain != t.Drain {
		s.drain, s.spent = t.Drain, 0
	}
	s.spent++
	return s.spent <= s.config.packetsPerDrain()
}

// toWorld passes a message on. Its mover must be the session's own character; everything else about a
// message is for the world to judge.
func (s *Session) toWorld(t *Turn, op uint16, body []byte) {
	if s.state != msg.World && s.state != msg.Transfer {
		s.ignore(t, WrongState, "its world is not there yet")
		return
	}
	if msg.IsMove(op) {
		switch guid, n := wire.ReadPackedGUID(body); {
		case n == 0 || len(body)-n < shortestMovement:
			s.ignore(t, BadBody, nil)
			return
		case guid != s.character.GUID:
			s.ignore(t, ForeignMover, mover(guid))
			return
		}
	}
	t.Items = append(t.Items, Item{op, body})
}

// choose keeps the player's selection, as its world does, for commands of the gateway.
func (s *Session) choose(t *Turn, body []byte) {
	if len(body) >= 8 {
		s.selected = binary.LittleEndian.Uint64(body)
	}
	s.toWorld(t, msg.OpSetSelection, body)
}

// Selected is the GUID of the player's selection, 0 if there is none.
func (s *Session) Selected() uint64 { return s.selected }

// shortestMovement is a Movement without any of its parts: flags u32, extra u16, time u32, place 4×f32,
// fall time u32.
const shortestMovement = 4 + 2 + 4 + 16 + 4
