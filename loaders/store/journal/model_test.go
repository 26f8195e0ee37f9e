package journal

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"muster/components/life"
	"muster/internal/testseed"
	"muster/loaders/store"
)

// seeds calls test with one seed after the other, more of them in the long form, and names the one that fails.
func seeds(t *testing.T, n int, test func(t *testing.T, r *rand.Rand)) {
	if os.Getenv("LONG_TESTS") != "" {
		n *= 20
	}
	first := testseed.Of(t)
	for seed := first; seed != first+uint64(n); seed++ {
		func() {
			defer func() { // a bubble of testing/synctest that fails does not return
				if t.Failed() {
					t.Logf("%s=%d", testseed.Variable, seed)
				}
			}()
			test(t, rand.New(rand.NewPCG(seed, 0)))
		}()
	}
}

// A model has every version of every character, which of them are safe, and which were saved together.
type model struct {
	t          *testing.T
	r          *rand.Rand
	below      *below
	disk       *disk
	j          *Journal
	life       *process
	characters []*savedCharacter
	trades     []trade
	mu         sync.Mutex // of what is safe
}

// A process is a journal over the store, until it is killed.
type process struct {
	*below
	killed atomic.Bool
}

func (p *process) SaveCharacters(ctx context.Context, list []store.Character) ([]error, error) {
	if p.killed.Load() {
		return nil, store.ErrBusy
	}
	return p.below.SaveCharacters(ctx, list)
}

type savedCharacter struct {
	now     store.Character
	history map[uint64]string // by version
	safe    uint64            // the newest that is safe
}

// A trade is two versions that are found both or neither.
type trade struct {
	a, b     *savedCharacter
	atA, atB uint64
}

const (
	charactersInModel = 6
	moneyOfEach       = 1000
)

func newModel(t *testing.T, r *rand.Rand) *model {
	m := &model{t: t, r: r, below: newBelow(), disk: newDisk()}
	m.disk.slow = []time.Duration{0, 20 * time.Millisecond, 400 * time.Millisecond}[r.IntN(3)]
	for i, c := range m.below.characters(t, charactersInModel) {
		c.Version, c.MoneyCopper = 2, moneyOfEach
		c.Items = []life.Item{{GUID: uint64(i + 1), Entry: 1, Count: 1, Bag: life.InBody, Slot: uint8(i)}}
		if err := m.below.SaveCharacter(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		m.characters = append(m.characters, &savedCharacter{now: c, safe: 2, history: map[uint64]string{2: text(c)}})
	}
	m.open()
	return m
}

func text(c store.Character) string { return fmt.Sprintf("%+v", c.Clone()) }

func (m *model) open() Report {
	m.life = &process{below: m.below}
	j, r, err := Open(m.t.Context(), m.life, Config{
		FS: m.disk, Segment: 3000, MaxBytes: 30_000, Drain: time.Second, Batch: 3,
	})
	if err != nil {
		m.t.Fatal(err)
	}
	m.j = j
	return r
}

// walk saves a character that has moved, and may have learned something.
func (m *model) walk() {
	p := m.characters[m.r.IntN(len(m.characters))]
	c := &p.now
	c.Version++
	c.X, c.Health = float32(c.Version), uint32(m.r.IntN(1000))
	var lists life.Set
	if m.r.IntN(3) == 0 {
		lists |= life.Spells
		c.Spells = append(slices.Clone(c.Spells), uint32(c.Version))
	}
	if m.r.IntN(4) == 0 {
		lists |= life.Actions
		c.Actions = []life.Action{{Button: uint8(m.r.IntN(100)), Packed: uint32(c.Version)}}
	}
	m.save(lists, p)
}

// trade has one character give another some money, and one of its items.
func (m *model) trade() {
	order := m.r.Perm(len(m.characters))
	a, b := m.characters[order[0]], m.characters[order[1]]
	a.now.Version++
	b.now.Version++
	money := uint32(m.r.IntN(int(a.now.MoneyCopper) + 1))
	a.now.MoneyCopper -= money
	b.now.MoneyCopper += money
	if len(a.now.Items) > 0 {
		given := a.now.Items[m.r.IntN(len(a.now.Items))]
		a.now.Items = store.DropItem(slices.Clone(a.now.Items), given.GUID)
		b.now.Items = append(slices.Clone(b.now.Items), given)
	}
	m.trades = append(m.trades, trade{a, b, a.now.Version, b.now.Version})
	m.save(life.Items, a, b)
}

// exchange is a trade in the store, between two characters that are not in play.
func (m *model) exchange() {
	order := m.r.Perm(len(m.characters))
	a, b := m.characters[order[0]], m.characters[order[1]]
	newA, newB := a.now.Clone(), b.now.Clone()
	trade := store.Trade{
		A: store.Side{GUID: newA.GUID, Version: newA.Version, MoneyCopper: uint32(m.r.IntN(int(newA.MoneyCopper) + 1))},
		B: store.Side{GUID: newB.GUID, Version: newB.Version},
	}
	if n := len(newB.Items); n > 0 {
		it := newB.Items[m.r.IntN(n)]
		trade.B.Items = []store.Handed{{GUID: it.GUID, Bag: it.Bag, Slot: it.Slot}}
	}
	if err := trade.Apply(&newA, &newB); err != nil {
		m.t.Fatal(err)
	}
	if err := m.j.Trade(m.t.Context(), trade); errors.Is(err, store.ErrBusy) {
		return
	} else if err != nil {
		m.t.Fatal(err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for p, now := range map[*savedCharacter]store.Character{a: newA, b: newB} {
		p.now, p.safe = now, now.Version
		p.history[now.Version] = text(now)
	}
}

// come creates a character, which has nothing.
func (m *model) come() {
	n := len(m.characters)
	c, err := m.j.CreateCharacter(m.t.Context(), store.Character{
		Account: m.characters[n%charactersInModel].now.Account, Name: "New" + string([]byte{'a' + byte(n/20), 'b' + byte(n%20)}),
		Race: 1, Class: 1, Level: 1,
	})
	if errors.Is(err, store.ErrBusy) || errors.Is(err, store.ErrTooMany) {
		return
	} else if err != nil {
		m.t.Fatal(err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.characters = append(m.characters, &savedCharacter{now: c, safe: c.Version, history: map[uint64]string{c.Version: text(c)}})
}

// save saves what is new since the version before, and notes when it is safe.
func (m *model) save(lists life.Set, characters ...*savedCharacter) {
	var together []store.Snapshot
	for _, p := range characters {
		p.history[p.now.Version] = text(p.now)
		together = append(together, store.Snapshot{Character: p.now, Since: p.now.Version - 1, Lists: lists})
	}
	if m.r.IntN(2) == 0 {
		m.j.Save(together, nil)
		return
	}
	l, j := m.life, m.j
	m.j.Save(together, func() {
		if l.killed.Load() || j.Degraded() {
			return
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		for i, p := range characters {
			p.safe = max(p.safe, together[i].Version)
		}
	})
}

// kill ends the journal as it stands, and opens what it has left.
func (m *model) kill() {
	m.life.killed.Store(true) // from here on nothing is said to be safe
	left := m.disk.crash(m.r)
	m.j.config.Drain = time.Millisecond
	m.j.Close()
	m.disk = left
	m.below.away.Store(false)
	if r := m.open(); len(r.Damage) > 0 || r.Orphans > 0 {
		m.t.Errorf("found %+v", r)
	}
	m.check()
}

// stop closes the journal, and opens it again: everything is there.
func (m *model) stop() {
	if err := m.j.Close(); err != nil {
		m.t.Error(err)
	}
	m.mu.Lock()
	for _, p := range m.characters {
		p.safe = p.now.Version
	}
	m.mu.Unlock()
	m.below.away.Store(false)
	m.open()
	m.check()
}

// check looks for what is lost, torn or doubled. Play goes on from what it finds.
func (m *model) check() {
	m.mu.Lock()
	defer m.mu.Unlock()
	owners, money := make(map[uint64]uint64), uint32(0)
	for _, p := range m.characters {
		got, err := m.j.Character(m.t.Context(), p.now.GUID)
		if err != nil {
			m.t.Fatal(err)
		}
		if got.Version < p.safe {
			m.t.Errorf("%s is found at version %d, and %d was safe", got.Name, got.Version, p.safe)
		}
		if want := p.history[got.Version]; text(got) != want {
			m.t.Errorf("at version %d found\n%s, and it was\n%s", got.Version, text(got), want)
		}
		p.now, p.safe = got, got.Version
		money += got.MoneyCopper
		for _, it := range got.Items {
			if owners[it.GUID] != 0 {
				m.t.Errorf("item %d is in two places", it.GUID)
			}
			owners[it.GUID] = got.GUID
		}
	}
	if len(owners) != charactersInModel || money != charactersInModel*moneyOfEach {
		m.t.Errorf("%d items and %d copper are left", len(owners), money)
	}
	for _, tr := range m.trades {
		if (tr.a.now.Version >= tr.atA) != (tr.b.now.Version >= tr.atB) {
			m.t.Errorf("half a trade: versions %d of %d and %d of %d", tr.a.now.Version, tr.atA, tr.b.now.Version, tr.atB)
		}
	}
	m.trades = nil
}

// After any sequence of events, what was safe is found again, nothing is torn or doubled, and trades have both sides.
func TestModel(t *testing.T) {
	seeds(t, 150, func(t *testing.T, r *rand.Rand) {
		synctest.Test(t, func(t *testing.T) {
			m := newModel(t, r)
			for range 120 {
				switch n := r.IntN(42); {
				case n < 18:
					m.walk()
				case n < 24:
					m.trade()
				case n < 34:
					<-time.After(time.Duration(r.IntN(700)) * time.Millisecond)
				case n < 36:
					m.below.away.Store(r.IntN(2) == 0)
				case n == 40:
					m.exchange()
				case n == 41:
					m.come()
				case n == 36:
					m.disk.set(nil, []int{-1, r.IntN(2000)}[r.IntN(2)])
				case n == 37:
					m.disk.set(nil, -1)
				case n == 38:
					m.kill()
				default:
					m.disk.set(nil, -1)
					m.stop()
				}
				if t.Failed() {
					break
				}
			}
			m.kill()
			m.j.Close()
		})
	})
}
