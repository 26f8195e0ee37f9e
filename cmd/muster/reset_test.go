package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"muster/net/protocol/msg"
)

// call sends a request to the admin address.
func (s *served) call(method, path, body string) (status int, answer string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, "http://"+s.admin+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	got, err := alone.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer got.Body.Close()
	all, err := io.ReadAll(got.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return got.StatusCode, string(all)
}

// must is call of what must succeed.
func (s *served) must(method, path, body string) (answer string) {
	s.t.Helper()
	status, answer := s.call(method, path, body)
	if status != http.StatusOK {
		s.t.Fatalf("%s %s %s: %d %s", method, path, body, status, answer)
	}
	return answer
}

// A said is a packet of the server.
type said struct {
	op   uint16
	body []byte
}

// timely are packets that have the time of day, or a random number, in them.
var timely = []uint16{msg.OpAuthChallenge, msg.OpLoginSetTimeSpeed, msg.OpAccountDataTimes}

// firstSteps has an account make a character and enter the world on a virtual clock that stands, and returns all that it is sent until
// some steps later, sorted.
func firstSteps(t *testing.T, s *served) (all []said) {
	t.Helper()
	v := visit(t, s, "FIRST")
	v.reads = func(op uint16, body []byte) {
		if !slices.Contains(timely, op) {
			all = append(all, said{op, bytes.Clone(body)})
		}
	}
	v.create("First")
	v.guid = v.list()[0].GUID
	v.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: v.guid})
	var place []string
	eventually(t, "the player has a place in its world", func() bool {
		place = regexp.MustCompile(`"First",.*"map":(\d+)`).FindStringSubmatch(s.must("GET", "/api/sessions", ""))
		return place != nil
	})
	ping := func() { // when it is answered, all before it has been passed on
		v.pings++
		v.say(msg.OpPing, &msg.Ping{Sequence: v.pings})
		v.await(msg.OpPong, new(msg.Pong))
	}
	ping()
	for range 2 { // the world has slept; when it answers for the second time it waits for its next tick
		s.must("GET", "/api/maps/"+place[1]+"/entities?x=0&y=0&r=1", "")
	}
	for range 5 {
		s.must("POST", "/api/clock", `{"do":"step","steps":10}`)
		ping()
	}
	slices.SortStableFunc(all, compareSaid)
	return all
}

// compareSaid orders packets.
func compareSaid(a, b said) int {
	return cmp.Or(cmp.Compare(a.op, b.op), bytes.Compare(a.body, b.body))
}

// TestResetIsLikeAStart has a player change the world, and the world reset: the next client is sent the same bytes as by a server that
// has just started, by the same clock.
func TestResetIsLikeAStart(t *testing.T) {
	flags := []string{"--ephemeral", "--clock", "virtual", "--open-level", "3", "--seed", "7"}
	s := serve(t, flags...)
	s.must("POST", "/api/clock", `{"do":"run","speed":1}`)
	v := visit(t, s, "CHANGER")
	v.create("Changer")
	v.enter()
	for _, verb := range []string{".levelup 5", ".additem 25", ".npc add 5", ".tele add Somewhere", ".die"} {
		v.orders(msg.ChatSay, verb)
	}
	v.hears("Changer is dead.")
	ports := []string{s.auth, s.world, s.admin}

	var done struct {
		Name                 string
		Accounts, Characters int
		TookMs               *int64 `json:"took_ms"`
	}
	if err := json.Unmarshal([]byte(s.must("POST", "/api/world/reset", `{"snapshot":""}`)), &done); err != nil || done.TookMs == nil || done.Accounts != 0 {
		t.Errorf("the reset is answered with %+v, %v", done, err)
	}
	if err := v.socket.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, v.socket); err != nil {
		t.Errorf("the session of before the reset is not closed: %v", err)
	}
	eventually(t, "the reason is in the log", func() bool { return strings.Contains(s.stderr(), "reason=closed.reset") })

	// A character gets its items in the step after that in which the store has given the world GUIDs for them, which no clock decides:
	// so the order of packets may differ, and once in a while what is in them.
	var got, want []said
	for range 5 {
		if got, want = firstSteps(t, s), firstSteps(t, serve(t, flags...)); slices.EqualFunc(got, want, func(a, b said) bool { return compareSaid(a, b) == 0 }) {
			break
		}
		s.must("POST", "/api/world/reset", `{}`)
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) {
			t.Fatalf("%d packets, a server that has just started sends %d", len(got), len(want))
		}
		if compareSaid(got[i], want[i]) != 0 {
			t.Fatalf("packet %d is %#x\n%x\na server that has just started sends %#x\n%x", i, got[i].op, got[i].body, want[i].op, want[i].body)
		}
	}
	created := slices.ContainsFunc(got, func(p said) bool { return p.op == msg.OpUpdateObject || p.op == msg.OpCompressedUpdateObject })
	if len(got) < 30 || !created {
		t.Errorf("only %d packets were compared, objects among them: %t", len(got), created)
	}
	if code, _, stderr := execute(t, nil, "ctl", "--socket", s.socket, "server", "info"); code != exitOK {
		t.Errorf("ctl after the reset: %s", stderr)
	}
	if now := []string{s.auth, s.world, s.admin}; !slices.Equal(now, ports) {
		t.Errorf("it listens at %q, before at %q", now, ports)
	}
	s.stop(syscall.SIGTERM, 1)
}

// TestSnapshots takes snapshots, goes back to them, and starts another server with one.
func TestSnapshots(t *testing.T) {
	s := serve(t, "--ephemeral", "--creatures", "0", "--open-level", "3")
	v := visit(t, s, "ANNA")
	v.create("Anna")
	v.enter()
	v.orders(msg.ChatSay, ".levelup 4")
	v.await(msg.OpLevelUpInfo, new(msg.LevelUpInfo))
	if status, text := s.call("POST", "/api/world/snapshot", `{"name":"five"}`); status != http.StatusConflict || !strings.HasPrefix(text, "1 players are in a world") {
		t.Errorf("a snapshot with a player in a world: %d %s", status, text)
	}
	v.say(msg.OpLogoutRequest, &msg.Empty{})
	v.await(msg.OpLogoutComplete, new(msg.Empty))
	v.socket.Close()
	gone := func() {
		t.Helper()
		eventually(t, "the players have left", func() bool { return strings.Contains(s.must("GET", "/api/sessions", ""), `"sessions":[]`) })
	}
	gone()
	const taken = `{"name":"five","accounts":1,"characters":1,"bytes":`
	if text := s.must("POST", "/api/world/snapshot", `{"name":"five"}`); !strings.HasPrefix(text, taken) {
		t.Errorf("the snapshot is %s", text)
	}

	visit(t, s, "BERT").create("Bert")
	w := visit(t, s, "ANNA")
	w.enter()
	w.orders(msg.ChatSay, ".levelup 10")
	w.await(msg.OpLevelUpInfo, new(msg.LevelUpInfo))
	s.must("POST", "/api/world/reset", `{"snapshot":"five"}`)
	check := func(s *served) {
		t.Helper()
		a := visit(t, s, "ANNA")
		if all := a.list(); len(all) != 1 || all[0].Name != "Anna" || all[0].Level != 5 {
			t.Errorf("after the snapshot there is %+v", all)
		}
		a.enter()
		a.socket.Close()
		if all := visit(t, s, "BERT").list(); len(all) != 0 {
			t.Errorf("what was made after the snapshot is there: %+v", all)
		}
	}
	check(s)
	if text := s.must("GET", "/api/world/snapshots", ""); !strings.HasPrefix(text, `{"snapshots":[`+taken) {
		t.Errorf("the snapshots are %s", text)
	}

	file := filepath.Join(t.TempDir(), "five.dump")
	if err := os.WriteFile(file, []byte(s.must("GET", "/api/world/snapshots/five", "")), 0o600); err != nil {
		t.Fatal(err)
	}
	other := serve(t, "--ephemeral", "--creatures", "0", "--snapshot", file)
	check(other)
	other.must("POST", "/api/world/reset", `{}`) // to its start, which the file is
	check(other)
	other.stop(syscall.SIGTERM, 1)

	s.must("POST", "/api/world/reset", `{"snapshot":""}`)
	if all := visit(t, s, "ANNA").list(); len(all) != 0 {
		t.Errorf("at the start there is %+v", all)
	}
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"POST", "/api/world/reset", `{"snapshot":"six"}`, http.StatusNotFound, "there is no snapshot of that name\n"},
		{"POST", "/api/world/reset", `{"snap":"five"}`, http.StatusBadRequest, "the body is "},
		{"POST", "/api/world/snapshot", `{"name":""}`, http.StatusBadRequest, "the name of a snapshot has from 1 to 64 "},
		{"POST", "/api/world/snapshot", `{"name":"../x"}`, http.StatusBadRequest, "the name of a snapshot has from 1 to 64 "},
		{"POST", "/api/world/snapshot", `{"name":"` + strings.Repeat("n", 65) + `"}`, http.StatusBadRequest, "the name of a snapshot has from 1 to 64 "},
		{"DELETE", "/api/world/snapshots/six", "", http.StatusNotFound, "there is no snapshot of that name\n"},
		{"DELETE", "/api/world/snapshots/five", "", http.StatusOK, "{}\n"},
		{"GET", "/api/world/snapshots", "", http.StatusOK, `{"snapshots":[]}` + "\n"},
	} {
		if status, text := s.call(c.method, c.path, c.body); status != c.status || !strings.HasPrefix(text, c.want) {
			t.Errorf("%s %s %s: %d %q, want %d %q", c.method, c.path, c.body, status, text, c.status, c.want)
		}
	}
	for n := range 32 {
		s.must("POST", "/api/world/snapshot", fmt.Sprintf(`{"name":"n%d"}`, n))
	}
	if status, text := s.call("POST", "/api/world/snapshot", `{"name":"n32"}`); status != http.StatusConflict || !strings.HasPrefix(text, "there are 32 snapshots") {
		t.Errorf("one snapshot more than there can be: %d %s", status, text)
	}
	s.must("POST", "/api/world/snapshot", `{"name":"n31"}`) // in the place of another
	s.stop(syscall.SIGTERM, 1)
}

// A countdown to the end of the server goes on after a reset.
func TestResetGoesOnWithAShutdown(t *testing.T) {
	s := serve(t, "--ephemeral", "--creatures", "0")
	ctl := func(words ...string) (said string) {
		t.Helper()
		code, said, stderr := execute(t, nil, append([]string{"ctl", "--socket", s.socket, "server", "shutdown"}, words...)...)
		if code != exitOK {
			t.Errorf("server shutdown %q: exit code %d\n%s", words, code, stderr)
		}
		return said
	}
	ctl("1h")
	s.must("POST", "/api/world/reset", `{}`)
	if said := ctl("cancel"); said != "The server lives.\n" {
		t.Errorf("it says %q", said)
	}
	s.stop(syscall.SIGTERM, 1)
}

// What is kept for good, or recorded, is not reset.
func TestWhatIsNotReset(t *testing.T) {
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{[]string{"--data", t.TempDir()}, "only a server with --ephemeral is reset"},
		{[]string{"--ephemeral", "--record", t.TempDir()}, "a server with --record is not reset"},
	} {
		s := serve(t, append(c.flags, "--creatures", "0")...)
		for _, path := range []string{"/api/world/reset", "/api/world/snapshot"} {
			if status, text := s.call("POST", path, `{}`); status != http.StatusConflict || !strings.Contains(text, c.want) {
				t.Errorf("%q: %s: %d %s", c.flags, path, status, text)
			}
		}
		s.stop(syscall.SIGTERM, 1)
	}
	file := filepath.Join(t.TempDir(), "no.dump")
	if err := os.WriteFile(file, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"serve --snapshot " + file, exitUsage, "--snapshot needs --ephemeral"},
		{"serve --ephemeral --snapshot " + file, exitFailure, "no.dump: portable: no dump of a store"},
		{"serve --ephemeral --snapshot " + file + ".none", exitFailure, "no such file"},
	} {
		if code, _, stderr := execute(t, nil, strings.Fields(c.args)...); code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit code %d\n%s", c.args, code, stderr)
		}
	}
}

// A reset takes less than a second of the processor, and leaves nothing behind.
func TestResetTakesUnderASecond(t *testing.T) {
	s := serve(t, "--ephemeral")
	number := func(text, pattern string) float64 {
		t.Helper()
		m := regexp.MustCompile(pattern).FindStringSubmatch(text)
		if m == nil {
			t.Fatalf("no %s in\n%s", pattern, text)
		}
		n, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	metric := func(name string) float64 {
		return number(s.must("GET", "/metrics", ""), `(?m)^`+name+`(?:\{[^}]*\})? (\S+)$`)
	}
	goroutines := func() float64 {
		return number(s.must("GET", "/debug/pprof/goroutine?debug=1", ""), `total (\d+)`)
	}
	s.must("POST", "/api/world/reset", `{}`)
	before, descriptors := goroutines(), metric("process_open_fds")
	var took []float64
	fast := false
	const resets = 20
	for range resets { // of which one must not meet a busy machine
		cpu := metric("process_cpu_seconds_total")
		took = append(took, number(s.must("POST", "/api/world/reset", `{}`), `"took_ms":(\d+)`)/1000)
		took = append(took, metric("process_cpu_seconds_total")-cpu)
		fast = fast || min(took[len(took)-1], took[len(took)-2]) < 1
	}
	if !fast {
		t.Errorf("resets took, with the processor time of each after it, %v s", took)
	}
	// What each reset left would be there as often. The process has one more or less at any time.
	eventually(t, "the goroutines of earlier worlds have ended", func() bool { return goroutines() < before+resets/2 })
	eventually(t, "their descriptors are closed", func() bool { return metric("process_open_fds") < descriptors+resets/2 })
	s.stop(syscall.SIGTERM, 1)
}
