//go:build !linux

package console

import "net"

// sameUser leaves it to the socket's mode who may come.
func sameUser(net.Conn) error { return nil }
