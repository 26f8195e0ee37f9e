// Package process starts other processes of this program, starts them again, and ends them.
package process

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

// Children are processes of this program that another has started.
type Children struct {
	log    *slog.Logger
	stderr io.Writer
	Ended  chan error // has what the first of them that ended by itself ended with

	// Died is called with a process that has ended by itself; nil does nothing. It is set before the first is started.
	Died func(pid int)

	mu       sync.Mutex // of what is written to stderr, and of stopping
	stopping bool
	all      []*Child
	restarts []time.Time // of the last minute
}

// A Child is one of them.
type Child struct {
	name  string
	again bool // it is started again when it ends
	Cmd   *exec.Cmd
	Ready chan string // has what follows msg=ready in its log
	at    string
	gone  chan struct{} // closed when it has ended
}

// PID is its process.
func (p *Child) PID() int { return p.Cmd.Process.Pid }

// NewChildren are no children yet. What they log goes to stderr, with their names. Of so many that end it is kept what they ended with.
func NewChildren(log *slog.Logger, stderr io.Writer, most int) *Children {
	return &Children{log: log, stderr: stderr, Ended: make(chan error, most)}
}

// endTime is how long a child may take to end: to save all players, and more.
const endTime = DrainTime + 10*time.Second

// Start starts a process. It ends with this one, however that ends.
func (c *Children) Start(name string, args []string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	p := &Child{name: name, Ready: make(chan string, 1)}
	if err := c.launch(p, self, args); err != nil {
		return err
	}
	c.all = append(c.all, p)
	return nil
}

// launch starts the process of a child.
func (c *Children) launch(p *Child, self string, args []string) error {
	cmd, gone := exec.Command(self, args...), make(chan struct{})
	p.Cmd, p.gone = cmd, gone
	p.Cmd.SysProcAttr = childAttributes() // an interrupt of the terminal is for this process
	log, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // Pdeathsig is sent when the thread ends that has started the process
		slackenTimers()
		err := cmd.Start()
		started <- err
		if err != nil {
			return
		}
		c.follow(p, log)
		cmd.Wait() // ProcessState has how it ended
		close(gone)
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.stopping {
			return
		}
		if c.Died != nil {
			c.Died(cmd.Process.Pid)
		}
		ended := fmt.Errorf("%s has ended: %v", p.name, cmd.ProcessState)
		if c.mayRestart(p) {
			c.log.Warn("a process is started again", "err", ended)
			if err := c.launch(p, self, args); err == nil {
				return
			}
		}
		c.Ended <- ended
	}()
	if err := <-started; err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	return nil
}

// maxRestarts is how many processes are started again in a minute, our own choice: what ends them all may be what they read.
const maxRestarts = 20

// mayRestart reports whether a child that has ended is started again, and counts that.
func (c *Children) mayRestart(p *Child) bool {
	now := time.Now()
	c.restarts = slices.DeleteFunc(c.restarts, func(at time.Time) bool { return now.Sub(at) > time.Minute })
	if !p.again || len(c.restarts) >= maxRestarts {
		return false
	}
	c.restarts = append(c.restarts, now)
	return true
}

// Keep starts a process as start does, which is started again when it ends.
func (c *Children) Keep(name string, args []string) error {
	err := c.Start(name, args)
	if err == nil {
		c.mu.Lock()
		c.all[len(c.all)-1].again = true
		c.mu.Unlock()
	}
	return err
}

// Count is how many there are.
func (c *Children) Count() int { return len(c.all) }

// LogAll logs the processes of all, which are ready, in their order.
func (c *Children) LogAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.all {
		c.log.Info("runs", "process", p.name, "pid", p.PID(), "at", p.at)
	}
}

// maxLine is the longest line of a log, in bytes: one with a stack.
const maxLine = 4 << 20

// follow repeats what a process logs until it ends.
func (c *Children) follow(p *Child, log io.Reader) {
	lines := bufio.NewScanner(log)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		if _, at, ok := strings.Cut(lines.Text(), "msg=ready "); ok {
			at, _, _ = strings.Cut(at, " took=")
			select {
			case p.Ready <- at:
			default: // it is known
			}
		}
		c.mu.Lock()
		fmt.Fprintf(c.stderr, "%s: %s\n", p.name, lines.Text())
		c.mu.Unlock()
	}
	io.Copy(io.Discard, log) // after a line that is too long
}

// Ready waits until all are ready, and returns where one of them is reached.
func (c *Children) Ready(ctx context.Context, name string) (at string, err error) {
	for _, p := range c.all {
		select {
		case p.at = <-p.Ready:
			if p.name == name {
				at = p.at
			}
		case err := <-c.Ended:
			return "", err
		case <-ctx.Done():
			return "", nil
		}
	}
	return at, nil
}

// Stop ends all, the last that was started first: gateways save their players while the worlds run.
func (c *Children) Stop() error {
	c.mu.Lock()
	c.stopping = true
	c.mu.Unlock()
	var errs []error
	for _, p := range slices.Backward(c.all) {
		p.Cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-p.gone:
		case <-time.After(endTime):
			errs = append(errs, fmt.Errorf("%s does not end: it is killed", p.name))
			p.Cmd.Process.Kill()
			<-p.gone
		}
		if code := p.Cmd.ProcessState.ExitCode(); code != 0 {
			errs = append(errs, fmt.Errorf("%s has ended with exit code %d", p.name, code))
		}
	}
	return errors.Join(errs...)
}
