package finetimer

import (
	"syscall"
	"testing"
	"time"
)

// Where no descriptor is left for a timer of the kernel, one of the runtime takes its place.
func TestTimerWithoutDescriptors(t *testing.T) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 0, Max: limit.Max}); err != nil {
		t.Fatal(err)
	}
	timer := New()
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	defer timer.Close()
	if _, ok := timer.source.(*runtimeSource); !ok {
		t.Fatalf("the timer is a %T", timer.source)
	}
	timer.Reset(time.Millisecond)
	<-timer.C
}
