//go:build !linux

package rawio

import "net"

// Conn returns the connection.
func Conn(c net.Conn) net.Conn { return c }

// WakeMonitor does nothing: the monitor is woken as it is elsewhere.
func WakeMonitor() {}
