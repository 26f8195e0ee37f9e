package relay

import (
	"encoding/hex"
	"reflect"
	"strings"
	"testing"

	"muster/internal/corrupt"
	"muster/net/gateway"
	"muster/net/protocol/msg"
)

// golden is a message of each kind as docs/adr/0030-players-of-other-gateways.md has it: version, kind, gateway 7 and life 0x0102030405060708, and
// then the fields in the order in which they are declared, in little endian, texts with a zero behind them.
var golden = []struct {
	hex  string
	body message
}{
	{"0101070807060504030201 0900000000000000", &here{9}},
	{"0102070807060504030201 0900000000000000 01 02 5472616465 00 6b6579 00 00000000 0500000000000000 0300000000000000",
		&change{9, gateway.ChannelChange{Joined: true, Faction: 2, Name: "Trade", Password: "key", GUID: 5, Stamp: 3}}},
	{"0103070807060504030201", &miss{}},
	{"0104070807060504030201 0900000000000000 01000000 01 01000000 01 00 41 00 00 02000000 0500000000000000 0300000000000000",
		&state{9, 1, true, []gateway.ChannelChange{{Joined: true, Name: "A", ID: 2, GUID: 5, Stamp: 3}}}},
	{"0105070807060504030201 02 41 00 0004 9600 0102", &said{gateway.ChannelSpeech{Faction: 2, Name: "A", Packet: []byte{0, 4, 0x96, 0, 1, 2}}}},
	{"0106070807060504030201 0100000000000000 0500000000000000 416e 00 04 03 02 07000000 426f 00 6869 00",
		&whisper{1, gateway.Whisper{GUID: 5, Name: "An", Race: 4, SecurityLevel: 3, Tag: 2, Language: 7, To: "Bo", Text: "hi"}}},
	{"0107070807060504030201 0100000000000000 02 0500000000000000 426f 00 01000000 61 00",
		&whispered{1, gateway.WhisperAnswer{Outcome: gateway.Heard, GUID: 5, Name: "Bo", Away: 1, AwayText: "a"}}},
	{"0108070807060504030201 0100000000000000 04 03 01000000 50000000 61 00 00 ffffffff ffffffff 01000000 0c000000 01000000 62 00",
		&who{1, gateway.WhoQuery{Race: 4, SecurityLevel: 3, Query: msg.Who{
			LevelMin: 1, LevelMax: 80, Name: "a", Races: 1<<32 - 1, Classes: 1<<32 - 1, Zones: []uint32{12}, Words: []string{"b"},
		}}}},
	{"0109070807060504030201 0100000000000000 01000000 02000000 416e 00 00 09000000 08000000 04000000 01 0c000000",
		&whoFound{1, msg.WhoResponse{Matches: 2, Players: []msg.WhoPlayer{{Name: "An", Level: 9, Class: 8, Race: 4, Gender: 1, Zone: 12}}}}},
	{"010a070807060504030201 0100000000000000 416e 00 0500000000000000", &find{1, "An", 5}},
	{"010b070807060504030201 0100000000000000 01 0800000000000000 416e 00 0500000000000000 06000000 09 02000000 3a3a31 00 03",
		&foundPlayer{1, true, gateway.OnlinePlayer{ID: 8, Name: "An", GUID: 5, Account: 6, Level: 9, Map: 2, From: "::1", SecurityLevel: 3}}},
	{"010c070807060504030201 0100000000000000 416e 00", &kick{1, "An"}},
	{"010d070807060504030201 0100000000000000 01", &kicked{1, true}},
	{"010e070807060504030201 0100000000000000 416e 00 04 677073 00", &command{1, "An", 4, "gps"}},
	{"010f070807060504030201 0100000000000000 02 6e6f0a 00", &done{1, refused, "no\n"}},
}

// Messages are what they were, byte for byte: gateways of two releases may run at the same time.
func TestGolden(t *testing.T) {
	if len(golden) != len(kinds)-1 {
		t.Errorf("%d messages, want one of each of %d kinds", len(golden), len(kinds)-1)
	}
	for i, g := range golden {
		want, err := hex.DecodeString(strings.ReplaceAll(g.hex, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		if got := appendMessage(nil, 7, 0x0102030405060708, g.body); hex.EncodeToString(got) != hex.EncodeToString(want) {
			t.Errorf("kind %d: wrote\n% x, want\n% x", i+1, got, want)
		}
		from, life, m, err := read(want)
		if err != nil || from != 7 || life != 0x0102030405060708 || !reflect.DeepEqual(m, g.body) {
			t.Errorf("kind %d: read %+v of gateway %d, life %#x, %v; want %+v", i+1, m, from, life, err, g.body)
		}
		for _, bad := range [][]byte{want[:len(want)-1], append(want[:len(want):len(want)], 0), append([]byte{2}, want[1:]...)} {
			if _, _, m, err := read(bad); err == nil {
				t.Errorf("kind %d: % x is read as %+v", i+1, bad, m)
			}
		}
	}
	for _, bad := range [][]byte{nil, {1}, {1, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0}, {1, 16, 7, 0, 0, 0, 0, 0, 0, 0, 0}} {
		if _, _, _, err := read(bad); err != ErrMessage {
			t.Errorf("% x: %v, want ErrMessage", bad, err)
		}
	}
}

// Whatever comes is read without a panic, and what is read can be written, and is read again as the same.
func TestCorrupt(t *testing.T) {
	var seeds [][]byte
	for _, g := range golden {
		seeds = append(seeds, appendMessage(nil, 7, 0x0102030405060708, g.body))
	}
	taken := 0
	for b := range corrupt.Bytes(20_000, seeds...) {
		from, life, m, err := read(b)
		if err != nil {
			continue
		}
		taken++
		again := appendMessage(nil, from, life, m)
		if from2, life2, m2, err := read(again); err != nil || from2 != from || life2 != life || !reflect.DeepEqual(m2, m) {
			t.Fatalf("% x is read as %+v, and % x as %+v, %v", b, m, again, m2, err)
		}
	}
	if taken <= len(seeds) {
		t.Errorf("%d of the messages are read, want more than the %d that are whole", taken, len(seeds))
	}
}
