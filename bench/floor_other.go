//go:build !linux

package bench

import (
	"context"
	"errors"
	"net/netip"
)

// Serve needs epoll.
func (Floor) Serve(context.Context, func(netip.AddrPort)) error {
	return errors.New("floor: only on Linux")
}
