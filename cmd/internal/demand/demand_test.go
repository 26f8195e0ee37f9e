package demand

import (
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"muster/cmd/internal/process"
	"muster/internal/corrupt"
	"muster/net/replication/remote"
)

// The bytes of messages, written by hand.
func TestBytes(t *testing.T) {
	t.Parallel()
	ask := Ask{ID: 7}
	if got, want := string(ask.Append(nil)), `snap {"id":7}`; got != want {
		t.Errorf("asked is %s, want %s", got, want)
	}
	for want, m := range map[string]Answer{
		`snapped {"id":7,"tick":20,"xxh3":"AAH/"}`: {ID: 7, Tick: 20, Hash: []byte{0, 1, 255}},
		`snapped {"id":7,"why":"it is \"full\""}`:  {ID: 7, Why: `it is "full"`},
	} {
		b := m.Append(nil)
		if string(b) != want {
			t.Errorf("answered is %s, want %s", b, want)
		}
		if got, ok := ReadAnswer(b); !ok || !reflect.DeepEqual(got, m) {
			t.Errorf("%s is read as %+v, %t", want, got, ok)
		}
	}
	if got, ok := ReadAsk(ask.Append(nil)); !ok || got != ask {
		t.Errorf("read as %+v, %t, want %+v", got, ok, ask)
	}
	for _, none := range []string{"", "5 7@here", `snap`, `snap {}`, `snap {"id":-1}`, `snapped {"id":7}`, `snap {"id":7,"x":"` + strings.Repeat("x", maxMessage) + `"}`} {
		if got, ok := ReadAsk([]byte(none)); ok {
			t.Errorf("%.20s is read as %+v", none, got)
		}
	}
	if got, ok := ReadAnswer([]byte(`snapped {"tick":7}`)); ok {
		t.Errorf("an answer to nothing is read as %+v", got)
	}
}

// No message that was changed makes a process panic, and what is read of one is written again as it was read.
func TestCorrupt(t *testing.T) {
	t.Parallel()
	whole := Answer{ID: 7, Tick: 20, Hash: []byte{0, 1, 255}, Why: "full"}
	for b := range corrupt.Bytes(3000, whole.Append(nil)) {
		m, ok := ReadAnswer(b)
		if !ok {
			continue
		}
		if again, ok := ReadAnswer(m.Append(nil)); !ok || string(again.Append(nil)) != string(m.Append(nil)) {
			t.Errorf("%q is read as %+v, and then as %+v", b, m, again)
		}
	}
	for b := range corrupt.Bytes(3000, (&Ask{ID: 7}).Append(nil)) {
		m, ok := ReadAsk(b)
		if again, whole := ReadAsk(m.Append(nil)); ok && (!whole || again != m) {
			t.Errorf("%q is read as %+v, and then as %+v", b, m, again)
		}
	}
}

// A loopback is a bus within a process.
type loopback struct {
	mu   sync.Mutex
	take map[int]func([]byte)
	next int
	asks int
	drop int // so many questions are lost
	away int // from which flush on it is away; 0: never
	done int // flushes
}

var errAway = errors.New("it is away")

func (b *loopback) Flush() error {
	if b.done++; b.away > 0 && b.done >= b.away {
		return errAway
	}
	return nil
}

func (b *loopback) Publish(_ string, message []byte) error {
	b.mu.Lock()
	var all []func([]byte)
	if _, ok := ReadAsk(message); ok {
		b.asks++
	}
	if b.asks > b.drop {
		for _, take := range b.take {
			all = append(all, take)
		}
	}
	b.mu.Unlock()
	for _, take := range all {
		take(message)
	}
	return nil
}

func (b *loopback) Subscribe(_ string, take func([]byte)) (stop func(), err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.take == nil {
		b.take = make(map[int]func([]byte))
	}
	at := b.next
	b.next++
	b.take[at] = take
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.take, at)
	}, nil
}

// beats has it heard that a process has the world, until the test ends.
func beats(t *testing.T, b *loopback) (stop func()) {
	ended := make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() {
		every := time.NewTicker(100 * time.Millisecond)
		defer every.Stop()
		for {
			select {
			case <-every.C:
				for _, take := range b.takers() {
					take(process.Heartbeat(5, "7@here"))
				}
			case <-ended:
				return
			}
		}
	})
	return func() { close(ended); running.Wait() }
}

func (b *loopback) takers() (all []func([]byte)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, take := range b.take {
		all = append(all, take)
	}
	return all
}

// What is asked is repeated until it is answered, and the answer to another question is none.
func TestSnapshot(t *testing.T) {
	for name, c := range map[string]struct {
		leads, answers bool
		drop           int
		why            string
		after          time.Duration // how long it takes
		fails          string
	}{
		"kept":       {leads: true, answers: true, after: 100 * time.Millisecond},
		"lost":       {leads: true, answers: true, drop: 3, after: 100*time.Millisecond + 3*askEvery},
		"refused":    {leads: true, answers: true, why: "full", after: 100 * time.Millisecond, fails: "7@here keeps no snapshot: full"},
		"no leader":  {answers: true, after: silence, fails: "no worker says that it has the world: nothing is heard of one for 3s"},
		"not in any": {leads: true, after: 100*time.Millisecond + answerTime, fails: "7@here has the world, and has not answered within 1m10s: its release may be one that takes no snapshots when it is asked"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				bus := &loopback{drop: c.drop}
				if c.leads {
					defer beats(t, bus)()
				}
				if c.answers {
					stop, err := bus.Subscribe("", func(b []byte) {
						if m, ok := ReadAsk(b); ok {
							for _, a := range []Answer{{ID: m.ID + 1, Tick: 19}, {ID: m.ID, Tick: 20, Hash: []byte{7}, Why: c.why}} {
								for _, take := range bus.takers() {
									take(a.Append(nil))
								}
							}
						}
					})
					if err != nil {
						t.Fatal(err)
					}
					defer stop()
				}
				began := time.Now()
				m, err := Snapshot(t.Context(), bus, remote.Address{Realm: "r"})
				if took := time.Since(began); took != c.after {
					t.Errorf("it took %v, want %v", took, c.after)
				}
				if c.fails != "" {
					if err == nil || err.Error() != c.fails || errors.Is(err, ErrNoLeader) == c.leads {
						t.Errorf("it failed with %v, want %s", err, c.fails)
					}
					return
				}
				if err != nil || m.Tick != 20 || len(m.Hash) != 1 {
					t.Errorf("answered is %+v, %v; want tick 20", m, err)
				}
			})
		})
	}
}

// Silence on a bus that is away, before it or at its end, says nothing of a leader.
func TestLeaderOnABusThatIsAway(t *testing.T) {
	for away := 1; away <= 2; away++ {
		synctest.Test(t, func(t *testing.T) {
			if name, err := Leader(t.Context(), &loopback{away: away}, remote.Address{Realm: "r"}); name != "" || !errors.Is(err, errAway) {
				t.Errorf("flush %d fails: the leader is %q, %v", away, name, err)
			}
		})
	}
}
