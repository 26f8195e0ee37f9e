package swarm

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"muster/net/protocol/wire"
)

// A screen is one client of a fresh run at the character list, and the other end of its socket.
type screen struct {
	t      *testing.T
	r      *run
	c      *client
	theirs socket
}

func newScreen(t *testing.T) *screen {
	t.Helper()
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	r, err := newRun(Config{Clients: 1, Behaviour: Walk, Ramp: 1, Fresh: true}.withDefaults(), netip.AddrPort{})
	if err != nil {
		t.Fatal(err)
	}
	s := &screen{t, r, &r.clients[0], socket(pair[1])}
	t.Cleanup(r.close)
	t.Cleanup(s.theirs.close)
	s.c.checker.Reset(r.decoder)
	s.c.stage, s.c.socket = stageEnum, socket(pair[0])
	return s
}

// shows sends SMSG_CHAR_ENUM. A character is a GUID, a name, and here 261 bytes that do not matter.
func (s *screen) shows(characters ...named) {
	body := []byte{byte(len(characters))}
	for _, n := range characters {
		body = binary.LittleEndian.AppendUint64(body, n.guid)
		body = append(append(body, n.name...), 0)
		body = append(body, make([]byte, 261)...)
	}
	s.r.packet(s.c, 0x03B, body)
}

type named struct {
	guid uint64
	name string
}

// asked is the packet that the client has sent, one.
func (s *screen) asked(want uint32) (body []byte) {
	s.t.Helper()
	b := make([]byte, 1024)
	n, err := s.theirs.read(b)
	op, size, ok := wire.ClientHeader(b[:max(n, 0)])
	if err != nil || !ok || op != want || n != wire.ClientHeaderLen+size {
		s.t.Fatalf("the client sent % x, %v, want one packet %#x", b[:max(n, 0)], err, want)
	}
	return b[wire.ClientHeaderLen:n]
}

// created reads CMSG_CHAR_CREATE.
func (s *screen) created() string {
	s.t.Helper()
	name, _, _ := strings.Cut(string(s.asked(0x036)), "\x00")
	return name
}

// A client that has a character makes another, and enters with that one.
func TestFreshCharacter(t *testing.T) {
	s := newScreen(t)
	s.shows(named{7, "Old"})
	name := s.created()
	again := newScreen(t)
	again.shows()
	if other := again.created(); !isFresh("SWARM1", name) || !isFresh("SWARM1", other) || name == other {
		t.Errorf("two runs make %s and %s", name, other)
	}
	s.r.packet(s.c, 0x03A, []byte{0x2F})
	if body := s.asked(0x037); len(body) != 0 {
		t.Errorf("the list is asked for with % x", body)
	}
	s.shows(named{9, name}, named{7, "Old"})
	if guid := binary.LittleEndian.Uint64(s.asked(0x03D)); guid != 9 || s.c.guid != 9 {
		t.Errorf("it enters as %d", guid)
	}
}

// A name that is in use, reserved, or held for a rude one is not the end; a name too short is.
func TestFreshNameIsRefused(t *testing.T) {
	s := newScreen(t)
	s.shows()
	tried := map[string]bool{s.created(): true}
	for _, result := range []byte{0x32, 0x5F, 0x5E} {
		s.r.packet(s.c, 0x03A, []byte{result})
		tried[s.created()] = true
	}
	if len(tried) != 4 {
		t.Errorf("the names tried are %v", tried)
	}
	s.r.packet(s.c, 0x03A, []byte{0x5A})
	if s.c.stage != stageGone || s.r.report.Logins.Failed.ByReason["creating a character: code 0x5a"] != 1 {
		t.Errorf("%v, %v", s.c.stage, s.r.report.Logins.Failed)
	}
}

// Of ten characters the oldest that a fresh run made is deleted, and no other.
func TestFreshCharacterNeedsRoom(t *testing.T) {
	s := newScreen(t)
	ten := []named{{5, "Ann"}, {1, characterName("SWARM1", 0)}, {2, freshName("SWARM2", 1, 0)}}
	for i := range uint64(7) {
		ten = append(ten, named{30 - i, freshName("SWARM1", i, 0)})
	}
	s.shows(ten[:9]...) // there is room
	s.created()

	s = newScreen(t)
	s.shows(ten...)
	if guid := binary.LittleEndian.Uint64(s.asked(0x038)); guid != 24 {
		t.Fatalf("%d is deleted, want 24", guid)
	}
	s.r.packet(s.c, 0x03C, []byte{0x47})
	s.created()

	s = newScreen(t)
	s.shows(ten...)
	s.asked(0x038)
	s.r.packet(s.c, 0x03C, []byte{0x48})
	if s.r.report.Logins.Failed.ByReason["deleting a character: code 0x48"] != 1 {
		t.Errorf("a deletion that failed: %v", s.r.report.Logins.Failed)
	}

	s = newScreen(t)
	for i := range ten[3:] {
		ten[3+i].name = fmt.Sprint("Bob", string(rune('a'+i)))
	}
	s.shows(ten...)
	if n, err := s.theirs.read(make([]byte, 64)); err == nil {
		t.Errorf("%d bytes are sent", n)
	}
	if want := "at the character list: no room, and no character that a swarm may delete"; s.r.report.Logins.Failed.ByReason[want] != 1 {
		t.Errorf("%v", s.r.report.Logins.Failed)
	}
}

// Fresh names are of the same form as other names, are of one account, and differ from run to run.
func TestFreshNames(t *testing.T) {
	form := regexp.MustCompile(`^[BDFGKLMNPRSTVZ][aeiou]([bdfgklmnprstvz][aeiou]){5}$`)
	seen := make(map[string]bool)
	mistaken := 0 // for one of another account: one in 4,900
	for run := range uint64(5000) {
		name := freshName("SWARM1", run, int(run%3))
		if !form.MatchString(name) || !isFresh("SWARM1", name) || seen[name] {
			t.Errorf("run %d: %s", run, name)
		}
		seen[name] = true
		if isFresh("SWARM2", name) {
			mistaken++
		}
	}
	if mistaken > 5 {
		t.Errorf("of 5,000 names %d are taken for one of another account", mistaken)
	}
	for attempt := range maxNames {
		if name := characterName("SWARM1", attempt); isFresh("SWARM1", name) {
			t.Errorf("%s is taken for a fresh one", name)
		}
	}
}
