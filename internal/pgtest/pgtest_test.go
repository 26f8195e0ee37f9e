package pgtest

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestCluster(t *testing.T) {
	c, err := Start()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Stop()
	first, err := c.Database(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	second, err := c.Database(t.Context())
	if err != nil || first == second {
		t.Fatalf("two databases are %s and %s, %v", first, second, err)
	}
	if got := c.ask(first, "CREATE TABLE kept AS SELECT 42 AS n"); got != "" {
		t.Fatal(got)
	}
	if err := c.Halt(); err != nil {
		t.Fatal(err)
	}
	if got := c.ask(first, "SELECT n FROM kept"); !strings.Contains(got, "connection to server") {
		t.Errorf("a halted server says %q", got)
	}
	if err := c.Resume(); err != nil {
		t.Fatal(err)
	}
	if got := c.ask(first, "SELECT n FROM kept"); got != "42" {
		t.Errorf("after a halt the table has %q, want 42", got)
	}
	if got := c.ask(second, "SELECT n FROM kept"); !strings.Contains(got, "does not exist") {
		t.Errorf("the other database says %q", got)
	}
	if err := c.Stop(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(c.dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is left: %v", c.dir, err)
	}
}

// A server does not wait for a disk, unless it is asked to.
func TestSettings(t *testing.T) {
	for want, settings := range map[string][]string{"off": nil, "on": {"fsync=on"}} {
		c, err := Start(settings...)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Stop()
		url, err := c.Database(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := c.ask(url, "SHOW fsync"); got != want {
			t.Errorf("with %q fsync is %s, want %s", settings, got, want)
		}
	}
}

// What a server has is there when the next one is started with its folder, in one that only root reaches, too. While one has it, no other does.
func TestKeep(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "kept")
	c, err := Keep(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { c.Stop() }()
	if got := c.ask(c.Kept(), "CREATE TABLE kept AS SELECT 42 AS n"); got != "" {
		t.Fatal(got)
	}
	if got := c.ask(c.Kept(), "SHOW fsync"); got != "on" {
		t.Errorf("fsync is %s", got)
	}
	if other, err := keepIn(dir, 0); err == nil || !strings.Contains(err.Error(), "another process has the server") {
		t.Errorf("a second server with the folder: %v, %v", other, err)
	}
	if got := c.ask(c.Kept(), "SELECT n FROM kept"); got != "42" {
		t.Errorf("after that the first has %q", got)
	}
	at := c.Kept()
	if err := c.Stop(); err != nil {
		t.Fatal(err)
	}
	if c, err = Keep(dir); err != nil {
		t.Fatal(err)
	}
	if got := c.ask(at, "SELECT n FROM kept"); got != "42" {
		t.Errorf("the next server has %q, want 42", got)
	}
}

// ask is what psql prints.
func (c *Cluster) ask(url, statement string) string {
	out, _ := exec.Command(filepath.Join(c.bin, "psql"), "-Atqc", statement, url).CombinedOutput()
	return strings.TrimSpace(string(out))
}

// TestKilled kills a process that has a cluster, which is this test once more.
func TestKilled(t *testing.T) {
	if os.Getenv("PGTEST_KILLED") != "" {
		c, err := Start()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println("dir", c.dir)
		select {}
	}
	cmd := exec.Command(os.Args[0], "-test.run", "^TestKilled$")
	cmd.Env = append(os.Environ(), "PGTEST_KILLED=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	line, err := bufio.NewReader(out).ReadString('\n')
	dir, ok := strings.CutPrefix(strings.TrimSpace(line), "dir ")
	if !ok {
		t.Fatalf("it says %q, %v", line, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	poll := time.NewTicker(10 * time.Millisecond)
	defer poll.Stop()
	for deadline := time.Now().Add(2 * time.Minute); ; <-poll.C {
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s is left", dir)
		}
	}
}
