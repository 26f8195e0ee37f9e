package natsbus

import (
	"net"
	"time"

	"muster/internal/rawio"
)

// A dialer makes connections whose reads and writes do not wake the monitor thread of the runtime.
type dialer struct{ net.Dialer }

// Dial implements nats.CustomDialer.
func (d *dialer) Dial(network, address string) (net.Conn, error) {
	c, err := d.Dialer.Dial(network, address)
	if err != nil {
		return nil, err
	}
	return &conn{Conn: rawio.Conn(c)}, nil
}

// writeTime is for what is published to be taken by the kernel, our own choice.
const writeTime = 2 * time.Second

// A conn bounds the time of its writes, each of which has writeTime, and up to a quarter more. It does not set its deadline for each: nats.go sets and removes one in each write, which is two changes of a timer.
type conn struct {
	net.Conn
	until time.Time // the deadline of writes; zero if another one may be set
}

// Write implements net.Conn. Writes do not overlap: nats.go has its lock.
func (c *conn) Write(b []byte) (n int, err error) {
	if now := time.Now(); c.until.Sub(now) < writeTime {
		c.until = now.Add(writeTime + writeTime/4)
		if err := c.SetWriteDeadline(c.until); err != nil {
			return 0, err
		}
	}
	return c.Conn.Write(b)
}

// SetDeadline implements net.Conn. nats.go sets one while it connects, and removes it.
func (c *conn) SetDeadline(t time.Time) error {
	c.until = time.Time{}
	return c.Conn.SetDeadline(t)
}
