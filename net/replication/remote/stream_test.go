package remote

import (
	"fmt"
	"testing"
	"time"
)

// A stream that is acknowledged has its messages in the memory of earlier ones, of which none that it still keeps is another's.
func TestStreamUsesItsMemoryAgain(t *testing.T) {
	var o outgoing
	send := func(text string) {
		o.add(append(o.room(), text...), time.Time{})
	}
	for i := range 100 {
		send(fmt.Sprintf("message %d", 2*i))
		send(fmt.Sprintf("message %d", 2*i+1))
		o.acknowledge(uint64(2*i + 1)) // all but the last
		if len(o.kept) != 1 || string(o.kept[0].body) != fmt.Sprintf("message %d", 2*i+1) || o.size != len(o.kept[0].body) {
			t.Fatalf("after message %d it keeps %d messages, the first %q, and %d bytes", 2*i+1, len(o.kept), o.kept[0].body, o.size)
		}
	}
	allocations := testing.AllocsPerRun(100, func() {
		send("one")
		send("two")
		o.acknowledge(o.next)
	})
	if allocations != 0 {
		t.Errorf("two messages take %v allocations, want none", allocations)
	}
	for range 2 * maxIdle {
		send("one")
	}
	o.acknowledge(o.next)
	if len(o.idle) != maxIdle || o.size != 0 {
		t.Errorf("%d messages are kept for their memory, and %d bytes; want %d and none", len(o.idle), o.size, maxIdle)
	}
}
