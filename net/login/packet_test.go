package login

import (
	"bytes"
	"encoding/hex"
	"errors"
	"reflect"
	"strings"
	"testing"

	"muster/internal/vectors"
	"muster/net/protocol/wire"
)

var packets = map[string]func() packet{
	"CMD_AUTH_LOGON_CHALLENGE_Client":     func() packet { return new(Challenge) },
	"CMD_AUTH_LOGON_CHALLENGE_Server":     func() packet { return new(ChallengeReply) },
	"CMD_AUTH_LOGON_PROOF_Client":         func() packet { return new(Proof) },
	"CMD_AUTH_LOGON_PROOF_Server":         func() packet { return new(ProofReply) },
	"CMD_AUTH_RECONNECT_CHALLENGE_Client": func() packet { return new(Challenge) },
	"CMD_AUTH_RECONNECT_CHALLENGE_Server": func() packet { return new(ReconnectReply) },
	"CMD_AUTH_RECONNECT_PROOF_Client":     func() packet { return new(ReconnectProof) },
	"CMD_AUTH_RECONNECT_PROOF_Server":     func() packet { return new(ReconnectProofReply) },
	"CMD_REALM_LIST_Client":               func() packet { return new(RealmListRequest) },
	"CMD_REALM_LIST_Server":               func() packet { return new(RealmList) },
}

// goldens is the login packets of wow_messages.
func goldens(t testing.TB) []vectors.Packet { return vectors.Packets(t, "packets/login_12340") }

func unhex(t testing.TB, digits string) []byte {
	t.Helper()
	b, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// hasSecondFactor reports the goldens with fields that this server never requests.
func hasSecondFactor(name string, b []byte) bool {
	switch {
	case name == "CMD_AUTH_LOGON_CHALLENGE_Server" && len(b) > 3:
		return b[118] != 0
	case name == "CMD_AUTH_LOGON_PROOF_Client":
		return b[74+30*int(b[73])] != 0
	}
	return false
}

func TestGolden(t *testing.T) {
	for _, g := range goldens(t) {
		b := unhex(t, g.Hex)
		m := packets[g.Name]()
		n, err := parsePacket(b, wire.V12340, m)
		if hasSecondFactor(g.Name, b) {
			if !errors.Is(err, wire.ErrValue) {
				t.Errorf("%s with a second factor: error %v", g.Name, err)
			}
			continue
		}
		if err != nil || n != len(b) {
			t.Errorf("%s: read %d of %d bytes, error %v", g.Name, n, len(b), err)
			continue
		}
		got := appendPacket(nil, wire.V12340, m)
		if g.Name == "CMD_REALM_LIST_Server" { // the footer is another
			got, b = got[:len(got)-2], b[:len(b)-2]
		}
		if !bytes.Equal(got, b) {
			t.Errorf("%s: wrote % x, want % x", g.Name, got, b)
		}
		for short := range b {
			if _, err := parsePacket(b[:short], wire.V12340, packets[g.Name]()); !errors.Is(err, wire.ErrShort) {
				t.Errorf("%s: error %v after %d bytes, want %v", g.Name, err, short, wire.ErrShort)
			}
		}
	}
}

// TestValues holds some of those packets against the values their source gives.
func TestValues(t *testing.T) {
	for _, c := range []struct {
		hex  string
		got  packet
		want packet
	}{
		{"02022e00576f5700010c01f316363878006e69570042476e653c0000007f000001104142434445464748494a4b4c4d4e4f50", new(Challenge), &Challenge{
			Command: CommandReconnectChallenge, Protocol: 2, Game: [4]byte{'W', 'o', 'W'}, Version: [3]uint8{1, 12, 1}, Build: wire.V5875,
			Platform: [4]byte{'6', '8', 'x'}, OS: [4]byte{'n', 'i', 'W'}, Locale: [4]byte{'B', 'G', 'n', 'e'},
			ZoneMinutes: 60, Address: [4]byte{127, 0, 0, 1}, Name: "ABCDEFGHIJKLMNOP"}},
		{"101b00000000000100000004410041000000c843010002010c01f3160000", new(RealmList), &RealmList{[]Realm{{
			ID: 2, Name: "A", Address: "A", Flags: RealmBuild, Population: 400, Characters: 1, Version: [3]uint8{1, 12, 1}, Build: wire.V5875}}}},
		{"01070000", new(ProofReply), &ProofReply{Result: 7}},
		{"0203", new(ReconnectReply), &ReconnectReply{Result: 3}},
	} {
		if _, err := parsePacket(unhex(t, c.hex), wire.V12340, c.got); err != nil || !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s: %+v, error %v, want %+v", c.hex, c.got, err, c.want)
		}
	}
}

// TestLayouts gives the sizes of the replies to both builds. Source: protocol of AzerothCore (12340) and vmangos (5875).
func TestLayouts(t *testing.T) {
	for _, c := range []struct {
		name        string
		m           packet
		wrath, then int
	}{
		{"challenge", &ChallengeReply{}, 119, 119},
		{"challenge, refused", &ChallengeReply{Result: VersionInvalid}, 3, 3},
		{"proof", &ProofReply{}, 32, 26},
		{"proof, refused", &ProofReply{Result: UnknownAccount}, 4, 2},
		{"reconnect", &ReconnectReply{}, 34, 34},
		{"reconnect, refused", &ReconnectReply{Result: VersionInvalid}, 2, 2},
		{"reconnect proof", &ReconnectProofReply{}, 4, 2},
		{"no realms", &RealmList{}, 3 + 4 + 2 + 2, 3 + 4 + 1 + 2},
		{"a realm", &RealmList{[]Realm{{Name: "a", Address: "b"}}}, 11 + 3 + 4 + 7, 10 + 5 + 4 + 7},
	} {
		for v, want := range map[wire.Version]int{wire.V12340: c.wrath, wire.V5875: c.then} {
			if n := len(appendPacket(nil, v, c.m)); n != want {
				t.Errorf("%s for build %d takes %d bytes, want %d", c.name, v, n, want)
			}
		}
	}
}

func TestRealmListForOldBuild(t *testing.T) {
	list := RealmList{[]Realm{{ID: 1, Name: "a", Address: "b:1", Type: 6, Flags: RealmBuild, Population: 1, Characters: 2, Category: 1}}}
	want := unhex(t, "101900"+"00000000"+"01"+"06000000"+"04"+"6100"+"623a3100"+"0000803f"+"020101"+"0200")
	if got := appendPacket(nil, wire.V5875, &list); !bytes.Equal(got, want) {
		t.Errorf("wrote % x, want % x", got, want)
	}
	var back RealmList
	if _, err := parsePacket(want, wire.V5875, &back); err != nil || !reflect.DeepEqual(back, list) {
		t.Errorf("read %+v, error %v", back, err)
	}
}

// TestBadPackets is fault row 5 at the codec: lengths that lie are refused as soon as they are seen.
func TestBadPackets(t *testing.T) {
	good := AppendChallenge(nil, "ALICE")
	with := func(change func(b []byte)) []byte {
		b := bytes.Clone(good)
		change(b)
		return b
	}
	for name, c := range map[string]struct {
		b    []byte
		want error
	}{
		"size 0":             {with(func(b []byte) { b[2] = 0 })[:4], wire.ErrLimit},
		"size 65535":         {with(func(b []byte) { b[2], b[3] = 0xFF, 0xFF })[:4], wire.ErrLimit},
		"no name":            {with(func(b []byte) { b[2], b[33] = 30, 0 }), wire.ErrLimit},
		"longer than size":   {with(func(b []byte) { b[33]++ }), wire.ErrValue},
		"shorter than size":  {with(func(b []byte) { b[33]-- }), wire.ErrValue},
		"17 bytes":           {AppendChallenge(nil, strings.Repeat("A", 17)), wire.ErrLimit},
		"NUL in the name":    {with(func(b []byte) { b[36] = 0 }), wire.ErrValue},
		"not UTF-8":          {with(func(b []byte) { b[36] = 0xFF }), wire.ErrValue},
		"newline":            {with(func(b []byte) { b[36] = '\n' }), wire.ErrValue},
		"256 telemetry keys": {append(AppendProof(nil, [32]byte{}, [20]byte{})[:73], 0xFF), wire.ErrLimit},
		"a token":            {append(AppendProof(nil, [32]byte{}, [20]byte{})[:74], 4), wire.ErrValue},
		"a reconnect key":    {append(appendReconnectProof(nil, [16]byte{}, [20]byte{})[:57], 1), wire.ErrValue},
	} {
		var m packet = new(Challenge)
		switch Command(c.b[0]) {
		case CommandProof:
			m = new(Proof)
		case CommandReconnectProof:
			m = new(ReconnectProof)
		}
		if _, err := parsePacket(c.b, wire.V12340, m); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
	}
}

// roundTrip reads bytes as each packet there is; what can be read is written and read again as it was.
func roundTrip(t *testing.T, b []byte) {
	for name, fresh := range packets {
		for _, v := range []wire.Version{wire.V12340, wire.V5875} {
			m := fresh()
			n, err := parsePacket(b, v, m)
			if n > len(b) {
				t.Fatalf("%s read %d of %d bytes", name, n, len(b))
			}
			if err != nil {
				continue
			}
			again := appendPacket(nil, v, m)
			back := fresh()
			if _, err := parsePacket(again, v, back); err != nil || !bytes.Equal(appendPacket(nil, v, back), again) {
				t.Fatalf("%s: % x became % x, error %v", name, b[:n], again, err)
			}
		}
	}
}
