package ctlsocket

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// A server that starts takes away what dead ones have left, and nothing else.
func TestSweep(t *testing.T) {
	dead := exec.Command("true")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	ours, theirs := fmt.Sprintf("%d.sock", os.Getpid()), fmt.Sprintf("%d.sock", dead.Process.Pid)
	for _, name := range []string{ours, theirs, "0.sock", "-1.sock", "x.sock", "1.lock"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sweep(folder)
	left, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range left {
		names = append(names, e.Name())
	}
	want := []string{"-1.sock", "0.sock", "1.lock", ours, "x.sock"}
	slices.Sort(want)
	if !slices.Equal(names, want) {
		t.Errorf("%q are left, want %q", names, want)
	}
}
