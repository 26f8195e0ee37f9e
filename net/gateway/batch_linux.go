package gateway

import (
	"errors"
	"runtime"
	"sync/atomic"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A batch does many sends with one call into the kernel, by an io_uring of which no more is used than that: no send
// waits, so each is done, or has failed, when the call returns.
//
// Source: io_uring(7), io_uring_setup(2), io_uring_enter(2).
type batch struct {
	fd            int
	rings, memory []byte // shared with the kernel: both rings, and the submissions

	tail        *uint32 // of the submissions; the kernel's head is there after each call
	submissions []submission
	done, last  *uint32 // head and tail of the completions
	completions []completion
}

// A submission is struct io_uring_sqe, for a send.
type submission struct {
	op, flags uint8
	priority  uint16
	fd        int32
	_         uint64
	bytes     uint64 // their address
	len       uint32
	how       uint32 // as in sendto
	userData  uint64 // returned with the completion
	_         [3]uint64
}

// A completion is struct io_uring_cqe.
type completion struct {
	userData uint64
	result   int32 // bytes, or less 0 an errno
	_        uint32
}

// ringParams is struct io_uring_params.
type ringParams struct {
	submissions, completions     uint32
	flags, cpu, idle, has, queue uint32
	_                            [3]uint32
	sub                          struct{ head, tail, mask, entries, flags, dropped, array, _, _, _ uint32 }
	com                          struct{ head, tail, mask, entries, overflow, list, flags, _, _, _ uint32 }
}

const (
	featureOneMap = 1 << 0 // IORING_FEAT_SINGLE_MMAP, Linux 5.4
	atSubmissions = 0x10000000
	getEvents     = 1 << 0
	opSend        = 26 // Linux 5.6
)

// newBatch fails where the kernel has no io_uring, or none for us: many containers forbid it.
func newBatch() (*batch, error) {
	var p ringParams
	fd, _, errno := syscall.Syscall(unix.SYS_IO_URING_SETUP, mostPendingSends, uintptr(unsafe.Pointer(&p)), 0)
	if errno != 0 {
		return nil, errno
	}
	b := &batch{fd: int(fd)}
	if err := b.open(&p); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

// open maps what is shared.
func (b *batch) open(p *ringParams) (err error) {
	if p.has&featureOneMap == 0 {
		return errors.New("io_uring of an old kernel")
	}
	const access, how = unix.PROT_READ | unix.PROT_WRITE, unix.MAP_SHARED | unix.MAP_POPULATE
	size := max(p.sub.array+p.submissions*4, p.com.list+p.completions*uint32(unsafe.Sizeof(completion{})))
	if b.rings, err = unix.Mmap(b.fd, 0, int(size), access, how); err != nil {
		return err
	}
	size = p.submissions * uint32(unsafe.Sizeof(submission{}))
	if b.memory, err = unix.Mmap(b.fd, atSubmissions, int(size), access, how); err != nil {
		return err
	}
	word := func(offset uint32) *uint32 { return (*uint32)(unsafe.Pointer(&b.rings[offset])) }
	b.tail, b.done, b.last = word(p.sub.tail), word(p.com.head), word(p.com.tail)
	b.submissions = unsafe.Slice((*submission)(unsafe.Pointer(&b.memory[0])), p.submissions)
	b.completions = unsafe.Slice((*completion)(unsafe.Pointer(&b.rings[p.com.list])), p.completions)
	for i, order := uint32(0), unsafe.Slice(word(p.sub.array), p.submissions); i < p.submissions; i++ {
		order[i] = i
	}
	return b.probe()
}

// probe finds out whether the kernel can send so: to no descriptor.
func (b *batch) probe() error {
	var one [1]byte
	var results [1]int32
	b.put(0, -1, one[:])
	if !b.enter(1, results[:]) || syscall.Errno(-results[0]) != syscall.EBADF {
		return errors.New("io_uring cannot send")
	}
	return nil
}

// put makes bytes the i-th thing to be sent. They must stay where they are, and as they are, until it is.
func (b *batch) put(i uint32, fd int, bytes []byte) {
	at := (*b.tail + i) & uint32(len(b.submissions)-1)
	b.submissions[at] = submission{
		op: opSend, fd: int32(fd), bytes: uint64(uintptr(unsafe.Pointer(&bytes[0]))), len: uint32(len(bytes)),
		how: syscall.MSG_DONTWAIT | syscall.MSG_NOSIGNAL, userData: uint64(i),
	}
}

// enter has the kernel send n things and writes the result of each: how many bytes it took, or 0 minus an errno. It is
// false if the kernel refused; what it has not tried counts as if the socket had no room.
func (b *batch) enter(n int, results []int32) (ok bool) {
	for i := range n {
		results[i] = -int32(syscall.EAGAIN)
	}
	before := *b.tail
	atomic.StoreUint32(b.tail, before+uint32(n))
	var wait, flags uintptr
	for tried, seen := 0, 0; ; {
		r, _, errno := syscall.RawSyscall6(unix.SYS_IO_URING_ENTER, uintptr(b.fd), uintptr(n-tried), wait, flags, 0, 0)
		if errno == 0 {
			tried += int(r)
		}
		at, last := *b.done, atomic.LoadUint32(b.last)
		for ; at != last; at++ {
			c := &b.completions[at&uint32(len(b.completions)-1)]
			results[c.userData] = c.result
			seen++
		}
		atomic.StoreUint32(b.done, at)
		switch {
		case errno == syscall.EINTR:
		case seen == n:
			return true
		case errno != 0 && seen == tried || errno == 0 && r == 0 && tried < n:
			atomic.StoreUint32(b.tail, before+uint32(tried))
			return false
		}
		wait, flags = uintptr(tried-seen), getEvents
	}
}

// send does the pending sends and notes what the kernel took of each.
func (b *batch) send(sends []pendingSend) (ok bool) {
	var results [mostPendingSends]int32
	for i := range sends {
		b.put(uint32(i), sends[i].to.fd, sends[i].sealed)
	}
	ok = b.enter(len(sends), results[:])
	runtime.KeepAlive(sends)
	for i := range sends {
		p := &sends[i]
		if p.taken = max(0, int(results[i])); results[i] < 0 {
			p.err = refusal(syscall.Errno(-results[i]))
		}
	}
	return ok
}

// close gives everything back.
func (b *batch) close() {
	if b.rings != nil {
		unix.Munmap(b.rings)
	}
	if b.memory != nil {
		unix.Munmap(b.memory)
	}
	unix.Close(b.fd)
}
