package systems

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"testing"
	"time"
	"unsafe"

	"muster/bench/fightscene"
	"muster/components"
	"muster/ecs"
	"muster/internal/testseed"
	"muster/net/replication/frame"
	"muster/sched"
)

func brawled(ticks int) *ruckus {
	r := newRuckus(20)
	for range ticks {
		r.tick()
	}
	return r
}

// The digests of a tick follow from the inboxes, and say it if they do not.
func TestSameInboxesSameDigests(t *testing.T) {
	seed := testseed.Of(t)
	l := record(seed)
	run := func(seed uint64) (digests [][]byte) {
		w, f := logged(seed), new(frame.Frame)
		for i, in := range l.inboxes {
			if err := w.Inbox().UnmarshalBinary(in); err != nil {
				t.Fatal(err)
			}
			w.Tick(uint64(i+1), f)
			digests = append(digests, bytes.Clone(w.Digest(uint64(i+1))))
		}
		return digests
	}
	want := run(seed)
	for _, procs := range []int{1, 2} {
		before := runtime.GOMAXPROCS(procs)
		got := run(seed)
		runtime.GOMAXPROCS(before)
		for i := range got {
			if !bytes.Equal(got[i], want[i]) {
				t.Fatalf("GOMAXPROCS %d: tick %d has another digest", procs, i+1)
			}
		}
	}
	if other := run(seed + 1); slices.EqualFunc(other, want, bytes.Equal) {
		t.Error("another seed has the same digests")
	}
}

// In steps of any length, and of changing ones, all shares are hashed in turn: a worker's steps are 1, 2, 4 or 8 units of 7 ms, and those of muster serve 1, 2, 5 or 10 of
// 5 ms (docs/adr/0023).
func TestSharesAreHashedInAnyStep(t *testing.T) {
	r := rand.New(rand.NewPCG(testseed.Of(t), 1))
	for _, c := range []struct {
		unit, apart time.Duration
		units       uint64 // between two shares
		strides     []uint64
	}{
		{7 * time.Millisecond, 0, 24, []uint64{1, 2, 4, 8}}, {5 * time.Millisecond, 0, 40, []uint64{1, 2, 5, 10}},
		{50 * time.Millisecond, 0, 4, []uint64{1}}, {time.Second, 0, 1, []uint64{1}},
		// As logs have them that do not say it.
		{7 * time.Millisecond, 50 * time.Millisecond, 8, []uint64{1, 2, 4, 8}}, {5 * time.Millisecond, 50 * time.Millisecond, 10, []uint64{1, 2, 5, 10}},
		{50 * time.Millisecond, 50 * time.Millisecond, 1, []uint64{1}},
	} {
		unit, strides := c.unit, c.strides
		m := meadow(r, 30, 0)
		w := New(Config{Defs: m, Map: &m.Maps[0], Quantum: unit, ShareEvery: c.apart})
		enter(w, 1, 0, 0)
		var f frame.Frame
		w.Tick(1, &f)
		d := w.digests()
		if d.every != c.units {
			t.Errorf("units of %v: %d are between two shares, want %d", unit, d.every, c.units)
		}
		entities := ecs.NewFilter1[components.Object](w.ecs).Count()
		for _, choice := range append([][]uint64{strides}, slices.Collect(slices.Chunk(strides, 1))...) {
			turns, shares := make(map[uint64]int), 0
			for n := uint64(0); shares < int(d.round); {
				w.Digest(n)
				if n%d.every == 0 {
					shares++
				}
				for row := range slices.Chunk(d.rows, rowBytes) {
					turns[binary.LittleEndian.Uint64(row)]++
				}
				stride := choice[r.IntN(len(choice))]
				n = (n/stride + 1) * stride
				if time.Duration(n)*unit > 1100*time.Millisecond {
					t.Fatalf("units of %v, steps of %d: %d shares of %d in %v", unit, choice, shares, d.round, time.Duration(n)*unit)
				}
			}
			if len(turns) != entities || entities < 20 {
				t.Errorf("units of %v, steps of %d: %d entities of %d are hashed", unit, choice, len(turns), entities)
			}
		}
	}
}

// Within a second of ticks the telling components of all entities are hashed once.
func TestEverybodyHasATurn(t *testing.T) {
	r := brawled(30)
	turns := make(map[uint64]int)
	d := r.live.World.digests()
	for n := range d.round {
		d.begin()
		d.share(d.fast, n, d.round)
		for row := range slices.Chunk(d.rows, rowBytes) {
			turns[binary.LittleEndian.Uint64(row)]++
		}
	}
	objects := ecs.NewFilter1[components.Object](r.live.World.ecs)
	if n := objects.Count(); n < 40 {
		t.Fatalf("%d entities", n)
	}
	for q := objects.Iter(); q.Next(); {
		if guid := q.Get().GUID; turns[guid] != 1 {
			t.Errorf("%#x had %d turns", guid, turns[guid])
		}
	}
}

// hashes are all hashes of a world, by part and GUID.
func hashes(w *World) map[string]uint64 {
	all := make(map[string]uint64)
	w.Hashes(func(part string, guid, hash uint64) { all[fmt.Sprintf("%s of %#x", part, guid)] += hash })
	return all
}

// A change of any field of any component changes the hash of the world, that one hash alone, and a digest before
// forty seconds are over: positions and vitals before one is.
func TestEveryFieldIsInTheHash(t *testing.T) {
	r := brawled(400)
	w := r.live.World
	creature, player := w.space.Find(fightscene.Foe(3)), w.space.Find(fightscene.Player(3))
	combatState := newUnitStates(w.ecs)
	threats, auras := ecs.Shared[ecs.Slab[components.ThreatList]](w.ecs), ecs.Shared[ecs.Slab[components.Auras]](w.ecs)
	if combatState.threats.Get(creature).List == 0 || combatState.auras.Get(creature).Block == 0 {
		t.Fatal("no unit fights")
	}
	type mutation struct {
		name, part string
		guid       uint64
		at         unsafe.Pointer
	}
	positions, vitals := ecs.NewAccessor[components.Position](w.ecs), ecs.NewAccessor[components.Vitals](w.ecs)
	mutations := []mutation{
		{"position", "Position", fightscene.Player(3), unsafe.Pointer(&positions.Get(player).X)},
		{"health", "Vitals", fightscene.Foe(3), unsafe.Pointer(&vitals.Get(creature).Health)},
		{"aura", "UnitAuras", fightscene.Foe(3), unsafe.Pointer(&auras.At(combatState.auras.Get(creature).Block).List[0].EndMs)},
		{"threat", "ThreatState", fightscene.Foe(3), unsafe.Pointer(&threats.At(combatState.threats.Get(creature).List).List[0].Amount)},
	}
	for _, raw := range w.ecs.Raws() {
		if slices.Contains(copies(), raw.Type) {
			continue
		}
		for _, who := range []struct {
			entity ecs.Entity
			guid   uint64
		}{{player, fightscene.Player(3)}, {creature, fightscene.Foe(3)}} {
			if at := raw.At(who.entity); at != nil && raw.Type.Name() != "Object" {
				last := raw.Type.Size() - 1 // of the last field; blocks and entities are in the middle
				if raw.Type.Name() != "CorpseLoot" && raw.Type.Name() != "Formation" {
					mutations = append(mutations, mutation{"the last byte of " + raw.Type.Name(), raw.Type.Name(), who.guid, unsafe.Add(at, last)})
				}
			}
		}
	}
	if len(mutations) < 40 {
		t.Fatalf("%d mutations", len(mutations))
	}
	second := func() (digests [][]byte) {
		for n := range uint64(20 * slowSeconds) {
			digests = append(digests, bytes.Clone(w.Digest(n)))
		}
		return digests
	}
	hash, detail, digests := w.Hash(), hashes(w), second()
	for _, m := range mutations {
		at := (*uint8)(m.at)
		*at ^= 0x40
		if w.Hash() == hash {
			t.Errorf("%s: the world has the same hash", m.name)
		}
		var changed []string
		for key, h := range hashes(w) {
			if detail[key] != h {
				changed = append(changed, key)
			}
		}
		if want := fmt.Sprintf("[%s of %#x]", m.part, m.guid); fmt.Sprint(changed) != want {
			t.Errorf("%s: changed %v, want %s", m.name, changed, want)
		}
		found := 0
		for i, now := range second() {
			difference, err := Differ(digests[i], now)
			if err != nil {
				t.Fatal(err)
			}
			if len(difference.Parts) == 0 {
				continue
			}
			found++
			if w.Parts()[difference.Parts[0]] != m.part || len(difference.Parts) != 1 || !slices.Equal(difference.GUIDs, []uint64{m.guid}) {
				t.Errorf("%s: digests differ in %+v", m.name, difference)
			}
		}
		want := 1
		if slices.ContainsFunc(telling(), func(of ecs.Type) bool { return of.Name() == m.part }) {
			want = slowSeconds
		}
		if found != want {
			t.Errorf("%s: in %d seconds %d digests differ, want %d", m.name, slowSeconds, found, want)
		}
		*at ^= 0x40
	}
	if w.Hash() != hash {
		t.Error("what was changed and changed back has another hash")
	}
}

// A timer that is put off, or is another's, is another world.
func TestTimersAreInTheHash(t *testing.T) {
	r := brawled(400)
	w := r.live.World
	creature := w.space.Find(fightscene.Foe(3))
	wheels := 0
	w.timers(func(system string, timers sched.Timers) {
		wheel, ok := timers.(*sched.Wheel[ecs.Entity])
		if wheels++; !ok {
			return
		}
		hash, detail := w.Hash(), hashes(w)
		wheel.Add(5000, creature)
		var changed []string
		for key, h := range hashes(w) {
			if detail[key] != h {
				changed = append(changed, key)
			}
		}
		want := fmt.Sprintf("[timer %d of %s (ecs.Entity) of %#x]", wheels, system, fightscene.Foe(3))
		if w.Hash() == hash || fmt.Sprint(changed) != want {
			t.Errorf("changed %v, want %s", changed, want)
		}
		hash = w.Hash()
		wheel.Add(5001, creature)
		if w.Hash() == hash {
			t.Error("another timer is not in the hash")
		}
	})
	if in := wheelsInSource(t); wheels != in {
		t.Errorf("systems say that they have %d wheels, and have %d", wheels, in)
	}
}

// wheelsInSource is how many fields of systems are wheels.
func wheelsInSource(t *testing.T) (n int) {
	files, err := filepath.Glob("*/*.go")
	if err != nil || len(files) < 50 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		n += len(regexp.MustCompile(`(?m)^\s+\w+\s+sched\.Wheel\[`).FindAll(text, -1))
	}
	return n
}

// Once warm, digests allocate nothing.
func TestDigestAllocatesNothing(t *testing.T) {
	w := brawled(100).live.World
	n := uint64(0)
	digest := func() {
		n++
		w.Digest(n)
	}
	for range 200 {
		digest()
	}
	if allocs := testing.AllocsPerRun(200, digest); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

func TestMalformedDigests(t *testing.T) {
	w := brawled(40).live.World
	good := bytes.Clone(w.Digest(1))
	if d, err := Differ(good, good); err != nil || d.Parts != nil || d.GUIDs != nil {
		t.Errorf("a digest differs from itself: %+v, %v", d, err)
	}
	for n := range good {
		if _, err := Differ(good, good[:n]); err == nil && (n < 2 || (len(good)-n)%rowBytes != 0) {
			t.Fatalf("%d of %d bytes are a digest", n, len(good))
		}
	}
}
