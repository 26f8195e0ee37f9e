package login

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"muster/loaders/store"
	"muster/net/protocol/crypt"
	"muster/net/protocol/wire"
)

func TestLogin(t *testing.T) {
	accounts := newAccounts("ALICE")
	for _, name := range []string{"Ann", "Bea", "Cleo"} {
		if _, err := accounts.CreateCharacter(t.Context(), store.Character{Account: 1, Name: name, Race: 1, Class: 1}); err != nil {
			t.Fatal(err)
		}
	}
	inBubble(t, Config{}, accounts, func(b *bubble) {
		p := b.dial()
		challenge := p.challenge("alice")
		if challenge.Salt != [32]byte{1, 2, 3} || challenge.VersionSalt != versionSalt {
			t.Errorf("challenge is %+v", challenge)
		}
		r, K := p.prove("ALICE", "SECRET", challenge)
		if r.Result != Success || r.AccountFlags != 0x00800000 || r.Survey != 0 || r.LoginFlags != 0 {
			t.Errorf("proof reply is %+v", r)
		}
		if _, key := accounts.of(t, "ALICE"); key != K {
			t.Errorf("the store keeps %x, the client %x", key, K)
		}
		for range 2 {
			p.expect(AppendRealmListRequest(nil), "102800"+"00000000"+"0100"+
				"000000"+"4d757374657200"+"3132372e302e302e313a3830383500"+"00000000"+"030101"+"1000")
		}
		b.counted(map[string]uint64{"auth.ok": 1})
	})
}

// TestLoginOverTCP is the same once more through the kernel.
func TestLoginOverTCP(t *testing.T) {
	s, err := New(Config{Realms: testRealms}, newAccounts("ALICE"))
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, l) }()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	p := &peer{T: t, Conn: conn}
	p.login("ALICE", "secret")
	if realms := p.realms(); len(realms) != 1 || realms[0].ID != 1 || realms[0].Category != 1 || realms[0].Address != "127.0.0.1:8085" {
		t.Errorf("realms are %+v", realms)
	}
	cancel()
	p.expectClosed()
	if err := <-served; err != nil {
		t.Errorf("Serve ended with %v", err)
	}
}

// TestWrongPassword is fault row 4 as far as bytes show it: a wrong password and an unknown account look alike, again and
// again.
func TestWrongPassword(t *testing.T) {
	inBubble(t, Config{}, newAccounts("ALICE"), func(b *bubble) {
		for _, name := range []string{"ALICE", "NOBODY"} {
			var salts [2][32]byte
			for i := range salts {
				p := b.dial()
				challenge := p.challenge(name)
				salts[i] = challenge.Salt
				A, M1, _, _ := answer(t, name, "wrong", challenge)
				p.expect(AppendProof(nil, A, M1), "01040000")
				p.expectClosed()
			}
			if salts[0] != salts[1] || salts[0] == [32]byte{} {
				t.Errorf("%s: salts % x", name, salts)
			}
		}
		b.counted(map[string]uint64{"auth.bad_proof": 2, "auth.unknown_account": 2})
	})
}

// TestForgedProof is fault row 1 on the wire.
func TestForgedProof(t *testing.T) {
	inBubble(t, Config{OpenPassword: "open"}, newAccounts("ALICE"), func(b *bubble) {
		for _, name := range []string{"ALICE", "NOBODY"} {
			for _, A := range [][32]byte{{}, crypt.Prime(), {31: 0x80}} {
				p := b.dial()
				p.challenge(name)
				p.expect(AppendProof(nil, A, [20]byte{}), "01040000")
				p.expectClosed()
			}
		}
		b.counted(map[string]uint64{"auth.bad_proof": 6})
	})
}

func TestOpenAccounts(t *testing.T) {
	accounts := newAccounts("ALICE")
	inBubble(t, Config{OpenPassword: "open", OpenLevel: 2, MaxOpen: 2}, accounts, func(b *bubble) {
		p := b.dial()
		if r, _ := p.prove("BOB", "guess", p.challenge("BOB")); r.Result != UnknownAccount {
			t.Errorf("a guess ended with %d", r.Result)
		}
		p = b.dial()
		if r, _ := p.prove("ALICE", "open", p.challenge("ALICE")); r.Result != UnknownAccount {
			t.Errorf("the open password on an account with its own ended with %d", r.Result)
		}
		if _, err := accounts.Account(t.Context(), "BOB"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("a guess made an account; error %v", err)
		}
		K := b.dial().login("bob", "OPEN")
		made, key := accounts.of(t, "BOB")
		if made.ID != 2 || made.Level != 2 || made.Verifier != crypt.Verifier("BOB", "open", made.Salt) || key != K {
			t.Errorf("made %+v", made)
		}
		b.dial().login("BOB", "open")
		b.dial().login("CAROL", "open")
		p = b.dial()
		if r, _ := p.prove("DAVE", "open", p.challenge("DAVE")); r.Result != UnknownAccount {
			t.Errorf("beyond MaxOpen: %d", r.Result)
		}
		b.dial().login("CAROL", "open")
		b.counted(map[string]uint64{"auth.ok": 4, "auth.created": 2, "auth.bad_proof": 2, "auth.open_full": 1})
	})
}

// Open accounts can be switched on, changed and switched off while the server runs; an account that was made stays.
func TestSetOpen(t *testing.T) {
	accounts := newAccounts()
	inBubble(t, Config{}, accounts, func(b *bubble) {
		refused := func(name, password string) {
			t.Helper()
			p := b.dial()
			if r, _ := p.prove(name, password, p.challenge(name)); r.Result != UnknownAccount {
				t.Errorf("%s with %s ended with %d", name, password, r.Result)
			}
		}
		refused("BOB", "open")
		b.server.SetOpen("open", 2)
		b.dial().login("BOB", "open")
		if made, _ := accounts.of(t, "BOB"); made.Level != 2 {
			t.Errorf("made with level %d, want 2", made.Level)
		}
		b.server.SetOpen("other", 0)
		refused("CAROL", "open")
		b.dial().login("CAROL", "other")
		b.server.SetOpen("", 0)
		refused("DAVE", "other")
		b.dial().login("BOB", "open")
	})
}

// TestAccountMadeMeanwhile lets an account appear between the challenge and the proof.
func TestAccountMadeMeanwhile(t *testing.T) {
	accounts := newAccounts()
	inBubble(t, Config{OpenPassword: "open"}, accounts, func(b *bubble) {
		one, two := b.dial(), b.dial()
		first, second := one.challenge("BOB"), two.challenge("BOB")
		one.prove("BOB", "open", first)
		r, K := two.prove("BOB", "open", second)
		if _, key := accounts.of(t, "BOB"); r.Result != Success || key != K {
			t.Errorf("the second of two first logins ended with %d", r.Result)
		}

		p := b.dial()
		challenge := p.challenge("CAROL")
		accounts.CreateAccount(t.Context(), store.Account{Name: "CAROL", Verifier: [32]byte{5}})
		if r, _ := p.prove("CAROL", "open", challenge); r.Result != UnknownAccount {
			t.Errorf("an account with another password was taken over: %d", r.Result)
		}
		b.counted(map[string]uint64{"auth.ok": 2, "auth.created": 1, "auth.bad_proof": 1})
	})
}

func TestReconnect(t *testing.T) {
	accounts := newAccounts("ALICE", "BOB")
	inBubble(t, Config{}, accounts, func(b *bubble) {
		K := b.dial().login("ALICE", "secret")
		back := func(name string, key [40]byte) (*peer, Result) {
			p := b.dial()
			p.send(appendReconnectChallenge(nil, name))
			challenge := whole(p, parseReconnectReply)
			data := [16]byte{1, 2, 3}
			p.send(appendReconnectProof(nil, data, crypt.ReconnectProof(name, data, challenge.Data, key)))
			return p, whole(p, parseReconnectProofReply).Result
		}
		p, result := back("ALICE", K)
		if result != Success || len(p.realms()) != 1 {
			t.Errorf("with the key: %d", result)
		}
		if _, key := accounts.of(t, "ALICE"); key != K {
			t.Error("the key is another")
		}
		for name, key := range map[string][40]byte{"ALICE": {}, "BOB": {}, "NOBODY": {}} {
			p, result := back(name, key)
			if result != UnknownAccount {
				t.Errorf("%s without a key: %d", name, result)
			}
			p.expectClosed()
		}
		b.counted(map[string]uint64{"auth.ok": 1, "auth.reconnected": 1, "auth.bad_reconnect": 3})
	})
}

func TestVersion(t *testing.T) {
	inBubble(t, Config{}, newAccounts("ALICE"), func(b *bubble) {
		for _, build := range []wire.Version{0, 5875, 8606, 12341} {
			p := b.dial()
			p.expect(challengeOf(CommandChallenge, build, "ALICE"), "000009")
			p.expectClosed()
			p = b.dial()
			p.expect(challengeOf(CommandReconnectChallenge, build, "ALICE"), "0209")
			p.expectClosed()
		}
		b.counted(map[string]uint64{"auth.version": 8})
	})
}

// TestPublicClients logs in with the bytes two public clients send.
//
// Source: sendLogonChallenge, AzerothGhost; login_challenge and login_proof, tentacli.
func TestPublicClients(t *testing.T) {
	for name, challenge := range map[string]string{
		"AzerothGhost": "00" + "03" + "2400" + "00576f57" + "030305" + "3430" + "00363878" + "006e6957" + "53556e65" + "00000000" + "7f000001" + "06" + "474d424f5431",
		"tentacli":     "00" + "00" + "2400" + "576f5700" + "030305" + "3430" + "36387800" + "6e695700" + "55527572" + "00000000" + "7f000001" + "06" + "474d424f5431",
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, Config{}, newAccounts("GMBOT1"), func(b *bubble) {
				p := b.dial()
				p.send(unhex(t, challenge))
				A, M1, _, M2 := answer(t, "GMBOT1", "SECRET", whole(p, ParseChallengeReply))
				proof := AppendProof(nil, A, M1)
				if name == "tentacli" { // a random hash of its files
					copy(proof[53:73], "whatever it may be..")
				}
				p.send(proof)
				if r := whole(p, ParseProofReply); r.Result != Success || r.Proof != M2 {
					t.Errorf("login ended with %+v", r)
				}
				if len(p.realms()) != 1 {
					t.Error("no realms")
				}
			})
		})
	}
}

// TestUnpaddedKey: when the top byte of A is zero those clients send 74 bytes, which are no proof yet and never will be.
func TestUnpaddedKey(t *testing.T) {
	inBubble(t, Config{}, newAccounts("ALICE"), func(b *bubble) {
		p := b.dial()
		A, M1, _, _ := answer(t, "ALICE", "secret", p.challenge("ALICE"))
		proof := AppendProof(nil, A, M1)
		p.send(append(proof[:32:32], proof[33:]...))
		p.expectClosed()
		if took := time.Since(b.started); took != 5*time.Second+challengePeriod {
			t.Errorf("closed after %v", took)
		}
		b.counted(map[string]uint64{"auth.timeout": 1})
	})
}

// TestOutOfOrder sends each command in each state where it does not belong; fault rows 5 and 6 are here too.
func TestOutOfOrder(t *testing.T) {
	challenge := AppendChallenge(nil, "ALICE")
	reconnect := appendReconnectChallenge(nil, "ALICE")
	proof := AppendProof(nil, [32]byte{1}, [20]byte{})
	reconnectProof := appendReconnectProof(nil, [16]byte{}, [20]byte{})
	realms := AppendRealmListRequest(nil)
	states := map[state]func(p *peer){
		awaitChallenge:      func(p *peer) {},
		awaitProof:          func(p *peer) { p.challenge("ALICE") },
		awaitReconnectProof: func(p *peer) { p.send(reconnect); p.reply() },
		authenticated:       func(p *peer) { p.login("ALICE", "secret") },
	}
	for state, wrong := range map[state][][]byte{
		awaitChallenge:      {proof, reconnectProof, realms, {4}, {0x32}, {0xFF}},
		awaitProof:          {challenge, reconnect, reconnectProof, realms, {0xFF}},
		awaitReconnectProof: {challenge, reconnect, proof, realms, {0xFF}},
		authenticated:       {challenge, reconnect, proof, reconnectProof, {0xFF}},
	} {
		for _, bytes := range wrong {
			inBubble(t, Config{}, newAccounts("ALICE"), func(b *bubble) {
				p := b.dial()
				states[state](p)
				p.send(bytes[:1])
				p.expectClosed()
				if n := b.metric.Value("auth.out_of_order"); n != 1 {
					t.Errorf("command %#x in state %d: counted %d", bytes[0], state, n)
				}
			})
		}
	}
	token := append(AppendProof(nil, [32]byte{1}, [20]byte{})[:74], 4, 3, 'a', 'b', 'c')
	inBubble(t, Config{}, newAccounts("ALICE"), func(b *bubble) {
		p := b.dial()
		p.challenge("ALICE")
		p.send(token)
		p.expectClosed()
		b.counted(map[string]uint64{"auth.bad_packet": 1})
	})
}

func TestStoreTrouble(t *testing.T) {
	trouble := errors.New("the disk is full")
	for method, c := range map[string]struct {
		want   string
		client func(p *peer)
	}{
		"Account":         {"000008", func(p *peer) { p.send(AppendChallenge(nil, "ALICE")) }},
		"SessionKey":      {"0208", func(p *peer) { p.send(appendReconnectChallenge(nil, "ALICE")) }},
		"SetSessionKey":   {"01080000", func(p *peer) { sendProof(p, "BOB", "open") }},
		"UpdateAccount":   {"01080000", func(p *peer) { sendProof(p, "ALICE", "wrong") }},
		"CreateAccount":   {"01080000", func(p *peer) { sendProof(p, "BOB", "open") }},
		"CountCharacters": {"", func(p *peer) { p.login("ALICE", "secret"); p.send(AppendRealmListRequest(nil)) }},
	} {
		accounts := newAccounts("ALICE")
		accounts.fail[method] = trouble
		inBubble(t, Config{OpenPassword: "open"}, accounts, func(b *bubble) {
			p := b.dial()
			c.client(p)
			if c.want != "" {
				if got := p.reply(); string(got) != string(unhex(t, c.want)) {
					t.Errorf("%s: reply % x, want %s", method, got, c.want)
				}
			}
			p.expectClosed()
			if n := b.metric.Value("auth.store"); n != 1 {
				t.Errorf("%s: counted %d", method, n)
			}
		})
	}
	accounts := newAccounts()
	accounts.fail["CreateAccount"] = store.ErrFull
	inBubble(t, Config{OpenPassword: "open"}, accounts, func(b *bubble) {
		p := b.dial()
		sendProof(p, "BOB", "open")
		if got := p.reply(); string(got) != string(unhex(t, "01040000")) {
			t.Errorf("a full store: reply % x", got)
		}
		b.counted(map[string]uint64{"auth.open_full": 1})
	})
}

func sendProof(p *peer, name, pass string) {
	A, M1, _, _ := answer(p.T, name, pass, p.challenge(name))
	p.send(AppendProof(nil, A, M1))
}

func TestConfig(t *testing.T) {
	for name, realms := range map[string][]Realm{
		"no port":    {{Name: "a", Address: "localhost"}},
		"empty port": {{Name: "a", Address: "localhost:"}},
		"no name":    {{Address: "localhost:1"}},
		"long name":  {{Name: strings.Repeat("a", 256), Address: "localhost:1"}},
		"build":      {{Name: "a", Address: "localhost:1", Flags: RealmBuild}},
		"same":       {{Name: "a", Address: "localhost:1"}, {ID: 1, Name: "b", Address: "localhost:2"}},
		"too many":   make([]Realm, MaxRealms+1),
	} {
		if _, err := New(Config{Realms: realms}, newAccounts()); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := New(Config{Rand: strings.NewReader("short")}, newAccounts()); err == nil {
		t.Error("a secret of five bytes")
	}
}

// TestLargestRealmList: what checkRealms lets pass fits into the size of the packet.
func TestLargestRealmList(t *testing.T) {
	realms := make([]Realm, MaxRealms)
	for i := range realms {
		realms[i] = Realm{ID: uint8(i + 1), Name: strings.Repeat("n", MaxText), Address: strings.Repeat("h", MaxText-2) + ":1"}
	}
	inBubble(t, Config{Realms: realms}, newAccounts("ALICE"), func(b *bubble) {
		p := b.dial()
		p.login("ALICE", "secret")
		if got := p.realms(); len(got) != MaxRealms || got[99].Address != realms[99].Address {
			t.Errorf("%d realms came", len(got))
		}
	})
}

// TestList: each realm list is made for the account, as it is then.
func TestList(t *testing.T) {
	n := 0
	config := Config{List: func(_ context.Context, account uint32, level uint8) ([]Realm, error) {
		n++
		if n == 3 {
			return nil, errors.New("away")
		}
		return []Realm{
			{ID: 1, Name: "one", Address: fmt.Sprint("127.0.0.1:", n), Population: 0.5, Characters: uint8(account)},
			{ID: 2, Name: "two", Address: "127.0.0.1:9", Flags: RealmFull | RealmOffline, Locked: level == 0},
		}, nil
	}}
	accounts := newAccounts("ALICE")
	inBubble(t, config, accounts, func(b *bubble) {
		p := b.dial()
		p.login("ALICE", "secret")
		for i := range 2 {
			got := p.realms()
			if len(got) != 2 || got[0].Address != fmt.Sprint("127.0.0.1:", i+1) || got[0].Population != 0.5 || got[0].Characters != 1 ||
				got[1].ID != 2 || got[1].Flags != RealmFull|RealmOffline || !got[1].Locked {
				t.Errorf("the list is %+v", got)
			}
		}
	})
}
