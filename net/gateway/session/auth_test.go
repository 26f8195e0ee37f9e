package session

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"muster/internal/golden"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// TestRefusals has each way in which a login fails: what the client is sent, and why it is closed. The
// refusals are read with the client's cipher.
func TestRefusals(t *testing.T) {
	key := Answer{Account: 3, Key: testKey}
	for _, c := range []struct {
		name   string
		change func(*msg.AuthSession)
		answer Answer
		said   string
		reason string
	}{
		{"wrong digest", func(m *msg.AuthSession) { m.Digest[19] ^= 1 }, key, "0d", WrongDigest},
		{"another client seed", func(m *msg.AuthSession) { m.ClientSeed[0]++ }, key, "0d", WrongDigest},
		{"wrong realm", func(m *msg.AuthSession) { m.Realm = 2 }, key, "27", RealmNotFound},
		{"build 12213", func(m *msg.AuthSession) { m.Build = 12213 }, key, "14", VersionMismatch},
		{"banned since", func(*msg.AuthSession) {}, Answer{Account: 3, Key: testKey, Banned: true}, "1c", Banned},
		{"banned, wrong digest", func(m *msg.AuthSession) { m.Digest[0]++ }, Answer{Account: 3, Key: testKey, Banned: true}, "0d", WrongDigest},
		{"no account", func(*msg.AuthSession) {}, Answer{Outcome: NotFound}, "", UnknownAccount},
		{"store is busy", func(*msg.AuthSession) {}, Answer{Outcome: Failed}, "", Busy},
	} {
		client := newClient(t)
		client.do(client.session.Greet)
		m := hello()
		c.change(m)
		client.say(msg.OpAuthSession, m)
		said := strings.Join(client.answer(c.answer), ", ")
		want := ""
		if c.said != "" {
			want = "SMSG_AUTH_RESPONSE " + c.said
		}
		if said != want || client.turn.Close != c.reason {
			t.Errorf("%s: said %q and closed for %q, want %q and %q", c.name, said, client.turn.Close, want, c.reason)
		}
		client.is(msg.Fresh)
		if more := client.say(msg.OpPing, &msg.Ping{}); more != nil {
			t.Errorf("%s: after the end it said %q", c.name, more)
		}
	}
}

// TestOtherBuilds has clients whose CMSG_AUTH_SESSION is laid out in another way, with and without addons: they are
// distinguished from clients that send nonsense. protocol.md 2.3.
func TestOtherBuilds(t *testing.T) {
	real := golden.Load(t, "../../protocol/msg/testdata/cmsg_auth_session_5875.pkt")[0].Bytes
	short := func(b uint32) []byte {
		m := hello()
		m.Build = b
		return msg.Append(nil, wire.V5875, m)
	}
	for _, c := range []struct {
		name   string
		body   []byte
		reason string
	}{
		{"1.12.1 with addons", real, VersionMismatch},
		{"1.12.1 without", short(5875), VersionMismatch},
		{"2.4.3", short(8606), VersionMismatch},
		{"4.3.4, cut off", short(15595)[:20], VersionMismatch},
		{"ours, cut off", short(12340), BadBody},
		{"no build", []byte{1, 2, 3}, BadBody},
	} {
		client := newClient(t)
		client.do(client.session.Greet)
		said := client.feed(append(wire.AppendClientHeader(nil, uint32(msg.OpAuthSession), len(c.body)), c.body...))
		if len(said) > 0 || client.turn.Close != c.reason || client.turn.Asked.Kind != Nothing {
			t.Errorf("%s: said %q and closed for %q, want %q; asks %v", c.name, said, client.turn.Close, c.reason, client.turn.Asked.Kind)
		}
	}
}

// TestReplay shows that a digest serves once: the next session has another seed.
func TestReplay(t *testing.T) {
	c := newClient(t)
	c.session = New(&Config{}, [4]byte{1, 1, 1, 1})
	c.say(msg.OpAuthSession, hello())
	c.answer(Answer{Account: 3, Key: testKey})
	if c.turn.Close != WrongDigest {
		t.Errorf("closed for %q, want %q", c.turn.Close, WrongDigest)
	}
}

// TestAccountName shows which account is looked for: the names of accounts are in upper case.
func TestAccountName(t *testing.T) {
	c := newClient(t)
	m := hello()
	m.Account = "alice"
	c.say(msg.OpAuthSession, m)
	if c.turn.Asked.Name != "ALICE" {
		t.Errorf("asks for %q", c.turn.Asked.Name)
	}
	if c.answer(Answer{Account: 3, Key: testKey}); c.turn.Close != "" {
		t.Errorf("closed for %q", c.turn.Close)
	}
}

func TestSecondLogin(t *testing.T) {
	c := newClient(t)
	c.enter()
	c.say(msg.OpAuthSession, hello())
	if c.turn.Close != SecondLogin {
		t.Errorf("closed for %q, want %q", c.turn.Close, SecondLogin)
	}
}

// deflated is the block of addons as a client sends it.
func deflated(b []byte) []byte {
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

// addons is a block with one addon of the given name, and a count of its own.
func addons(count uint32, name string) []byte {
	b := binary.LittleEndian.AppendUint32(nil, count)
	b = append(append(b, name...), 0, 1)
	b = binary.LittleEndian.AppendUint32(b, 0x4C1C776D)
	b = binary.LittleEndian.AppendUint32(b, 0)
	return binary.LittleEndian.AppendUint32(b, 1234567890)
}

// crowd is a block of n addons with names of their own.
func crowd(n int) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(n))
	for i := range n {
		b = append(b, fmt.Sprintf("%x\x00\x01\x4C\x1C\x77\x6D\x00\x00\x00\x00", i*i)...)
	}
	return append(b, 0, 0, 0, 0)
}

// TestAddons has blocks that can be read, and FAULTS.md row 12: whatever a client claims, it is let in, and
// a bad block is taken for empty.
func TestAddons(t *testing.T) {
	good := addons(1, "Blizzard_AuctionUI")
	most, many := crowd(msg.MaxAddons), crowd(msg.MaxAddons+1)
	const none, one = "SMSG_ADDON_INFO 00000000", "SMSG_ADDON_INFO 02010000000000" + "00" + "00000000"
	for _, c := range []struct {
		name  string
		size  uint32
		block []byte
		want  string
		bad   uint64
	}{
		{"none", 0, nil, none, 0},
		{"one", uint32(len(good)), deflated(good), one, 0},
		{"4 GiB", 1<<32 - 1, deflated(good), none, 1},
		{"bomb", 1 << 20, deflated(make([]byte, 1<<20)), none, 1},
		{"not zlib", 4, []byte("junk"), none, 1},
		{"truncated", uint32(len(good)), deflated(good)[:12], none, 1},
		{"count", uint32(len(good)), deflated(addons(1<<32-1, "x")), none, 1},
		{"name", 1 << 10, deflated(addons(1, strings.Repeat("x", 1000))), none, 1},
		{"size without a block", 100, nil, none, 1},
		{"as many as may be", uint32(len(most)), deflated(most), "SMSG_ADDON_INFO " + strings.Repeat("0201000000000000", msg.MaxAddons) + "00000000", 0},
		{"one too many", uint32(len(many)), deflated(many), none, 1},
	} {
		client := newClient(t)
		m := hello()
		m.AddonSize, m.AddonBlock = c.size, c.block
		client.say(msg.OpAuthSession, m)
		said := client.answer(Answer{Account: 3, Key: testKey})
		if !slices.Contains(said, c.want) || client.metric.Value(BadAddons) != c.bad {
			t.Errorf("%s: %d bad, said %q, want %q", c.name, client.metric.Value(BadAddons), said, c.want)
		}
		client.is(msg.Select)
	}
}
