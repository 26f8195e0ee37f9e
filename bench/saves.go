package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"muster/components/life"
	"muster/internal/pgtest"
	"muster/loaders/store"
	"muster/loaders/store/journal"
	"muster/loaders/store/postgres"
)

// savesPerSecond is how many of the characters change something in a second: all.
const savesPerSecond = storedAccounts

// saves measures how long what players do takes to PostgreSQL, when all of them do something every second.
func saves(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	seconds, repetitions := 20, 5
	if c.Quick {
		seconds, repetitions = 3, 1
	}
	cluster, err := pgtest.Start("fsync=on")
	if err != nil {
		return "", 0, err
	}
	defer func() { err = errors.Join(err, cluster.Stop()) }()
	for range repetitions {
		k, err := newSaver(ctx, cluster)
		if err != nil {
			return "", 0, err
		}
		err = k.run(ctx, seconds)
		left := k.journal.Stats()
		if err := errors.Join(err, k.close()); err != nil {
			return "", 0, err
		}
		slices.Sort(k.delays)
		if len(k.delays) == 0 {
			return "", 0, errors.New("nothing was saved")
		}
		at := func(percent int) float64 { return k.delays[(len(k.delays)-1)*percent/100].Seconds() * 1e3 }
		s.put("from a change to the database, p50", "ms", at(50))
		s.put("from a change to the database, p99", "ms", at(99)).atMost(1000, OfMedian)
		s.put("from a change to the database, at most", "ms", at(100))
		s.put("changes of characters", "per second", float64(k.said)/k.took.Seconds())
		s.put("journal at the end", "MB", float64(left.Bytes)/1e6)
	}
	return fmt.Sprintf("%s characters change every second, a tenth of them every 100 ms: position, health, and two of their 40 items. "+
		"A journal stores it and gives it to PostgreSQL on the same machine, with fsync on there and for the "+
		"journal. The delay of a change is from the world's snapshot until the database has that version or a later "+
		"one; a repetition is %d seconds.", number(savesPerSecond), seconds), repetitions, nil
}

// A saver gives a journal snapshots of players, and notes when the store below it has them.
type saver struct {
	store.Store // the one below
	journal     *journal.Journal
	dir         string
	all         []store.Character
	next        uint64 // counter of an item that is new
	said        int
	took        time.Duration

	mu      sync.Mutex
	pending map[uint64][]reported // by character, those that the store does not have yet
	delays  []time.Duration
}

type reported struct {
	version uint64
	at      time.Time
}

func newSaver(ctx context.Context, cluster *pgtest.Cluster) (*saver, error) {
	url, err := cluster.Database(ctx)
	if err != nil {
		return nil, err
	}
	below, err := postgres.Open(ctx, postgres.Config{URL: url, Timeout: time.Minute})
	if err != nil {
		return nil, err
	}
	k := &saver{Store: below, all: travellers(), pending: make(map[uint64][]reported)}
	if err := below.Import(ctx, recordsOf(k.all)); err != nil {
		return nil, errors.Join(err, below.Close())
	}
	if k.next, err = below.LeaseItems(ctx, store.MaxLease); err != nil {
		return nil, errors.Join(err, below.Close())
	}
	if k.dir, err = os.MkdirTemp("", "muster-bench"); err != nil {
		return nil, errors.Join(err, below.Close())
	}
	if k.journal, _, err = journal.Open(ctx, k, journal.Config{Dir: k.dir}); err != nil {
		return nil, errors.Join(err, below.Close(), os.RemoveAll(k.dir))
	}
	return k, nil
}

func (k *saver) close() error { return errors.Join(k.journal.Close(), os.RemoveAll(k.dir)) }

// travellers have 40 items each.
func travellers() []store.Character {
	all := make([]store.Character, storedAccounts)
	for i := range all {
		all[i] = store.Character{
			GUID: uint64(i + 1), Account: uint32(i + 1), Name: letters(i), Race: 1, Class: 1, Level: 60, Version: 1,
			Life: life.Life{Begun: true, Health: 1000},
		}
		for n := range 40 {
			all[i].Items = append(all[i].Items, life.Item{
				GUID: store.ItemHigh | uint64(i*40+n+1), Entry: 1000 + uint32(n), Count: 1, Bag: life.InBody, Slot: uint8(n),
			})
		}
	}
	return all
}

func recordsOf(all []store.Character) func() (store.Record, error) {
	n := 0
	return func() (store.Record, error) {
		i := n / 2
		n++
		switch {
		case i == len(all):
			return store.Record{}, io.EOF
		case n%2 == 1:
			a := store.Account{ID: all[i].Account, Name: accountName(i)}
			return store.Record{Account: &store.Proven{Account: a}}, nil
		}
		return store.Record{Character: &all[i]}, nil
	}
}

// run changes every character each second, for so many seconds.
func (k *saver) run(ctx context.Context, seconds int) error {
	const parts = 10
	for i := range k.all { // the journal knows only characters that it has handed out
		if _, err := k.journal.Character(ctx, k.all[i].GUID); err != nil {
			return err
		}
	}
	ticker := time.NewTicker(time.Second / parts)
	defer ticker.Stop()
	began := time.Now()
	for n := range seconds * parts {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		k.report(n%parts*len(k.all)/parts, (n%parts+1)*len(k.all)/parts)
	}
	k.took = time.Since(began)
	return k.drain(ctx)
}

// report changes characters, and gives the journal snapshots.
func (k *saver) report(from, to int) {
	now := time.Now()
	together := make([]store.Snapshot, 0, to-from)
	k.mu.Lock()
	for i := range k.all[from:to] {
		c := &k.all[from+i]
		snapshot := store.Snapshot{Since: c.Version, Lists: life.Items}
		c.Version++
		c.X += 3.5
		c.Health ^= 1
		c.SavedUnix = now.Unix()
		c.Items = slices.Clone(c.Items)
		c.Items[int(c.Version)%40].GUID = store.ItemHigh | k.next
		c.Items[int(c.Version+7)%40].Count ^= 2
		k.next++
		snapshot.Character = *c
		together = append(together, snapshot)
		k.pending[c.GUID] = append(k.pending[c.GUID], reported{c.Version, now})
		k.said++
	}
	k.mu.Unlock()
	k.journal.Save(together, nil)
}

// caughtUp is how long a database has for what is left when nothing changes any more: no machine is so slow.
const caughtUp = 10 * time.Minute

// drain waits until the store has all.
func (k *saver) drain(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, caughtUp)
	defer cancel()
	for k.journal.Stats().Pending > 0 {
		if err := sleep(ctx, 10*time.Millisecond); err != nil {
			return fmt.Errorf("the database does not catch up: %w", err)
		}
	}
	return nil
}

// SaveCharacters notes which versions the store has.
func (k *saver) SaveCharacters(ctx context.Context, list []store.Character) ([]error, error) {
	each, err := k.Store.SaveCharacters(ctx, list)
	if err != nil {
		return each, err
	}
	now := time.Now()
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := range list {
		if each[i] != nil {
			continue
		}
		waiting := k.pending[list[i].GUID]
		n := 0
		for n < len(waiting) && waiting[n].version <= list[i].Version {
			k.delays = append(k.delays, now.Sub(waiting[n].at))
			n++
		}
		k.pending[list[i].GUID] = append(waiting[:0], waiting[n:]...)
	}
	return each, nil
}
