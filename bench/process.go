package bench

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"muster/bench/swarm"
)

// A process is a verb of the binary that runs beside us.
type process struct {
	cmd   *exec.Cmd
	ended chan error // its end, once

	mu   sync.Mutex
	said strings.Builder // its first lines
}

// saidBytes is how much is kept at most of what a process says, our own choice, of which what it says before it is ready is all kept: an error ends it.
const saidBytes = 64 << 10

// note keeps a line, and reports whether there is room for another.
func (p *process) note(line string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.said.WriteString(line + "\n")
	return p.said.Len() < saidBytes
}

// text is what the process has said so far.
func (p *process) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.said.String()
}

// anywhere is no processor in particular.
const anywhere = -1

// start runs a verb and waits until it prints a line that matches ready, whose groups it returns.
func start(ctx context.Context, muster string, ready *regexp.Regexp, args ...string) (*process, []string, error) {
	return startAt(ctx, anywhere, muster, ready, args...)
}

// startAt is start for a process that has one processor only.
func startAt(ctx context.Context, processor int, muster string, ready *regexp.Regexp, args ...string) (*process, []string, error) {
	p := &process{cmd: exec.CommandContext(ctx, muster, args...), ended: make(chan error, 1)}
	p.cmd.Cancel = func() error { return p.cmd.Process.Signal(syscall.SIGTERM) }
	p.cmd.WaitDelay = 15 * time.Second
	reader, writer := io.Pipe()
	p.cmd.Stdout, p.cmd.Stderr = writer, writer
	if err := startOn(p.cmd, processor); err != nil {
		return nil, nil, err
	}
	go func() {
		p.ended <- p.cmd.Wait()
		writer.Close()
	}()
	lines := bufio.NewScanner(reader)
	for lines.Scan() {
		if groups := ready.FindStringSubmatch(lines.Text()); groups != nil {
			go func() {
				for lines.Scan() && p.note(lines.Text()) {
				}
				io.Copy(io.Discard, reader)
			}()
			return p, groups[1:], nil
		}
		p.note(lines.Text())
	}
	return nil, nil, fmt.Errorf("%s ended before it was ready: %w\n%s", args[0], errors.Join(<-p.ended, ctx.Err()), p.text())
}

// stop asks the process to end and waits until it has.
func (p *process) stop() error {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return <-p.ended
}

// cpu is the processor time that the process has taken so far, in user mode and in the kernel.
func (p *process) cpu() (time.Duration, error) { return swarm.ProcessorTime(p.cmd.Process.Pid) }

// times are the two, each.
func (p *process) times() (user, system time.Duration, err error) {
	return swarm.ProcessorTimes(p.cmd.Process.Pid)
}
