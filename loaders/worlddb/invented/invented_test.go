package invented_test

import (
	"bytes"
	"io"
	"runtime/metrics"
	"testing"

	"muster/loaders/synth"
	"muster/loaders/worlddb"
	"muster/loaders/worlddb/content"
	"muster/loaders/worlddb/invented"
)

// TestServed imports a dump of which every row is used, refers to what is there, and is served.
func TestServed(t *testing.T) {
	size := invented.Config{Seed: 1, Creatures: 2000, GameObjects: 1000, Scripts: 600, Nodes: 800, Items: 100, Quests: 20, Loot: 240, Locales: 80}
	var dump bytes.Buffer
	if err := invented.Write(&dump, size); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	r, err := worlddb.Import(t.Context(), worlddb.Config{Dir: dir, Paths: []string{"-"}, Stdin: &dump, Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range r.Report.Dangling {
		t.Errorf("%s to %s: %d rows", d.From, d.To, d.Rows)
	}
	want := map[string]int64{
		"creature": 2000, "creature_template": 400, "creature_template_model": 400, "creature_text": 200, "smart_scripts": 600, "waypoint_data": 800,
		"gameobject": 1000, "gameobject_template": 200, "item_template": 100, "quest_template": 20, "creature_loot_template": 240, "creature_text_locale": 0,
	}
	for _, table := range r.Report.Tables {
		if table.Used != want[table.Table] {
			t.Errorf("%s: %d rows are used, want %d", table.Table, table.Used, want[table.Table])
		}
	}
	if len(r.Report.Tables) != len(want) || r.Report.Family != worlddb.AzerothCore {
		t.Errorf("%d tables of %s", len(r.Report.Tables), r.Report.Family)
	}
	base, err := synth.New(synth.Config{Empty: true})
	if err != nil {
		t.Fatal(err)
	}
	made, err := content.Load(t.Context(), dir, base)
	if err != nil {
		t.Fatal(err)
	}
	if use := made.Use["creature"]; use.Executed != 2000 {
		t.Errorf("%d creatures are served: %v", use.Executed, use.Not)
	}
	if use := made.Use["gameobject"]; use.Executed != 1000 {
		t.Errorf("%d game objects are served: %v", use.Executed, use.Not)
	}
	if use := made.Use["smart_scripts"]; use.Executed != 600 {
		t.Errorf("%d rows of scripts are executed: %v", use.Executed, use.Not)
	}
}

// maxHeap bounds what an import has in memory at once, beside SQLite's cache of 64 MB: less than a fifth of the 300 MB that the process may have.
const maxHeap = 56 << 20

// TestMemory imports a dump of more than that, as it is written.
func TestMemory(t *testing.T) {
	from, to := io.Pipe()
	go func() { to.CloseWithError(invented.Write(to, invented.World())) }()
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	most := uint64(0)
	r, err := worlddb.Import(t.Context(), worlddb.Config{Dir: t.TempDir(), Paths: []string{"-"}, Stdin: from, Progress: func(worlddb.Progress) {
		metrics.Read(heap)
		most = max(most, heap[0].Value.Uint64())
	}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Text < maxHeap || most > maxHeap {
		t.Errorf("%d bytes of heap for %d of SQL", most, r.Text)
	}
	t.Logf("%.1f MB of heap for %.1f MB of SQL", float64(most)/1e6, float64(r.Text)/1e6)
}
