package login

import (
	"fmt"
	"net"
	"testing"
	"time"

	"muster/loaders/store"
	"muster/net/login/account"
	"muster/net/protocol/crypt"
)

// guess tries a password, and returns all answers, in hexadecimal, without the parts that change each time.
func (b *bubble) guess(from net.Addr, name, pass string) string {
	b.Helper()
	p := b.dialFrom(from)
	defer p.Close()
	p.send(AppendChallenge(nil, name))
	said := p.reply()
	if len(said) == 3 {
		return fmt.Sprintf("%x", said)
	}
	challenge, n, err := ParseChallengeReply(said)
	if err != nil || n != len(said) {
		b.Fatalf("%x: %v", said, err)
	}
	A, M1, _, _ := answer(b.T, name, pass, challenge)
	p.send(AppendProof(nil, A, M1))
	said = p.reply()
	return fmt.Sprintf("%x", said[:min(len(said), 4)])
}

func from(ip string) net.Addr { return &net.TCPAddr{IP: net.ParseIP(ip), Port: 4000} }

// TestLockoutOnTheWire is fault row 3: ten wrong passwords are answered as such, and the next ones with a suspended
// account, the right one too, until ten minutes are over. An unknown name gets the same answers.
func TestLockoutOnTheWire(t *testing.T) {
	inBubble(t, Config{}, newAccounts("ALICE"), func(b *bubble) {
		for _, name := range []string{"ALICE", "NOBODY"} {
			for i := range 10 {
				if said := b.guess(from("127.0.0.1"), name, fmt.Sprint("wrong", i)); said != "01040000" {
					t.Errorf("%s: wrong password %d was answered with %s", name, i, said)
				}
			}
			if said := b.guess(from("127.0.0.1"), name, "secret"); said != "00000c" {
				t.Errorf("%s: after ten: %s", name, said)
			}
		}
		pass(10 * time.Minute)
		if said := b.guess(from("127.0.0.1"), "ALICE", "secret"); said[:4] != "0100" {
			t.Errorf("ten minutes later: %s", said)
		}
		b.counted(map[string]uint64{"auth.bad_proof": 10, "auth.unknown_account": 10, "auth.suspended": 2, "auth.lockout": 2, "auth.ok": 1})
	})
}

// TestAddressLockout counts wrong passwords of an address, whatever the accounts.
func TestAddressLockout(t *testing.T) {
	accounts := newAccounts("ALICE")
	inBubble(t, Config{LimitLoopback: true}, accounts, func(b *bubble) {
		for i := range 10 {
			b.guess(from("127.0.0.2"), fmt.Sprint("NAME", i), "wrong")
		}
		if said := b.guess(from("127.0.0.2"), "ALICE", "secret"); said != "00000c" {
			t.Errorf("from there: %s", said)
		}
		if said := b.guess(from("127.0.0.3"), "ALICE", "secret"); said[:4] != "0100" {
			t.Errorf("from elsewhere: %s", said)
		}
		b.counted(map[string]uint64{"auth.unknown_account": 10, "auth.barred": 1, "auth.address_lockout": 1, "auth.ok": 1})
	})
}

// TestLatecomers open their logins before a lockout and prove after it.
func TestLatecomers(t *testing.T) {
	inBubble(t, Config{}, newAccounts("ALICE"), func(b *bubble) {
		early, late := b.dial(), b.dial()
		first, second := early.challenge("ALICE"), late.challenge("ALICE")
		for range 10 {
			b.guess(nil, "ALICE", "wrong")
		}
		for _, c := range []struct {
			p         *peer
			challenge ChallengeReply
			pass      string
		}{{early, first, "secret"}, {late, second, "wrong"}} {
			if r, _ := c.p.prove("ALICE", c.pass, c.challenge); r.Result != Suspended {
				t.Errorf("%s: %d", c.pass, r.Result)
			}
			c.p.expectClosed()
		}
	})
}

// TestRefusedAccounts has accounts as operators may leave them: the answers at the challenge, at the proof, and at
// a reconnect with a session key. protocol.md 1.2.
func TestRefusedAccounts(t *testing.T) {
	now := int64(946684800) // when time begins in a bubble
	for name, c := range map[string]struct {
		change           func(*store.Account)
		right, wrong     string
		back, backProven string
	}{
		"banned for ever": {func(a *store.Account) { a.BanEndUnix = 1<<63 - 1 }, "000003", "000003", "0203", ""},
		"banned":          {func(a *store.Account) { a.BanEndUnix = now + 60 }, "00000c", "00000c", "020c", ""},
		"was banned":      {func(a *store.Account) { a.BanEndUnix = now - 1 }, "0100", "0104", "0200", "03000000"},
		"locked":          {func(a *store.Account) { a.Locked, a.LastAddress = true, "2001:db8::1" }, "0110", "0104", "0200", "03100000"},
		"locked to here":  {func(a *store.Account) { a.Locked, a.LastAddress = true, "192.0.2.1" }, "0100", "0104", "0200", "03000000"},
	} {
		accounts := newAccounts("ALICE")
		inBubble(t, Config{}, accounts, func(b *bubble) {
			key := b.dialFrom(from("192.0.2.1")).login("ALICE", "secret")
			if _, err := accounts.UpdateAccount(t.Context(), 1, func(a *store.Proven) error { c.change(&a.Account); return nil }); err != nil {
				t.Fatal(err)
			}
			if said := b.guess(from("192.0.2.1"), "ALICE", "wrong"); said[:len(c.wrong)] != c.wrong {
				t.Errorf("%s: a wrong password: %s, want %s", name, said, c.wrong)
			}
			p := b.dialFrom(from("192.0.2.1"))
			p.send(appendReconnectChallenge(nil, "ALICE"))
			said := p.reply()
			if got := fmt.Sprintf("%x", said[:2]); got != c.back {
				t.Errorf("%s: coming back: %s, want %s", name, got, c.back)
			}
			if c.backProven != "" {
				challenge, _, err := parseReconnectReply(said)
				if err != nil {
					t.Fatal(err)
				}
				p.expect(appendReconnectProof(nil, [16]byte{1}, crypt.ReconnectProof("ALICE", [16]byte{1}, challenge.Data, key)), c.backProven)
			}
			if said := b.guess(from("192.0.2.1"), "ALICE", "secret"); said[:len(c.right)] != c.right {
				t.Errorf("%s: the password: %s, want %s", name, said, c.right)
			}
		})
	}
}

// TestOneGuard shares a guard between two ways in.
func TestOneGuard(t *testing.T) {
	accounts := newAccounts("ALICE")
	guard := account.NewGuard(account.GuardConfig{Loopback: true}, accounts)
	for i := range 2 {
		inBubble(t, Config{Guard: guard}, accounts, func(b *bubble) {
			for n := range 5 {
				b.guess(from("127.0.0.9"), fmt.Sprint("NAME", i, n), "wrong")
			}
			if said := b.guess(from("127.0.0.9"), "ALICE", "secret"); (said == "00000c") != (i == 1) {
				t.Errorf("way %d: %s", i, said)
			}
		})
	}
}

// TestSecretOutlivesTheServer asks two servers for an account that does not exist.
func TestSecretOutlivesTheServer(t *testing.T) {
	var salts [3][32]byte
	for i, secret := range []string{"one", "one", "two"} {
		inBubble(t, Config{Secret: []byte(secret)}, newAccounts(), func(b *bubble) { salts[i] = b.dial().challenge("NOBODY").Salt })
	}
	if salts[0] != salts[1] || salts[0] == salts[2] {
		t.Errorf("salts %x", salts)
	}
}

// TestAnswersOnABeat is fault row 4 in a bubble, where time passes only by waiting: however long a store takes to find an
// account and to write a wrong password down, the answer is sent at the same time for all.
func TestAnswersOnABeat(t *testing.T) {
	for _, slow := range []time.Duration{0, 300 * time.Microsecond, 1900 * time.Microsecond} {
		accounts := newAccounts("ALICE")
		accounts.before = func() { pass(slow) }
		inBubble(t, Config{}, accounts, func(b *bubble) {
			for _, name := range []string{"ALICE", "NOBODY"} {
				p := b.dial()
				began := time.Now()
				challenge := p.challenge(name)
				if took := time.Since(began); took != challengePeriod {
					t.Errorf("%s: a challenge took %v", name, took)
				}
				A, M1, _, _ := answer(t, name, "wrong", challenge)
				began = time.Now()
				p.expect(AppendProof(nil, A, M1), "01040000")
				if took := time.Since(began); took != refusalPeriod {
					t.Errorf("%s: a refusal took %v", name, took)
				}
			}
		})
	}
}

// TestSecondFactors is fault row 6: a client that sends a PIN, a matrix or a token that was not requested, whole, cut or
// filled with junk, is refused, counted and never let in, with the right password too.
func TestSecondFactors(t *testing.T) {
	for flag, bodies := range map[byte][]string{
		1: {"", "01", "0102030405060708090a0b0c0d0e0f10", "0102030405060708090a0b0c0d0e0f10" + "ffffffffffffffffffffffffffffffffffffffff"},
		2: {"", "00", "ffffffffffffffffffffffffffffffffffffffff"},
		4: {"", "00", "06", "06313233", "06313233343536", "06616263646566", "ff", "0100", "06000000000000"},
		7: {"", "ff"}, 8: {""}, 0xFF: {"", "0000"},
	} {
		for _, body := range bodies {
			inBubble(t, Config{}, newAccounts("ALICE"), func(b *bubble) {
				p := b.dial()
				A, M1, _, _ := answer(t, "ALICE", "secret", p.challenge("ALICE"))
				proof := AppendProof(nil, A, M1)
				proof[len(proof)-1] = flag
				p.Write(append(proof, unhex(t, body)...)) // it may hang up before the end
				p.expectClosed()
				b.counted(map[string]uint64{"auth.bad_packet": 1})
			})
		}
	}
	for _, m := range [][]byte{appendReconnectProof(nil, [16]byte{}, [20]byte{})} {
		inBubble(t, Config{}, newAccounts("ALICE"), func(b *bubble) {
			p := b.dial()
			p.send(appendReconnectChallenge(nil, "ALICE"))
			p.reply()
			m[len(m)-1] = 1 // a key that was not requested
			p.Write(m)
			p.expectClosed()
			b.counted(map[string]uint64{"auth.bad_packet": 1})
		})
	}
}

// TestBusy is fault row 35 at the login: whatever of the store fails, and whether the account exists or not, the client
// receives "database busy", and nothing is counted against any name.
func TestBusy(t *testing.T) {
	away := fmt.Errorf("dial: %w", store.ErrBusy)
	for _, name := range []string{"ALICE", "NOBODY"} {
		accounts := newAccounts("ALICE")
		inBubble(t, Config{}, accounts, func(b *bubble) {
			accounts.fail["Account"] = away
			if said := b.guess(nil, name, "wrong"); said != "000008" {
				t.Errorf("%s: at the challenge: %s", name, said)
			}
			delete(accounts.fail, "Account")
			p := b.dial()
			challenge := p.challenge(name)
			accounts.fail["Account"], accounts.fail["UpdateAccount"] = away, away
			if r, _ := p.prove(name, "wrong", challenge); r.Result != Busy {
				t.Errorf("%s: at the proof: %d", name, r.Result)
			}
			clear(accounts.fail)
			if a, err := accounts.Account(t.Context(), "ALICE"); err != nil || a.FailedLogins != 0 {
				t.Errorf("%+v, %v", a, err)
			}
			b.counted(map[string]uint64{"auth.store": 2})
		})
	}
}
