package worldset

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"muster/internal/metric"
	"muster/net/replication/worldlog"
)

// Of worlds whose machine was started anew those go on that had ended in order, and those whose logs were begun since: whatever of a start was done
// before it was killed. A log that does not say on which run of the machine it was begun is of the one that a file of the release before names.
func TestMachineIsStartedAnew(t *testing.T) {
	t.Parallel()
	h, fresh := newWorldOf(t)
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "boot"), []byte("zeroth"), 0o600); err != nil {
		t.Fatal(err)
	}
	// start continues the worlds of some instances, in this order, on a run of the machine, which have the last of their ticks then.
	start := func(boot string, numbers ...uint32) (*Logs, map[uint32]*steered) {
		k := &Logs{folder: folder, boot: boot, metric: new(metric.Table), log: slog.New(slog.DiscardHandler)}
		if err := k.begin(); err != nil {
			t.Fatal(err)
		}
		worlds := make(map[uint32]*steered)
		for _, number := range numbers {
			world, log, err := k.newWorld(number, &h, fresh)
			if err != nil {
				t.Fatal(err)
			}
			found, err := worldlog.Open(worldlog.InstanceFolder(folder, number), h.Map)
			if err != nil {
				t.Fatal(err)
			}
			worlds[number] = &steered{t: t, world: world, log: log, n: found.Since()}
		}
		return k, worlds
	}
	continues := func(k *Logs) {
		if err := k.continues(); err != nil {
			t.Fatal(err)
		}
	}
	want := func(when string, worlds map[uint32]*steered, ticks map[uint32]uint64) {
		t.Helper()
		for number, s := range worlds {
			if s.n != ticks[number] {
				t.Errorf("%s: the world of %d goes on after tick %d, want %d", when, number, s.n, ticks[number])
			}
		}
	}

	k, worlds := start("first", 0, 1)
	continues(k)
	worlds[0].tick()
	worlds[1].tick()
	k.close()
	_, worlds = start("second", 0, 1) // and is killed, having noted nothing
	want("ended in order", worlds, map[uint32]uint64{0: 1, 1: 1})
	worlds[0].tick()
	k, worlds = start("second", 0, 1)
	want("begun on this run of the machine", worlds, map[uint32]uint64{0: 2, 1: 1})
	continues(k)
	worlds[1].tick()
	k, worlds = start("second", 1, 0)
	want("of no newer boot", worlds, map[uint32]uint64{0: 2, 1: 2})
	k.close()
	_, worlds = start("third", 1) // and is killed
	want("ended in order", worlds, map[uint32]uint64{1: 2})
	worlds[1].tick()
	_, worlds = start("fourth", 0, 1)
	want("torn on another run", worlds, map[uint32]uint64{0: 2, 1: 0})

	// A release before has not noted it in logs.
	for _, c := range []struct {
		boot string
		tick uint64
	}{{"zeroth", 2}, {"fifth", 0}} {
		k, _ := start("", 2)
		worlds := map[uint32]*steered{2: {t: t, world: fresh()}}
		var err error
		if worlds[2].log, err = k.beginLog(2, &h, worlds[2].world, 0); err != nil {
			t.Fatal(err)
		}
		worlds[2].tick()
		worlds[2].tick()
		continues(k)
		_, worlds = start(c.boot, 2)
		want("without a boot, on "+c.boot, worlds, map[uint32]uint64{2: c.tick})
	}
}
