package login

import (
	"context"
	"errors"
	"net"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// TestDeadlines is fault row 8, and what is left of row 7 for one connection: however bytes trickle in, each packet has
// five seconds and the whole handshake ten.
func TestDeadlines(t *testing.T) {
	challenge := AppendChallenge(nil, "ALICE")
	for name, c := range map[string]struct {
		config Config
		client func(p *peer)
		want   time.Duration
		reason string
	}{
		"silence":       {Config{}, func(p *peer) {}, 5 * time.Second, "auth.timeout"},
		"1 byte in 9 s": {Config{}, func(p *peer) { p.trickle(challenge, 9*time.Second) }, 5 * time.Second, "auth.timeout"},
		"1 byte in 1 s": {Config{}, func(p *peer) { p.trickle(challenge, time.Second) }, 5 * time.Second, "auth.timeout"},
		"no proof": {Config{}, func(p *peer) {
			p.sendSlowly(challenge, 100*time.Millisecond) // 39 bytes
			p.reply()
		}, 8900*time.Millisecond + challengePeriod, "auth.timeout"},
		"no proof, short handshake": {Config{Handshake: 7 * time.Second}, func(p *peer) {
			p.sendSlowly(challenge, 100*time.Millisecond)
			p.reply()
		}, 7 * time.Second, "auth.timeout"},
		"idle": {Config{}, func(p *peer) {
			p.login("ALICE", "secret")
			for range 3 {
				time.Sleep(4 * time.Minute)
				p.realms()
			}
		}, 17*time.Minute + challengePeriod, "auth.idle"},
		"trickling while logged in": {Config{}, func(p *peer) {
			p.login("ALICE", "secret")
			p.trickle(AppendRealmListRequest(nil), 2*time.Minute)
		}, 5*time.Minute + challengePeriod, "auth.idle"},
		"deaf": {Config{}, func(p *peer) {
			p.send(challenge)
			synctest.Wait()
			time.Sleep(6 * time.Second)
		}, 6 * time.Second, "auth.timeout"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, c.config, newAccounts("ALICE"), func(b *bubble) {
				p := b.dial()
				c.client(p)
				p.expectClosed()
				if took := time.Since(b.started); took != c.want {
					t.Errorf("closed after %v, want %v", took, c.want)
				}
				p.senders.Wait()
				if n := b.metric.Value(c.reason); n != 1 {
					t.Errorf("counted %d of %s", n, c.reason)
				}
			})
		})
	}
}

// TestOneByteAtATime is fault row 5: a login in pieces is a login.
func TestOneByteAtATime(t *testing.T) {
	inBubble(t, Config{}, newAccounts("ALICE"), func(b *bubble) {
		p := b.dial()
		if !p.sendSlowly(AppendChallenge(nil, "ALICE"), time.Millisecond) {
			t.Fatal("the challenge was not taken")
		}
		A, M1, _, _ := answer(t, "ALICE", "secret", whole(p, ParseChallengeReply))
		if !p.sendSlowly(AppendProof(nil, A, M1), time.Millisecond) {
			t.Fatal("the proof was not taken")
		}
		if r := whole(p, ParseProofReply); r.Result != Success {
			t.Errorf("login ended with %d", r.Result)
		}
		p.send(append(AppendRealmListRequest(nil), AppendRealmListRequest(nil)...)) // and two packets at once
		whole(p, ParseRealmList)
		whole(p, ParseRealmList)
	})
}

// TestHalfOpen is fault row 7: ten thousand connections that never send anything.
func TestHalfOpen(t *testing.T) {
	const silent = 10_000
	inBubble(t, Config{}, newAccounts("ALICE"), func(b *bubble) {
		peers := make([]*peer, silent)
		for i := range peers {
			peers[i] = b.dial()
		}
		b.counted(map[string]uint64{"auth.full": silent - 4096})
		for _, p := range peers {
			p.expectClosed()
		}
		if took := time.Since(b.started); took != 5*time.Second {
			t.Errorf("closed after %v", took)
		}
		b.dial().login("ALICE", "secret")
		b.counted(map[string]uint64{"auth.full": silent - 4096, "auth.timeout": 4096, "auth.ok": 1})
	})
}

func TestPerAddress(t *testing.T) {
	from := func(ip string) net.Addr { return &net.TCPAddr{IP: net.ParseIP(ip), Port: 1} }
	for _, c := range []struct {
		config Config
		ips    []string
		refuse uint64
	}{
		{Config{PerAddress: 2}, []string{"10.0.0.1", "10.0.0.1", "10.0.0.1", "10.0.0.2"}, 1},
		{Config{PerAddress: 2}, []string{"::ffff:10.0.0.1", "10.0.0.1", "10.0.0.1"}, 1},
		{Config{PerAddress: 2}, []string{"2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8:0:1::1"}, 1},
		{Config{PerAddress: 2}, []string{"127.0.0.1", "127.0.0.1", "127.0.0.1", "::1", "::1", "::1"}, 0},
		{Config{PerAddress: 2, LimitLoopback: true}, []string{"127.0.0.1", "127.0.0.1", "127.0.0.1", "::1", "::1", "::1"}, 2},
		{Config{PerAddress: -1}, []string{"10.0.0.1", "10.0.0.1", "10.0.0.1"}, 0},
	} {
		inBubble(t, c.config, newAccounts("ALICE"), func(b *bubble) {
			var last *peer
			for _, ip := range c.ips {
				last = b.dialFrom(from(ip))
			}
			synctest.Wait()
			if n := b.metric.Value("auth.address_full"); n != c.refuse {
				t.Errorf("%+v: %d of %v refused, want %d", c.config, n, c.ips, c.refuse)
			}
			last.Close()
			time.Sleep(5 * time.Second) // all of them are gone
			synctest.Wait()
			if s := b.server; s.acceptor.inside != 0 || len(s.acceptor.from) != 0 {
				t.Errorf("%d inside, from %v", s.acceptor.inside, s.acceptor.from)
			}
			b.dialFrom(from(c.ips[0])).login("ALICE", "secret")
		})
	}
}

// TestAcceptErrors: no error of the listener ends the server. The pauses are 5, 10, 20 … ms, a second at most.
func TestAcceptErrors(t *testing.T) {
	inBubble(t, Config{}, newAccounts("ALICE"), func(b *bubble) {
		first := b.dial()
		for range 10 {
			b.listener.errs <- &net.OpError{Op: "accept", Err: syscall.EMFILE}
		}
		first.login("ALICE", "secret")
		b.dial().login("ALICE", "secret")
		if took, want := time.Since(b.started), (5+10+20+40+80+160+320+640+1000+1000)*time.Millisecond+challengePeriod; took != want {
			t.Errorf("served again after %v, want %v", took, want)
		}
		b.counted(map[string]uint64{"auth.accept": 10, "auth.ok": 2})
	})
}

func TestListenerClosedByOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := New(Config{}, newAccounts())
		if err != nil {
			t.Fatal(err)
		}
		l := newPipes()
		client, conn := net.Pipe()
		go func() { l.conns <- conn; l.Close() }()
		if err := s.Serve(t.Context(), l); !errors.Is(err, net.ErrClosed) {
			t.Errorf("Serve ended with %v", err)
		}
		(&peer{T: t, Conn: client}).expectClosed()
	})
}

// TestShutdown ends the server while connections are in every state, one of them in the store.
func TestShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		accounts := newAccounts("ALICE")
		hold := make(chan struct{})
		s, err := New(Config{Realms: testRealms}, accounts)
		if err != nil {
			t.Fatal(err)
		}
		b := &bubble{T: t, listener: newPipes(), server: s}
		ctx, cancel := context.WithCancel(t.Context())
		served := make(chan error, 1)
		go func() { served <- s.Serve(ctx, b.listener) }()
		peers := []*peer{b.dial(), b.dial(), b.dial(), b.dial()}
		peers[1].challenge("ALICE")
		peers[2].login("ALICE", "secret")
		accounts.before = func() { <-hold }
		peers[3].send(AppendChallenge(nil, "ALICE"))
		synctest.Wait()
		cancel()
		synctest.Wait()
		select {
		case err := <-served:
			t.Fatalf("Serve did not wait for a connection: %v", err)
		default:
		}
		close(hold)
		if err := <-served; err != nil {
			t.Errorf("Serve ended with %v", err)
		}
		for _, p := range peers {
			p.expectClosed()
		}
		s.config.Metric.Each(func(name string, n uint64) {
			if n > 0 && name != "auth.ok" {
				t.Errorf("counted %d of %s", n, name)
			}
		})
	})
}

// TestPanic: a mistake in one conversation is the end of that conversation.
func TestPanic(t *testing.T) {
	accounts := newAccounts("ALICE")
	inBubble(t, Config{}, accounts, func(b *bubble) {
		accounts.before = func() { panic("of the test") }
		p := b.dial()
		p.send(AppendChallenge(nil, "ALICE"))
		p.expectClosed()
		accounts.before = func() {}
		b.dial().login("ALICE", "secret")
		b.counted(map[string]uint64{"auth.panic": 1, "auth.ok": 1})
	})
}
