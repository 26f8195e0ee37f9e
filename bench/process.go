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
	"syscall"
	"time"

	"muster/bench/swarm"
)

// A process is a verb of the binary that runs beside us.
type process struct {
	cmd   *exec.Cmd
	said  string     // before it was ready
	ended chan error // its end, once
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
	var said strings.Builder
	for lines := bufio.NewScanner(reader); lines.Scan(); {
		if groups := ready.FindStringSubmatch(lines.Text()); groups != nil {
			go io.Copy(io.Discard, reader)
			p.said = said.String()
			return p, groups[1:], nil
		}
		said.WriteString(lines.Text() + "\n")
	}
	return nil, nil, fmt.Errorf("%s ended before it was ready: %w\n%s", args[0], errors.Join(<-p.ended, ctx.Err()), &said)
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
