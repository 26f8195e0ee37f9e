package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"muster/net/protocol/msg"
)

// faultsFile has the table of faults, with the figures of the last run of all of them at full size.
var faultsFile = filepath.Join("..", "..", "docs", "FAULTS.md")

// full reports whether faults are done at the size that is stated, and their figures judged: `make faults` does so. By
// default they are small, and only what the server does is judged.
func full() bool { return os.Getenv("FAULTS") == "full" }

// waits has a test run beside others that wait more than they work. At full size figures are taken, and each has the
// machine for itself.
func waits(t *testing.T) {
	t.Helper()
	if !full() {
		t.Parallel()
	}
}

// size is how many there are of something at full size, and otherwise.
func size(whole, small int) int {
	if full() {
		return whole
	}
	return small
}

// A fault is a row of the table: what is done to a server, and what it has to do then.
type fault struct {
	number int // of docs/FAULTS.md
	layer  string
	input  string
	wanted string
	tests  string // that do it, separated by spaces; those in this package on the real binary
}

// faults has the rows that there is something to survive in yet.
var faults = []fault{
	{1, "auth", "A is 0, N or 2N; a random proof", "refused and counted", "net/protocol/crypt.TestForgedPublicKey net/login.TestForgedProof"},
	{2, "auth", "20,000 random accounts and an independent client", "all log in", "net/protocol/crypt.TestExchange"},
	{3, "auth", "wrong passwords, again and again", "locked out, by account and by address", "net/login.TestLockoutOnTheWire net/login.TestAddressLockout"},
	{4, "auth", "an account that does not exist", "looks and takes as long as one that does", "net/login.TestTiming"},
	{5, "auth", "challenges with wrong lengths, and a byte at a time", "closed, or parsed", "TestFaultChallenges"},
	{6, "auth", "a second factor that is cut short, or no number", "refused", "net/login.TestSecondFactors"},
	{7, "both", "connections that never say a word", "closed at the deadline, while others log in", "TestFaultHalfOpen"},
	{8, "both", "a byte every few seconds", "closed at the deadline of the whole login", "TestFaultHalfOpen"},
	{9, "gateway", "sizes 0 to 3, 10240 and 65535; opcodes from 0x51F on", "closed as bad_header; opcodes that are in no table are ignored", "TestFaultHeaders"},
	{10, "gateway", "every opcode in every state", "none reaches a world that must not", "net/gateway/session.TestMatrix TestFaultStates"},
	{11, "gateway", "a wrong or used digest, another realm, another build", "refused with a readable answer", "TestFaultDigests"},
	{12, "gateway", "addon blocks that are torn, have wrong lengths, or inflate without end", "logged in all the same, in bounded memory", "TestFaultAddons"},
	{13, "gateway", "account data of wrong kinds and sizes, and a thousand a second", "refused or held up, within a quota", "TestFaultAccountData"},
	{14, "gateway", "a flipped bit in a header", "that connection ends, and no other", "TestFaultDesync"},
	{15, "gateway", "a client that stops reading in a crowd", "evicted as slow_reader; others do not notice", "TestFaultSlowReader"},
	{16, "gateway", "floods of packets of each class", "what the policy of the class says", "TestFaultFloods"},
	{17, "gateway", "one account logs in again and again", "the newest is kept; no player is in two worlds", "net/gateway.TestInterleavings"},
	{18, "gateway", "thousands log in at once", "all get in", "TestFaultHerd"},
	{19, "gateway", "a panic over one session", "that session ends, and no other", "net/gateway.TestPanic"},
	{20, "world", "movement that cannot be", "refused, corrected, and kicked after some strikes", "TestFaultMovement"},
	{21, "world", "chat that is too long, no text, forged, or too much", "not passed on; mute after ten lines a second", "TestFaultChat"},
	{22, "world", "a tick that takes long, or does not end", "a bundle names it; other maps go on", "net/ops/flight.TestTheGuiltyIsNamed TestSlowSystemIsNamed TestStuckSystemIsNamed TestMapPanicIsOfOneMap"},
	{24, "world", "a kill at any moment, a torn record, a full disk", "nothing is lost beyond a second, nothing doubled", "TestKill loaders/store/journal.TestCut loaders/store/journal.TestModel TestFullDisk"},
	{25, "world", "a save that fails", "tried again until it does not", "loaders/store/postgres.TestRetry loaders/store/postgres.TestDeadlock loaders/store/journal.TestStoreAway"},
	{35, "db", "the database is away, or restarted in the middle of saves", "the world goes on; nothing is lost", "TestDatabaseAway"},
	{36, "db", "an unfinished, newer or doubled migration", "undone, refused, done once", "loaders/store/postgres.TestMigrationIsWhole loaders/store/postgres.TestNewerSchemaIsRefused"},
	{40, "admin", "other addresses, other sites, no token, guesses", "refused", "TestAdminToken TestFaultAdmin"},
	{41, "ops", "SIGTERM under a thousand clients; twice; little memory", "all saved and sent a goodbye; exit code 0", "TestTermWithManyClients TestSignals TestFaultLittleMemory"},
	{42, "ops", "the process stands still for 10 s", "no client is lost, and nothing comes early", "TestFaultStandstill"},
	{43, "soak", "clients that log in and leave for long", "goroutines, descriptors and memory stay flat", "TestSoak"},
	{44, "gateway", "packets of 32,766 bytes and more; 500 units at once", "5-byte headers at the codec; no such packet on the wire", "net/protocol/wire.TestServerHeader net/protocol/update.TestWriterBoundary TestFaultBurst"},
}

// A sheet has the figures of faults, by number.
type sheet struct {
	mu      sync.Mutex
	figures map[int][]string
	held    map[int]bool
}

var figures = sheet{figures: make(map[int][]string), held: make(map[int]bool)}

// reports notes a figure of a fault, and when the test is over whether it held.
func reports(t *testing.T, number int, format string, args ...any) {
	t.Helper()
	text := fmt.Sprintf(format, args...)
	t.Logf("fault %d: %s", number, text)
	figures.mu.Lock()
	defer figures.mu.Unlock()
	if figures.figures[number] == nil {
		figures.held[number] = true
		t.Cleanup(func() {
			figures.mu.Lock()
			defer figures.mu.Unlock()
			figures.held[number] = figures.held[number] && !t.Failed()
		})
	}
	figures.figures[number] = append(figures.figures[number], text)
}

// table writes the rows as Markdown.
func (s *sheet) table() string {
	var b strings.Builder
	b.WriteString("# Faults\n\nWhat is done to muster, and what it does. `make faults` does all of it to the real binary at full size, and\n" +
		"writes this file; `make test` does the same at a small size. Rows have the figure that was measured last, on a machine\n" +
		"that may be busy; a row without one is held by tests that count nothing.\n\n" +
		"| # | layer | fault | what has to happen | figure | tests |\n|--:|---|---|---|---|---|\n")
	for _, f := range faults {
		figure := strings.Join(s.figures[f.number], "; ")
		if held, ok := s.held[f.number]; ok && !held {
			figure = "**failed**: " + figure
		}
		fmt.Fprintf(&b, "| %d | %s | %s | %s | %s | %s |\n", f.number, f.layer, f.input, f.wanted, figure,
			"`"+strings.ReplaceAll(f.tests, " ", "` `")+"`")
	}
	b.WriteString("\nRows 23 and 26 to 34, 37 to 39 of the list that the numbers are from are about parts that muster does not have yet:\n" +
		"workers in processes of their own, a bus, readers of community databases, scripts.\n")
	return b.String()
}

// publish writes the file, if this was a run at full size.
func (s *sheet) publish() error {
	if !full() {
		return nil
	}
	return os.WriteFile(faultsFile, []byte(s.table()), 0o644)
}

// The file has the rows of the table, and the tests that they name exist.
func TestFaultTable(t *testing.T) {
	text, err := os.ReadFile(faultsFile)
	if err != nil && !full() { // else it is about to be written
		t.Fatalf("%v: make faults writes it", err)
	}
	row := regexp.MustCompile(`(?m)^(\| \d+ \|.*\|.*\|.*\|).*(\|.*\|)$`)
	squeeze := func(s string) string {
		return strings.Join(row.FindAllString(row.ReplaceAllString(s, "$1 $2"), -1), "\n")
	}
	if squeeze(string(text)) != squeeze(figures.table()) && !full() {
		t.Errorf("%s is not of these rows: make faults", faultsFile)
	}
	declared := make(map[string]string) // by folder, all tests
	for _, f := range faults {
		for name := range strings.SplitSeq(f.tests, " ") {
			folder, test := "cmd/muster", name
			if i := strings.LastIndex(name, "."); i >= 0 {
				folder, test = name[:i], name[i+1:]
			}
			if _, ok := declared[folder]; !ok {
				files, _ := filepath.Glob(filepath.Join("..", "..", folder, "*_test.go"))
				for _, file := range files {
					text, err := os.ReadFile(file)
					if err != nil {
						t.Fatal(err)
					}
					declared[folder] += string(text)
				}
			}
			if !strings.Contains(declared[folder], "func "+test+"(") {
				t.Errorf("row %d names %s, which does not exist", f.number, name)
			}
		}
	}
}

// A bystander is a client that does nothing wrong while others do: it asks for an echo, again and again.
type bystander struct{ *visitor }

// newControl has a client stand in the world.
func newControl(t *testing.T, s *served) bystander {
	t.Helper()
	v := visit(t, s, "CONTROL")
	if len(v.list()) == 0 {
		v.create("Control")
	}
	v.enter()
	return bystander{v}
}

// pause is how long a control waits from an answer to its next question: other clients ask twice a minute.
const pause = 10 * time.Millisecond

// echoes are the times of answers until done, and at least so many.
func (c bystander) echoes(least int, done func() bool) (took []time.Duration) {
	c.t.Helper()
	every := time.NewTicker(pause)
	defer every.Stop()
	for len(took) < least || !done() {
		asked := time.Now()
		c.echo()
		took = append(took, time.Since(asked))
		<-every.C
	}
	return took
}

// echo asks for one.
func (c bystander) echo() {
	c.t.Helper()
	c.check(c.socket.SetDeadline(time.Now().Add(patience)))
	c.pings++
	c.say(msg.OpPing, &msg.Ping{Sequence: c.pings})
	var m msg.Pong
	if c.await(msg.OpPong, &m); m.Sequence != c.pings {
		c.t.Fatalf("pong %d for ping %d", m.Sequence, c.pings)
	}
}

// p99 is the time that 99 of a hundred did not exceed.
func p99(took []time.Duration) time.Duration {
	slices.Sort(took)
	return took[(len(took)-1)*99/100]
}

const (
	// quietEchoes and least are how many echoes are timed before an attack, and during one.
	quietEchoes = 150
	leastEchoes = 100
	// slowEcho and slowTimes are what an attack may make of a control's p99: so many times as much, or so long if that is
	// more.
	slowEcho  = 100 * time.Millisecond
	slowTimes = 3
)

// withstands has a control ask for echoes in peace, and then while a server is attacked; attack ends with its context, or
// sooner. What that does to the control is a figure of the fault.
func withstands(t *testing.T, s *served, number int, attack func(ctx context.Context)) {
	t.Helper()
	c := newControl(t, s)
	peace := p99(c.echoes(quietEchoes, func() bool { return true }))
	ctx, stop := context.WithCancel(t.Context())
	over := make(chan struct{})
	go func() {
		defer close(over)
		attack(ctx)
	}()
	siege := p99(c.echoes(leastEchoes, func() bool {
		select {
		case <-over:
			return true
		default:
			return false
		}
	}))
	stop()
	<-over
	reports(t, number, "ping p99 %v, in peace %v", siege.Round(100*time.Microsecond), peace.Round(100*time.Microsecond))
	if full() && siege > max(slowTimes*peace, slowEcho) {
		t.Errorf("a ping takes %v under attack, and %v in peace", siege, peace)
	}
	c.socket.Close()
}
