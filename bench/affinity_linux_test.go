package bench

import (
	"math/bits"
	"runtime"
	"syscall"
	"testing"
)

// A pinned thread has one of the processors that it had, and has all of them back in the end.
func TestPin(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, pinned, after [16]uint64
	read := func(mask *[16]uint64) (processors int) {
		if err := affinity(syscall.SYS_SCHED_GETAFFINITY, mask); err != nil {
			t.Fatal(err)
		}
		for _, word := range mask {
			processors += bits.OnesCount64(word)
		}
		return processors
	}
	read(&before)
	free, err := pin()
	if err != nil {
		t.Fatal(err)
	}
	if n := read(&pinned); n != 1 {
		t.Errorf("a pinned thread has %d processors", n)
	}
	for i := range pinned {
		if pinned[i]&^before[i] != 0 {
			t.Errorf("it has processor %x of %x", pinned, before)
		}
	}
	if err := free(); err != nil {
		t.Fatal(err)
	}
	if read(&after); after != before {
		t.Errorf("it has %x afterwards, and had %x", after, before)
	}
}
