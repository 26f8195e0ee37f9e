package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// children are processes of this program that another has started.
type children struct {
	log    *slog.Logger
	stderr io.Writer
	ended  chan error // has what the first of them that ended by itself ended with

	mu       sync.Mutex // of what is written to stderr, and of stopping
	stopping bool
	all      []*child
}

// A child is one of them.
type child struct {
	name  string
	cmd   *exec.Cmd
	ready chan string // has what follows msg=ready in its log
	at    string
	gone  chan struct{} // closed when it has ended
}

// endTime is how long a child may take to end: to save all players, and more.
const endTime = drainTime + 10*time.Second

// start starts a process. It ends with this one, however that ends.
func (c *children) start(name string, args []string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	p := &child{name: name, cmd: exec.Command(self, args...), ready: make(chan string, 1), gone: make(chan struct{})}
	p.cmd.SysProcAttr = childAttributes() // an interrupt of the terminal is for this process
	log, err := p.cmd.StderrPipe()
	if err != nil {
		return err
	}
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // Pdeathsig is sent when the thread ends that has started the process
		err := p.cmd.Start()
		started <- err
		if err != nil {
			return
		}
		c.follow(p, log)
		p.cmd.Wait() // ProcessState has how it ended
		close(p.gone)
		c.mu.Lock()
		defer c.mu.Unlock()
		if !c.stopping {
			c.ended <- fmt.Errorf("%s has ended: %v", name, p.cmd.ProcessState)
		}
	}()
	if err := <-started; err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	c.all = append(c.all, p)
	return nil
}

// maxLine is the longest line of a log, in bytes: one with a stack.
const maxLine = 4 << 20

// follow repeats what a process logs until it ends.
func (c *children) follow(p *child, log io.Reader) {
	lines := bufio.NewScanner(log)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		if _, at, ok := strings.Cut(lines.Text(), "msg=ready "); ok {
			at, _, _ = strings.Cut(at, " took=")
			select {
			case p.ready <- at:
			default: // it is known
			}
		}
		c.mu.Lock()
		fmt.Fprintf(c.stderr, "%s: %s\n", p.name, lines.Text())
		c.mu.Unlock()
	}
	io.Copy(io.Discard, log) // after a line that is too long
}

// ready waits until all are ready, and returns where one of them is reached.
func (c *children) ready(ctx context.Context, name string) (at string, err error) {
	for _, p := range c.all {
		select {
		case p.at = <-p.ready:
			if p.name == name {
				at = p.at
			}
		case err := <-c.ended:
			return "", err
		case <-ctx.Done():
			return "", nil
		}
	}
	return at, nil
}

// stop ends all, the last that was started first: gateways save their players while the worlds run.
func (c *children) stop() error {
	c.mu.Lock()
	c.stopping = true
	c.mu.Unlock()
	var errs []error
	for _, p := range slices.Backward(c.all) {
		p.cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-p.gone:
		case <-time.After(endTime):
			errs = append(errs, fmt.Errorf("%s does not end: it is killed", p.name))
			p.cmd.Process.Kill()
			<-p.gone
		}
		if code := p.cmd.ProcessState.ExitCode(); code != 0 {
			errs = append(errs, fmt.Errorf("%s has ended with exit code %d", p.name, code))
		}
	}
	return errors.Join(errs...)
}
