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
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A process is a verb of the binary that runs beside us.
type process struct {
	cmd   *exec.Cmd
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

// cpu is the processor time that the process has taken so far, in user mode and in the kernel, to the nanosecond where
// there is a clock of it.
func (p *process) cpu() (time.Duration, error) {
	if t, err := otherTime(p.cmd.Process.Pid); err == nil {
		return t, nil
	}
	user, system, err := p.times()
	return user + system, err
}

// times are the processor time in user mode and in the kernel, each, in steps of a tick of the kernel.
//
// Source: proc_pid_stat(5), fields 14 and 15; a tick is a hundredth of a second on every Linux.
func (p *process) times() (user, system time.Duration, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return 0, 0, err
	}
	_, rest, _ := strings.Cut(string(text), ") ") // after the name, which is field 2
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0, 0, fmt.Errorf("process %d: cannot read its times", p.cmd.Process.Pid)
	}
	const tick = 10 * time.Millisecond
	u, err := strconv.ParseUint(fields[14-3], 10, 64)
	s, err2 := strconv.ParseUint(fields[15-3], 10, 64)
	return time.Duration(u) * tick, time.Duration(s) * tick, errors.Join(err, err2)
}
