//go:build linux

package slowdisk

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// role is an environment variable that makes the test binary a process that writes to the file that it names.
const role = "SLOWDISK_TEST_FILE"

// writes are of that process, each of which it syncs.
const writes = 8

func TestMain(m *testing.M) {
	if file := os.Getenv(role); file != "" {
		io.Copy(io.Discard, os.Stdin) // it begins when that ends
		f, err := os.Create(file)
		if err != nil {
			panic(err)
		}
		for range writes {
			if _, err = f.Write(make([]byte, 4<<10)); err == nil {
				err = f.Sync()
			}
			if err != nil {
				panic(err)
			}
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestSlow has a process write and sync, which takes as long as the limit says at least, and no more limit once it is released. Where the disk cannot be slow an error says so.
func TestSlow(t *testing.T) {
	folder := t.TempDir()
	const limit = 10 // a second
	g, err := New(folder, limit)
	if errors.Is(err, ErrCannot) {
		t.Log(err)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	}()
	var took []time.Duration
	for _, released := range []bool{false, true} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), role+"="+filepath.Join(folder, "file"))
		cmd.Stderr = os.Stderr
		begins, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if err := g.Slow(cmd.Process.Pid); err != nil {
			t.Error(err)
		}
		if released {
			if err := g.Release(cmd.Process.Pid); err != nil {
				t.Error(err)
			}
		}
		began := time.Now()
		begins.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
		took = append(took, time.Since(began))
	}
	t.Logf("%d writes took %v, and without the limit %v", writes, took[0], took[1])
	if least := writes / 2 * time.Second / limit; took[0] < least { // each write is one of the disk at least, and some go at once
		t.Errorf("%d writes took %v with %d a second", writes, took[0], limit)
	}
}

// TestNoDisk refuses a folder that is on no disk, and one that is not there.
func TestNoDisk(t *testing.T) {
	for _, folder := range []string{"/proc", filepath.Join(t.TempDir(), "none")} {
		if _, err := New(folder, 1); !errors.Is(err, ErrCannot) {
			t.Errorf("%s: %v", folder, err)
		}
	}
}
