package bench

import (
	"regexp"
	"strings"
	"testing"
)

// A process that says more than is kept is not held up by that, and its first lines are what is kept.
func TestWhatAProcessSaysIsBounded(t *testing.T) {
	const script = "echo before; echo ready 7; seq 100000; exit 3" // seq writes 588,895 bytes
	p, groups, err := start(t.Context(), "sh", regexp.MustCompile(`^ready (\d+)$`), "-c", script)
	if err != nil || len(groups) != 1 || groups[0] != "7" {
		t.Fatalf("it is ready with %q, %v; want 7", groups, err)
	}
	if err := <-p.ended; err == nil || err.Error() != "exit status 3" {
		t.Errorf("it ended with %v, want exit status 3", err)
	}
	const most, longest = 64 << 10, len("100000\n")
	said := p.text()
	if !strings.HasPrefix(said, "before\n1\n2\n3\n") || len(said) < most || len(said) >= most+longest {
		t.Errorf("%d bytes are kept, from %.20q; want the first %d, and the end of a line", len(said), said, most)
	}
}

// What a process says before it ends without being ready is in the error.
func TestProcessThatIsNotReady(t *testing.T) {
	_, _, err := start(t.Context(), "sh", regexp.MustCompile(`^ready$`), "-c", "echo no such database >&2; exit 4")
	if err == nil || err.Error() != "-c ended before it was ready: exit status 4\nno such database\n" {
		t.Errorf("the error is %v", err)
	}
}
