package terminal

import (
	"fmt"
	"os"
	"syscall"
	"testing"
	"unsafe"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newTerminal is a terminal without a screen.
func newTerminal(t *testing.T) *os.File {
	t.Helper()
	open := func(name string) *os.File {
		f, err := os.OpenFile(name, os.O_RDWR|syscall.O_NOCTTY, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	other := open("/dev/ptmx")
	var unlocked, number uint32
	for request, value := range map[uintptr]*uint32{syscall.TIOCSPTLCK: &unlocked, syscall.TIOCGPTN: &number} {
		if _, _, failed := syscall.Syscall(syscall.SYS_IOCTL, other.Fd(), request, uintptr(unsafe.Pointer(value))); failed != 0 {
			t.Fatal(failed)
		}
	}
	return open(fmt.Sprintf("/dev/pts/%d", number))
}

// What is typed is not shown from when it is hidden until that is taken back, and at no other time.
func TestHideTyping(t *testing.T) {
	f := newTerminal(t)
	shows := func() bool {
		var settings syscall.Termios
		if err := ioctl(f, syscall.TCGETS, &settings); err != nil {
			t.Fatal(err)
		}
		return settings.Lflag&syscall.ECHO != 0
	}
	before := shows()
	restore, err := hideTyping(f)
	if err != nil {
		t.Fatal(err)
	}
	hidden := !shows()
	restore()
	if !before || !hidden || !shows() {
		t.Errorf("it shows what is typed: %v before, %v while that is hidden, %v after it", before, !hidden, shows())
	}
}

// A terminal is one, and no other file or value is.
func TestIs(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, c := range []struct {
		file any
		want bool
	}{{newTerminal(t), true}, {null, false}, {new(fmt.Stringer), false}, {nil, false}} {
		if got := Is(c.file); got != c.want {
			t.Errorf("%T: %v, want %v", c.file, got, c.want)
		}
	}
}
