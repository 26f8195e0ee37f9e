package logon

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net"
	"os"
	"slices"
	"testing"
	"time"

	"muster/loaders/store"
	"muster/loaders/store/sqlite"
	"muster/net/account"
	"muster/net/crypt"
)

// TestTiming is fault row 4 against the clock, over TCP and on a disk: how long a challenge and a wrong password take does
// not tell a name that somebody has from one that nobody has. Only its long form measures: a busy machine proves nothing.
func TestTiming(t *testing.T) {
	if os.Getenv("LONG_TESTS") == "" {
		t.Skip("LONG_TESTS is not set; TestAnswersOnABeat is the short form")
	}
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
			t.Errorf("a %s tells known names from others", what)
		}
	}
}

func median(values []float64) float64 { return slices.Sorted(slices.Values(values))[len(values)/2] }

// mannWhitney is the chance that two samples of one thing differ as much as these do, by the normal approximation.
func mannWhitney(a, b []float64) (p float64) {
	type sample struct {
		value float64
		first bool
	}
	var all []sample
	for _, v := range a {
		all = append(all, sample{v, true})
	}
	for _, v := range b {
		all = append(all, sample{v, false})
	}
	slices.SortFunc(all, func(a, b sample) int { return cmp.Compare(a.value, b.value) })
	ranks := 0.0
	for i, s := range all {
		if s.first {
			ranks += float64(i + 1)
		}
	}
	n, m := float64(len(a)), float64(len(b))
	u := ranks - n*(n+1)/2
	z := (u - n*m/2) / math.Sqrt(n*m*(n+m+1)/12)
	return math.Erfc(math.Abs(z) / math.Sqrt2)
}

func TestMannWhitney(t *testing.T) {
	var low, high []float64
	for i := range 50 {
		low, high = append(low, float64(2*i)), append(high, float64(2*i+1))
	}
	if p := mannWhitney(low, high); p < 0.5 {
		t.Errorf("two of a kind: p = %v", p)
	}
	for i := range high {
		high[i] += 60
	}
	if p := mannWhitney(low, high); p > 1e-6 {
		t.Errorf("two kinds: p = %v", p)
	}
}
