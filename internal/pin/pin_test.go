package pin

import (
	"fmt"
	"os"
	"slices"
	"testing"
)

// A recorder keeps what a test would have failed with.
type recorder struct {
	testing.TB
	said []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

// A constant that differs from its source is named, with both values.
func TestCompare(t *testing.T) {
	type small int8
	r := &recorder{TB: t}
	Compare(r, []Pin{{"opcode", 0x1EC, 0x1EC}, {"opcode", uint16(0x1ED), 0x1EE}, {"slot", small(-1), 1<<64 - 1}})
	if want := []string{"pin 1, opcode: the constant is 0x1ed, want 0x1ee"}; !slices.Equal(r.said, want) {
		t.Errorf("said %q, want %q", r.said, want)
	}
}

// An exported constant is named by the test of its package, or elsewhere.
func TestComplete(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"wire.go":     "package wire\nconst (\n\tPinned, Missing = 1, 2\n\tOpRow\n\tprivate\n)\nvar Variable = 1\n",
		"rows.go":     "package wire\nvar _ = []int{OpRow, Missing}\n",
		"pin_test.go": "package wire_test\nvar pins = []int{wire.Pinned}\n",
		"own_test.go": "package wire_test\nconst Helper = 1\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := &recorder{TB: t}
	Complete(r, Names(r, "rows.go", "Op")...)
	if want := []string{"wire.go: Missing is not pinned"}; !slices.Equal(r.said, want) {
		t.Errorf("said %q, want %q", r.said, want)
	}
}
