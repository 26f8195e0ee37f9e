package swarm

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net/netip"
	"time"

	"golang.org/x/sys/unix"

	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

const (
	// readSize is what one read takes at most.
	readSize = 64 << 10

	// maxFrame is the longest packet that is read at all; a header that says more is taken for garbage, and so is one that
	// takes five bytes and has an opcode that no server sends.
	maxFrame = 4 << 20

	// opcodeEnd is above every opcode. Source: protocol.md 2.1.
	opcodeEnd = 0x51F

	// maxUnsent is how much may wait for a server that does not read.
	maxUnsent = 1 << 20
)

// open connects the client's next socket.
func (r *run) open(c *client, to netip.AddrPort) {
	r.hangUp(c)
	var source netip.Addr
	if r.config.Clients > perSource && to.Addr().IsLoopback() && to.Addr().Is4() {
		source = netip.AddrFrom4([4]byte{127, 0, 1, byte(1 + int(c.id)/perSource)})
	}
	s, err := r.poll.dial(to, source, c.id, c.generation)
	if err != nil {
		r.leave(c, "dial: "+reason(err))
		return
	}
	c.socket = s
	c.connecting, c.watched = true, true
}

// hangUp closes the client's socket, if it has one, and forgets what was on its way.
func (r *run) hangUp(c *client) {
	if c.socket != noSocket {
		c.socket.close()
		c.socket = noSocket
	}
	c.generation++
	c.encrypted, c.connecting, c.have = false, false, 0
	c.rest, c.unsent = c.rest[:0], c.unsent[:0]
}

// leave takes a client out of the run for a reason.
func (r *run) leave(c *client, why string) {
	switch {
	case c.stage == stageInWorld:
		r.report.Lost.count(why)
		r.inWorld--
		if r.measured.from != 0 {
			r.measured.least = min(r.measured.least, r.inWorld)
		}
		delete(r.byGUID, c.guid)
	case c.stage.loggingIn():
		r.report.Logins.Failed.count(why)
		r.settled++
	}
	c.stage = stageGone
	r.hangUp(c)
}

// reason words an error without addresses and numbers, so that equal failures count together.
func reason(err error) string {
	var errno unix.Errno
	switch {
	case err == io.EOF:
		return "closed by the server"
	case errors.As(err, &errno):
		return errno.Error()
	}
	return err.Error()
}

// handle does what the poller saw.
func (r *run) handle(e *readiness) {
	c := &r.clients[e.client]
	if e.generation != c.generation || c.socket == noSocket {
		return
	}
	if e.writable && c.watched {
		if !r.writable(c) {
			return
		}
	}
	if e.readable {
		r.read(c)
	}
}

// writable continues to connect or to write; it reports whether the client still has its socket.
func (r *run) writable(c *client) bool {
	if c.connecting {
		c.connecting = false
		if err := c.socket.connected(); err != nil {
			r.leave(c, c.stage.String()+": "+reason(err))
			return false
		}
		r.connected(c)
		if c.socket == noSocket {
			return false
		}
	}
	if len(c.unsent) > 0 {
		n, err := c.socket.write(c.unsent)
		if err != nil {
			r.leave(c, c.stage.String()+": "+reason(err))
			return false
		}
		c.unsent = c.unsent[:copy(c.unsent, c.unsent[n:])]
	}
	r.watch(c, len(c.unsent) > 0)
	return true
}

func (r *run) watch(c *client, writes bool) {
	if c.watched == writes {
		return
	}
	c.watched = writes
	if err := r.poll.watch(c.socket, c.id, c.generation, writes); err != nil {
		r.leave(c, "watch: "+reason(err))
	}
}

// read takes what has come and consumes it. One read per event is enough: the poller is level-triggered.
func (r *run) read(c *client) {
	had := copy(r.in, c.rest)
	n, err := c.socket.read(r.in[had : had+readSize])
	r.tick()
	r.noteBehind()
	if err != nil {
		r.leave(c, c.stage.String()+": "+reason(err))
		return
	}
	all := r.in[:had+n]
	generation := c.generation
	used := 0
	if c.stage < stageWorld {
		used = r.consumeAuth(c, all)
	} else {
		used = r.consumeWorld(c, all)
	}
	if c.generation == generation {
		c.rest = append(c.rest[:0], all[used:]...)
	}
}

// consumeWorld hands out whole packets and returns how many bytes it is done with. Header bytes are decrypted exactly
// once, into the client's header, and count as done.
func (r *run) consumeWorld(c *client, b []byte) (used int) {
	generation := c.generation
	for {
		op, size, headerSize, ok := r.header(c, b, &used)
		if !ok {
			return used
		}
		if size < 0 || size > maxFrame || headerSize > wire.ServerHeaderLen && op >= opcodeEnd {
			r.leave(c, c.stage.String()+": nonsense in a header")
			return used
		}
		if len(b)-used < size {
			return used
		}
		payload := b[used : used+size]
		used += size
		c.have = 0
		r.received.packets++
		r.received.bytes += uint64(headerSize + size)
		if !c.framed && c.checker.Again(op, payload) { // nearly always
			continue
		}
		r.packet(c, op, payload)
		if c.generation != generation {
			return used
		}
	}
}

// header completes the header of the packet at b[*used:]; ok is false if bytes are missing.
func (r *run) header(c *client, b []byte, used *int) (op uint16, size, headerSize int, ok bool) {
	if c.have == 0 && c.encrypted && len(b)-*used >= wire.ServerHeaderLen { // nearly always
		word := binary.LittleEndian.Uint32(b[*used:]) ^ c.fromThem.Four()
		binary.LittleEndian.PutUint32(c.header[:], word)
		c.have, *used = wire.ServerHeaderLen, *used+wire.ServerHeaderLen
		if op, size, ok = wire.ServerHeaderWord(word); ok {
			return op, size, wire.ServerHeaderLen, true
		}
	}
	for {
		if op, size, headerSize, ok = wire.ServerHeader(c.header[:c.have]); ok {
			return op, size, headerSize, true
		}
		want := 4
		if c.have >= 4 {
			want = 5 // a large packet: the first byte said so
		}
		n := copy(c.header[c.have:want], b[*used:])
		if n == 0 {
			return 0, 0, 0, false
		}
		if c.encrypted {
			c.fromThem.XOR(c.header[c.have : int(c.have)+n])
		}
		c.have += uint8(n)
		*used += n
	}
}

// put adds a packet to what flush will send. What is put is for one client until it is flushed.
func (r *run) put(c *client, op uint16, m msg.Message) {
	start := len(r.out)
	r.out = msg.ClientPacket(r.out, wire.V12340, op, m)
	if c.encrypted {
		c.toThem.XOR(r.out[start : start+wire.ClientHeaderLen])
	}
	r.sent.packets++
	r.sent.bytes += uint64(len(r.out) - start)
}

// flush sends what was put, and keeps what the socket does not take.
func (r *run) flush(c *client) {
	b := r.out
	r.out = r.out[:0]
	if len(b) == 0 || c.socket == noSocket {
		return
	}
	if len(c.unsent) == 0 {
		n, err := c.socket.write(b)
		if err != nil {
			r.leave(c, c.stage.String()+": "+reason(err))
			return
		}
		b = b[n:]
	}
	if len(b) == 0 {
		return
	}
	if len(c.unsent)+len(b) > maxUnsent {
		r.leave(c, "the server does not read")
		return
	}
	c.unsent = append(c.unsent, b...)
	r.watch(c, true)
}

// realmAddress resolves where a realm is, once per address. The look-up of a host's name blocks the loop.
func (r *run) realmAddress(hostPort string) (netip.AddrPort, error) {
	if a, ok := r.realms[hostPort]; ok {
		return a, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	a, err := resolve(ctx, hostPort)
	if err == nil {
		r.realms[hostPort] = a
	}
	return a, err
}
