package worldset

import (
	"testing"

	"muster/cmd/internal/worldspec"
	"muster/internal/metric"
	"muster/loaders/worlddb/content"
)

// The world of an instance has chances of its own, and what its log says of its definitions makes those of all worlds of the process again: its creatures
// stand where they did.
func TestInstanceIsMadeAgain(t *testing.T) {
	t.Parallel()
	t.Run("seed 7", func(t *testing.T) { isMadeAgain(t, 7) })
	t.Run("no seed", func(t *testing.T) { isMadeAgain(t, 0) })
}

func isMadeAgain(t *testing.T, seed uint64) {
	t.Helper()
	flags := worldspec.Settings{Seed: seed, Creatures: 10, Start: "one"}
	set, err := New(&flags, nil, new(metric.Table), nil)
	if err != nil {
		t.Fatal(err)
	}
	m := set.Defs.Map(3)
	alone := set.Header(m, false)
	set.Instance = 12
	header := set.Header(m, false)
	if alone.Seed != seed || header.Seed != seed+12 {
		t.Errorf("the seeds are %d, and %d in an instance", alone.Seed, header.Seed)
	}
	again, err := worldspec.RecordedDefs(t.Context(), &header, "", "")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := content.Digest(again), content.Digest(set.Defs); got != want {
		t.Errorf("the definitions of its log are %s, and were %s", got, want)
	}
	older := header
	older.Defs = 0 // as releases have it that do not know that
	if field := worldspec.OtherSetting(&older, &header); field != "" {
		t.Errorf("the log of an older release has another %s", field)
	}
	older.Seed++
	if field := worldspec.OtherSetting(&older, &header); field != "Seed" {
		t.Errorf("the log of another instance has another %q", field)
	}
}
