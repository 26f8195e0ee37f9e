package swarm

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"net"
	"reflect"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"muster/internal/conformance"
	"muster/net/protocol/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// quick is a config that logs in at once and measures for a moment.
func quick(s *server, clients int) Config {
	return Config{
		Auth: s.auth.Addr().String(), Prefix: "load", Password: s.password, Clients: clients,
		Behaviour: Walk, Ramp: 10000, Duration: 1200 * time.Millisecond, Login: patience, Seed: 1,
	}
}

// aRelay has a run go on until a relay was timed, with patience.
func aRelay() (longer func(relays int64) bool) {
	end := time.Now().Add(patience)
	return func(relays int64) bool { return relays == 0 && time.Now().Before(end) }
}

// runUntil is Run for 300 ms, and for four times as long each time until that was long enough for a machine that is busy with other things.
func runUntil(config Config, enough func(*Report) bool) (report Report, err error) {
	for config.Duration = 300 * time.Millisecond; ; config.Duration *= 4 {
		if report, err = Run(context.Background(), config); enough(&report) || config.Duration > 10*time.Second {
			return report, err
		}
	}
}

func TestRun(t *testing.T) {
	t.Parallel()
	const n = 20
	objectives, err := ParseSLO("p99=10s,login.max=10s")
	if err != nil {
		t.Fatal(err)
	}
	var s *server
	var report Report
	for range 5 { // of which one must not meet a machine that stands still while it is measured
		s = newServer(t, misdeed{takenNames: 3})
		config := quick(s, n)
		config.SLO = objectives
		report, err = Run(context.Background(), config)
		s.close()
		if report.Movement.Count > 0 {
			break
		}
	}
	if err != nil {
		t.Error(err)
	}

	if report.Logins.OK != n || report.Logins.Retried != 0 || report.Logins.Failed.Total != 0 ||
		report.Login.Count != n || s.created != n {
		t.Errorf("logins %+v, %d timed, %d characters created, want %d", report.Logins, report.Login.Count, s.created, n)
	}
	if report.InWorld != (InWorld{n, n}) || report.Lost.Total != 0 {
		t.Errorf("in world %+v, lost %+v", report.InWorld, report.Lost)
	}
	if report.Violations.Total != 0 {
		t.Errorf("violations %+v", report.Violations)
	}
	if report.Out.Packets != s.receivedPackets.Load() || report.Out.Bytes != s.receivedBytes.Load() {
		t.Errorf("out %+v, the server received %d packets, %d bytes", report.Out, s.receivedPackets.Load(), s.receivedBytes.Load())
	}
	// Some relays are still on their way at the end. Six packets let a client in.
	if least := uint64(report.Movement.Count) - report.Unrelayed + 6*n; report.In.Packets < least || report.In.Packets > s.sentPackets.Load() ||
		report.In.Bytes > s.sentBytes.Load() || report.In.PacketsPerSecond == 0 {
		t.Errorf("in %+v, want at least %d packets; the server sent %d, %d bytes", report.In, least, s.sentPackets.Load(), s.sentBytes.Load())
	}
	if s.sync != n {
		t.Errorf("%d answers to TIME_SYNC_REQ, want %d", s.sync, n)
	}
	// Every client takes two steps in 1.2 s, and nineteen others are sent those with a new position.
	beats := int64(s.moves[0xEE] + s.moves[0xB7])
	if report.Unmatched != 0 || report.Movement.Count == 0 || report.Movement.Count > beats*(n-1) || report.Movement.Max > 5000 {
		t.Errorf("movement %+v for %d moves", report.Movement, beats)
	}
	for _, o := range report.Objectives {
		if !o.Met {
			t.Errorf("%+v", o)
		}
	}

	var text, encoded bytes.Buffer
	if err := errors.Join(report.WriteText(&text), report.WriteJSON(&encoded)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "20 ok, 0 retried, 0 failed") {
		t.Errorf("text:\n%s", text.String())
	}
	var again Report
	if err := json.Unmarshal(encoded.Bytes(), &again); err != nil {
		t.Fatal(err)
	}
	again.Start, report.Start = time.Time{}, time.Time{}
	if !reflect.DeepEqual(again, report) {
		t.Errorf("JSON reads back as\n%+v, want\n%+v", again, report)
	}
}

// A swarm that has its process to itself measures as others do, though the server of this test is in the same process.
func TestAlone(t *testing.T) {
	t.Parallel()
	const n = 3
	s := newServer(t, misdeed{})
	config := quick(s, n)
	config.Alone, config.Duration, config.Longer = true, 2*time.Second, aRelay()
	report, err := Run(context.Background(), config)
	s.close()
	if err != nil || report.InWorld != (InWorld{n, n}) || report.Movement.Count == 0 || report.Ping.Count != n {
		t.Errorf("%v, %+v", err, report)
	}
}

// The measured time goes on until it was long enough: it is asked with what was relayed since it began.
func TestLonger(t *testing.T) {
	t.Parallel()
	s := newServer(t, misdeed{})
	config := quick(s, 3)
	var asked []int64
	config.Duration, config.Longer = time.Millisecond, func(relays int64) bool {
		asked = append(asked, relays)
		return relays < 10
	}
	report, err := Run(context.Background(), config)
	s.close()
	last := len(asked) - 1
	if err != nil || last < 1 || asked[last] < 10 || asked[last-1] >= 10 || report.Movement.Count != asked[last]+int64(report.Unrelayed) {
		t.Errorf("%v: asked with %v, %d relays, of which %d are outstanding", err, asked, report.Movement.Count, report.Unrelayed)
	}
}

func TestSecondRunFindsItsCharacters(t *testing.T) {
	t.Parallel()
	s := newServer(t, misdeed{})
	config := quick(s, 3)
	config.Duration, config.Longer = 10*time.Millisecond, aRelay()
	for range 2 {
		if _, err := Run(context.Background(), config); err != nil {
			t.Error(err)
		}
	}
	s.close()
	if s.created != 3 {
		t.Errorf("%d characters created, want 3", s.created)
	}
}

func TestBehavioursRun(t *testing.T) {
	t.Parallel()
	for _, b := range []Behaviour{Idle, Crowd, Roam} {
		s := newServer(t, misdeed{})
		config := quick(s, 4)
		config.Behaviour = b
		if b != Idle {
			config.Duration, config.Longer = 700*time.Millisecond, aRelay()
		}
		report, err := Run(context.Background(), config)
		if err != nil || report.Logins.OK != 4 {
			t.Errorf("%s: %v, %+v", b, err, report)
		}
		s.close()
		if started := s.moves[0xB5] > 0; started != (b != Idle) {
			t.Errorf("%s: moves %v", b, s.moves)
		}
	}
}

func TestRefusedProofIsTriedAgain(t *testing.T) {
	t.Parallel()
	s := newServer(t, misdeed{refuseProofs: 2})
	report, err := Run(context.Background(), quick(s, 2))
	if err != nil || report.Logins.OK != 2 || report.Logins.Retried != 4 {
		t.Errorf("%v, %+v", err, report.Logins)
	}
}

func TestWrongPassword(t *testing.T) {
	t.Parallel()
	s := newServer(t, misdeed{})
	config := quick(s, 2)
	config.Password = "wrong"
	report, err := Run(context.Background(), config)
	if !errors.Is(err, ErrLogins) || report.Logins.OK != 0 || report.Logins.Retried != 6 ||
		report.Logins.Failed.ByReason["at the proof: code 0x4"] != 2 {
		t.Errorf("%v, %+v", err, report.Logins)
	}
}

func TestMuteServer(t *testing.T) {
	t.Parallel()
	s := newServer(t, misdeed{mute: true})
	config := quick(s, 2)
	for config.Login = 200 * time.Millisecond; ; config.Login *= 4 { // until the machine lets both come so far within it
		report, err := Run(context.Background(), config)
		switch n := report.Logins.Failed.ByReason["timeout at the session"]; {
		case errors.Is(err, ErrLogins) && n == 2:
			return
		case !errors.Is(err, ErrLogins) || config.Login > 10*time.Second:
			t.Fatalf("%v, %+v", err, report.Logins)
		}
	}
}

func TestNobodyListens(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	report, err := Run(context.Background(), Config{Auth: address, Clients: 2, Ramp: 1000, Duration: time.Millisecond})
	if !errors.Is(err, ErrLogins) ||
		report.Logins.Failed.ByReason["connecting to the login server: connection refused"] != 2 {
		t.Errorf("%v, %+v", err, report.Logins)
	}
}

func TestLostSessions(t *testing.T) {
	t.Parallel()
	s := newServer(t, misdeed{hangUpAfter: 2})
	report, err := runUntil(quick(s, 3), func(r *Report) bool { return r.Lost.Total == 3 })
	if !errors.Is(err, ErrLost) || report.Lost.Total != 3 || report.InWorld != (InWorld{}) || report.Logins.OK != 3 {
		t.Errorf("%v, %+v", err, report)
	}
}

func TestMissedObjective(t *testing.T) {
	t.Parallel()
	s := newServer(t, misdeed{noRelay: true})
	config := quick(s, 2)
	config.SLO, _ = ParseSLO("p99=200ms")
	report, err := Run(context.Background(), config)
	if n := report.Movement.Count; !errors.Is(err, ErrBreached) || n == 0 || uint64(n) != report.Unrelayed {
		t.Errorf("%v, %+v, %d unrelayed", err, report.Movement, report.Unrelayed)
	}
}

// A server that hangs until the end does not look like one that was fast until then.
func TestHangingServer(t *testing.T) {
	t.Parallel()
	const n = 10
	s := newServer(t, misdeed{hangAfter: n})
	config := quick(s, n)
	config.Duration = 4 * time.Second
	config.SLO, _ = ParseSLO("p99=1s,ping.p99=1s")
	report, err := Run(context.Background(), config)
	if !errors.Is(err, ErrBreached) || errors.Is(err, ErrBlind) || report.Objectives[0].Met || report.Objectives[1].Met {
		t.Errorf("%v, %+v", err, report.Objectives)
	}
	s.close()
	// It hangs from some time in the first two seconds on, and a walker has a step due each half second, but for a
	// rest. All know all.
	waiting := uint64(s.moves[0xEE]+s.moves[0xB7]-n) * (n - 1)
	if got := report.Unrelayed; got > waiting || got < waiting/2 || report.Movement.Max < 2000 {
		t.Errorf("%d unrelayed, want about %d; %+v", got, waiting, report.Movement)
	}
	if report.Ping.Count != n || report.Unanswered == 0 || report.Unanswered == n || report.Ping.Max < 1000 {
		t.Errorf("%d unanswered, %+v", report.Unanswered, report.Ping)
	}
}

// A run in which no client is sent a move has failed, without any objective.
func TestBlindClients(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		misdeed misdeed
		change  func(*Config)
		want    error
	}{
		{"no relays", misdeed{noRelay: true}, func(*Config) {}, ErrBlind},
		{"standing", misdeed{noRelay: true}, func(c *Config) { c.Behaviour = Idle }, nil},
		{"alone", misdeed{noRelay: true}, func(c *Config) { c.Clients = 1 }, nil},
		{"out of sight", misdeed{noRelay: true, hideAll: true}, func(*Config) {}, ErrBlind},
		{"apart, no relays", misdeed{noRelay: true}, func(c *Config) { c.Behaviour, c.Duration = Roam, apartAfter+2*time.Second }, ErrBlind},
		{"apart, no relays in a pause", misdeed{noRelay: true}, func(c *Config) { c.Behaviour = Roam }, nil},
		{"apart, out of sight", misdeed{noRelay: true, hideAll: true}, func(c *Config) { c.Behaviour = Roam }, nil},
		{"a moment", misdeed{noRelay: true}, func(c *Config) { c.Duration = 200 * time.Millisecond }, nil},
		{"relays", misdeed{}, func(c *Config) { c.Longer = aRelay() }, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			config := quick(newServer(t, test.misdeed), 3)
			config.Duration = 2500 * time.Millisecond
			test.change(&config)
			report, err := Run(context.Background(), config)
			if !errors.Is(err, test.want) || (err != nil) != (test.want != nil) || report.Blind != (test.want != nil) {
				t.Errorf("%v, %+v", err, report)
			}
		})
	}
}

// A relay that cannot be matched is not left out.
func TestUnmatchedRelays(t *testing.T) {
	t.Parallel()
	s := newServer(t, misdeed{nudge: true})
	config := quick(s, 2)
	config.SLO, _ = ParseSLO("max=1m")
	config.Longer = aRelay()
	report, err := Run(context.Background(), config)
	if !errors.Is(err, ErrBreached) || report.Unmatched == 0 || report.Movement.Max < longest.Seconds()*999 ||
		report.Movement.Count != int64(report.Unmatched+report.Unrelayed) {
		t.Errorf("%v, %+v, %d unmatched", err, report.Movement, report.Unmatched)
	}
}

// A server that breaks the rules is caught, once per client.
func TestViolations(t *testing.T) {
	t.Parallel()
	stranger := wire.AppendPackedGUID(nil, 0xF130000000000007)
	for _, test := range []struct {
		kind   conformance.Kind
		packet rawPacket
	}{
		{conformance.UnknownValues, rawPacket{0xA9, append(append([]byte{1, 0, 0, 0, 0}, stranger...), 1, 1, 0, 0, 0, 9, 9, 9, 9)}},
		{conformance.UnknownMove, rawPacket{0xEE, append(stranger[:len(stranger):len(stranger)], make([]byte, 30)...)}},
		{conformance.UnknownGone, rawPacket{0xAA, make([]byte, 9)}},
		{conformance.Undecodable, rawPacket{0x390, []byte{1, 2}}},
	} {
		s := newServer(t, misdeed{enter: []rawPacket{test.packet}, noRelay: true})
		report, err := runUntil(quick(s, 3), func(r *Report) bool { return r.Violations.Total >= 3 })
		if !errors.Is(err, ErrViolations) || report.Violations.ByKind[test.kind.String()] != 3 || len(report.Violations.First) == 0 {
			t.Errorf("%v: %v, %+v", test.kind, err, report.Violations)
		}
		s.close()
	}
}

// crowded is an update with the creates of so many players, packed into one, as AzerothCore packs those of a login. It is
// laid out by protocol.md 4.2.
func crowded(players int) rawPacket {
	var all bytes.Buffer
	all.Write(binary.LittleEndian.AppendUint32(nil, uint32(players)))
	for i := range players {
		all.Write(createBlock(&session{guid: uint64(50_000 + i)}, false)[4:])
	}
	packed := bytes.NewBuffer(binary.LittleEndian.AppendUint32(nil, uint32(all.Len())))
	w := zlib.NewWriter(packed)
	w.Write(all.Bytes())
	w.Close()
	return rawPacket{0x1F6, packed.Bytes()}
}

// What AzerothCore sends and real clients bear is a note, which does not fail the run: an update that inflates to 45 KB, a
// packet with a header of five bytes, and a second create of the client's own. All of it is read nevertheless.
func TestNotes(t *testing.T) {
	t.Parallel()
	const oversize, again = "oversize", "own objects twice"
	gone := binary.LittleEndian.AppendUint64(nil, 50_499)
	move := append(wire.AppendPackedGUID(nil, 50_000), make([]byte, 30)...)
	for _, strict := range []bool{false, true} {
		s := newServer(t, misdeed{noRelay: true, again: true, enter: []rawPacket{
			crowded(500), {0x0AA, append(gone, 0)}, {0x0EE, move}, {0x388, make([]byte, 200_000)}, {0x4C0, []byte{1, 0, 0, 0, 0, 0}},
		}})
		config := quick(s, 3)
		config.Strict = strict
		report, err := runUntil(config, func(r *Report) bool { return r.Notes.Total+r.Violations.Total >= 9 })
		s.close()
		counted, empty := &report.Notes, &report.Violations
		if strict {
			counted, empty = empty, counted
		}
		if errors.Is(err, ErrViolations) != strict || err != nil && !strict || report.Verified != 3 {
			t.Errorf("strict %v: %v, %d verified", strict, err, report.Verified)
		}
		if counted.Total != 9 || counted.ByKind[oversize] != 6 || counted.ByKind[again] != 3 || len(counted.First) != 9 ||
			empty.Total != 0 || len(empty.ByKind)+len(empty.First)+len(empty.Rules) != 0 {
			t.Errorf("strict %v: %+v, and %+v", strict, counted, empty)
		}
		if rule := counted.Rules[oversize]; !strings.Contains(rule.Rule, "32,766 bytes") || !strings.Contains(rule.Source, "protocol.md 2.1") {
			t.Errorf("rule %+v", rule)
		}
		var text, encoded bytes.Buffer
		if err := errors.Join(report.WriteText(&text), report.WriteJSON(&encoded)); err != nil {
			t.Fatal(err)
		}
		_, notes, has := strings.Cut(text.String(), "\nnotes ")
		if has == strict || has && (!strings.Contains(notes, "oversize: 6") || !strings.Contains(notes, "rule: A payload has") ||
			!strings.Contains(notes, "source: UpdateData::BuildPacket")) {
			t.Errorf("strict %v:\n%s", strict, &text)
		}
		if !strict && !strings.Contains(text.String(), "violations  0, 3 of 3 clients verified throughout") {
			t.Errorf("text:\n%s", &text)
		}
		var again struct {
			Notes, Violations struct {
				Total uint64
				Rules map[string]struct{ Rule, Source string }
			}
		}
		if err := json.Unmarshal(encoded.Bytes(), &again); err != nil || again.Notes.Total != report.Notes.Total ||
			again.Violations.Total != report.Violations.Total || !strict && again.Notes.Rules[oversize].Rule == "" {
			t.Errorf("%v, JSON: %s", err, &encoded)
		}
	}
}

// A header that takes five bytes and says more than 4 MiB, or has an opcode that is none, is garbage.
func TestGarbageHeaders(t *testing.T) {
	t.Parallel()
	for _, packet := range []rawPacket{{0x388, make([]byte, 4<<20+1)}, {0x51F, make([]byte, 40_000)}} {
		s := newServer(t, misdeed{noRelay: true, enter: []rawPacket{packet}})
		report, err := runUntil(quick(s, 1), func(r *Report) bool { return r.Lost.Total+r.Logins.Failed.Total > 0 })
		reasons := report.Lost.ByReason
		if failed := report.Logins.Failed.ByReason; len(failed) > 0 {
			reasons = failed
		}
		if err == nil || len(reasons) != 1 || reasons["in the world: nonsense in a header"]+reasons["entering the world: nonsense in a header"] != 1 {
			t.Errorf("%#x of %d: %v, %v", packet.op, len(packet.body), err, reasons)
		}
	}
}

func TestEchoIsAViolation(t *testing.T) {
	t.Parallel()
	s := newServer(t, misdeed{echo: true})
	report, err := runUntil(quick(s, 1), func(r *Report) bool { return r.Violations.Total > 0 })
	if n := report.Violations.ByKind[conformance.OwnMove.String()]; !errors.Is(err, ErrViolations) || n == 0 || n != report.Violations.Total {
		t.Errorf("%v, %+v", err, report.Violations)
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	s := newServer(t, misdeed{})
	config := quick(s, 2)
	config.Duration = time.Hour
	for d := 300 * time.Millisecond; ; d *= 4 { // until the machine lets both in within it
		ctx, cancel := context.WithTimeout(context.Background(), d)
		report, err := Run(ctx, config)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) || d > patience {
			t.Fatalf("%v, %+v", err, report)
		}
		if report.Logins.OK == 2 && report.InWorld.End == 2 {
			return
		}
	}
}

func TestProgressIsDrawn(t *testing.T) {
	t.Parallel()
	s := newServer(t, misdeed{})
	var drawn bytes.Buffer
	config := quick(s, 2)
	config.Progress = &drawn
	if _, err := Run(context.Background(), config); err != nil {
		t.Error(err)
	}
	if !strings.Contains(drawn.String(), "logging in") || !strings.Contains(drawn.String(), "measuring") {
		t.Errorf("drew %q", drawn.String())
	}
}

func TestBadConfig(t *testing.T) {
	t.Parallel()
	for _, c := range []Config{
		{Clients: -1}, {Ramp: -1}, {Behaviour: "swim"}, {Auth: "nowhere"}, {Prefix: "SIXTEENCHARACTER"},
		{Duration: -1}, {Login: -1}, {Clients: 10_000_000},
	} {
		if _, err := Run(context.Background(), c); !errors.Is(err, ErrConfig) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
