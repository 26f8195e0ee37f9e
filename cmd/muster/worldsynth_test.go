package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"muster/bench/swarm"
	"muster/loaders/worlddb"
)

// synthWorld is the file of a synthetic world that was written as a dump and imported.
func synthWorld(t *testing.T, args ...string) string {
	t.Helper()
	dir, dump := t.TempDir(), filepath.Join(t.TempDir(), "dump")
	if code, stdout, stderr := execute(t, nil, append([]string{"world", "synth", "--out", dump}, args...)...); code != exitOK {
		t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
	}
	for _, verb := range [][]string{{"import", "--strict", dump}, {"report"}} {
		if code, stdout, stderr := execute(t, nil, append(append([]string{"world"}, verb...), "--data", dir)...); code != exitOK {
			t.Fatalf("%v: exit code %d\n%s%s", verb, code, stdout, stderr)
		}
	}
	return filepath.Join(dir, worlddb.File)
}

var framesLine = regexp.MustCompile(`(?m)^map \d+: .*[0-9a-f]{16}.*$`)

// What clients did in the synthetic world is done again in the world of its dump, and all frames are the same, byte for byte; those of the dump
// of another seed are not.
func TestSynthWorldHasTheSameFrames(t *testing.T) {
	waits(t)
	folder := recorded(t, stopped, "--clients", "20", "--behaviour", "grind", "--duration", "5s")
	file := synthWorld(t, "--creatures", "2000", "--start", "one")
	hashes := func(args ...string) []string {
		t.Helper()
		code, stdout, stderr := execute(t, nil, append([]string{"replay", folder, "--frames"}, args...)...)
		if code != exitOK {
			t.Fatalf("%v: exit code %d\n%s%s", args, code, stdout, stderr)
		}
		return framesLine.FindAllString(stdout, -1)
	}
	without, with := hashes(), hashes("--world-db", file)
	if len(without) != 3 || strings.Join(without, "\n") != strings.Join(with, "\n") {
		t.Errorf("frames without the dump\n%s\nand with it\n%s", strings.Join(without, "\n"), strings.Join(with, "\n"))
	}
	if p := replays(t, nil, folder, "--world-db", file); p.digests != p.ticks || p.ends != "closed" {
		t.Errorf("compared with the recording: %+v", p)
	}
	other := synthWorld(t, "--creatures", "2000", "--start", "one", "--seed", "2")
	code, _, stderr := execute(t, nil, "replay", folder, "--world-db", other)
	if code != exitFailure || !strings.Contains(stderr, "it was recorded without --world-db: "+other+" is another world") {
		t.Errorf("another seed: exit code %d\n%s", code, stderr)
	}
}

// Clients walk about in the dump of a synthetic world with samples of all kinds of rows, and none of the rules is broken.
func TestSwarmInSynthWorld(t *testing.T) {
	waits(t)
	s := serve(t, "--ephemeral", "--world-db", synthWorld(t, "--creatures", "500", "--samples"))
	swarms(t, s, swarm.Config{Prefix: "SAMPLER", Clients: 20, Behaviour: swarm.Walk, Duration: time.Second})
	s.stop(syscall.SIGTERM, 1)
}

// What world synth refuses.
func TestSynthWorldRefusals(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"--out " + dir + " --creatures 0", exitOK, dir + ": 4 maps, 48 templates, 44497 spawn points, "},
		{"--out " + dir, exitFailure, "the folder " + dir + " is not empty"},
		{"--out " + dir + "/x --creatures=-1", exitFailure, "--creatures is from 0 to "},
		{"--out " + dir + "/x --start two", exitUsage, "--start must be one of"},
		{"", exitUsage, "missing flags: --out=DIR"},
	} {
		code, stdout, stderr := execute(t, nil, append([]string{"world", "synth"}, strings.Fields(c.args)...)...)
		if code != c.code || !strings.Contains(stdout+stderr, c.want) {
			t.Errorf("%s: exit code %d, want %d with %q\n%s%s", c.args, code, c.code, c.want, stdout, stderr)
		}
	}
}
