//go:build long

package login

import (
	"context"
	"fmt"
	"net"
	"slices"
	"testing"
	"time"

	"muster/loaders/store"
	"muster/loaders/store/sqlite"
	"muster/net/login/account"
	"muster/net/protocol/crypt"
)

// TestTiming is fault row 4 against the clock, over TCP and on a disk: the duration of a challenge and of a wrong password
// does not distinguish a name with an account from one without. TestAnswersOnABeat is the short form: a busy machine
// proves nothing.
func TestTiming(t *testing.T) {
	kept, err := sqlite.Open(t.Context(), sqlite.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	const tries = 300
	for i := range tries {
		salt := [32]byte{byte(i)}
		name := fmt.Sprint("KNOWN", i)
		if _, err := kept.CreateAccount(t.Context(), store.Account{Name: name, Salt: salt, Verifier: crypt.Verifier(name, "secret", salt)}); err != nil {
			t.Fatal(err)
		}
	}
	s, err := New(Config{Realms: testRealms, Guard: account.NewGuard(account.GuardConfig{}, kept)}, kept)
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
	var challenges, refusals [2][]float64 // of known names, and of others
	for i := range tries {
		for k, name := range []string{fmt.Sprint("KNOWN", i), fmt.Sprint("OTHER", i)} {
			conn, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			p := &peer{T: t, Conn: conn}
			began := time.Now()
			challenge := p.challenge(name)
			challenges[k] = append(challenges[k], time.Since(began).Seconds())
			A, M1, _, _ := answer(t, name, "wrong", challenge)
			began = time.Now()
			p.expect(AppendProof(nil, A, M1), "01040000")
			refusals[k] = append(refusals[k], time.Since(began).Seconds())
			conn.Close()
		}
	}
	cancel()
	if err := <-served; err != nil {
		t.Error(err)
	}
	for what, sides := range map[string][2][]float64{"challenge": challenges, "refusal": refusals} {
		p := mannWhitney(sides[0], sides[1])
		apart := time.Duration((median(sides[0]) - median(sides[1])) * float64(time.Second))
		t.Logf("%s: p = %.3g, the medians are %v apart", what, p, apart)
		if p < 1e-4 && apart.Abs() > 100*time.Microsecond {
			t.Errorf("a %s distinguishes known names from others", what)
		}
	}
}

func median(values []float64) float64 { return slices.Sorted(slices.Values(values))[len(values)/2] }
