package registry_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"muster/internal/pgtest"
	"muster/loaders/registry"
	"muster/loaders/store"
	"muster/loaders/store/postgres"
)

var cluster *pgtest.Cluster

func TestMain(m *testing.M) {
	os.Exit(pgtest.Main(m, &cluster, func() error { return goleak.Find() }))
}

// A rig is a registry beside a store, and a connection as any other program has it.
type rig struct {
	*registry.Registry
	t     *testing.T
	url   string
	store store.Store
	raw   *pgx.Conn
}

const (
	testLease   = 1234 * time.Second
	testSilence = time.Minute // of a leader: longer than a slow machine takes from one call to the next
)

func newRig(t *testing.T) *rig {
	t.Helper()
	url := cluster.URL(t)
	r := &rig{t: t, url: url}
	var err error
	if r.store, err = postgres.Open(t.Context(), postgres.Config{URL: url}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.store.Close() })
	if r.Registry, err = registry.Open(t.Context(), registry.Config{URL: url, Lease: testLease, ProcessLease: testLease, Silence: testSilence}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	if r.raw, err = pgx.Connect(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.raw.Close(context.Background()) })
	return r
}

// exec changes the registry as time would.
func (r *rig) exec(statement string, args ...any) {
	r.t.Helper()
	if _, err := r.raw.Exec(r.t.Context(), statement, args...); err != nil {
		r.t.Fatal(err)
	}
}

// expire has the lease of a gateway end a millisecond ago, while others have always renewed theirs.
func (r *rig) expire(number uint32) {
	r.t.Helper()
	r.exec("UPDATE cluster.gateways SET steady = now() - interval '1 day'")
	r.exec("UPDATE cluster.gateways SET until = now() - interval '1 millisecond' WHERE number = $1", number)
}

func (r *rig) join(home string, wish uint32) *registry.Member {
	r.t.Helper()
	m, err := r.Join(r.t.Context(), home, wish, "muster", 10)
	if err != nil {
		r.t.Fatal(err)
	}
	return m
}

// login is a new login.
func (r *rig) login(m *registry.Member) uint64 {
	r.t.Helper()
	n, err := m.Login(r.t.Context())
	if err != nil {
		r.t.Fatal(err)
	}
	return n
}

func (r *rig) claim(m *registry.Member, account uint32, login uint64) (fence uint64) {
	r.t.Helper()
	fence, err := m.Claim(r.t.Context(), account, 7, login)
	if err != nil {
		r.t.Fatal(err)
	}
	return fence
}

func (r *rig) giveBack(m *registry.Member, account uint32, fence uint64) {
	r.t.Helper()
	if err := m.GiveBack(r.t.Context(), []registry.Session{{Account: account, Fence: fence}}); err != nil {
		r.t.Fatal(err)
	}
}

// holds fails the test unless a claim is refused because a gateway has the account.
func (r *rig) holds(m *registry.Member, account uint32, login uint64, want registry.HeldError) {
	r.t.Helper()
	var held *registry.HeldError
	if _, err := m.Claim(r.t.Context(), account, 8, login); !errors.As(err, &held) || *held != want {
		r.t.Errorf("the claim of account %d ended with %v, want %+v", account, err, want)
	}
}

// An account is one gateway's until that gives it back, and the fence grows with each claim.
func TestClaim(t *testing.T) {
	r := newRig(t)
	one, two := r.join("one", 1), r.join("two", 2)
	first := r.login(one)
	second := r.login(two)
	if second <= first {
		t.Fatalf("login %d follows %d", second, first)
	}
	fence := r.claim(one, 5, first)
	r.holds(two, 5, second, registry.HeldError{Gateway: 1, GUID: 7, Fence: fence})
	if again := r.claim(one, 5, first); again != fence+1 {
		t.Errorf("claimed again with fence %d, want %d", again, fence+1)
	}
	r.giveBack(one, 5, fence) // of the claim before
	r.giveBack(two, 5, fence+1)
	r.holds(two, 5, second, registry.HeldError{Gateway: 1, GUID: 7, Fence: fence + 1})
	r.giveBack(one, 5, fence+1)
	if got := r.claim(two, 5, second); got != fence+2 {
		t.Errorf("the second gateway has fence %d, want %d", got, fence+2)
	}
	list, err := r.Sessions(t.Context())
	if want := []registry.Session{{Account: 5, Gateway: 2, GUID: 7, Fence: fence + 2}}; err != nil || !slices.Equal(list, want) {
		t.Errorf("sessions %+v, %v, want %+v", list, err, want)
	}
	if _, err := one.Claim(t.Context(), 5, 7, first); !errors.Is(err, registry.ErrSuperseded) {
		t.Errorf("the older login ended with %v, want ErrSuperseded", err)
	}
	r.giveBack(two, 5, fence+2)
	if _, err := one.Claim(t.Context(), 5, 7, first); !errors.Is(err, registry.ErrSuperseded) {
		t.Errorf("the older login, with the account free, ended with %v, want ErrSuperseded", err)
	}
	if list, err := r.Sessions(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("sessions %+v, %v, want none", list, err)
	}
}

// The lease of a gateway is of ten seconds, and a renewal that hangs ends within a third of it.
func TestLease(t *testing.T) {
	r := newRig(t)
	byDefault, err := registry.Open(t.Context(), registry.Config{URL: r.url, Timeout: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	defer byDefault.Close()
	m, err := byDefault.Join(t.Context(), "one", 0, realm, 1)
	if err != nil {
		t.Fatal(err)
	}
	var lease time.Duration
	if err := r.raw.QueryRow(t.Context(), "SELECT until - heard FROM cluster.gateways").Scan(&lease); err != nil || lease != 10*time.Second || m.Lease() != lease {
		t.Errorf("the lease is of %v, and said to be of %v, %v; want 10 s", lease, m.Lease(), err)
	}
	tx, err := r.raw.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), "LOCK TABLE cluster.gateways"); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Renew(t.Context(), "", 0); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a renewal that hangs ended with %v", err)
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Error(err)
	}
}

// What a gateway has is free when its lease is over by the clock of the database, and not before. Renewing begins the lease
// anew.
func TestExpiry(t *testing.T) {
	r := newRig(t)
	one, two := r.join("one", 0), r.join("two", 0)
	var lease time.Duration
	length := func() time.Duration {
		if err := r.raw.QueryRow(t.Context(), "SELECT until - heard FROM cluster.gateways WHERE number = 1").Scan(&lease); err != nil {
			t.Fatal(err)
		}
		return lease
	}
	if got := length(); got != testLease {
		t.Errorf("the lease is of %v, want %v", got, testLease)
	}
	login := r.login(one)
	fence := r.claim(one, 5, login)
	r.exec("UPDATE cluster.gateways SET until = now() + interval '1 hour' WHERE number = 1")
	r.holds(two, 5, login, registry.HeldError{Gateway: 1, GUID: 7, Fence: fence})
	r.expire(1)
	if list, err := r.Sessions(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("sessions %+v, %v, want none of a gateway whose lease is over", list, err)
	}
	want := []registry.Gateway{{Number: 1, Address: "127.0.0.1:1", Load: 4, Seats: 10}, {Number: 2, Address: "127.0.0.1:2", Load: 3, Seats: 10}}
	if _, err := two.Renew(t.Context(), "127.0.0.1:2", 3); err != nil {
		t.Fatal(err)
	}
	if live, err := r.Gateways(t.Context()); err != nil || !slices.Equal(live, want[1:]) {
		t.Errorf("gateways %+v, %v, want the second alone", live, err)
	}
	lapsed, err := one.Renew(t.Context(), "127.0.0.1:1", 4) // nothing has its number yet
	if err != nil || !lapsed || length() != testLease {
		t.Errorf("renewed with %t, %v, and a lease of %v, want true and %v", lapsed, err, lease, testLease)
	}
	if live, err := r.Gateways(t.Context()); err != nil || !slices.Equal(live, want) {
		t.Errorf("gateways %+v, %v, want %+v", live, err, want)
	}
	r.holds(two, 5, login, registry.HeldError{Gateway: 1, GUID: 7, Fence: fence})
	r.exec("UPDATE cluster.gateways SET heard = now() - interval '4 seconds' WHERE number = 1")
	if live, err := r.Gateways(t.Context()); err != nil || !slices.Equal(live, want[1:]) {
		t.Errorf("gateways %+v, %v, want the second, as the first is not heard of", live, err)
	}
	r.holds(two, 5, login, registry.HeldError{Gateway: 1, GUID: 7, Fence: fence})
	r.expire(1)
	if got := r.claim(two, 5, login); got != fence+1 {
		t.Errorf("the second gateway has fence %d, want %d", got, fence+1)
	}
	if _, err := one.Renew(t.Context(), "", 0); err != nil {
		t.Fatal(err)
	}
	r.giveBack(one, 5, fence)
	r.holds(one, 5, login, registry.HeldError{Gateway: 2, GUID: 7, Fence: fence + 1})
}

// When the database was away all leases are over, and no gateway is known to have ended. What one has is its own until another one
// has renewed for the time of a lease, and it has not.
func TestSteady(t *testing.T) {
	r := newRig(t)
	one, two := r.join("one", 0), r.join("two", 0)
	login := r.login(one)
	held := registry.HeldError{Gateway: 1, GUID: 7, Fence: r.claim(one, 5, login)}
	r.expire(1)
	r.expire(2)
	r.holds(two, 5, login, held)
	renew := func(m *registry.Member, want bool) {
		t.Helper()
		if lapsed, err := m.Renew(t.Context(), "", 0); err != nil || lapsed != want {
			t.Errorf("gateway %d renews with %t, %v, want %t", m.Number(), lapsed, err, want)
		}
	}
	renew(two, true)
	renew(two, false)
	r.holds(two, 5, login, held)
	if n := r.join("three", 1).Number(); n != 3 {
		t.Errorf("a new gateway has number %d, want 3", n)
	}
	r.exec("UPDATE cluster.gateways SET steady = now() - interval '1204 seconds' WHERE number = 2") // 30 s less than testLease
	r.holds(two, 5, login, held)
	renew(one, true)
	r.exec("UPDATE cluster.gateways SET steady = now() - interval '1234 seconds' WHERE number = 2")
	r.holds(two, 5, login, held)
	r.exec("UPDATE cluster.gateways SET until = now() WHERE number = 1")
	if got := r.claim(two, 5, login); got != held.Fence+1 {
		t.Errorf("the second gateway has fence %d, want %d", got, held.Fence+1)
	}
}

// When the clock of the database has gone back by an hour, leases would last that much longer. The first gateway, or process, that renews its own ends that: what another one
// has is free when that does not renew for the time of a lease.
func TestClockGoesBack(t *testing.T) {
	r := newRig(t)
	one, two := r.join("one", 0), r.join("two", 0)
	worker, other := r.enlist(registry.RoleWorker, 0), r.enlist(registry.RoleWorker, 0)
	login := r.login(one)
	held := registry.HeldError{Gateway: 1, GUID: 7, Fence: r.claim(one, 5, login)}
	for _, table := range []string{"gateways", "processes"} {
		r.exec("UPDATE cluster." + table + " SET until = until + interval '1 hour', steady = steady + interval '1 hour'")
	}
	r.exec("UPDATE cluster.gateways SET heard = heard + interval '1 hour'")
	r.holds(two, 5, login, held)
	// last is how long the leases of the gateway and the process last that do not renew.
	last := func(want time.Duration) {
		t.Helper()
		var gateway, process time.Duration
		err := r.raw.QueryRow(t.Context(), "SELECT (SELECT until - now() FROM cluster.gateways WHERE number = 1), (SELECT until - now() FROM cluster.processes WHERE id = $1)",
			int64(worker.ID())).Scan(&gateway, &process)
		if err != nil || gateway > want || gateway < want-time.Minute || process > want || process < want-time.Minute {
			t.Errorf("leases last for %v and %v, %v, want %v", gateway, process, err, want)
		}
	}
	last(testLease + time.Hour)
	for n, want := range []bool{true, false} {
		if lapsed, err := two.Renew(t.Context(), "", 0); err != nil || lapsed != want {
			t.Errorf("renewal %d: %t, %v, want %t", n, lapsed, err, want)
		}
		if _, err := other.Renew(t.Context(), 0); err != nil {
			t.Error(err)
		}
		last(testLease)
	}
	var ahead bool
	err := r.raw.QueryRow(t.Context(), "SELECT EXISTS (SELECT FROM cluster.gateways WHERE heard > now() OR number = 2 AND steady > now()) OR "+
		"EXISTS (SELECT FROM cluster.processes WHERE id = $1 AND steady > now())", int64(other.ID())).Scan(&ahead)
	if err != nil || ahead {
		t.Errorf("times ahead of the clock: %t, %v", ahead, err)
	}
	r.holds(two, 5, login, held)
	r.exec("UPDATE cluster.gateways SET steady = now() - interval '1234 seconds' WHERE number = 2")
	r.holds(two, 5, login, held)
	r.exec("UPDATE cluster.gateways SET until = now() WHERE number = 1")
	if got := r.claim(two, 5, login); got != held.Fence+1 {
		t.Errorf("the second gateway has fence %d, want %d", got, held.Fence+1)
	}
}

// What a gateway saves of a character after another has claimed it is refused, however many saves that were.
func TestFence(t *testing.T) {
	r := newRig(t)
	ctx := t.Context()
	a, err := r.store.CreateAccount(ctx, store.Account{Name: "ADA"})
	if err != nil {
		t.Fatal(err)
	}
	c, err := r.store.CreateCharacter(ctx, store.Character{Account: a.ID, Name: "Mirella", Race: 1, Class: 1})
	if err != nil {
		t.Fatal(err)
	}
	one, two := r.join("one", 0), r.join("two", 0)
	claim := func(m *registry.Member, want uint64) store.Character {
		t.Helper()
		if _, err := m.Claim(ctx, a.ID, c.GUID, r.login(m)); err != nil {
			t.Fatal(err)
		}
		found, err := r.store.Character(ctx, c.GUID)
		if err != nil || found.Version != want {
			t.Fatalf("the claimed character has version %#x, %v, want %#x", found.Version, err, want)
		}
		return found
	}
	older := claim(one, 1<<32)
	older.Version += 1000
	older.X = 1
	if err := r.store.SaveCharacter(ctx, older); err != nil {
		t.Fatal(err)
	}
	r.expire(one.Number())
	newer := claim(two, 2<<32)
	older.Version += 1000
	older.X = 2
	if err := r.store.SaveCharacter(ctx, older); !errors.Is(err, store.ErrStale) {
		t.Errorf("a save of the older gateway ended with %v, want ErrStale", err)
	}
	newer.Version++
	if err := r.store.SaveCharacter(ctx, newer); err != nil || newer.X != 1 {
		t.Errorf("a save of the newer gateway at x = %v ended with %v, want 1 and none", newer.X, err)
	}
	// The character of another account stays as it is.
	if _, err := two.Claim(ctx, a.ID+1, c.GUID, r.login(two)); err != nil {
		t.Fatal(err)
	}
	if found, err := r.store.Character(ctx, c.GUID); err != nil || found.Version != 2<<32+1 {
		t.Errorf("it has version %#x, %v, want %#x", found.Version, err, uint64(2<<32+1))
	}
}

// A gateway has the number that it wishes for, or the lowest that is free. The next process with the same home has the same number
// and what was claimed; another one has neither, and what had the number before is told.
func TestJoin(t *testing.T) {
	r := newRig(t)
	var got []uint32
	var all []*registry.Member
	for i, wish := range []uint32{2, 2, 0, 200} {
		all = append(all, r.join(fmt.Sprint("home ", i), wish))
		got = append(got, all[i].Number())
	}
	if want := []uint32{2, 1, 3, 200}; !slices.Equal(got, want) {
		t.Errorf("numbers %v, want %v", got, want)
	}
	two := all[0]
	login := r.login(two)
	fence := r.claim(two, 5, login)
	again := r.join("home 0", 9)
	if again.Number() != 2 {
		t.Errorf("the same home has number %d, want 2", again.Number())
	}
	r.holds(all[1], 5, login, registry.HeldError{Gateway: 2, GUID: 7, Fence: fence})
	if _, err := two.Renew(t.Context(), "", 0); !errors.Is(err, registry.ErrReplaced) {
		t.Errorf("the process before it renews with %v, want ErrReplaced", err)
	}
	if _, err := two.Claim(t.Context(), 6, 7, login); !errors.Is(err, registry.ErrReplaced) {
		t.Errorf("the process before it claims with %v, want ErrReplaced", err)
	}
	if err := two.Leave(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.holds(all[1], 5, login, registry.HeldError{Gateway: 2, GUID: 7, Fence: fence})
	r.expire(2)
	other := r.join("elsewhere", 2)
	if other.Number() != 4 {
		t.Errorf("another home has number %d, want 4, as 2 may only be slow", other.Number())
	}
	r.claim(all[1], 5, login)
	if err := all[1].Leave(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.claim(other, 5, login)
	last := other
	for n := range 255 - 4 + 1 { // 2, 3, 4 and 200 are had, and 1 was left
		last = r.join(fmt.Sprint("more ", n), 0)
	}
	if last.Number() != 2 {
		t.Errorf("the 255th gateway has number %d, want 2, whose lease is over", last.Number())
	}
	if _, err := r.Join(t.Context(), "one too many", 0, "muster", 10); !errors.Is(err, registry.ErrFull) {
		t.Errorf("the 256th gateway joins with %v, want ErrFull", err)
	}
}

// Gateways that race for a few accounts have each of them one at a time, and the fence of an account grows.
func TestRace(t *testing.T) {
	r := newRig(t)
	const gateways, accounts, visits = 4, 3, 20
	var mu sync.Mutex
	holder, fences := make([]int, accounts), make([]uint64, accounts)
	var claimed int
	var racing sync.WaitGroup
	for g := 1; g <= gateways; g++ {
		m := r.join(fmt.Sprint("home ", g), uint32(g))
		for account := range accounts {
			racing.Go(func() {
				for range visits {
					login, err := m.Login(t.Context())
					if err != nil {
						t.Error(err)
						return
					}
					fence, err := m.Claim(t.Context(), uint32(account), 7, login)
					var held *registry.HeldError
					if errors.As(err, &held) || errors.Is(err, registry.ErrSuperseded) {
						continue
					}
					if err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					if holder[account] != 0 || fence <= fences[account] {
						t.Errorf("gateway %d has account %d with fence %d, which gateway %d has with fence %d", g, account, fence, holder[account], fences[account])
					}
					holder[account], fences[account] = g, fence
					claimed++
					mu.Unlock()
					mu.Lock()
					holder[account] = 0
					mu.Unlock()
					if err := m.GiveBack(t.Context(), []registry.Session{{Account: uint32(account), Fence: fence}}); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
	}
	racing.Wait()
	if claimed < accounts*visits/4 {
		t.Errorf("%d claims in all: the race is none", claimed)
	}
}

// A registry that a newer muster has changed is refused.
func TestNewerSchema(t *testing.T) {
	r := newRig(t)
	r.exec("INSERT INTO cluster.goose_db_version (version_id, is_applied) VALUES (99, true)")
	if again, err := registry.Open(t.Context(), registry.Config{URL: r.url}); !errors.Is(err, registry.ErrNewer) {
		t.Errorf("opened with %v, want ErrNewer", err)
		again.Close()
	}
}

// A gateway that stands still while it joins keeps others from joining, and from renewing their leases, for some seconds at most.
func TestStoppedWhileItJoins(t *testing.T) {
	r := newRig(t)
	m, err := r.Join(t.Context(), "one", 1, realm, 0)
	r.must(err)
	stopped, end, first := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() { first <- r.StopInJoin(stopped, end) }()
	<-stopped
	for range 3 { // a call has 5 s
		if _, err = m.Renew(t.Context(), "", 0); err == nil {
			break
		}
		t.Log(err)
	}
	close(end)
	if err != nil {
		t.Errorf("another gateway cannot renew its lease: %v", err)
	}
	if err := <-first; err == nil {
		t.Error("it has the lock still")
	}
	if _, err := r.Join(t.Context(), "two", 2, realm, 0); err != nil {
		t.Errorf("another gateway cannot join: %v", err)
	}
}
