//go:build linux

// Package skew sets the wall clock of a process, for tests: that of one process and not of the machine, while it runs, and without a change of its program.
//
// A program of Go reads its clocks by a function of the kernel that is mapped into each process, the vDSO, whose address the runtime has in a variable. Set
// writes a function of its own behind the kernel's, in the process's copy of that mapping, and its address into the variable. It calls the kernel's, and adds a number of
// seconds to what CLOCK_REALTIME is. CLOCK_MONOTONIC, by which Go measures how long something takes, and timers go on as they were, as where a machine's clock is set.
package skew

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// variable has the address of the kernel's function, which time.now in the runtime's time_linux_amd64.s calls with the number of a clock in DI and a place for the
// time in SI.
//
// Source: vdso(7), "x86-64 functions".
const variable = "runtime.vdsoClockgettimeSym"

// The function is at the end of the mapping, where the kernel's image is zero, or has headers that are not read any more. Two numbers are at its own end.
const (
	size    = 64
	kernels = 48 // the address of the kernel's function
	seconds = 56 // how far the clock is ahead
)

// function is the code, without the two numbers.
var function = [...]byte{
	0x85, 0xff, // test edi, edi: is it CLOCK_REALTIME?
	0x75, 19, // jne 23
	0x56,                              // push rsi
	0xff, 0x15, kernels - 11, 0, 0, 0, // call [rip+...]
	0x5e,                                    // pop rsi
	0x48, 0x8b, 0x0d, seconds - 19, 0, 0, 0, // mov rcx, [rip+...]
	0x48, 0x01, 0x0e, // add [rsi], rcx
	0xc3,                              // ret
	0xff, 0x25, kernels - 29, 0, 0, 0, // 23: jmp [rip+...]
}

// A Program is one whose processes can be given other clocks.
type Program struct{ variable int64 }

// Of reads a program of Go that is linked with symbols for a fixed address, as go build links it on amd64.
func Of(path string) (*Program, error) {
	if runtime.GOARCH != "amd64" {
		return nil, fmt.Errorf("skew: clocks of processes are set on amd64, and not on %s", runtime.GOARCH)
	}
	f, err := elf.Open(path)
	if err != nil {
		return nil, fmt.Errorf("skew: %w", err)
	}
	defer f.Close()
	if f.Type != elf.ET_EXEC {
		return nil, fmt.Errorf("skew: %s is not linked for a fixed address", path)
	}
	symbols, err := f.Symbols()
	if err != nil {
		return nil, fmt.Errorf("skew: %s: %w", path, err)
	}
	for _, s := range symbols {
		if s.Name == variable {
			return &Program{int64(s.Value)}, nil
		}
	}
	return nil, fmt.Errorf("skew: %s has no variable %s", path, variable)
}

// Set has the wall clock of a process of the program be so many seconds ahead of the machine's, or behind it, from now on. The process stands still for a moment
// meanwhile. It needs the right to trace the process, as root has, and a parent.
func (p *Program) Set(pid int, ahead time.Duration) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("skew: process %d: %w", pid, err)
		}
	}()
	end, err := vdsoEnd(pid)
	if err != nil {
		return err
	}
	memory, err := os.OpenFile(fmt.Sprintf("/proc/%d/mem", pid), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer memory.Close()
	if err := stop(pid); err != nil {
		return err
	}
	defer syscall.Kill(pid, syscall.SIGCONT)
	var now [8]byte
	if _, err := memory.ReadAt(now[:], p.variable); err != nil {
		return err
	}
	at := end - size
	by := binary.LittleEndian.AppendUint64(nil, uint64(ahead/time.Second))
	switch calls := int64(binary.LittleEndian.Uint64(now[:])); calls {
	case 0:
		return errors.New("it reads its clocks without the vDSO")
	case at:
		_, err := memory.WriteAt(by, at+seconds)
		return err
	}
	var code [size]byte
	copy(code[:], function[:])
	copy(code[kernels:], now[:])
	copy(code[seconds:], by)
	if _, err := memory.WriteAt(code[:], at); err != nil {
		return err
	}
	_, err = memory.WriteAt(binary.LittleEndian.AppendUint64(nil, uint64(at)), p.variable)
	return err
}

// vdsoEnd is the end of the kernel's functions in a process.
func vdsoEnd(pid int) (int64, error) {
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(maps)) {
		var begin, end int64
		if strings.HasSuffix(line, "[vdso]\n") {
			_, err := fmt.Sscanf(line, "%x-%x", &begin, &end)
			return end, err
		}
	}
	return 0, errors.New("it has no vDSO")
}

// stopTime is how long a process may take to stand still: it may wait for a disk.
const stopTime = time.Minute

// stop has a process stand still, so that no thread reads what is half written.
func stop(pid int) error {
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		return err
	}
	for began := time.Now(); time.Since(began) < stopTime; <-time.After(time.Millisecond) {
		threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
		if err != nil {
			return err
		}
		alive, running := false, false
		for _, path := range threads {
			stat, err := os.ReadFile(path)
			_, state, _ := strings.Cut(string(stat), ") ")
			ended := err != nil || strings.HasPrefix(state, "Z") || strings.HasPrefix(state, "X")
			alive = alive || !ended
			running = running || !ended && !strings.HasPrefix(state, "T")
		}
		switch {
		case !alive:
			return os.ErrProcessDone
		case !running:
			return nil
		}
	}
	syscall.Kill(pid, syscall.SIGCONT)
	return errors.New("it does not stand still")
}
