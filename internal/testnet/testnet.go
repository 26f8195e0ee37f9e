//go:build linux

// Package testnet makes hosts on one machine, for tests of what crosses a network: network namespaces of Linux, joined by a switch, from which each can be cut
// off. They end with the last of the processes that have made them and run on them, also if those are killed, and reach nothing else.
package testnet

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"
)

// ErrRights is returned where this process may not make network namespaces, or the kernel has none.
var ErrRights = errors.New("testnet: no right to make network namespaces")

// first is the address of the first host.
//
// Source: RFC 5737, 3: 192.0.2.0/24 is for documentation, and routed nowhere.
var first = netip.MustParseAddr("192.0.2.1")

const (
	maxHosts = 250
	prefix   = 24
)

// A Network is a switch.
type Network struct {
	namespace *os.File
	hosts     int
}

// A Host is a network namespace with an address on the switch, and one of its own on its loopback. Zero is this machine itself, with its loopback alone.
type Host struct {
	namespace *os.File // nil: that of this process
	network   *Network
	port      string // of the switch
	addr      netip.Addr
}

// New makes a switch. It returns ErrRights if this process may not, or the kernel does not have what a switch is made of.
func New() (*Network, error) {
	namespace, err := newNamespace()
	if err != nil {
		return nil, err
	}
	n := &Network{namespace: namespace}
	// The first command tells that there is iproute2, so that the others fail for what it asks for.
	if err := n.ip("-Version"); err != nil {
		n.Close()
		return nil, err
	}
	if err := n.ip("link add name switch type bridge", "link set switch up", "link add name probe type veth peer name eborp", "link delete probe"); err != nil {
		n.Close()
		return nil, fmt.Errorf("%w: %w", ErrRights, err)
	}
	return n, nil
}

// Host makes a host. It is not safe for concurrent use.
func (n *Network) Host() (*Host, error) {
	if n.hosts == maxHosts {
		return nil, fmt.Errorf("testnet: a network has %d hosts at most", maxHosts)
	}
	namespace, err := newNamespace()
	if err != nil {
		return nil, err
	}
	addr := first
	for range n.hosts {
		addr = addr.Next()
	}
	h := &Host{namespace: namespace, network: n, port: fmt.Sprint("port", n.hosts), addr: addr}
	n.hosts++
	if err := n.ip(
		fmt.Sprintf("link add name %s type veth peer name eth netns /proc/%d/fd/%d", h.port, os.Getpid(), namespace.Fd()),
		fmt.Sprintf("link set %s master switch up", h.port),
	); err != nil {
		h.Close()
		return nil, err
	}
	h.Do(func() {
		err = ip("link set lo up", fmt.Sprintf("addr add %v/%d dev eth", addr, prefix), "link set eth up")
	})
	if err != nil {
		h.Close()
		return nil, err
	}
	return h, nil
}

// Addr is the address of the host, by which other hosts reach it.
func (h *Host) Addr() netip.Addr {
	if h.namespace == nil {
		return netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	return h.addr
}

// Do calls f on a thread of the host: processes that f starts are the host's, and so are sockets that it opens, for as long as they are there. Goroutines that it starts
// are not.
func (h *Host) Do(f func()) {
	if h.namespace == nil {
		f()
		return
	}
	in(h.namespace, f)
}

// DialContext connects from the host, as net.Dialer does.
func (h *Host) DialContext(ctx context.Context, network, address string) (conn net.Conn, err error) {
	h.Do(func() { conn, err = new(net.Dialer).DialContext(ctx, network, address) })
	return conn, err
}

// Listen listens on the host.
func (h *Host) Listen(network, address string) (l net.Listener, err error) {
	h.Do(func() { l, err = net.Listen(network, address) })
	return l, err
}

// Cut cuts a host of a network off from its switch, or joins it again. What is sent meanwhile is lost, and the host is not told so.
func (h *Host) Cut(cut bool) error {
	to := "master switch"
	if cut {
		to = "nomaster"
	}
	return h.network.ip(fmt.Sprintf("link set %s %s", h.port, to))
}

// Close lets go of the host, which ends with its last process and socket.
func (h *Host) Close() error { return h.namespace.Close() }

// Close lets go of the switch.
func (n *Network) Close() error { return n.namespace.Close() }

// ip runs iproute2's command on the switch.
func (n *Network) ip(commands ...string) (err error) {
	in(n.namespace, func() { err = ip(commands...) })
	return err
}

// ip runs iproute2's command in the namespace of the thread.
func ip(commands ...string) error {
	for _, c := range commands {
		if out, err := exec.Command("ip", strings.Fields(c)...).CombinedOutput(); err != nil {
			return fmt.Errorf("testnet: ip %s: %w: %s", c, err, out)
		}
	}
	return nil
}

// newNamespace makes a network namespace.
func newNamespace() (namespace *os.File, err error) {
	made := make(chan struct{})
	go func() {
		defer close(made)
		runtime.LockOSThread() // the thread ends with the goroutine
		if err = unix.Unshare(unix.CLONE_NEWNET); err != nil {
			err = fmt.Errorf("%w: %w", ErrRights, err)
			return
		}
		namespace, err = os.Open(ofThread)
	}()
	<-made
	return namespace, err
}

// ofThread is the network namespace of a thread that asks.
const ofThread = "/proc/thread-self/ns/net"

// in calls f on a thread in a namespace.
func in(namespace *os.File, f func()) {
	runtime.LockOSThread()
	before, err := os.Open(ofThread)
	if err != nil {
		panic(err)
	}
	defer before.Close()
	enter(namespace)
	defer func() {
		enter(before)
		runtime.UnlockOSThread()
	}()
	f()
}

// enter has the thread be in a namespace. It may: it has made it, or comes from it.
func enter(namespace *os.File) {
	if err := unix.Setns(int(namespace.Fd()), unix.CLONE_NEWNET); err != nil {
		panic(err)
	}
}
