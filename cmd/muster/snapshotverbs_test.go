package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/worldspec"
	"muster/net/protocol/msg"
)

// snapshot runs a verb on worlds that are kept, in the process of the test.
func snapshot(t *testing.T, args ...string) (said, failed string, code int) {
	t.Helper()
	var out, problems bytes.Buffer
	code = run(t.Context(), append([]string{"snapshot"}, args...), &flags.Environment{Stdout: &out, Stderr: &problems})
	return out.String(), problems.String(), code
}

// mustSnapshot is snapshot for a verb that has to succeed.
func mustSnapshot(t *testing.T, args ...string) string {
	t.Helper()
	said, failed, code := snapshot(t, args...)
	if code != 0 {
		t.Fatalf("snapshot %v: exit code %d: %s", args, code, failed)
	}
	return said
}

// The worlds of a server that runs are saved, checked, and copied to look at, and it does not notice. Worlds that were saved take the place of later
// ones.
func TestSnapshotVerbs(t *testing.T) {
	t.Parallel()
	data, saved := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "saved")
	given := []string{"--data", data, "--creatures", "0", "--start", "one", "--open-level", "3", "--durable", "world"}
	s := serve(t, given...)
	v := visit(t, s, "ANNA")
	v.create("Anna")
	v.enter()
	anna := s.state("anna")
	near := anna
	near.X += 8
	creature := spawnAt(s, near)
	guid, err := strconv.ParseUint(creature, 0, 64)
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "it is alive", func() bool { c := s.creatureAt(creature); return c != nil && c.Alive })

	if said := mustSnapshot(t, "save", "--data", data, "--map", "0", saved); !regexp.MustCompile(`^map 0: saved after tick \d+, hash [0-9a-f]{16}\n$`).MatchString(said) {
		t.Errorf("saved: %q", said)
	}
	if _, failed, code := snapshot(t, "save", "--data", data, saved); code == 0 || !strings.Contains(failed, "is there already") {
		t.Errorf("saved again: %d %s", code, failed)
	}
	if _, failed, code := snapshot(t, "save", "--data", data); code == 0 || !strings.Contains(failed, "name a folder") {
		t.Errorf("saved nowhere: %d %s", code, failed)
	}
	said := mustSnapshot(t, "check", "--from", saved)
	m := regexp.MustCompile(`^map 0: after tick (\d+) the hash of the world is ([0-9a-f]{16}); \d+ bytes, xxh3 [0-9a-f]{32}\n$`).FindStringSubmatch(said)
	if m == nil {
		t.Fatalf("checked: %q", said)
	}
	tick := m[1]
	if said := mustSnapshot(t, "list", "--from", saved); !regexp.MustCompile(`\n0 +0 +` + tick + ` +\S+ +` + tick + ` +\d+ +1 +closed +`).MatchString(said) {
		t.Errorf("listed:\n%s", said)
	}
	if _, failed, code := snapshot(t, "restore", "--from", saved, "--into", data); code == 0 || !strings.Contains(failed, "a server runs in") {
		t.Errorf("restored under a server: %d %s", code, failed)
	}

	// A copy stands still, has Anna and the creature, and steps when it is told to.
	copied := startFork(t, "--data", data)
	entities := func() string {
		return copied.get(fmt.Sprintf("/api/maps/0/entities?x=%v&y=%v&r=50", anna.X, anna.Y))
	}
	if said := entities(); !strings.Contains(said, `"player"`) {
		t.Errorf("the copy has %s", said)
	}
	var before, after struct {
		Virtual bool
		Speed   float64
		NowMs   int64 `json:"now_ms"`
	}
	read := func(text string, to any) {
		if err := json.Unmarshal([]byte(text), to); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	read(copied.get("/api/clock"), &before)
	copied.post("/api/clock", `{"do":"step","steps":40}`)
	read(copied.get("/api/clock"), &after)
	if !before.Virtual || before.Speed != 0 || after.NowMs != before.NowMs+40*worldspec.DefaultStep.Milliseconds() {
		t.Errorf("its clock was %+v, and after 40 steps is %+v", before, after)
	}
	// What is done to it is done to no other world: not to the one of the server, nor to another copy.
	inspected := func(of *forked) string { return of.get("/api/entity/" + creature) }
	other := startFork(t, "--data", data, "--map", "0")
	alive := inspected(other)
	if !regexp.MustCompile(`(?m)^map 0, instance 2147483648 is a copy of map 0 after tick \d+, hash [0-9a-f]{16}$`).MatchString(copied.made) {
		t.Errorf("it says that it has %s", copied.made)
	}
	if metrics := copied.get("/metrics"); !strings.Contains(metrics, `muster_players{`) || !regexp.MustCompile(`muster_players\{[^}]*instance="2147483648"`).MatchString(metrics) {
		t.Errorf("its metrics do not name the instance of the copy:\n%s", metrics)
	}
	for _, c := range [][2]string{
		{"npc kill " + creature, " is dead."},
		{"#Anna modify hp 1", "Anna has 1 of "},
		{"#Bert modify hp 1", `"ok":false,"lines":["There is no Bert in a copy."]`},
		{"server shutdown 1", `"ok":false,"lines":["server shutdown is for a server`},
	} {
		if said := copied.post("/api/console", fmt.Sprintf(`{"line":%q}`, c[0])); !strings.Contains(said, c[1]) {
			t.Errorf("%s: the copy says %s", c[0], said)
		}
	}
	dead := inspected(copied)
	if strings.Contains(alive, `"Health":0,`) || !strings.Contains(dead, `"Health":0,`) || inspected(other) != alive {
		t.Errorf("killed in one copy, it is %s\nand in the other %s", dead, alive)
	}
	other.stop()
	if c := s.creatureAt(creature); c == nil || !c.Alive || !s.state("anna").Online || s.state("anna").Health <= 1 {
		t.Errorf("the server has noticed: %+v, %+v", c, s.state("anna"))
	}
	copied.stop()

	// What has died since is alive where the worlds were restored.
	v.say(msg.OpSetSelection, &msg.SetSelection{GUID: guid})
	v.orders(msg.ChatSay, ".die")
	eventually(t, "it is dead", func() bool { c := s.creatureAt(creature); return c == nil || !c.Alive })
	s.stop(syscall.SIGTERM, 1)
	if said, want := mustSnapshot(t, "restore", "--from", saved, "--into", data), "map 0: restored as after tick "; !strings.HasPrefix(said, want) || !strings.HasSuffix(said, ", without its 1 players\n") {
		t.Errorf("restored: %q", said)
	}
	s = serve(t, given...)
	if c := s.creatureAt(creature); c == nil || !c.Alive {
		t.Errorf("restored, the creature is %+v", c)
	}
	if c := s.state("anna"); c.Online {
		t.Errorf("Anna is %+v", c)
	}
	v = visit(t, s, "ANNA")
	v.enter()
	s.stop(syscall.SIGTERM, 1)

	// The log of a server is run as a recording is.
	var out, problems bytes.Buffer
	if code := run(t.Context(), []string{"replay", filepath.Join(data, "worlds")}, &flags.Environment{Stdout: &out, Stderr: &problems}); code != 0 || !strings.Contains(out.String(), "map 0: after tick ") {
		t.Errorf("replay: %d %s%s", code, out.String(), problems.String())
	}

	// A file that is not as it was written is refused.
	name := filepath.Join(saved, fmt.Sprintf("map0-%010s.snapshot", tick))
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, failed, code := snapshot(t, "check", "--from", saved); code != 1 || !strings.Contains(failed, "damaged") {
		t.Errorf("checked: %d %s", code, failed)
	}

	// Where one of several worlds is damaged, none is restored.
	several, worlds := filepath.Join(t.TempDir(), "several"), filepath.Join(data, "worlds")
	mustSnapshot(t, "save", "--data", data, several)
	names, err := filepath.Glob(filepath.Join(several, "map*.snapshot"))
	if err != nil || len(names) < 2 {
		t.Fatalf("%q, %v: want several", names, err)
	}
	if b, err = os.ReadFile(names[len(names)-1]); err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	if err := os.WriteFile(names[len(names)-1], b, 0o600); err != nil {
		t.Fatal(err)
	}
	files := func() string {
		all, err := filepath.Glob(filepath.Join(worlds+"*", "*"))
		if err != nil {
			t.Error(err)
		}
		return strings.Join(all, "\n")
	}
	were := files()
	if _, failed, code := snapshot(t, "restore", "--from", several, "--into", data); code != 1 || !strings.Contains(failed, "damaged") {
		t.Errorf("restored: %d %s", code, failed)
	}
	if are := files(); are != were || !strings.Contains(were, "map0-") {
		t.Errorf("there are\n%s\nand there were\n%s", are, were)
	}

	// What is to be restored is not removed, wherever it is.
	if err := os.Rename(several, worlds+".new"); err != nil {
		t.Fatal(err)
	}
	were = files()
	if _, failed, code := snapshot(t, "restore", "--from", worlds+".new", "--into", data); code != 1 || !strings.Contains(failed, "another name") {
		t.Errorf("restored: %d %s", code, failed)
	}
	if are := files(); are != were || !strings.Contains(were, "worlds.new") {
		t.Errorf("there are\n%s\nand there were\n%s", are, were)
	}
}

// A forked copy is a process of muster snapshot fork.
type forked struct {
	t    *testing.T
	cmd  *exec.Cmd
	url  string
	made string // which worlds it says that it has
}

func startFork(t *testing.T, args ...string) *forked {
	t.Helper()
	f := &forked{t: t, cmd: exec.Command(binary, append([]string{"snapshot", "fork"}, args...)...)}
	out, err := f.cmd.StdoutPipe()
	if err == nil {
		err = f.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		f.cmd.Process.Kill()
		f.cmd.Wait()
	})
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	for err == nil && strings.Contains(line, " is a copy of ") {
		f.made += line
		line, err = lines.ReadString('\n')
	}
	_, url, ok := strings.Cut(strings.TrimSpace(line), ": ")
	if err != nil || !ok || !strings.Contains(line, "stands still at ") {
		t.Fatalf("it said %q, %v", line, err)
	}
	f.url = strings.TrimSuffix(url, "/")
	return f
}

func (f *forked) get(path string) string { return f.call(http.MethodGet, path, "") }

func (f *forked) post(path, body string) string { return f.call(http.MethodPost, path, body) }

func (f *forked) call(method, path, body string) string {
	f.t.Helper()
	request, err := http.NewRequest(method, f.url+path, strings.NewReader(body))
	if err != nil {
		f.t.Fatal(err)
	}
	answer, err := (&http.Client{Timeout: patience}).Do(request)
	if err != nil {
		f.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		f.t.Fatalf("%s %s: %s: %s, %v", method, path, answer.Status, text, err)
	}
	return string(text)
}

// stop ends it in order.
func (f *forked) stop() {
	f.t.Helper()
	f.cmd.Process.Signal(syscall.SIGTERM)
	if err := f.cmd.Wait(); err != nil {
		f.t.Errorf("the copy ended with %v", err)
	}
}

// Worlds that workers keep are restored into their logs when no worker runs: under a gateway that does, whose players are closed and come back into them.
func TestSnapshotRestoreIntoRealm(t *testing.T) {
	waits(t)
	url := startStreams(t).ClientURL()
	args := []string{"--bus", url, "--creatures", "0", "--start", "one", "--durable", "world"}
	one := work(t, args...)
	s := serve(t, "--bus", url, "--creatures", "0", "--start", "one", "--ephemeral")
	v := visit(t, s, "ANNA")
	v.create("Anna")
	v.enter()
	v.plays("begun")
	saved := filepath.Join(t.TempDir(), "saved")
	mustSnapshot(t, "save", "--bus", url, "--map", "0", saved)
	v.plays("saved")
	restore := []string{"restore", "--from", saved, "--into", url + "/muster"}
	if _, failed, code := snapshot(t, restore...); code == 0 || !strings.Contains(failed, "has the world: end all workers") {
		t.Errorf("restored under a worker: %d %s", code, failed)
	}
	one.cmd.Process.Signal(syscall.SIGTERM)
	<-one.ended
	if _, failed, code := snapshot(t, restore...); code == 0 || !strings.Contains(failed, "1 players are in the world that is there") {
		t.Errorf("restored under a player: %d %s", code, failed)
	}
	said := mustSnapshot(t, append(restore, "--as-stored")...)
	m := regexp.MustCompile(`^map 0: restored as after tick (\d+), without its 1 players\n$`).FindStringSubmatch(said)
	if m == nil {
		t.Fatalf("restored: %q", said)
	}
	if _, failed, code := snapshot(t, append(restore, "--data", saved)...); code == 0 || !strings.Contains(failed, "exclude each other") {
		t.Errorf("restored from two places: %d %s", code, failed)
	}
	two := work(t, args...)
	eventually(t, "another worker has the world", func() bool {
		return two.logged(`msg="this process has the world" map=0 tick=` + m[1] + ` `)
	})
	ends(t, v.socket)
	eventually(t, "the map can be entered", func() bool { return strings.Contains(s.stderr(), `msg="a world is there again" map=0`) })
	v = visit(t, s, "ANNA")
	v.enter()
	v.plays("back")
	mustSnapshot(t, "check", "--bus", url, "--map", "0")
	s.stop(syscall.SIGTERM, 1)
}
