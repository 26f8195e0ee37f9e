//go:build linux

package main

import (
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A refusal is a system call that fails, whatever it is asked for, or for one first argument alone.
type refusal struct {
	call  uint32
	only  bool
	first uint32
	errno unix.Errno
}

// refusable has what can be refused. The errors are those of real machines: a kernel without hardware counters, the system
// call filter of container engines, a kernel that was started with ipv6.disable=1.
var refusable = map[string]refusal{
	"perf":     {call: unix.SYS_PERF_EVENT_OPEN, errno: unix.ENOENT},
	"io_uring": {call: unix.SYS_IO_URING_SETUP, errno: unix.EPERM},
	"ipv6":     {call: unix.SYS_SOCKET, only: true, first: unix.AF_INET6, errno: unix.EAFNOSUPPORT},
}

// refusals are names of refusable, as a flag with commas between.
type refusals []string

func (r refusals) String() string { return strings.Join(r, ",") }

// Set reads a flag.
func (r *refusals) Set(text string) error {
	for name := range strings.SplitSeq(text, ",") {
		if _, ok := refusable[name]; !ok {
			return fmt.Errorf("want some of %s", strings.Join(names(), ","))
		}
		*r = append(*r, name)
	}
	return nil
}

// names are what can be refused, in alphabetical order.
func names() []string { return slices.Sorted(maps.Keys(refusable)) }

// audit is how the kernel names the machine code that makes a system call.
var audit = map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}[runtime.GOARCH]

// Offsets into struct seccomp_data, linux/seccomp.h: int nr; __u32 arch; __u64 instruction_pointer; __u64 args[6]. An
// argument's low half comes first on the machines above.
const (
	offsetCall  = 0
	offsetArch  = 4
	offsetFirst = 16
)

// program is the filter for some refusals. Calls of other machine code, such as 32 bits, are let through.
func (r refusals) program() []unix.SockFilter {
	load := func(offset uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
	}
	// unless skips so many instructions if what was loaded is something else.
	unless := func(value uint32, skip uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: value, Jf: skip}
	}
	answer := func(value uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: value}
	}
	allow := answer(unix.SECCOMP_RET_ALLOW)
	p := []unix.SockFilter{load(offsetArch), unless(audit, 1), {Code: unix.BPF_JMP | unix.BPF_JA, K: 1}, allow}
	for _, name := range r {
		no := refusable[name]
		refuse := answer(unix.SECCOMP_RET_ERRNO | uint32(no.errno))
		p = append(p, load(offsetCall))
		if no.only {
			p = append(p, unless(no.call, 3), load(offsetFirst), unless(no.first, 1), refuse)
		} else {
			p = append(p, unless(no.call, 1), refuse)
		}
	}
	return append(p, allow)
}

// install refuses from now on, to this thread and to all that it starts or becomes.
func (r refusals) install() error {
	if len(r) == 0 {
		return nil
	}
	if audit == 0 {
		return fmt.Errorf("system calls of %s cannot be refused", runtime.GOARCH)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	filter := r.program()
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0); err != nil {
		return fmt.Errorf("seccomp: %w", err)
	}
	return nil
}
