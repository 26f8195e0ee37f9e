//go:build !linux

package swarm

import (
	"errors"
	"math"
	"net/netip"
)

// The swarm is written to epoll. On other systems it compiles and Run says so.

type socket int

const noSocket socket = -1

type readiness struct {
	client, generation int32
	readable, writable bool
}

type poller struct{}

func descriptors() uint64 { return math.MaxUint64 }

func used() usage { return usage{} }

func newPoller(bool) (*poller, error) { return nil, errors.ErrUnsupported }

func (*poller) close() {}

func (*poller) wait(int) ([]readiness, error) { return nil, errors.ErrUnsupported }

func (*poller) dial(netip.AddrPort, netip.Addr, int32, int32) (socket, error) {
	return noSocket, errors.ErrUnsupported
}

func (*poller) watch(socket, int32, int32, bool) error { return errors.ErrUnsupported }

func (socket) connected() error { return errors.ErrUnsupported }

func (socket) read([]byte) (int, error) { return 0, errors.ErrUnsupported }

func (socket) write([]byte) (int, error) { return 0, errors.ErrUnsupported }

func (socket) close() {}
