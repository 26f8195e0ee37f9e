package console

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"muster/net/gateway"
	"muster/net/protocol/command"
)

// Bounds on clients of the socket.
const (
	maxCallers = 8                // at a time
	callTime   = 15 * time.Second // for a line and its answer
	perSecond  = 50               // lines, of all
	maxSaid    = 1 << 20          // bytes that a client reads
)

// What an answer begins with.
const (
	saidDone   = "done"
	saidFailed = "failed"
)

// Listen makes the socket in a folder that only the owner of this process can access. A socket that a process
// has left behind is replaced; one on which a process listens is an error.
func Listen(path string) (*net.UnixListener, error) {
	if info, err := os.Lstat(path); err == nil {
		if info.Mode().Type() != os.ModeSocket {
			return nil, fmt.Errorf("console: %s is there, and is no socket", path)
		}
		if c, err := net.Dial("unix", path); err == nil {
			c.Close()
			return nil, fmt.Errorf("console: another server listens at %s", path)
		}
		if err := os.Remove(path); err != nil {
			return nil, fmt.Errorf("console: %w", err)
		}
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("console: %w", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, fmt.Errorf("console: %w", err)
	}
	return l, nil
}

// Private returns an error unless only the user of this process can put something into a folder: otherwise
// any process may listen there, and it must not be sent a password. Links are not followed.
func Private(folder string) error {
	info, err := os.Lstat(folder)
	switch {
	case err != nil:
		return fmt.Errorf("console: %w", err)
	case !info.IsDir() || info.Mode().Perm()&0o077 != 0 || !owned(info):
		return fmt.Errorf("console: %s is not a folder of this user alone", folder)
	}
	return nil
}

// Serve does what is asked for over a socket until ctx ends, closes the listener and returns nil. Each connection
// is one line, from a process of the same user, and its answer.
func (c *Console) Serve(ctx context.Context, l net.Listener, log *slog.Logger) error {
	ctx, cancel := context.WithCancel(ctx)
	var callers sync.WaitGroup
	defer callers.Wait()
	defer cancel()
	callers.Go(func() { // the listener is closed before Serve returns, and not later: another may have its socket then
		<-ctx.Done()
		l.Close()
	})
	seats := make(chan struct{}, maxCallers)
	pace := time.NewTicker(time.Second / perSecond)
	defer pace.Stop()
	for {
		conn, err := l.Accept()
		switch {
		case ctx.Err() != nil || errors.Is(err, net.ErrClosed):
			if err == nil {
				conn.Close()
			}
			return nil
		case err != nil:
			return fmt.Errorf("console: %w", err)
		}
		if err := sameUser(conn); err != nil {
			log.Warn("console: refused", "err", err)
			conn.Close()
			continue
		}
		select {
		case seats <- struct{}{}:
		default:
			fmt.Fprintf(conn, "%s\nToo many are asking.\n", saidFailed)
			conn.Close()
			continue
		}
		callers.Go(func() {
			defer func() { <-seats }()
			defer conn.Close()
			c.answer(ctx, conn)
		})
		select {
		case <-pace.C:
		case <-ctx.Done():
		}
	}
}

// answer reads a line and writes the result of it.
func (c *Console) answer(ctx context.Context, conn net.Conn) {
	conn.SetDeadline(time.Now().Add(callTime))
	defer context.AfterFunc(ctx, func() { conn.SetReadDeadline(time.Now()) })()
	ctx, cancel := context.WithTimeout(ctx, callTime-time.Second)
	defer cancel()
	line, err := bufio.NewReader(io.LimitReader(conn, command.MaxLine+1)).ReadString('\n')
	if err != nil || strings.ContainsRune(line, 0) {
		fmt.Fprintf(conn, "%s\nThat is no line of at most %d bytes.\n", saidFailed, command.MaxLine)
		return
	}
	said, err := c.Run(ctx, gateway.Caller{Level: command.Console}, strings.TrimSuffix(line, "\n"))
	first := saidDone
	if err != nil {
		first = saidFailed
		said = append([]string{err.Error()}, said...)
	}
	fmt.Fprintln(conn, first)
	for _, line := range said {
		fmt.Fprintln(conn, line)
	}
}

// ErrFailed is returned for a command that was not executed; its lines are the reason.
var ErrFailed = errors.New("console: it was not done")

// Ask sends a line to a socket, and returns the lines of its answer, with ErrFailed if it was not
// executed.
func Ask(ctx context.Context, path, line string) (said string, err error) {
	if strings.ContainsAny(line, "\n\x00") || len(line) > command.MaxLine {
		return "", fmt.Errorf("console: that is no line of at most %d bytes", command.MaxLine)
	}
	conn, err := new(net.Dialer).DialContext(ctx, "unix", path)
	if err != nil {
		return "", fmt.Errorf("console: %w", err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(callTime))
	if _, err := fmt.Fprintln(conn, line); err != nil {
		return "", fmt.Errorf("console: %w", err)
	}
	all, err := io.ReadAll(io.LimitReader(conn, maxSaid))
	if err != nil {
		return "", fmt.Errorf("console: %w", err)
	}
	first, said, ok := strings.Cut(string(all), "\n")
	switch {
	case !ok || first != saidDone && first != saidFailed:
		return "", fmt.Errorf("console: what listens at %s is no server of ours", path)
	case first == saidFailed:
		return said, ErrFailed
	}
	return said, nil
}

// Read executes what is typed on a terminal, a line at a time, and prints the answers, until there are no more
// lines or ctx ends. A line that is too long is ignored. A read that waits is not interrupted: it ends with the
// process.
func (c *Console) Read(ctx context.Context, in io.Reader, out io.Writer) {
	ReadFor(ctx, in, out, func() *Console { return c })
}

// ReadFor is Read for the console that there is at the time of a line.
func ReadFor(ctx context.Context, in io.Reader, out io.Writer, present func() *Console) {
	lines := bufio.NewReaderSize(in, command.MaxLine)
	for ctx.Err() == nil {
		line, more, err := lines.ReadLine()
		if err != nil {
			return
		}
		if more {
			for more && err == nil {
				_, more, err = lines.ReadLine()
			}
			fmt.Fprintf(out, "That is no line of at most %d bytes.\n", command.MaxLine)
			continue
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		ctx, cancel := context.WithTimeout(ctx, callTime)
		for _, said := range present().Do(ctx, gateway.Caller{Level: command.Console}, string(line)) {
			fmt.Fprintln(out, said)
		}
		cancel()
	}
}
