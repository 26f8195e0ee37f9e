//go:build linux

// Package skew sets the wall clock of a process, for tests: that of one process and not of the machine, while it runs, and without a change of its program.
//
// A process reads its clocks by functions of the kernel that are mapped into it, the vDSO. Set writes others in their place, into the process's copy of that mapping.
// They ask the kernel by a system call, and add a number of seconds to what CLOCK_REALTIME is. CLOCK_MONOTONIC, by which Go measures how long something takes, and timers
// go on as they were, as where a machine's clock is set.
package skew

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A function is one of the kernel's, and what takes its place: code, and behind it how many seconds the clock is ahead.
type function struct {
	symbol string
	code   [seconds]byte
}

const (
	seconds = 24 // where they are
	size    = seconds + 8
)

// Arguments are in DI and SI, and what a system call changes is not kept by the kernel's functions either. Go reads clocks by the first, and PostgreSQL what time it is by
// the second.
//
// Source: vdso(7), "x86-64 functions"; syscall(2), "Architecture calling conventions"; the numbers of arch/x86/entry/syscalls/syscall_64.tbl, Linux.
var functions = [...]function{
	{"__vdso_clock_gettime", [...]byte{
		0xb8, 228, 0, 0, 0, // mov eax, 228: clock_gettime
		0x0f, 0x05, // syscall
		0x85, 0xff, // test edi, edi: is it CLOCK_REALTIME?
		0x75, 10, // jne 21
		0x48, 0x8b, 0x0d, seconds - 18, 0, 0, 0, // mov rcx, [rip+...]
		0x48, 0x01, 0x0e, // add [rsi], rcx
		0xc3, // 21: ret
		0xcc, 0xcc,
	}},
	{"__vdso_gettimeofday", [...]byte{
		0xb8, 96, 0, 0, 0, // mov eax, 96: gettimeofday
		0x0f, 0x05, // syscall
		0x48, 0x85, 0xff, // test rdi, rdi: is the time asked for?
		0x74, 10, // je 22
		0x48, 0x8b, 0x0d, seconds - 19, 0, 0, 0, // mov rcx, [rip+...]
		0x48, 0x01, 0x0f, // add [rdi], rcx
		0xc3, // 22: ret
		0xcc,
	}},
}

// Set has the wall clock of a process be so many seconds ahead of the machine's, or behind it, from now on. The process stands still for a moment
// meanwhile. It needs the right to trace the process, as root has, and a parent. The error is os.ErrProcessDone or os.ErrNotExist if it has ended.
func Set(pid int, ahead time.Duration) error {
	p, err := stop(pid)
	if err != nil {
		return err
	}
	defer p.goOn()
	return p.set(ahead)
}

// SetFamily is Set for a process and those that it has started, which stand still together: none sees that the clock of another one differs. Those that it
// forks later have its clock.
func SetFamily(pid int, ahead time.Duration) error {
	p, err := stop(pid) // so that it starts no other
	if err != nil {
		return err
	}
	defer p.goOn()
	all := []*process{p}
	pids, err := childrenOf(pid)
	if err != nil {
		return err
	}
	for _, pid := range pids {
		switch c, err := stop(pid); {
		case errors.Is(err, os.ErrProcessDone), errors.Is(err, os.ErrNotExist):
		case err != nil:
			return err
		default:
			defer c.goOn()
			all = append(all, c)
		}
	}
	for _, p := range all {
		if err := p.set(ahead); err != nil {
			return err
		}
	}
	return nil
}

// A process is one that stands still.
type process struct {
	pid int
	at  [len(functions)]int64 // the addresses of the functions
}

// set writes the functions, or only how far they are ahead if they are there.
func (p *process) set(ahead time.Duration) error {
	memory, err := os.OpenFile(fmt.Sprintf("/proc/%d/mem", p.pid), os.O_RDWR, 0)
	if err != nil {
		return p.wrap(err)
	}
	defer memory.Close()
	for i, f := range functions {
		b := binary.LittleEndian.AppendUint64(f.code[:], uint64(ahead/time.Second))
		if _, err := memory.WriteAt(b, p.at[i]); err != nil {
			return p.wrap(err)
		}
	}
	return nil
}

func (p *process) goOn() { syscall.Kill(p.pid, syscall.SIGCONT) }

func (p *process) wrap(err error) error {
	if errors.Is(err, syscall.ESRCH) {
		err = os.ErrProcessDone
	}
	return fmt.Errorf("skew: process %d: %w", p.pid, err)
}

// errNone is of a kernel that maps no functions, or of a process that is about to run its program.
var errNone = errors.New("it has no vDSO")

// mapping is where the kernel's functions are in a process.
func mapping(pid int) (begin, end int64, err error) {
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(maps)) {
		if strings.HasSuffix(line, "[vdso]\n") {
			_, err := fmt.Sscanf(line, "%x-%x", &begin, &end)
			return begin, end, err
		}
	}
	if len(maps) == 0 {
		return 0, 0, os.ErrProcessDone
	}
	return 0, 0, errNone
}

// find finds the functions of a process. They are in the same places of the mapping as in this process, whose own is as the kernel has made it.
func (p *process) find() error {
	begin, _, err := mapping(p.pid)
	if err != nil {
		return err
	}
	own, end, err := mapping(os.Getpid())
	if err != nil {
		return err
	}
	memory, err := os.Open("/proc/self/mem")
	if err != nil {
		return err
	}
	defer memory.Close()
	kernel, err := elf.NewFile(io.NewSectionReader(memory, own, end-own))
	if err != nil {
		return err
	}
	symbols, err := kernel.DynamicSymbols()
	if err != nil {
		return err
	}
	for i, f := range functions {
		n := slices.IndexFunc(symbols, func(s elf.Symbol) bool { return s.Name == f.symbol && s.Size >= size })
		if n < 0 {
			return fmt.Errorf("the vDSO has no %s of %d bytes", f.symbol, size)
		}
		p.at[i] = begin + int64(symbols[n].Value)
	}
	return nil
}

// startTime is how long a process may take to run its program.
const startTime = 10 * time.Second

// stopTime is how long a process may take to stand still: it may wait for a disk.
const stopTime = time.Minute

// stop has a process stand still, with no thread in what is to be written.
func stop(pid int) (*process, error) {
	p := &process{pid: pid}
	if runtime.GOARCH != "amd64" {
		return nil, p.wrap(fmt.Errorf("clocks are set on amd64, and not on %s", runtime.GOARCH))
	}
	for began := time.Now(); time.Since(began) < stopTime; <-time.After(time.Millisecond) {
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			return nil, p.wrap(err)
		}
		threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
		if err != nil {
			return nil, p.wrap(err)
		}
		err = p.find() // anew, as it may have run its program meanwhile
		alive, running, inside := false, false, false
		for _, path := range threads {
			stat, failed := os.ReadFile(path + "/stat")
			_, state, _ := strings.Cut(string(stat), ") ")
			ended := failed != nil || strings.HasPrefix(state, "Z") || strings.HasPrefix(state, "X")
			alive = alive || !ended
			running = running || !ended && !strings.HasPrefix(state, "T")
			inside = inside || !ended && p.isInside(path)
		}
		switch {
		case !alive:
			return nil, p.wrap(os.ErrProcessDone)
		case running:
		case inside, errors.Is(err, errNone) && time.Since(began) < startTime:
			p.goOn()
		case err != nil:
			p.goOn()
			return nil, p.wrap(err)
		default:
			return p, nil
		}
	}
	p.goOn()
	return nil, p.wrap(errors.New("it does not stand still"))
}

// isInside reports whether a thread that stands still is in what is to be written. The last number in this file is where it is.
//
// Source: proc_pid_syscall(5).
func (p *process) isInside(thread string) bool {
	text, err := os.ReadFile(thread + "/syscall")
	if err != nil {
		return false
	}
	fields := strings.Fields(string(text))
	at, err := strconv.ParseInt(fields[len(fields)-1], 0, 64)
	return err == nil && slices.ContainsFunc(p.at[:], func(begin int64) bool { return at >= begin && at < begin+size })
}

// childrenOf are the processes that a process has started, and that have not ended.
func childrenOf(pid int) (children []int, err error) {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, err
	}
	for _, path := range files {
		stat, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		var child, parent int
		var state string
		before, after, _ := strings.Cut(string(stat), ") ")
		if _, err := fmt.Sscanf(before, "%d", &child); err != nil {
			return nil, err
		}
		if _, err := fmt.Sscanf(after, "%s %d", &state, &parent); err != nil {
			return nil, err
		}
		if parent == pid && state != "Z" {
			children = append(children, child)
		}
	}
	return children, nil
}
