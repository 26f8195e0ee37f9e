package pgtest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
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

// What a server has is there when the next one is started with its folder. While one has it, no other does.
func TestKeep(t *testing.T) {
	dir := filepath.Join(Folder(t), "kept")
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
	first, err := os.ReadFile(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	next, err := Keep(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer next.Stop()
	if got := next.ask(at, "SELECT n FROM kept"); got != "42" {
		t.Errorf("the next server has %q, want 42", got)
	}
	if old, err := os.ReadFile(filepath.Join(dir, "log.old")); err != nil || !bytes.Equal(old, first) {
		t.Errorf("log.old has %q, %v, want the log of the first server, %q", old, err, first)
	}
	if err := os.WriteFile(filepath.Join(dir, "log"), []byte(strings.Repeat("a line\n", 1<<20)+"the end\n"), 0); err != nil {
		t.Fatal(err)
	}
	if err := next.Do(at, "none"); err == nil || len(err.Error()) > 9<<10 || !strings.Contains(err.Error(), "syntax error") || !strings.Contains(err.Error(), "the end") {
		t.Errorf("an error is\n%.300v\nwant what psql says, and the end of the log", err)
	}
}

// A folder that a server cannot have is refused before anything is put into it.
func TestKeepRefuses(t *testing.T) {
	parent := Folder(t)
	for name, want := range map[string]string{
		strings.Repeat("x", maxSocket-len("/.s.PGSQL.5432")-len(parent)): "is 1 bytes too long",
		"a'b": "has one of", `a"b`: "has one of", `a\b`: "has one of", "a,b": "has one of", "a$b": "has one of", "a`b": "has one of", "a\nb": "has one of",
	} {
		dir := filepath.Join(parent, name)
		if c, err := Keep(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v, want that it %s", dir, c, err, want)
		}
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %v, want that it is not made", dir, err)
		}
	}
	if err := checkName("/" + strings.Repeat("x", maxSocket-len("//.s.PGSQL.5432"))); err != nil {
		t.Error(err)
	}
}

// Data are for the version that made them.
func TestVersion(t *testing.T) {
	dir := filepath.Join(Folder(t), "kept")
	if err := os.MkdirAll(filepath.Join(dir, "data"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "data", "PG_VERSION"), []byte("7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if c, err := Keep(dir); err == nil || !strings.Contains(err.Error(), "PostgreSQL 7, which is not installed") {
		t.Errorf("data of another version: %v, %v", c, err)
	}
	initdb := filepath.Join(t.TempDir(), "initdb")
	if err := os.WriteFile(initdb, []byte("#!/bin/sh\necho 'initdb (PostgreSQL) 7.18 (Debian 7.18-0)'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Dir(initdb)+":"+os.Getenv("PATH"))
	if bin, err := binaries("7"); err != nil || bin != filepath.Dir(initdb) {
		t.Errorf("with the version in PATH: %s, %v", bin, err)
	}
	if bin, err := binaries("71"); err == nil {
		t.Errorf("another version than the one in PATH: %s", bin)
	}
}

// Root does not give away what another user has put in the place of a file of the folder.
func TestLinks(t *testing.T) {
	dir := Folder(t)
	target := filepath.Join(dir, "target")
	c := &Cluster{dir: filepath.Join(dir, "link"), kept: true}
	if err := errors.Join(os.Symlink(target, c.dir), os.Mkdir(target, 0o700), os.Symlink("other", filepath.Join(target, "lock"))); err != nil {
		t.Fatal(err)
	}
	if lock, err := c.lock(); !errors.Is(err, syscall.ELOOP) {
		t.Errorf("a lock that is a link: %v, %v", lock, err)
	}
	if os.Getuid() != 0 {
		return
	}
	c.demote() // the target is still root's, which the server's user does not reach
	if info, err := os.Stat(target); err != nil || info.Sys().(*syscall.Stat_t).Uid != 0 {
		t.Errorf("a folder that is a link: its target is %+v, %v", info, err)
	}
}

// A folder below one that only root enters is reached by a capability, if root has that, and else refused.
func TestUnreachable(t *testing.T) {
	if os.Getuid() != 0 {
		return // the server's user is the one that has the folder
	}
	const without = "PGTEST_WITHOUT"
	// Source: capabilities(7); CAP_DAC_READ_SEARCH is bit 2.
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, bounding, _ := strings.Cut(string(status), "CapBnd:\t")
	bounding, _, _ = strings.Cut(bounding, "\n")
	caps, err := strconv.ParseUint(bounding, 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	has := caps&(1<<2) != 0
	if has && os.Getenv(without) != "" {
		t.Fatalf("the bounding set is %x", caps)
	}
	c, err := Keep(filepath.Join(t.TempDir(), "kept"))
	switch {
	case err == nil && has:
		if err := c.Stop(); err != nil {
			t.Error(err)
		}
	case err == nil || has || !strings.Contains(err.Error(), "cannot reach"):
		t.Fatalf("%v, %v", c, err)
	}
	if has {
		cmd := exec.Command("setpriv", "--bounding-set=-dac_read_search", os.Args[0], "-test.run", "^TestUnreachable$")
		cmd.Env = append(os.Environ(), without+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("without the capability: %v\n%s", err, out)
		}
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
