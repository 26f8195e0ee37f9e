package journal

import (
	"errors"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"muster/components/life"
	"muster/internal/metric"
	"muster/loaders/store"
)

// A save is found at once, is on the disk after an interval, and in the store soon after that; then the disk has no
// more of it than one small file.
func TestSave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, d := newBelow(), newDisk()
		c := b.characters(t, 1)[0]
		j, _ := open(t, b, d, nil)
		j.Save([]store.Snapshot{step(&c, 0)}, nil)
		expect(t, j, c)
		if list, err := j.Characters(t.Context(), c.Account); err != nil || len(list) != 1 || list[0].X != c.X {
			t.Errorf("listed %+v, %v", list, err)
		}
		if d.syncs.Load() != 0 {
			t.Error("the disk was asked at once")
		}
		<-time.After(201 * time.Millisecond)
		synctest.Wait()
		if n := d.syncs.Load(); n != 1 {
			t.Errorf("%d syncs after an interval", n)
		}
		<-time.After(time.Second)
		expect(t, b.Memory, c)
		if s := j.Stats(); s.Pending != 0 || s.Degraded || s.Lag != 0 {
			t.Errorf("%+v", s)
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
		if names := d.names(); len(names) != 0 {
			t.Errorf("left %q", names)
		}
		if err := j.Close(); !errors.Is(err, store.ErrClosed) {
			t.Errorf("closed twice: %v", err)
		}
	})
}

// A save with Soon waits for one sync, not for an interval; those that come meanwhile share the next.
func TestSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, d := newBelow(), newDisk()
		d.slow = 30 * time.Millisecond
		characters := b.characters(t, 20)
		j, _ := open(t, b, d, nil)
		defer j.Close()
		began := time.Now()
		done := make(chan time.Duration, len(characters))
		for i := range characters {
			j.Save([]store.Snapshot{step(&characters[i], 0)}, func() { done <- time.Since(began) })
			if i == 0 {
				synctest.Wait()
			}
		}
		for range characters {
			if took := <-done; took > 2*d.slow {
				t.Errorf("waited %v", took)
			}
		}
		if n := d.syncs.Load(); n != 2 {
			t.Errorf("%d syncs, want 2", n)
		}
	})
}

// Two journals do not share a folder, and the second gets ErrInUse.
func TestInUse(t *testing.T) {
	dir := t.TempDir()
	j, _, err := Open(t.Context(), newBelow(), Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Open(t.Context(), newBelow(), Config{Dir: dir}); !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), dir) {
		t.Errorf("opened twice: %v", err)
	}
	if err := j.Close(); err != nil {
		t.Error(err)
	}
	if j, _, err = Open(t.Context(), newBelow(), Config{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	j.Close()
}

// The synced saves of a killed process, partial or not, are found by the next one.
func TestReplay(t *testing.T) {
	b, d := newBelow(), newDisk()
	var c store.Character
	synctest.Test(t, func(t *testing.T) {
		c = b.characters(t, 1)[0]
		j, _ := open(t, b, d, nil)
		b.away.Store(true)
		for _, lists := range []life.Set{0, life.Spells, 0, life.Spells, 0} {
			j.Save([]store.Snapshot{step(&c, lists)}, nil)
			<-time.After(time.Second)
		}
		d = d.crash(rand.New(rand.NewPCG(1, 1)))
		j.config.Drain = time.Millisecond
		j.Close()
	})
	synctest.Test(t, func(t *testing.T) {
		b.away.Store(false)
		j, r := open(t, b, d, nil)
		if r.Records != 5 || r.Characters != 1 || len(r.Damage) > 0 || r.Torn > 0 {
			t.Errorf("replayed %+v", r)
		}
		expect(t, j, c)
		<-time.After(time.Second)
		expect(t, b.Memory, c)
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
}

// While the store is unavailable play goes on, the files stay within their bound, and memory holds one character for
// each; afterwards the store has all.
func TestStoreAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, d := newBelow(), newDisk()
		characters := b.characters(t, 200)
		j, _ := open(t, b, d, func(c *Config) { c.MaxBytes, c.Segment = 400_000, 20_000 })
		b.away.Store(true)
		largest := 0
		for range 120 { // a minute
			for i := range characters {
				j.Save([]store.Snapshot{step(&characters[i], life.Spells&life.Set(characters[i].Version%7/6))}, nil)
			}
			<-time.After(500 * time.Millisecond)
			largest = max(largest, d.size())
		}
		s := j.Stats()
		if largest > 400_000 || s.Degraded || s.Pending != len(characters) || s.Lag < 50*time.Second {
			t.Errorf("%d bytes, %+v", largest, s)
		}
		if _, err := j.Character(t.Context(), characters[0].GUID); !errors.Is(err, store.ErrBusy) {
			t.Errorf("a login while the store is away: %v, want %v", err, store.ErrBusy)
		}
		b.away.Store(false)
		<-time.After(5 * time.Second)
		for _, c := range characters {
			expect(t, b.Memory, c)
		}
		if s := j.Stats(); s.Pending != 0 || s.Bytes > 20_000 {
			t.Errorf("afterwards %+v", s)
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
}

// A disk that is full, or fails, is an alarm and no more: the store gets the saves, and the disk again when it works.
func TestSickDisk(t *testing.T) {
	for _, sick := range []struct {
		name   string
		refuse error
		room   int
	}{
		{"full", nil, 150}, {"no space", syscall.ENOSPC, -1}, {"read-only", syscall.EROFS, -1},
	} {
		t.Run(sick.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, d := newBelow(), newDisk()
				characters := b.characters(t, 50)
				var alarms []error
				counts := new(metric.Table)
				j, _ := open(t, b, d, func(c *Config) {
					c.Alarm = func(err error) { alarms = append(alarms, err) }
					c.Metric = counts
				})
				save := func() {
					for i := range characters {
						j.Save([]store.Snapshot{step(&characters[i], life.Spells)}, nil)
					}
					<-time.After(time.Second)
				}
				save()
				d.set(sick.refuse, sick.room)
				save()
				if synctest.Wait(); !j.Degraded() || len(alarms) != 1 || alarms[0] == nil {
					t.Errorf("degraded %v, alarms %v", j.Degraded(), alarms)
				}
				done := false
				j.Save(nil, func() { done = true })
				save()
				if synctest.Wait(); !done {
					t.Error("a logout waits for a sick disk")
				}
				for _, c := range characters {
					expect(t, b.Memory, c)
				}
				d.set(nil, -1)
				b.away.Store(true) // so that only the disk can have it
				save()
				if j.Degraded() || len(alarms) != 2 || alarms[1] != nil || counts.Value("journal.sync_failed") == 0 {
					t.Errorf("degraded %v, alarms %v", j.Degraded(), alarms)
				}
				left := d.crash(rand.New(rand.NewPCG(1, 1)))
				b.away.Store(false)
				j.Close()
				again, r := open(t, b, left, nil)
				defer again.Close()
				if len(r.Damage) > 0 {
					t.Errorf("damage: %+v", r.Damage)
				}
				for _, c := range characters {
					expect(t, again, c)
				}
			})
		})
	}
}

// A journal that may not grow keeps in memory what it cannot write, and reports it.
func TestFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, d := newBelow(), newDisk()
		characters := b.characters(t, 100)
		counts := new(metric.Table)
		j, _ := open(t, b, d, func(c *Config) { c.MaxBytes, c.Metric = 10_000, counts })
		b.away.Store(true)
		for range 10 {
			for i := range characters {
				j.Save([]store.Snapshot{step(&characters[i], 0)}, nil)
			}
			<-time.After(time.Second)
		}
		if n := d.size(); n > 10_000 || !j.Degraded() || counts.Value("journal.full") == 0 {
			t.Errorf("%d bytes, degraded %v, %d times full", n, j.Degraded(), counts.Value("journal.full"))
		}
		b.away.Store(false)
		<-time.After(5 * time.Second)
		for _, c := range characters {
			expect(t, b.Memory, c)
		}
		j.Close()
	})
}

// Characters that are deleted, or that another journal's store has, stay as they are.
func TestOrphans(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, d := newBelow(), newDisk()
		characters := b.characters(t, 3)
		j, _ := open(t, b, d, func(c *Config) { c.Drain = time.Millisecond })
		b.away.Store(true)
		for i := range characters {
			j.Save([]store.Snapshot{step(&characters[i], 0)}, nil)
		}
		<-time.After(time.Second)
		j.Close()
		b.away.Store(false)

		other := newBelow()
		strangers := other.characters(t, 4)
		if err := other.DeleteCharacter(t.Context(), strangers[0].Account, strangers[0].GUID); err != nil {
			t.Fatal(err)
		}
		renamed, err := other.CreateCharacter(t.Context(), store.Character{Account: strangers[0].Account, Name: "Zara", Race: 1, Class: 1})
		if err != nil {
			t.Fatal(err)
		}
		counts := new(metric.Table)
		j, _ = open(t, other, d, func(c *Config) { c.Metric = counts })
		<-time.After(time.Second)
		if _, err := j.Character(t.Context(), strangers[0].GUID); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("the deleted character: %v", err)
		}
		expect(t, j, renamed)
		if n := counts.Value("journal.gone"); n != 1 {
			t.Errorf("%d are gone, want 1", n)
		}
		j.Close()
	})
}

// A deletion drops what is pending of the character.
func TestDelete(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, d := newBelow(), newDisk()
		c := b.characters(t, 1)[0]
		j, _ := open(t, b, d, nil)
		j.Save([]store.Snapshot{step(&c, 0)}, nil)
		if err := j.DeleteCharacter(t.Context(), c.Account, c.GUID); err != nil {
			t.Error(err)
		}
		if s := j.Stats(); s.Pending != 0 {
			t.Errorf("%+v", s)
		}
		if _, err := j.Character(t.Context(), c.GUID); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("found: %v", err)
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
}
