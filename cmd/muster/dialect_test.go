package main

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/hex"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// TestDialects speaks as four public clients do, over TCP with the program itself. Rules are those of protocol.md 7.
func TestDialects(t *testing.T) {
	t.Run("AzerothGhost", func(t *testing.T) { t.Parallel(); azerothGhost(t) })
	t.Run("wowchat", func(t *testing.T) { t.Parallel(); wowchat(t) })
	t.Run("tentacli", func(t *testing.T) { t.Parallel(); tentacli(t) })
	t.Run("BotFarm", func(t *testing.T) { t.Parallel(); botFarm(t) })
}

// azerothGhost is protocol.md 3.1.
func azerothGhost(t *testing.T) {
	s := newSpeaker(t, serve(t), "GHOST1")
	s.hears = s.keepsTime
	arrive := func() {
		// Rule 3: neither the protocol byte nor the order of four letters matters, nor the hash of the files. Rule 1:
		// nothing is said on the login socket but what was asked for, or the sizes below would not fit.
		s.dial(s.server.auth)
		s.write(s.challenge(3, "\x00WoW", "\x0068x", "\x00niW", "SUne"))
		b := s.exactly(3 + 32 + 2 + 1 + 32 + 32 + 17) // with security flags, which are 0
		if b[2] != 0 || b[len(b)-1] != 0 {
			t.Fatalf("challenge % x", b)
		}
		A, M1, _ := s.prove(b[3:35], b[70:102])
		s.write(bytesOf(uint8(1), A, M1, [20]byte{}, uint8(0), uint8(0)))
		if b := s.exactly(2); b[1] != 0 {
			t.Fatalf("proof % x", b)
		}
		s.exactly(30)
		s.write([]byte{0x10, 0, 0, 0, 0})
		b = s.exactly(3)
		s.enterRealm(s.exactly(int(b[1]) + int(b[2])<<8))

		s.greeted()
		s.session(0, make([]byte, 4)) // realm 1 whatever the list says: rule 3
		s.welcomed()
	}
	list := func() []msg.Character {
		s.say(0x4FF)
		s.say(0x38C, uint32(0xFFFFFFFF))
		s.say(0x037)
		return s.characters()
	}
	creates := func(name string, race, class, want uint8) {
		t.Helper()
		s.create(name, race, class)
		if b := s.await(0x03A); !bytes.Equal(b, []byte{want}) {
			t.Errorf("the creation of %s is answered with % x, want %#x", name, b, want)
		}
	}

	arrive()
	if all := list(); len(all) != 0 {
		t.Fatalf("a new account has %+v", all)
	}
	// Rule 6: any name of letters, three equal ones too, and one of each, whatever the case; any race and class.
	creates("Grrraaakh", 8, 7, 0x2F)
	creates("Elessar", 11, 2, 0x2F)
	creates("Elessar", 1, 1, 0x32)
	creates("elESSAR", 1, 1, 0x32)
	// Rule 6: it deletes all, does not wait for the answers, and wants them gone half a second later. Here they are gone
	// for a question that comes right after.
	for _, c := range list() {
		s.say(0x038, c.GUID)
	}
	if all := list(); len(all) != 0 {
		t.Errorf("after deleting all there are %+v", all)
	}
	creates("Elessar", 10, 8, 0x2F)
	all := list()
	if len(all) != 1 || all[0].Name != "Elessar" || all[0].Look.Race != 10 || all[0].Look.Class != 8 {
		t.Fatalf("the list is %+v", all)
	}

	for range 2 {
		at := s.login(all[0].GUID)
		s.say(0x26A, s.guid)
		s.say(0x0FC)
		// Rule 16: five times a second, and of no effect on a player that stands.
		for range 5 {
			s.say(0x13D, s.creature())
			s.say(0x0DA, bytesOf(packed(s.guid), uint32(0), uint16(0), uint32(1), at, uint32(0)))
		}
		s.say(0x1DC, uint32(1), uint32(0))
		if b := s.await(0x1DD); !bytes.Equal(b, []byte{1, 0, 0, 0}) {
			t.Errorf("pong % x", b)
		}
		s.company()
		s.content()
		// Rule 8: it goes by RST, and the account may come back at once.
		s.check(s.socket.(*net.TCPConn).SetLinger(0))
		s.socket.Close()
		arrive()
		if again := list(); len(again) != 1 || again[0].GUID != all[0].GUID {
			t.Fatalf("after a reset the list is %+v", again)
		}
	}

	// Rules 14 to 16: it fights, and is fought; and, where there is time for it, kills, rises, dies and returns.
	s.grinds(all[0].GUID, func(g *plain) bool {
		if long() {
			return g.kills > 0 && g.level > 1 && g.returns > 0
		}
		return g.dealt > 0 && g.taken > 0
	})
	s.content()
}

// wowchat is protocol.md 3.2.
func wowchat(t *testing.T) {
	s := newSpeaker(t, serve(t), "RELAY")
	// It creates no character.
	v := visit(t, s.server, s.account)
	v.create("Relay")
	v.socket.Close()

	s.hears = s.keepsTime
	s.dial(s.server.auth)
	s.write(s.challenge(8, "WoW\x00", "68x\x00", "niW\x00", "SUne"))
	if b := s.exactly(1); b[0] != 0 {
		t.Fatalf("challenge % x", b)
	}
	b := s.exactly(118) // rule 3: no second factor
	A, M1, M2 := s.prove(b[2:34], b[69:101])
	files, _ := hex.DecodeString("CDCBBD5188315E6B4D19449D492DBCFAF156A347") // of build 12340, protocol.md 1.3
	s.write(bytesOf(uint8(1), A, M1, sha1.Sum(bytesOf(A, files)), uint8(0), uint8(0)))
	s.exactly(1)
	if b := s.exactly(31); b[0] != 0 || !bytes.Equal(b[1:21], M2[:]) {
		t.Fatalf("proof % x", b)
	}
	s.write([]byte{0x10, 0, 0, 0, 0})
	b = s.exactly(3)
	s.enterRealm(s.exactly(int(b[1]) + int(b[2])<<8))

	s.greeted()
	// It pings from the connection on, be it logged in or not: protocol.md 2.3.
	pings := func(n uint32) {
		t.Helper()
		s.say(0x1DC, n, uint32(90))
		if b := s.await(0x1DD); !bytes.Equal(b, bytesOf(n)) {
			t.Errorf("pong % x for ping %d", b, n)
		}
	}
	pings(0)
	s.session(3, addonBlob(t))
	s.welcomed() // rule 5
	s.say(0x037)
	all := s.characters()
	if len(all) != 1 || !strings.EqualFold(all[0].Name, "RELAY") || all[0].Guild != 0 {
		t.Fatalf("the list is %+v", all)
	}
	s.login(all[0].GUID) // rule 7
	// Rule 13: channels may be joined, with a password or without.
	s.say(0x097, uint32(0), uint8(0), uint8(1), "world\x00", "\x00")
	s.say(0x097, uint32(0), uint8(0), uint8(1), "world\x00", "secret\x00")
	s.say(0x407)
	s.say(0x062, make([]byte, 32)) // a WHO for all players
	pings(1)

	friend := visit(t, s.server, "FRIEND")
	friend.create("Friend")
	friend.enter()
	s.until(func(uint16, []byte) bool { return s.sight.Knows(friend.guid) })
	// Rule 13: what it says is heard, in a language that no client has asked for.
	s.say(0x095, uint32(1), uint32(7), "hello from elsewhere\x00")
	var heard msg.Chat
	friend.await(msg.OpChat, &heard)
	if heard.Sender != s.guid || heard.Type != msg.ChatSay || heard.Text != "hello from elsewhere" {
		t.Errorf("the friend heard %+v", heard)
	}
	friend.say(msg.OpChatMessage, &msg.ChatMessage{Type: 1, Language: 1, Text: "well met"})
	b = s.until(func(op uint16, body []byte) bool {
		return op == 0x096 && body[0] == 1 && !bytes.Contains(body, []byte("elsewhere"))
	})
	if want := bytesOf(uint8(1), b[1:5], friend.guid, uint32(0), friend.guid, uint32(9), "well met\x00", uint8(0)); !bytes.Equal(b, want) {
		t.Errorf("heard % x, want % x", b, want)
	}
	// Until it has the name, it keeps the message back.
	if b, want := s.asksName(friend.guid), bytesOf(packed(friend.guid), uint8(0), "Friend\x00\x00", uint8(1), uint8(0), uint8(1)); !bytes.HasPrefix(b, want) {
		t.Errorf("the name is % x, want % x", b, want)
	}
	friend.socket.Close()
	s.until(func(uint16, []byte) bool { return !s.sight.Knows(friend.guid) })

	s.company()
	s.content()
	s.say(0x04B)
	if b := s.await(0x04C); !bytes.Equal(b[:4], make([]byte, 4)) {
		t.Errorf("LOGOUT_RESPONSE % x", b)
	}
}

// tentacli is protocol.md 3.3.
func tentacli(t *testing.T) {
	const delay = 75 * time.Millisecond
	s := newSpeaker(t, serve(t, "--delay-auth-challenge", delay.String()), "BOT1")
	s.dial(s.server.auth)
	s.write(s.challenge(0, "WoW\x00", "68x\x00", "niW\x00", "URur")) // rule 3
	b := s.segment()                                                 // rule 1: one read is one packet
	if len(b) != 119 || b[2] != 0 {
		t.Fatalf("challenge % x", b)
	}
	A, M1, M2 := s.prove(b[3:35], b[70:102]) // rule 2
	s.write(bytesOf(uint8(1), A, M1, [20]byte{1, 2, 3}, uint8(0), uint8(0)))
	if b := s.segment(); len(b) != 32 || b[1] != 0 || !bytes.Equal(b[2:22], M2[:]) {
		t.Fatalf("proof % x", b)
	}
	s.write([]byte{0x10, 0, 0, 0, 0})
	b = s.segment()
	if len(b) != 3+int(b[1])+int(b[2])<<8 {
		t.Fatalf("realm list % x", b)
	}
	connects := time.Now()
	s.enterRealm(b[3:])

	// Rule 4: it is not ready before it has switched, and then takes one read for the packet.
	b = s.segment()
	if took := time.Since(connects); len(b) != 44 || b[2] != 0xEC || b[3] != 1 || took < delay {
		t.Fatalf("after %v greeted with % x", took, b)
	}
	s.sight.Packet(0x1EC, b[4:])
	s.seed = [4]byte(b[8:])
	s.session(0, addonBlob(t))
	s.welcomed() // rule 5
	s.say(0x4FF)
	s.say(0x037)
	s.say(0x38C, uint32(0))
	if all := s.characters(); len(all) != 0 {
		t.Fatalf("a new account has %+v", all)
	}
	// Rule 6, in one breath.
	s.create("Tentakel", 5, 9)
	s.say(0x037)
	if b := s.await(0x03A); b[0] != 0x2F {
		t.Fatalf("the creation is answered with % x", b)
	}
	all := s.characters()
	if len(all) != 1 || all[0].Name != "Tentakel" {
		t.Fatalf("the list is %+v", all)
	}
	at := s.login(all[0].GUID) // rule 7; the witness sees that no object came before
	for _, id := range []uint32{1, 26, 2} {
		s.say(0x097, id, uint8(0), uint8(1), "general\x00") // rule 13: no password at the end
	}
	s.say(0x102, uint32(1))                       // rule 17: an emote
	s.say(0x104, uint32(1), uint32(1), uint64(0)) // and one with words
	s.say(0x0EE, packed(s.guid), uint32(0), uint16(0), uint32(5), at, uint32(0))
	// It asks for the names of creatures, too: none.
	creature := s.creature()
	if b, want := s.asksName(creature), bytesOf(packed(creature), uint8(1)); !bytes.Equal(b, want) {
		t.Errorf("the name of a creature is % x, want % x", b, want)
	}
	if b, want := s.asksName(s.guid), bytesOf(packed(s.guid), uint8(0), "Tentakel\x00\x00", uint8(5), uint8(0), uint8(9)); !bytes.HasPrefix(b, want) {
		t.Errorf("its own name is % x, want % x", b, want)
	}
	s.company() // rule 7: it has answered no TIME_SYNC_REQ, and has not pinged
	s.content()
	s.say(0x04B)
	s.leaves(func() { s.await(0x04D) })
}

// botFarm is protocol.md 3.4.
func botFarm(t *testing.T) {
	const delay = 50 * time.Millisecond
	s := newSpeaker(t, serve(t, "--delay-auth-response", delay.String()), "FARM1")
	s.dial(s.server.auth)
	s.write(s.challenge(6, "WoW\x00", "68x\x00", "niW\x00", "SUne")) // rule 3
	b := s.exactly(119)
	A, M1, _ := s.prove(b[3:35], b[70:102]) // rule 2
	s.write(bytesOf(uint8(1), A, M1, [20]byte{}, uint8(0), uint8(0)))
	if b := s.exactly(32); b[1] != 0 {
		t.Fatalf("proof % x", b)
	}
	s.write([]byte{0x10, 0, 0, 0, 0})
	b = s.exactly(3)
	s.enterRealm(s.exactly(int(b[1]) + int(b[2])<<8))

	s.greeted()
	sends := time.Now()
	s.session(0, make([]byte, 4))
	s.welcomed()                                 // rule 5: or it throws
	if took := time.Since(sends); took < delay { // rule 4: its ciphers are ready only now
		t.Errorf("AUTH_RESPONSE came after %v", took)
	}
	s.say(0x407)
	s.say(0x037)
	if all := s.characters(); len(all) != 0 {
		t.Fatalf("a new account has %+v", all)
	}
	s.create("Botabcd", 1, 5) // rule 6
	if b := s.await(0x03A); b[0] != 0x2F {
		t.Fatalf("the creation is answered with % x", b)
	}
	s.say(0x037)
	all := s.characters()
	if len(all) != 1 {
		t.Fatalf("the list is %+v", all)
	}

	at := s.login(all[0].GUID) // rule 7
	s.say(0x0B5, packed(s.guid), uint32(1), uint16(0), uint32(100), at, uint32(0))
	for i := range uint32(5) {
		s.say(0x0EE, packed(s.guid), uint32(1), uint16(0), 200+100*i, at, uint32(0))
	}
	s.say(0x0B7, packed(s.guid), uint32(0), uint16(0), uint32(800), at, uint32(0))
	s.say(0x407)
	s.say(0x104, uint32(20), uint32(0xFFFFFFFF), uint64(0)) // rule 17: it yawns
	// Rules 10 and 12: of the others it is shown nothing before their CREATE, or it throws.
	s.company()
	// Rule 7: it says no more than that and 0x407, and is asked for the time again after five seconds.
	s.until(func(op uint16, body []byte) bool { return op == 0x390 && body[0] == 1 })
	if long() {
		quiet := time.Now().Add(2 * time.Minute)
		s.check(s.socket.SetDeadline(quiet.Add(patience)))
		alive := time.Now()
		s.until(func(uint16, []byte) bool {
			if time.Since(alive) > 30*time.Second {
				s.say(0x407)
				alive = time.Now()
			}
			return time.Now().After(quiet)
		})
	}
	s.content()
	s.say(0x04B)
	if b := s.await(0x04C); !bytes.Equal(b, make([]byte, 5)) {
		t.Errorf("LOGOUT_RESPONSE % x", b)
	}
	s.leaves(func() {
		s.await(0x04D)
		s.say(0x037)
		if again := s.characters(); len(again) != 1 || again[0].GUID != all[0].GUID {
			t.Errorf("back at the character screen the list is %+v", again)
		}
	})
}

// long reports whether a test may take minutes.
func long() bool { return os.Getenv("LONG_TESTS") != "" }

// leaves waits for the end of a logout, twenty seconds; without so much time it asks for one at once.
func (s *speaker) leaves(gone func()) {
	s.t.Helper()
	if !long() {
		s.say(0x04A)
	}
	gone()
}

// packed is a packed guid.
func packed(guid uint64) []byte { return wire.AppendPackedGUID(nil, guid) }

// addonBlob is the end of CMSG_AUTH_SESSION with one addon, protocol.md 2.3.
func addonBlob(t *testing.T) []byte {
	t.Helper()
	block := bytesOf(uint32(1), "Blizzard_AuctionUI\x00", uint8(1), uint32(0x4C1C776D), uint32(0), uint32(0))
	var deflated bytes.Buffer
	z := zlib.NewWriter(&deflated)
	z.Write(block)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return bytesOf(uint32(len(block)), deflated.Bytes())
}
