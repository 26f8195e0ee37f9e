package journal

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"muster/components/life"
	"muster/internal/metric"
	"muster/loaders/store"
)

// leftBy is a disk with records that another process has left, in one segment.
func leftBy(all ...record) *disk {
	b := appendHead(nil, 1)
	for i, r := range all {
		b = append(b, encode(uint64(i+1), []writing{{nil, r}})...)
	}
	d := newDisk()
	d.files[nameOf(1)] = &content{b: b, synced: len(b), named: true}
	return d
}

// recordOf is a record of a character at a version, with what is new since another.
func recordOf(c store.Character, version, since uint64, told life.Set) record {
	c.Version, c.X = version, float32(version)
	return record{since: since, lists: told, now: c}
}

// A record of a process before that differs from a version that the store does not have yet is left out, counted, and no longer
// pending, whichever comes first: that its character is asked for, listed, or stored.
func TestOrphansAreDropped(t *testing.T) {
	for _, how := range []string{"Character", "Characters", "a round"} {
		synctest.Test(t, func(t *testing.T) {
			b := newBelow()
			c := b.characters(t, 1)[0]
			counts := new(metric.Table)
			j, r := open(t, b, leftBy(recordOf(c, 9, 5, 0)), func(c *Config) { c.Metric = counts; c.Pause = time.Minute })
			if r.Orphans != 0 || r.Characters != 1 || r.Records != 1 {
				t.Errorf("%+v", r)
			}
			switch how {
			case "Character":
				expect(t, j, c)
			case "Characters":
				if list, err := j.Characters(t.Context(), c.Account); err != nil || len(list) != 1 || list[0].Version != 1 || list[0].X != c.X {
					t.Errorf("listed %+v, %v", list, err)
				}
			default:
				<-time.After(time.Second)
			}
			if n := counts.Value("journal.orphan"); n != 1 || j.Stats().Pending != 0 {
				t.Errorf("%s: %d orphans, %d pending", how, n, j.Stats().Pending)
			}
			expect(t, b.Memory, c)
			if err := j.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// What is pending of a character that was deleted in the store below is dropped when it is asked for.
func TestDeletedBelow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, d := newBelow(), newDisk()
		c := b.characters(t, 1)[0]
		j, _ := open(t, b, d, func(c *Config) { c.Pause = time.Minute })
		<-time.After(time.Second)
		j.Save([]store.Snapshot{step(&c, 0)}, nil)
		if err := b.DeleteCharacter(t.Context(), c.Account, c.GUID); err != nil {
			t.Fatal(err)
		}
		if s := j.Stats(); s.Pending != 1 {
			t.Errorf("%+v", s)
		}
		if _, err := j.Character(t.Context(), c.GUID); !errors.Is(err, store.ErrNotFound) || j.Stats().Pending != 0 {
			t.Errorf("%v, %+v", err, j.Stats())
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
}

// A record that does not continue those before it counts if the store has what it needs; else those before it do. A store
// that cannot say which is an error.
func TestLooseRecords(t *testing.T) {
	for _, c := range []struct {
		name    string
		stored  uint64 // version; 0 for a character that is not there
		away    bool
		version uint64 // that is found
		orphans int
		err     error
	}{
		{"the store has it", 7, false, 9, 0, nil},
		{"the store has a later one", 8, false, 9, 0, nil},
		{"the store has an older one", 6, false, 6, 1, nil},
		{"the store has one before all", 1, false, 2, 1, nil},
		{"the character is deleted", 0, false, 0, 1, nil},
		{"the store is away", 7, true, 0, 0, store.ErrBusy},
	} {
		synctest.Test(t, func(t *testing.T) {
			b := newBelow()
			one := b.characters(t, 1)[0]
			d := leftBy(recordOf(one, 2, 1, 0), recordOf(one, 9, 7, 0))
			switch {
			case c.stored == 0:
				if err := b.DeleteCharacter(t.Context(), one.Account, one.GUID); err != nil {
					t.Fatal(err)
				}
			case c.stored > 1:
				now := one
				now.Version = c.stored
				if err := b.SaveCharacter(t.Context(), now); err != nil {
					t.Fatal(err)
				}
			}
			b.away.Store(c.away)
			counts := new(metric.Table)
			j, r, err := Open(t.Context(), b, Config{FS: d, Metric: counts, Pause: time.Minute, Drain: time.Millisecond})
			if !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
				t.Fatalf("%s: %v, want %v", c.name, err, c.err)
			}
			if err != nil {
				if d.locked {
					t.Errorf("%s: the folder is kept", c.name)
				}
				return
			}
			if r.Orphans != c.orphans || counts.Value("journal.orphan") != uint64(c.orphans) || r.Records != 2 {
				t.Errorf("%s: %+v", c.name, r)
			}
			got, err := j.Character(t.Context(), one.GUID)
			if c.stored == 0 != errors.Is(err, store.ErrNotFound) || got.Version != c.version {
				t.Errorf("%s: version %d, %v, want %d", c.name, got.Version, err, c.version)
			}
			j.Close()
		})
	}
}

// What is pending is in the store before it is exported, checked, saved over or traded, in batches; if the store does not
// take it, nothing is done.
func TestSettledFirst(t *testing.T) {
	for name, do := range map[string]func(ctx context.Context, j *Journal, people []store.Character) error{
		"Export": func(ctx context.Context, j *Journal, people []store.Character) error {
			n := 0
			err := j.Export(ctx, func(r store.Record) error { n++; return nil })
			if err == nil && n == 0 {
				return errors.New("nothing is exported")
			}
			return err
		},
		"Check": func(ctx context.Context, j *Journal, people []store.Character) error {
			return j.Check(ctx, func(store.Problem) {})
		},
		"SaveCharacters": func(ctx context.Context, j *Journal, people []store.Character) error {
			_, err := j.SaveCharacters(ctx, nil)
			if err != nil {
				return err
			}
			for i := range people {
				next := people[i]
				next.Version += 5
				if err := j.SaveCharacter(ctx, next); err != nil {
					return err
				}
				people[i] = next
			}
			return nil
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			k := newClerk()
			people := k.characters(t, 5)
			j := openOver(t, k, func(c *Config) { c.Batch, c.Pause, c.Drain = 2, time.Hour, time.Millisecond })
			<-time.After(time.Second)
			var all []store.Snapshot
			for i := range people {
				all = append(all, step(&people[i], 0))
			}
			j.Save(all, nil)
			synctest.Wait() // the first round has found nothing on the disk
			k.set(func(k *clerk) { k.fail = store.ErrBusy })
			if err := do(t.Context(), j, slices.Clone(people)); !errors.Is(err, store.ErrBusy) {
				t.Errorf("%s: %v while the store is away, want %v", name, err, store.ErrBusy)
			}
			if s := j.Stats(); s.Pending != 5 {
				t.Errorf("%s: %+v", name, s)
			}
			k.set(func(k *clerk) { k.fail = nil })
			k.calls()
			if err := do(t.Context(), j, people); err != nil || j.Stats().Pending != 0 {
				t.Errorf("%s: %v, %+v", name, err, j.Stats())
			}
			_, sizes := k.calls()
			want := []int{2, 2, 1}
			if name == "SaveCharacters" {
				want = []int{0, 1, 1, 1, 1, 1}
			}
			if !slices.Equal(sizes, want) {
				t.Errorf("%s: batches of %d, want %d", name, sizes, want)
			}
			for _, c := range people {
				expect(t, k.Memory, c)
			}
			j.Close()
		})
	}
}

// A folder does what an FS is to do.
func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	d, err := newFolder(dir)
	if err != nil || d.Sync() != nil {
		t.Fatalf("%v, %v", err, d.Sync())
	}
	f, err := d.Create("one")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("text")); err != nil || f.Sync() != nil || f.Close() != nil {
		t.Errorf("written with %v", err)
	}
	if _, err := d.Create("one"); !errors.Is(err, os.ErrExist) {
		t.Errorf("created twice: %v", err)
	}
	if err := d.Truncate("one", 2); err != nil {
		t.Error(err)
	}
	if err := d.Rename("one", "two"); err != nil {
		t.Error(err)
	}
	if b, err := d.Read("two"); string(b) != "te" || err != nil {
		t.Errorf("read %q, %v", b, err)
	}
	if names, err := d.List(); !slices.Equal(names, []string{"two"}) || err != nil {
		t.Errorf("listed %q, %v", names, err)
	}
	if info, err := os.Stat(filepath.Join(dir, "two")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := d.Remove("two"); err != nil {
		t.Error(err)
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	if d.Sync() == nil {
		t.Error("a folder that is gone is synced")
	}
	if _, err := d.List(); err == nil {
		t.Error("a folder that is gone is listed")
	}
}
