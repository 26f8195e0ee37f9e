package console

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"muster/internal/golden"
	"muster/internal/metric"
	"muster/net/gateway"
	"muster/net/protocol/command"
	"muster/net/protocol/msg"
	"muster/sched/tickstats"
)

// A stage is a realm that records the calls to it.
type stage struct {
	mu   sync.Mutex
	done []string

	asked  int // players in worlds
	queued int
}

func (s *stage) note(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done = append(s.done, fmt.Sprintf(format, args...))
}

// did is the calls so far.
func (s *stage) did() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprint(s.done)
}

func (s *stage) Stats() gateway.Stats {
	return gateway.Stats{Select: 3, World: 120, Transfer: 1, Queued: s.queued, Peak: 250, Packets: 5}
}
func (s *stage) OnlinePlayers() []gateway.OnlinePlayer {
	s.asked++
	return s.players()
}
func (s *stage) players() []gateway.OnlinePlayer {
	return []gateway.OnlinePlayer{
		{Name: "Anna", GUID: 1, Account: 7, Level: 9, Map: 1, From: "127.0.0.1"},
		{Name: "Clara", GUID: 3, Account: 8, Level: 1, Map: 5, From: "127.0.0.1", SecurityLevel: 3},
	}
}
func (s *stage) Find(name string) (gateway.OnlinePlayer, bool) {
	return s.which(func(p *gateway.OnlinePlayer) bool { return strings.EqualFold(p.Name, name) })
}
func (s *stage) FindGUID(guid uint64) (gateway.OnlinePlayer, bool) {
	return s.which(func(p *gateway.OnlinePlayer) bool { return p.GUID == guid })
}
func (s *stage) which(is func(*gateway.OnlinePlayer) bool) (gateway.OnlinePlayer, bool) {
	for _, p := range s.players() {
		if is(&p) {
			return p, true
		}
	}
	return gateway.OnlinePlayer{}, false
}
func (s *stage) Kick(name string) bool           { s.note("kick %s", name); return name == "Anna" }
func (s *stage) KickAccount(account uint32) bool { s.note("kick account %d", account); return true }
func (s *stage) Announce(line string)            { s.note("announce %s", line) }
func (s *stage) Broadcast(m *msg.ChatServerMessage) {
	s.note("send %d %s", m.Kind, m.Text)
}
func (s *stage) Command(_ context.Context, character string, level uint8, line string) ([]string, error) {
	s.note("%q %d %s", character, level, line)
	if character == "Nobody" {
		return nil, gateway.ErrNoPlayer
	}
	switch verb, _, _ := strings.Cut(line, " "); verb {
	case "gps":
		return []string{character + " is on map 9 (There), zone 0.", "X: 1.500000 Y: -2.000000 Z: 3.000000 Orientation: 0.500000"}, nil
	case "go", "teleport":
		return nil, nil
	}
	return []string{"done"}, nil
}

// A ledger keeps no accounts, and writes down what it is asked.
type ledger struct{ *stage }

func (l ledger) Create(_ context.Context, name, password string) error {
	l.note("create %s %s", name, password)
	return nil
}
func (l ledger) Delete(_ context.Context, name string) error { l.note("delete %s", name); return nil }
func (l ledger) SetPassword(_ context.Context, name, password string) error {
	l.note("password %s %s", name, password)
	return nil
}
func (l ledger) SetLevel(_ context.Context, name string, level uint8) error {
	l.note("level %s %d", name, level)
	return nil
}

// Level is that of the account's name, if it is one.
func (l ledger) Level(_ context.Context, name string) (uint8, error) {
	level, known := map[string]uint8{"player": 0, "moderator": 1, "gamemaster": 2, "administrator": 3}[name]
	if !known && strings.Contains(name, "nobody") {
		return 0, errors.New("account: no such account")
	}
	return level, nil
}
func (l ledger) Ban(_ context.Context, name string, until time.Time, reason string) (uint32, error) {
	l.note("ban %s for ever %v: %s", name, until.IsZero(), reason)
	return 7, nil
}
func (l ledger) Unban(context.Context, string) error { return errors.New("account: no such ban") }

func newConsole() (*Console, *stage) {
	s := new(stage)
	c := New()
	c.Realm, c.Accounts, c.Metric = s, ledger{s}, new(metric.Table)
	c.Shutdown = func(code int) { s.note("shutdown %d", code) }
	return c, s
}

// The block that operators paste, byte for byte.
func TestServerInfo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := newConsole()
		slow := tickstats.New(0, "", 50*time.Millisecond, 50*time.Millisecond, nil)
		own := tickstats.New(1, "", 50*time.Millisecond, 50*time.Millisecond, nil)
		c.TickStats = []*tickstats.Stats{slow, own}
		for n := range uint64(700) { // of which the last 500 count: 1 to 100 ms, five times each
			own.Finish(n, time.Duration(n%100+1)*time.Millisecond, tickstats.Load{})
			slow.Finish(n, 200*time.Millisecond, tickstats.Load{})
		}
		time.Sleep(26*time.Hour + 3*time.Minute + 4*time.Second) // of the bubble's clock
		var text strings.Builder
		for _, by := range []gateway.Caller{{Account: 7, Name: "Anna", Map: 1}, {}} {
			said, err := c.Run(t.Context(), by, "server info")
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&text, "%s\n", strings.Join(said, "\n"))
		}
		golden.Compare(t, "testdata/info.golden", []byte(text.String()))
		s.queued = 7
		if said := c.Do(t.Context(), gateway.Caller{}, "server info")[0]; said != "Connected players: 124. Characters in world: 120. Queue: 7." {
			t.Errorf("with a queue: %s", said)
		}
		if s.asked != 0 { // every player may ask for the block, ten times a second
			t.Errorf("all players were listed %d times", s.asked)
		}
	})
}

// Before it has seen so many ticks, the block is of those that there were.
func TestServerInfoAtFirst(t *testing.T) {
	c, _ := newConsole()
	p := tickstats.New(0, "", 50*time.Millisecond, 50*time.Millisecond, nil)
	c.TickStats = []*tickstats.Stats{p}
	for i, want := range []string{
		"0ms. Last 0 diffs summary:~|- Mean: 0ms~|- Median: 0ms~|- Percentiles (95, 99, max): 0ms, 0ms, 0ms",
		"9ms. Last 1 diffs summary:~|- Mean: 9ms~|- Median: 9ms~|- Percentiles (95, 99, max): 9ms, 9ms, 9ms",
		"20ms. Last 2 diffs summary:~|- Mean: 14ms~|- Median: 14ms~|- Percentiles (95, 99, max): 19ms, 19ms, 20ms",
	} {
		said := strings.Join(c.Do(t.Context(), gateway.Caller{}, "server info")[3:], "~")
		if said != "Update time diff: "+want {
			t.Errorf("said %s, want %s", said, want)
		}
		p.Finish(uint64(i+1), []time.Duration{9*time.Millisecond + 999*time.Microsecond, 20 * time.Millisecond}[min(i, 1)], tickstats.Load{})
	}
}

func TestVerbs(t *testing.T) {
	for _, c := range []struct {
		level uint8
		name  string
		line  string
		done  string
		said  string
	}{
		{4, "", "kick Anna rude", "[kick Anna]", "Anna is out."},
		{4, "", "kick Bert", "[]", "! There is no Bert in a world."},
		{4, "", "kick", "[]", "! Use: kick [$charactername [$reason]]"},
		{1, "Anna", "kick Bert", "[]", "! There is no such verb."},
		{4, "", "announce we  go down", "[announce [Server] we  go down]", ""},
		{2, "Anna", "announce hello", "[announce [Anna] hello]", ""},
		{4, "", "#Anna levelup 5", `["Anna" 4 levelup 5]`, "done"},
		{4, "", ".gps", "[]", "! gps is about a character: say whose, as in #Anna gps."},
		{1, "Anna", "appear Clara", `["Clara" 1 gps Clara "Anna" 1 go xyz 1.500000 -2.000000 3.000000 5 0.500000]`, "Anna is on the way."},
		{2, "Anna", "summon clara", `["Anna" 2 gps Anna "Clara" 2 go xyz 1.500000 -2.000000 3.000000 1 0.500000]`, "Clara is on the way."},
		{4, "", "#Clara appear Anna", `["Anna" 4 gps Anna "Clara" 4 go xyz 1.500000 -2.000000 3.000000 1 0.500000]`, "Clara is on the way."},
		{2, "Anna", "tele name Clara Hub 0", `["Clara" 2 teleport Hub 0]`, "Clara is on the way."},
		{4, "", "tele name Clara Hub0", `["Clara" 4 teleport Hub0]`, "Clara is on the way."},
		{2, "Anna", "tele name Hub0", `["Anna" 2 tele name Hub0]`, "done"},
		{3, "Anna", "tele add Old Camp", `["Anna" 3 gps Anna "" 4 teleport put 1 1.500000 -2.000000 3.000000 0.500000 Old Camp]`, ""},
		{3, "Anna", "tele add", "[]", "! Use: teleport add $name"},
		{4, "", "tele add Camp", "[]", "! You have no player in a world: name the place with teleport put."},
		{4, "", "tele put 1 2 3 4 0 Camp", `["" 4 tele put 1 2 3 4 0 Camp]`, "done"},
		{3, "Anna", "tele del Camp", `["" 3 tele del Camp]`, "done"},
		{1, "Anna", "appear Anna", `["Anna" 1 appear Anna]`, "done"},
		{1, "Anna", "appear", `["Anna" 1 appear]`, "done"},
		{1, "Anna", "appear Dora", `["Anna" 1 appear Dora]`, "done"},
		{1, "Anna", "appear Clara now", `["Anna" 1 appear Clara now]`, "done"},
		{1, "Anna", "summon Clara", "[]", "! There is no such verb."},
		{4, "", "appear Clara", "[]", "! appear is about a character: say whose, as in #Anna appear."},
		{4, "", "#Nobody gps", `["Nobody" 4 gps]`, "! There is no Nobody in a world."},
		{4, "", "saveall", `["" 4 saveall]`, "done"},
		{2, "Anna", "saveall", `["" 2 saveall]`, "done"},
		{4, "", "acc cr new secret", "[create new secret]", "Account created: new"},
		{4, "", "account create new", "[]", "! Use: account create $account $password [$email]"},
		{3, "Anna", "account create new secret", "[]", "! There is no such verb."},
		{0, "Anna", "account dance", "[]", "! There is no such verb."},
		{0, "Anna", "help account create", "[]", "! There is no such verb."},
		{4, "", "account set password new a b", "[]", "! The passwords are not the same."},
		{4, "", "account set password new a a", "[password new a]", "The password of new is changed."},
		{4, "", "account set gmlevel new 3 -1", "[level new 3]", "new has another level from its next login on."},
		{4, "", "account set gmlevel new 4", "[]", "! Use: account set gmlevel $account #level [#realmid]"},
		{4, "", "ban account new -1 spam and more", "[ban new for ever true: spam and more kick account 7]", "new is banned."},
		{4, "", "ban account new 4d20h3s spam", "[ban new for ever false: spam kick account 7]", "new is banned."},
		{4, "", "ban account new soon spam", "[]", "! Use: ban account $Name $bantime $reason"},
		{4, "", "unban account new", "[]", "! account: no such ban"},
		{0, "Anna", "account", "[]", "Your account level is: 0"},
		{0, "Anna", "help server info", "[]", "Use: server info|say how many are here, and how long ticks take"},
		{4, "", "server", "[]", "! That goes on with:|server debug|server info|server set rate xp|server shutdown|server shutdown cancel"},
		{4, "", "server shutdown -1", "[]", "! Use: server shutdown #delay [#exit_code]"},
		{4, "", "server shutdown cancel", "[]", "! The server is not about to end."},
		{4, "", "tick", "[]", "No tick was slow."},
		{4, "", "account onlinelist", "[]", "2 accounts are in a world.|account 7, Anna, level 9, map 1, from 127.0.0.1|account 8, Clara, level 1, map 5, from 127.0.0.1"},
	} {
		console, s := newConsole()
		said, err := console.Run(t.Context(), gateway.Caller{Account: uint32(len(c.name)), Level: c.level, Name: c.name}, c.line)
		if err != nil {
			said = append([]string{"! " + err.Error()}, said...)
		}
		if got := strings.Join(said, "|"); got != c.said || fmt.Sprint(s.done) != c.done {
			t.Errorf("%s: said %q and did %v, want %q and %s", c.line, got, s.done, c.said, c.done)
		}
	}
}

// A caller bans and kicks those of its own level and below, and the console all.
//
// Source: ChatHandler::HasLowerSecurity and ChatHandler::HasLowerSecurityAccount, AzerothCore, with GM.LowerSecurity.
func TestRanks(t *testing.T) {
	const low = "[] Your security level is too low for that account."
	for _, k := range []struct {
		line  string
		level uint8
		want  string
	}{
		{"ban account administrator -1 spam", 2, low},
		{"ban account gamemaster -1 spam", 2, "[ban gamemaster for ever true: spam kick account 7] gamemaster is banned."},
		{"ban account player -1 spam", 2, "[ban player for ever true: spam kick account 7] player is banned."},
		{"ban account administrator -1 spam", 3, "[ban administrator for ever true: spam kick account 7] administrator is banned."},
		{"ban account administrator -1 spam", 4, "[ban administrator for ever true: spam kick account 7] administrator is banned."},
		{"ban account nobody -1 spam", 3, "[] account: no such account"},
		{"kick clara", 2, low}, // an administrator
		{"kick Clara rude", 3, "[kick Clara] There is no Clara in a world."},
		{"kick Clara", 4, "[kick Clara] There is no Clara in a world."},
		{"kick Anna", 2, "[kick Anna] Anna is out."},
	} {
		c, s := newConsole()
		said := c.Do(t.Context(), gateway.Caller{Level: k.level, Account: 9, Name: "Bert"}, k.line)
		if got := fmt.Sprint(s.did(), " ", strings.Join(said, "\n")); got != k.want {
			t.Errorf("%s at level %d: %s, want %s", k.line, k.level, got, k.want)
		}
	}
}

// Without a name the selected player is kicked, and never the caller's own.
func TestKickSelected(t *testing.T) {
	for _, c := range []struct {
		line     string
		selected uint64
		done     string
		said     string
	}{
		{"kick", 1, "[kick Anna]", "[Anna is out.]"},
		{"kick", 3, "[]", "[You cannot kick yourself.]"},
		{"kick clara", 1, "[]", "[You cannot kick yourself.]"},
		{"kick", 99, "[]", "[Use: kick [$charactername [$reason]]]"},
		{"kick", 0, "[]", "[Use: kick [$charactername [$reason]]]"},
		{"kick Anna", 3, "[kick Anna]", "[Anna is out.]"},
	} {
		console, s := newConsole()
		said := console.Do(t.Context(), gateway.Caller{Account: 8, Level: 2, Name: "Clara", Selected: c.selected}, c.line)
		if fmt.Sprint(said) != c.said || fmt.Sprint(s.done) != c.done {
			t.Errorf("%s with %d: said %q and did %q, want %s and %s", c.line, c.selected, said, s.done, c.said, c.done)
		}
	}
}

// The log has what was done to which account, and no password.
func TestLog(t *testing.T) {
	for line, want := range map[string]string{
		"#Anna levelup 5":                           `name="" about=Anna verb=levelup args=5`,
		"account set password anna secret secret":   `name="" about="" verb="account set password" args=anna`,
		"account create anna secret anna@nowhere":   `name="" about="" verb="account create" args=anna`,
		"announce |cffff0000 level=INFO msg=forged": `args="|cffff0000 level=INFO msg=forged"`,
		"ban account anna -1 spam":                  `verb="ban account" args="anna -1 spam"`,
	} {
		c, _ := newConsole()
		var log strings.Builder
		c.Log = slog.New(slog.NewTextHandler(&log, nil))
		c.Run(t.Context(), gateway.Caller{Level: 4}, line)
		if !strings.Contains(log.String(), want) || strings.Contains(log.String(), "secret") {
			t.Errorf("%s: logged %s", line, log.String())
		}
	}
}

// A line that cannot be shown to its readers is refused.
func TestNotText(t *testing.T) {
	for _, line := range []string{"announce a\nb", "announce \xff", "announce \x1b[2J", "kick Anna\x00"} {
		c, s := newConsole()
		if said := c.Do(t.Context(), gateway.Caller{Level: 4}, line); fmt.Sprint(said) != "[That is not text.]" || len(s.done) != 0 {
			t.Errorf("%q: said %q, did %q", line, said, s.done)
		}
	}
}

// Settings are read again for administrators, where there are any; what is wrong with them is the answer.
func TestReload(t *testing.T) {
	c, _ := newConsole()
	run := func(level uint8, line string) string {
		said, err := c.Run(t.Context(), gateway.Caller{Level: level}, line)
		return fmt.Sprint(said, " ", err, " ", IsRefusal(err))
	}
	if got, want := run(3, "reload config"), "[] This server has no settings to read again. true"; got != want {
		t.Errorf("without: %s, want %s", got, want)
	}
	var wrong error
	c.Reload = func() ([]string, error) {
		if wrong != nil {
			return nil, wrong
		}
		return []string{"one", "two"}, nil
	}
	for _, say := range []struct {
		level uint8
		line  string
		wrong error
		want  string
	}{
		{3, "reload config", nil, "[one two] <nil> false"},
		{3, "rel con", nil, "[one two] <nil> false"},
		{3, "reload config now", nil, "[] Use: reload config true"},
		{2, "reload config", nil, "[] There is no such verb. true"},
		{3, "reload config", Refusal("config: f:2: Tock: no such setting"), "[] config: f:2: Tock: no such setting true"},
	} {
		wrong = say.wrong
		if got := run(say.level, say.line); got != say.want {
			t.Errorf("%s for level %d: %s, want %s", say.line, say.level, got, say.want)
		}
	}
}

// A panic over a command is only that command's.
func TestPanic(t *testing.T) {
	c, _ := newConsole()
	var log strings.Builder
	c.Log = slog.New(slog.NewTextHandler(&log, nil))
	c.Shutdown = func(int) { panic("a bug") }
	if said, err := c.Run(t.Context(), gateway.Caller{Level: 4}, "server shutdown 0"); !IsRefusal(err) || said != nil {
		t.Errorf("said %q, %v", said, err)
	}
	if c.Metric.Value("console.panic") != 1 || !strings.Contains(log.String(), "a bug") {
		t.Errorf("logged %s", log.String())
	}
	if _, err := c.Run(t.Context(), gateway.Caller{Level: 4}, "server shutdown cancel"); err == nil {
		t.Error("it still counts down")
	}
}

// Every command of the server's is served, and none of a world's.
func TestServed(t *testing.T) {
	for i := range command.Table {
		v, here := &command.Table[i], false
		for _, s := range served {
			here = here || s.path == v.Path
		}
		if here != (v.Scope == command.Server) {
			t.Errorf("%s of scope %s is served: %v", v.Path, v.Scope, here)
		}
	}
}

func TestShutdownCountsDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s := newConsole()
		c.Run(t.Context(), gateway.Caller{Level: 4}, "server shutdown 20 5")
		time.Sleep(time.Minute)
		want := "[send 1 20 second(s). send 1 15 second(s). send 1 10 second(s). send 1 5 second(s). " +
			"send 1 4 second(s). send 1 3 second(s). send 1 2 second(s). send 1 1 second(s). shutdown 5]"
		if got := s.did(); got != want {
			t.Errorf("did %s, want %s", got, want)
		}
		c, s = newConsole()
		c.Run(t.Context(), gateway.Caller{Level: 4}, "server shutdown 1h30m")
		c.Run(t.Context(), gateway.Caller{Level: 4}, "server shutdown cancel")
		time.Sleep(2 * time.Hour)
		if got := s.did(); got != "[send 1 1 hour(s) 30 minute(s). send 4 ]" {
			t.Errorf("did %s", got)
		}
	})
}

// A countdown goes on at the console of the next realm: it ends at the same time, with the same code, and can be cancelled.
func TestShutdownContinues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		first, before := newConsole()
		first.Run(t.Context(), gateway.Caller{Level: 4}, "server shutdown 1h30m 5")
		time.Sleep(10*time.Minute + 300*time.Millisecond)
		next, after := newConsole()
		next.Shutdown = func(code int) { after.note("shutdown %d after %v", code, time.Since(began)) }
		next.Continue(first)
		time.Sleep(2 * time.Hour)
		if got := before.did(); got != "[send 1 1 hour(s) 30 minute(s).]" {
			t.Errorf("the first did %s", got)
		}
		if got := after.did(); !strings.HasSuffix(got, "send 1 1 second(s). shutdown 5 after 1h30m0s]") {
			t.Errorf("the next did %s", got)
		}

		first, _ = newConsole()
		first.Run(t.Context(), gateway.Caller{Level: 4}, "server shutdown 1h")
		next, after = newConsole()
		next.Continue(first)
		next.Run(t.Context(), gateway.Caller{Level: 4}, "server shutdown cancel")
		time.Sleep(2 * time.Hour)
		if got := after.did(); got != "[send 1 1 hour(s). send 4 ]" {
			t.Errorf("the next did %s", got)
		}
		next, after = newConsole()
		next.Continue(first)
		if got := after.did(); got != "[]" {
			t.Errorf("without a countdown it did %s", got)
		}
	})
}

// serve opens a console at a socket until the test ends.
func serve(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "ctl.sock")
	l, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	c, _ := newConsole()
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- c.Serve(ctx, l, slog.New(slog.DiscardHandler)) }()
	t.Cleanup(func() {
		end()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return path
}

func TestSocket(t *testing.T) {
	path := serve(t)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if said, err := Ask(t.Context(), path, "kick Anna"); said != "Anna is out.\n" || err != nil {
		t.Errorf("%q %v", said, err)
	}
	if said, err := Ask(t.Context(), path, "kick Bert"); said != "There is no Bert in a world.\n" || err != ErrFailed {
		t.Errorf("%q %v", said, err)
	}
	for _, bad := range []string{strings.Repeat("x", command.MaxLine+10), "a\x00b"} {
		if said, err := Ask(t.Context(), path, bad); !strings.HasPrefix(said, "That is no line") && err == nil {
			t.Errorf("%.10q: %q %v", bad, said, err)
		}
	}
	if _, err := Listen(path); err == nil || !strings.Contains(err.Error(), "another server") {
		t.Errorf("a second server: %v", err)
	}
	if _, err := Ask(t.Context(), path+"x", "help"); err == nil {
		t.Error("no process listens there")
	}
}

// As many callers at a time as the bound are served. The next is refused, and sent the reason unless its line comes too
// late for that.
func TestCallersAreBounded(t *testing.T) {
	path := serve(t)
	for range maxCallers {
		conn, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
	}
	if said, err := Ask(t.Context(), path, "kick Anna"); err == nil || said != "" && said != "Too many are asking.\n" {
		t.Errorf("%q %v", said, err)
	}
}

// A socket that a process has left behind is replaced.
func TestStaleSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ctl.sock")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	l.Close()
	again, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}

// What is no socket is left alone.
func TestNoSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ctl.sock")
	if err := os.WriteFile(path, []byte("a diary"), 0o600); err != nil {
		t.Fatal(err)
	}
	if l, err := Listen(path); err == nil {
		l.Close()
		t.Error("a file is listened at")
	}
	if text, err := os.ReadFile(path); string(text) != "a diary" {
		t.Errorf("the file has %q, %v", text, err)
	}
}

// A folder in which others can put sockets is not searched for servers.
func TestPrivate(t *testing.T) {
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{"own": 0o700, "shown": 0o755, "shared": 0o770} {
		if err := os.Mkdir(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
		os.Chmod(filepath.Join(dir, name), mode)
	}
	os.Symlink(filepath.Join(dir, "own"), filepath.Join(dir, "link"))
	os.WriteFile(filepath.Join(dir, "file"), nil, 0o600)
	for name, want := range map[string]bool{"own": true, "shown": false, "shared": false, "link": false, "file": false, "none": false} {
		if err := Private(filepath.Join(dir, name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if os.Getuid() != 0 || os.Chown(filepath.Join(dir, "own"), 12345, -1) != nil {
		return // only root can give a folder away
	}
	if err := Private(filepath.Join(dir, "own")); err == nil {
		t.Error("a folder of another user passes")
	}
}

func TestTerminal(t *testing.T) {
	c, _ := newConsole()
	var out strings.Builder
	c.Read(t.Context(), strings.NewReader("kick Anna\n\n  \n"+strings.Repeat("x", 3*command.MaxLine)+"\n.kick Bert\nkick\x00Anna\n.kick Bert"), &out)
	if out.String() != "Anna is out.\nThat is no line of at most 1024 bytes.\nThere is no Bert in a world.\nThat is not text.\nThere is no Bert in a world.\n" {
		t.Errorf("%q", out.String())
	}
}

func TestSlowTicks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := newConsole()
		p := tickstats.New(3, "Here", 50*time.Millisecond, 50*time.Millisecond, nil)
		c.TickStats = []*tickstats.Stats{p}
		for n := range uint64(30) {
			p.Finish(n, time.Duration(n)*4*time.Millisecond, tickstats.Load{})
		}
		time.Sleep(90 * time.Second)
		said := c.Do(t.Context(), gateway.Caller{Level: 1, Name: "Anna"}, "tick")
		if len(said) != tickstats.MaxSlow || said[9] != "map 3 (Here): tick 29 took 116ms, 1 minute(s) 30 second(s) ago" {
			t.Errorf("%q", said)
		}
		if n := testing.AllocsPerRun(100, func() { p.Finish(1, time.Second, tickstats.Load{}) }); n != 0 {
			t.Errorf("a beat allocates %v times", n)
		}
	})
}
