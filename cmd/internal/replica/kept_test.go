package replica

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/cmd/internal/keptworld"
	"muster/cmd/internal/worldspec"
	"muster/internal/metric"
	"muster/net/replication/recording"
	"muster/net/replication/streamlog"
)

// logHas waits until the log of a world has its last tick.
func (l *leaderOf) logHas(t *testing.T) {
	t.Helper()
	eventually(t, "the log has all ticks", func() bool {
		newest := uint64(0)
		err := l.Place.Read(l.ctx, func(_ *recording.Header, s *streamlog.Snapshot) error {
			if s != nil {
				newest = s.N
			}
			return nil
		}, func(record recording.Record) error {
			newest = max(newest, record.N)
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		return newest == l.n
	})
}

// Worlds of instances are read from their logs as others are, and from folders that they were saved in. Flags name them.
func TestInstancesAreRead(t *testing.T) {
	t.Parallel()
	one := startLeader(t)
	twelve := one.instance(t, 12)
	two := one.instance(t, 2)
	leaders := map[uint32]*leaderOf{0: one, 2: two, 12: twelve}
	for steps, l := range []*leaderOf{one, two, twelve} {
		l.step(uint64(10 + steps))
		l.logHas(t)
	}
	saved := t.TempDir()
	for _, c := range []struct {
		maps, instances []uint32
		want            []uint32
		fails           string
	}{
		{want: []uint32{0, 2, 12}},
		{maps: []uint32{0}, want: []uint32{0, 2, 12}},
		{instances: []uint32{12}, want: []uint32{12}},
		{maps: []uint32{0}, instances: []uint32{12, 0}, want: []uint32{0, 12}},
		{instances: []uint32{2, 7}, fails: "nothing is kept of instance 7"},
		{maps: []uint32{1}, instances: []uint32{2}, fails: "nothing is kept of map 1, instance [2]"},
	} {
		for _, from := range []*keptworld.Place{{Bus: one.server.ClientURL(), RealmName: "r"}, {From: saved}} {
			from.Map, from.Instance = c.maps, c.instances
			var got []uint32
			err := from.Each(one.ctx, func(w *keptworld.World) error {
				got = append(got, w.Instance)
				if l := leaders[w.Instance]; w.Tick != l.n || w.World.Hash() != l.live.World.Hash() {
					t.Errorf("%v is read as after tick %d, with the hash %016x; want tick %d, %016x", w.Shard(), w.Tick, w.World.Hash(), l.n, l.live.World.Hash())
				}
				if from.From != "" || len(c.maps)+len(c.instances) > 0 {
					return nil
				}
				_, err := w.Save(saved)
				return err
			})
			if failed := fmt.Sprint(err); !slices.Equal(got, c.want) || (err != nil) != (c.fails != "") || !strings.Contains(failed, c.fails) {
				t.Errorf("maps %v, instances %v of %q: %v, %v; want %v, %q", c.maps, c.instances, from.From, got, err, c.want, c.fails)
			}
		}
	}
	if err := keptworld.Restore(one.ctx, &keptworld.Place{From: saved, Instance: []uint32{2}}, t.TempDir(), nil); err == nil || !strings.Contains(err.Error(), "are not restored") {
		t.Errorf("an instance is restored into the folder of a server: %v", err)
	}
	restored := 0
	err := keptworld.Restore(one.ctx, &keptworld.Place{From: saved}, t.TempDir(), func(w keptworld.Restored) {
		if restored++; w.Tick != one.n || w.Shard != (keptworld.Shard{}) {
			t.Errorf("restored as after tick %d, want %d", w.Tick, one.n)
		}
	})
	if err != nil || restored != 1 {
		t.Errorf("%d worlds are restored, %v; want one", restored, err)
	}
}

// A snapshot whose world is not the one that was written is refused by whatever begins with it, and so is a world that is another one after it was restored.
func TestDamagedSnapshotIsRefused(t *testing.T) {
	t.Parallel()
	one := startLeader(t)
	one.step(100)
	eventually(t, "there is a snapshot", func() bool { return one.counted("streamlog.snapshot") == 1 })
	one.logHas(t)
	s, err := one.Place.Newest(one.ctx)
	if err != nil || s == nil {
		t.Fatal(s, err)
	}
	restore := func() error {
		return worldspec.RestoreWorld(worldspec.NewWorld(&one.header, one.defs, new(metric.Table)), s)
	}
	if err := restore(); err != nil || s.Check(s.State) != nil {
		t.Errorf("as it was written: %v, %v", err, s.Check(s.State))
	}
	s.Hash[0] ^= 1
	if err := restore(); !errors.Is(err, streamlog.ErrDamaged) {
		t.Errorf("restored as another world: %v", err)
	}
	s.Header.Release = "another"
	if err := restore(); err != nil {
		t.Errorf("by another release: %v", err)
	}

	name := fmt.Sprintf("%s%020d", one.Place.Name, s.N)
	b, err := one.stream.Get(one.ctx, name)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)-1] ^= 1
	if err := one.stream.Put(one.ctx, name, bytes.NewReader(b)); err != nil {
		t.Fatal(err)
	}
	two := newReplicaOf(t, one.bus, one.stream, true)
	bounded, cancel := context.WithTimeout(one.ctx, 30*time.Second) // one that accepts it follows for ever
	defer cancel()
	for what, err := range map[string]error{
		"a standby": two.Run(bounded),
		"the verbs": (&keptworld.Place{Bus: one.server.ClientURL(), RealmName: "r"}).Each(one.ctx, func(*keptworld.World) error { return nil }),
	} {
		if !errors.Is(err, streamlog.ErrDamaged) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, want that %s is damaged", what, err, name)
		}
	}
}
