package frame

import (
	"math/rand/v2"
	"slices"
	"testing"

	"muster/components/life"
	"muster/internal/testseed"
)

// release has an exchange publish a tick with snapshots; each list that is present is one byte.
func release(p *Exchange, d *Builder, tick uint64, saves ...Save) {
	for _, s := range saves {
		into := d.Save()
		*into = s
		for set := s.Told; set != 0; set &= set - 1 {
			d.Bytes = append(d.Bytes, byte(s.Version))
		}
		into.Lists = d.Cut()
	}
	f := p.Write()
	d.Build(f, tick)
	p.Publish(f)
}

// Snapshots are returned once and in order, with their lists, and only if Saving is set.
func TestSaves(t *testing.T) {
	p, d := NewExchange(), new(Builder)
	p.Saving = true
	release(p, d, 1, Save{GUID: 1, Version: 7, Told: life.Items}, Save{GUID: 2, Version: 8})
	release(p, d, 2)
	release(p, d, 3, Save{GUID: 2, Version: 9, Told: life.Items | life.Spells, Soon: true, State: life.State{XP: 5}})
	var saves Saves
	p.Saves(&saves)
	want := []struct {
		guid, version uint64
		lists         string
	}{{1, 7, "\x07"}, {2, 8, ""}, {2, 9, "\x09\x09"}}
	if saves.Len() != len(want) {
		t.Fatalf("%d snapshots, want %d", saves.Len(), len(want))
	}
	for i, w := range want {
		if s, lists := saves.At(i); s.GUID != w.guid || s.Version != w.version || string(lists) != w.lists {
			t.Errorf("snapshot %d is %+v with % x, want %+v", i, s, lists, w)
		}
	}
	if s, _ := saves.At(2); !s.Soon || s.State.XP != 5 {
		t.Errorf("the last is %+v", s)
	}
	if p.Saves(&saves); saves.Len() != 0 {
		t.Errorf("%d came twice", saves.Len())
	}
	p.Saving = false
	if release(p, d, 4, Save{GUID: 1}); p.saves.Len() != 0 {
		t.Error("they wait without a keeper")
	}
}

// With KeepsSaves the snapshots of a frame are its own: who reads frames later than their tick still finds them.
func TestSavesAreOfTheirFrame(t *testing.T) {
	p, d := NewExchange(), new(Builder)
	p.KeepsSaves = true
	for tick := range uint64(2) {
		release(p, d, tick+1, Save{GUID: 3, Version: tick})
	}
	var w Window
	w.Open(p)
	defer w.Close()
	frames, ok := w.After(0)
	if !ok || len(frames) != 2 {
		t.Fatalf("%d frames, %v", len(frames), ok)
	}
	for i, f := range frames {
		if len(f.Saves) != 1 || f.Saves[0].Version != uint64(i) {
			t.Errorf("the frame of tick %d has %+v", f.Tick, f.Saves)
		}
	}
}

// A replay of what is left of thinned snapshots has the same result as one of all of them.
func TestThin(t *testing.T) {
	seed := testseed.Of(t)
	r := rand.New(rand.NewPCG(seed, 0))
	type known struct {
		version uint64
		lists   [5]byte
		soon    bool
	}
	replay := func(s *Saves) map[uint64]known {
		all := make(map[uint64]known)
		for i := range s.Len() {
			save, lists := s.At(i)
			k := all[save.GUID]
			k.version, k.soon = save.Version, k.soon || save.Soon
			for n := range k.lists {
				if save.Told>>n&1 != 0 {
					k.lists[n], lists = lists[0], lists[1:]
				}
			}
			all[save.GUID] = k
		}
		return all
	}
	for range 200 {
		p, d := NewExchange(), new(Builder)
		p.Saving = true
		for tick := range uint64(r.IntN(60)) {
			for guid := range uint64(4) {
				if r.IntN(3) > 0 {
					release(p, d, tick*4+guid+1, Save{
						GUID: guid, Version: tick + 1, Told: life.Set(r.Uint32N(uint32(life.All)+1)) & life.Set(r.Uint32()), Soon: r.IntN(9) == 0,
					})
				}
			}
		}
		before := replay(&p.saves)
		p.saves.thin()
		after := replay(&p.saves)
		for guid, want := range before {
			if after[guid] != want {
				t.Fatalf("seed %d: player %d is %+v, want %+v", seed, guid, after[guid], want)
			}
		}
		if most := 6 * 4; p.saves.Len() > most {
			t.Fatalf("seed %d: %d are left, want at most %d", seed, p.saves.Len(), most)
		}
	}
}

// Snapshots are thinned when they are more than 32 MiB, not before, and then again when they are twice what was left.
func TestSavesAreThinnedLate(t *testing.T) {
	p, d := NewExchange(), new(Builder)
	p.Saving = true
	lists := make([]byte, 1<<20)
	add := func(guid uint64, told life.Set, tick uint64) {
		save := d.Save()
		*save = Save{GUID: guid, Version: tick, Told: told}
		d.Bytes = append(d.Bytes, lists...)
		save.Lists = d.Cut()
		f := p.Write()
		d.Build(f, tick)
		p.Publish(f)
	}
	for n := 1; n <= 31; n++ { // and what they take besides their lists
		if add(1, life.Items, uint64(n)); p.saves.Len() != n {
			t.Fatalf("%d of %d wait", p.saves.Len(), n)
		}
	}
	if add(1, life.Items, 32); p.saves.Len() != 1 || p.saves.full != 2*p.saves.size() || p.saves.size() != 1<<20+saveBytes {
		t.Errorf("%d wait, of %d bytes, up to %d", p.saves.Len(), p.saves.size(), p.saves.full)
	}
	for n := 1; n <= 40; n++ { // of different players, so that nothing is superfluous
		add(uint64(100+n), life.Items, uint64(32+n))
	}
	if want := 2 * 32 * (1<<20 + saveBytes); p.saves.Len() != 41 || p.saves.full != want {
		t.Errorf("%d wait, up to %d, want 41 up to %d", p.saves.Len(), p.saves.full, want)
	}
	var saves Saves
	p.Saves(&saves)
	if save, b := saves.At(0); save.Version != 32 || len(b) != len(lists) || p.saves.full != 0 {
		t.Errorf("the first is version %d with %d bytes", save.Version, len(b))
	}
}

// However long they are not taken, they have their bound.
func TestSavesAreBounded(t *testing.T) {
	p, d := NewExchange(), new(Builder)
	p.Saving = true
	all := slices.Repeat([]Save{{}}, 2000)
	for tick := range uint64(200) {
		for i := range all {
			all[i] = Save{GUID: uint64(i), Version: tick}
		}
		release(p, d, tick+1, all...)
	}
	if most := maxSaves + 2*len(all)*saveBytes; p.saves.size() > most {
		t.Errorf("%d bytes wait, want at most %d", p.saves.size(), most)
	}
	var saves Saves
	p.Saves(&saves)
	if last, _ := saves.At(saves.Len() - 1); last.GUID != 1999 || last.Version != 199 {
		t.Errorf("the last is %+v", last)
	}
}
