package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"muster/cmd/internal/playback"
	"muster/cmd/internal/release"
	"muster/net/replication/frame"
	"muster/net/replication/recording"
)

// recorded lets a swarm loose on a server that records, and returns the folder.
func recorded(t *testing.T, end func(*served), swarm ...string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "recordings")
	s := serve(t, "--creatures", "2000", "--start", "one", "--record", folder)
	code, stdout, stderr := execute(t, nil, append([]string{"swarm", "--auth", s.auth, "--accounts", "REC", "--password", "muster"}, swarm...)...)
	if code != exitOK {
		t.Fatalf("swarm: exit code %d\n%s%s", code, stdout, stderr)
	}
	end(s)
	return folder
}

func stopped(s *served) { s.stop(syscall.SIGTERM, 1) }

var (
	playedLine = regexp.MustCompile(`(?m)^map 0: (\d+) ticks, \d+ to (\d+), with (\d+) items in .*, ([\d.]+) times as fast as they were; (\d+) digests, all the same(?:; the recording ends: (.*))?$`)
	hashLine   = regexp.MustCompile(`(?m)^map 0: after tick \d+ the hash of the world is [0-9a-f]{16}$`)
)

// played is what replay says of map 0.
type played struct {
	ticks, last, items, digests int
	faster                      float64
	ends, hash                  string
}

func replays(t *testing.T, variables []string, args ...string) (p played) {
	t.Helper()
	code, stdout, stderr := execute(t, variables, append([]string{"replay"}, args...)...)
	m := playedLine.FindStringSubmatch(stdout)
	if code != exitOK || m == nil || stderr != "" {
		t.Fatalf("replay %s: exit code %d\n%s%s", strings.Join(args, " "), code, stdout, stderr)
	}
	p.ends, p.hash = m[6], hashLine.FindString(stdout)
	for i, to := range map[int]*int{1: &p.ticks, 2: &p.last, 3: &p.items, 5: &p.digests} {
		*to, _ = strconv.Atoi(m[i])
	}
	p.faster, _ = strconv.ParseFloat(m[4], 64)
	return p
}

// What a swarm did to a server is done again, on one processor and on two, and goes the same way. A muster that has
// another rule is found out: by the recording, and beside the one that has recorded.
func TestReplay(t *testing.T) {
	waits(t)
	folder := recorded(t, stopped, "--clients", "40", "--behaviour", "grind", "--duration", "8s")
	one := replays(t, []string{"GOMAXPROCS=1"}, folder)
	two := replays(t, []string{"GOMAXPROCS=2"}, folder)
	if one.ticks < 60 || one.items < 40*4 || one.digests != one.ticks || one.ends != "closed" {
		t.Errorf("played %+v", one)
	}
	if one.faster, two.faster = 0, 0; one != two {
		t.Errorf("on one processor %+v, on two %+v", one, two)
	}
	half := replays(t, nil, folder, "--map", "0", "--until", fmt.Sprint(one.last-20))
	if half.last > one.last-20 || half.last < one.last-100 || half.hash == one.hash {
		t.Errorf("until 20 ticks before the end: %+v of %+v", half, one)
	}

	beyond := replays(t, nil, folder, "--map", "0", "--until", fmt.Sprint(one.last+20))
	if beyond.last != one.last || beyond.hash != one.hash {
		t.Errorf("until 20 ticks after the end: %+v of %+v", beyond, one)
	}
	missing := fmt.Sprintf("map 0: there is no tick %d, the last is tick %d\n", one.last+20, one.last)
	for flag, want := range map[string]int{"--until": exitOK, "--detail": exitFailure} {
		code, stdout, stderr := conclude(t, binary, "replay", folder, "--map", "0", flag, fmt.Sprint(one.last+20))
		if code != want || !strings.Contains(stdout+stderr, missing) {
			t.Errorf("%s of a tick after the end: exit code %d\n%s%s", flag, code, stdout, stderr)
		}
	}

	other := filepath.Join(t.TempDir(), "muster")
	build(t, other, "../../systems/combat/weaponhit.go", "*p.DamageDone) * q.DamageTaken", "*p.DamageDone) * 2 * q.DamageTaken")
	code, _, stderr := conclude(t, other, "replay", folder)
	if !regexp.MustCompile(`map 0: tick \d+ went another way: .*(?:Vitals|DamageDealt).*, of .*(creature \d+ of entry|player) \d+`).MatchString(stderr) || code != exitFailure {
		t.Errorf("another muster: exit code %d\n%s", code, stderr)
	}
	code, _, stderr = conclude(t, binary, "replay", folder, "--map", "0", "--bisect", other)
	found := regexp.MustCompile(`map 0: after tick (\d+), and no earlier, the worlds differ: .*(?:Vitals|DamageDealt).* (creature \d+ of entry|player) \d+`).FindStringSubmatch(stderr)
	if found == nil || code != exitFailure {
		t.Fatalf("beside another muster: exit code %d\n%s", code, stderr)
	}
	code, stdout, stderr := conclude(t, binary, "replay", folder, "--map", "0", "--bisect", binary)
	if code != exitOK || !strings.Contains(stdout, "do the worlds differ") {
		t.Errorf("beside itself: exit code %d\n%s%s", code, stdout, stderr)
	}
	tick, _ := strconv.Atoi(found[1])
	code, stdout, stderr = conclude(t, binary, "replay", folder, "--map", "0", "--bisect", other, "--until", fmt.Sprint(tick-1))
	if code != exitOK || !strings.Contains(stdout, "do the worlds differ") {
		t.Errorf("beside another, up to the tick before: exit code %d\n%s%s", code, stdout, stderr)
	}
}

// A replay begins with a snapshot that another has taken, and goes on as the recording does, on one processor and on
// two. A snapshot that is torn, of another recording or of another muster is refused.
func TestReplayFromSnapshot(t *testing.T) {
	waits(t)
	folder := recorded(t, stopped, "--clients", "30", "--behaviour", "grind", "--duration", "5s")
	all := replays(t, nil, folder, "--map", "0", "--snapshot-every", "20")
	ticks, err := recording.Snapshots(folder, 0)
	if err != nil || len(ticks) < 3 || len(ticks) > playback.MaxSnapshots {
		t.Fatalf("snapshots after ticks %v, %v", ticks, err)
	}
	middle := ticks[len(ticks)/2]
	one := replays(t, []string{"GOMAXPROCS=1"}, folder, "--map", "0", "--from", fmt.Sprint(middle+3))
	two := replays(t, []string{"GOMAXPROCS=2"}, folder, "--map", "0", "--from", fmt.Sprint(middle))
	if one.faster, two.faster = 0, 0; one != two {
		t.Errorf("on one processor %+v, on two %+v", one, two)
	}
	if one.hash != all.hash || one.last != all.last || one.ticks > all.last-int(middle) || one.ticks < (all.last-int(middle))/11 || one.digests != one.ticks+1 || one.ends != "closed" {
		t.Errorf("from tick %d on %+v, of %+v", middle, one, all)
	}
	early := replays(t, nil, folder, "--map", "0", "--from", fmt.Sprint(ticks[0]-1))
	if early.faster, all.faster = 0, 0; early != all {
		t.Errorf("from before the first snapshot %+v, of %+v", early, all)
	}
	code, stdout, stderr := conclude(t, binary, "replay", folder, "--map", "0", "--from", fmt.Sprint(middle), "--bisect", binary)
	if code != exitOK || !strings.Contains(stdout, fmt.Sprintf(" to %d, do the worlds differ", one.last)) || !strings.Contains(stdout, "after none of ") {
		t.Errorf("beside itself: exit code %d\n%s%s", code, stdout, stderr)
	}
	refused := func(binary, folder, says string) {
		t.Helper()
		code, stdout, stderr := conclude(t, binary, "replay", folder, "--map", "0", "--from", fmt.Sprint(middle))
		if code != exitFailure || !strings.Contains(stderr, says) || strings.Contains(stdout, "all the same") {
			t.Errorf("want %q: exit code %d\n%s%s", says, code, stdout, stderr)
		}
	}
	other := filepath.Join(t.TempDir(), "muster")
	build(t, other, "../../systems/fall/fall.go", "type FallDamage struct {", "type FallDamage struct {\n\tpaused bool")
	refused(other, folder, "the snapshot has another system falldamage")

	foreign := recorded(t, stopped, "--clients", "5", "--behaviour", "walk", "--duration", "2s")
	name := fmt.Sprintf("map0-%010d.snapshot", middle)
	b, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	put := func(folder string, b []byte) {
		if err := os.WriteFile(filepath.Join(folder, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(foreign, b)
	refused(binary, foreign, "is of another recording")
	put(folder, b[:len(b)/2])
	refused(binary, folder, recording.ErrTorn.Error())
	b[len(b)/2] ^= 1
	put(folder, b)
	refused(binary, folder, recording.ErrDamaged.Error())
	shot, err := recording.OpenSnapshot(folder, 0, ticks[0])
	if err != nil {
		t.Fatal(err)
	}
	shot.N, shot.Log.XPRate = middle, 3
	if err := shot.Write(folder); err != nil {
		t.Fatal(err)
	}
	refused(binary, folder, "is of a recording with another XPRate")
}

// Where there would be too many snapshots, every other one goes, and those that stay cover all of the recording.
func TestSnapshotsAreBounded(t *testing.T) {
	folder := t.TempDir()
	recorder, err := recording.NewRecorder(recording.Config{Folder: folder, Header: recording.Header{
		Release: release.Name(), Toolchain: release.Toolchain(), Seed: 1, Start: "one", StepMs: 50, Reclaim: "anywhere",
	}})
	if err != nil {
		t.Fatal(err)
	}
	const last = 5*playback.MaxSnapshots + 7
	var nothing frame.Inbox
	for n := uint64(1); n <= last; n++ {
		recorder.Begin(n, &nothing)
	}
	if err := recorder.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time in place of the first
		if code, stdout, stderr := execute(t, nil, "replay", folder, "--snapshot-every", "1"); code != exitOK {
			t.Fatalf("exit code %d\n%s%s", code, stdout, stderr)
		}
		ticks, err := recording.Snapshots(folder, 0)
		if err != nil || len(ticks) > playback.MaxSnapshots || len(ticks) < playback.MaxSnapshots/2 || ticks[0] > 8 || ticks[len(ticks)-1] <= last-8 {
			t.Errorf("%d snapshots, after ticks %v, %v", len(ticks), ticks, err)
		}
	}
}

// build builds another muster, one of whose files says something else.
func build(t *testing.T, to, file, old, new string) {
	t.Helper()
	file, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte(old)); n != 1 {
		t.Fatalf("%s has %q %d times", file, old, n)
	}
	changed := write(t, strings.Replace(string(text), old, new, 1))
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {file: changed}})
	if err != nil {
		t.Fatal(err)
	}
	args := append(append([]string{"build", "-buildvcs=false", "-overlay", write(t, string(overlay))}, buildFlags...), "-o", to, ".")
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// conclude runs a binary of our own or another to its end.
func conclude(t *testing.T, binary string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary, args...)
	var out, err bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &err
	cmd.Run() // of which the exit code says all
	return cmd.ProcessState.ExitCode(), out.String(), err.String()
}

// A server that is killed leaves a recording that is good up to its last second.
func TestReplayOfTheKilled(t *testing.T) {
	waits(t)
	folder := recorded(t, func(s *served) {
		s.cmd.Process.Kill()
		<-s.ended
	}, "--clients", "10", "--behaviour", "walk", "--duration", "3s")
	p := replays(t, nil, folder, "--map", "0")
	if p.ticks < 40 || !strings.Contains(p.ends, recording.ErrTorn.Error()) {
		t.Errorf("played %+v", p)
	}

	file := filepath.Join(folder, "map0-0001.rec")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	if err := os.WriteFile(file, b, 0o644); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := conclude(t, binary, "replay", folder)
	if code != exitFailure || !strings.Contains(stderr, recording.ErrDamaged.Error()) || !strings.Contains(stderr, file) {
		t.Errorf("a damaged recording: exit code %d\n%s", code, stderr)
	}
}

func TestRecordingsAreNotMixed(t *testing.T) {
	folder := t.TempDir()
	s := serve(t, "--creatures", "0", "--ephemeral", "--record", folder)
	stopped(s)
	code, _, stderr := execute(t, nil, "serve", "--creatures", "0", "--ephemeral", "--record", folder)
	if code != exitFailure || !strings.Contains(stderr, folder+" has a recording already") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
	if code, _, stderr := execute(t, nil, "replay", t.TempDir()); code != exitFailure || !strings.Contains(stderr, "has no recording") {
		t.Errorf("an empty folder: exit code %d\n%s", code, stderr)
	}
}
