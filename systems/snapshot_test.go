package systems

import (
	"bytes"
	"encoding/binary"
	"errors"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"muster/bench/fightscene"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/snapshot"
	"muster/internal/testseed"
	"muster/net/replication/frame"
	"muster/systems/rules"
)

// A take is a world that reads inboxes, and all of its output.
type take struct {
	world *World
	n     uint64
	frame frame.Frame
}

// tick returns the frame of the next tick and the hashes after it.
func (k *take) tick(t *testing.T, inbox []byte) ([]byte, []uint64) {
	if err := k.world.Inbox().UnmarshalBinary(inbox); err != nil {
		t.Fatal(err)
	}
	k.n++
	k.world.Tick(k.n, &k.frame)
	b, err := k.frame.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b, slices.Clone(k.world.Sums())
}

// fought is the inboxes of a brawl, and a maker of its world.
func fought(ticks int) (inboxes [][]byte, world func() *World) {
	r := newRuckus(20)
	kept := &inboxKeeper{}
	r.live.Recorder = kept
	for range ticks {
		r.tick()
	}
	return kept.inboxes, func() *World { return newRuckus(20).live.World }
}

// An inboxKeeper keeps inboxes.
type inboxKeeper struct{ inboxes [][]byte }

func (k *inboxKeeper) Begin(_ uint64, in *frame.Inbox) {
	b, _ := in.AppendBinary(nil)
	k.inboxes = append(k.inboxes, b)
}
func (k *inboxKeeper) Digest(uint64, []byte) {}

// What comes of a snapshot goes on as the world of which it was taken: every frame and every hash is the same, and
// every digest, for which rows have to be the same.
func TestRestoredGoesOnTheSame(t *testing.T) {
	seed := testseed.Of(t)
	crowd := record(seed)
	brawl, arena := fought(700)
	for _, c := range []struct {
		name    string
		inboxes [][]byte
		world   func() *World
		at      []int
	}{
		{"crowd", crowd.inboxes, func() *World { return logged(seed) }, []int{0, 1, 17, 100, 150}},
		{"brawl", brawl, arena, []int{2, 90, 333}},
	} {
		one := &take{world: c.world()}
		var others []*take
		for i, inbox := range c.inboxes {
			if slices.Contains(c.at, i) {
				b, err := one.world.AppendSnapshot(nil)
				if err != nil {
					t.Fatal(err)
				}
				w := c.world()
				if err := w.Restore(b); err != nil {
					t.Fatalf("%s: restore of tick %d: %v", c.name, i, err)
				}
				if again, err := w.AppendSnapshot(nil); err != nil || !bytes.Equal(again, b) {
					t.Errorf("%s: a snapshot of what was restored of tick %d is another, %d bytes of %d: %v", c.name, i, len(again), len(b), err)
				}
				others = append(others, &take{world: w, n: uint64(i)})
			}
			frame, sums := one.tick(t, inbox)
			digest := bytes.Clone(one.world.Digest(one.n))
			for j, other := range others {
				before := runtime.GOMAXPROCS(1 + j%2)
				f, s := other.tick(t, inbox)
				runtime.GOMAXPROCS(before)
				if !bytes.Equal(f, frame) {
					t.Fatalf("%s: restored at %d: tick %d has another frame", c.name, c.at[j], one.n)
				}
				if !slices.Equal(s, sums) || !bytes.Equal(other.world.Digest(one.n), digest) {
					t.Fatalf("%s: restored at %d: tick %d has another hash", c.name, c.at[j], one.n)
				}
			}
		}
		if len(others) != len(c.at) {
			t.Errorf("%s: %d snapshots", c.name, len(others))
		}
	}
}

// What has broken between two ticks is in a snapshot, and so is why: in the restored world it ends the same auras.
func TestSnapshotKeepsWhatHasBroken(t *testing.T) {
	const fights, before, after = 20, 400, 100
	inboxes, _ := fought(before + after)
	arena := func() *ruckus {
		b := fightscene.New(fights)
		for i := range b.Defs.Spells {
			b.Defs.Spells[i].Breaks = defs.BreakStand
		}
		return newRuckusOf(b)
	}
	r, restored := arena(), arena()
	one, other := &take{world: r.live.World}, &take{world: restored.live.World, n: before}
	for _, inbox := range inboxes[:before] {
		one.tick(t, inbox)
	}
	var broken []rules.AuraBroken
	for i := range fights / 2 {
		b := rules.AuraBroken{Entity: one.world.Find(fightscene.Player(i)), Why: defs.BreakStand}
		broken = append(broken, b)
		*ecs.QueueOf[rules.AuraBroken](one.world.ecs).Next() = b
	}
	b, err := one.world.AppendSnapshot(nil)
	if err == nil {
		err = other.world.Restore(b)
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := ecs.QueueOf[rules.AuraBroken](other.world.ecs).All(); !slices.Equal(got, broken) {
		t.Errorf("restored %+v, want %+v", got, broken)
	}
	_, _, marked := restored.state()
	for i, inbox := range inboxes[before:] {
		frame, sums := one.tick(t, inbox)
		again, too := other.tick(t, inbox)
		if !bytes.Equal(frame, again) || !slices.Equal(sums, too) {
			t.Fatalf("tick %d is another in the restored world", one.n)
		}
		if i > 0 {
			continue
		}
		if _, _, left := restored.state(); left > marked-len(broken) {
			t.Errorf("%d have three auras, and %d of them had stood up before", left, len(broken))
		}
	}
}

// A world of another program has other parts: the first that is wrong is named, before anything is read.
func TestForeignSnapshots(t *testing.T) {
	r := brawled(30)
	good, err := r.live.World.AppendSnapshot(nil)
	if err != nil {
		t.Fatal(err)
	}
	n, size := binary.Uvarint(good)
	shape, rest := good[size:size+int(n)], good[size+int(n):]
	with := func(old, new string) []byte {
		changed := regexp.MustCompile(old).ReplaceAll(shape, []byte(new))
		if bytes.Equal(changed, shape) {
			t.Fatalf("%s is not in %s", old, shape)
		}
		return slices.Concat(binary.AppendUvarint(nil, uint64(len(changed))), changed, rest)
	}
	for _, c := range []struct {
		snapshot []byte
		says     string
	}{
		{with(`("component Vitals of kind 0","Shape":)\d+`, "${1}7"), "the snapshot has another component Vitals of kind 0"},
		{with(`\{"Name":"component Casting of kind 1","Shape":\d+\},`, ""), "the snapshot has no component Casting of kind 1"},
		{with(`component Casting of kind 1`, "component Fishing of kind 1"), "only the snapshot has component Fishing of kind 1"},
		{with(`("system respawn","Shape":)\d+`, "${1}7"), "the snapshot has another system respawn"},
		{with(`\{"Name":"system aidispatch"`, `{"Name":"system ia"`), "only the snapshot has system ia"},
		{with(`^.`, "x"), "invalid character"},
		{nil, "not a snapshot"},
		{good[:len(good)-1], "snapshot: cut off"},
		{append(bytes.Clone(good), 0), "1 bytes follow"},
		{good[:len(good)/8], "not the tables"},
	} {
		err := newRuckus(20).live.World.Restore(c.snapshot)
		if !errors.Is(err, ErrSnapshot) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want %q", err, c.says)
		}
	}
}

// A scene is a world, and what it is to read.
type scene struct {
	name    string
	inboxes [][]byte
	world   *World
}

// crowdAndBrawl are the scene that record has of many clients, and 120 ticks of a brawl.
func crowdAndBrawl(t *testing.T) []scene {
	seed := testseed.Of(t)
	brawl, arena := fought(120)
	return []scene{{"crowd", record(seed).inboxes, logged(seed)}, {"brawl", brawl, arena()}}
}

// Snapshots that are copied one after another, and read while the world goes on, are those that are copied as a whole.
func TestCopiedSnapshotsAreWhole(t *testing.T) {
	for _, c := range crowdAndBrawl(t) {
		one := &take{world: c.world}
		var copied, whole []byte
		for i, inbox := range c.inboxes {
			if i%10 != 9 {
				one.tick(t, inbox)
				continue
			}
			var err error
			if whole, err = one.world.AppendSnapshot(whole[:0]); err != nil {
				t.Fatal(err)
			}
			var parts func() ([][]byte, error)
			if copied, parts, err = one.world.CopySnapshot(copied[:0]); err != nil {
				t.Fatal(err)
			}
			one.tick(t, inbox)
			all, err := parts()
			if err != nil {
				t.Fatal(err)
			}
			if got := bytes.Join(all, nil); !bytes.Equal(got, whole) {
				t.Fatalf("%s: the snapshot before tick %d is another, %d bytes of %d", c.name, one.n, len(got), len(whole))
			}
		}
	}
}

// A snapshot has no memory of the inbox that the last tick has read: a gateway writes into that while the world goes on.
func TestSnapshotHasNothingOfTheInbox(t *testing.T) {
	for _, c := range crowdAndBrawl(t) {
		one := &take{world: c.world}
		var before, after []byte
		var bodies int
		for i, inbox := range c.inboxes {
			var in frame.Inbox
			if err := in.UnmarshalBinary(inbox); err != nil {
				t.Fatal(err)
			}
			*c.world.Inbox() = in
			one.n++
			c.world.Tick(one.n, &one.frame)
			if in.Len() == 0 || i > 20 && i%10 != 9 {
				continue
			}
			var err error
			if before, err = c.world.AppendSnapshot(before[:0]); err != nil {
				t.Fatal(err)
			}
			for i := range in.Len() {
				for j, b := range in.At(i).Body {
					in.At(i).Body[j] = ^b
					bodies++
				}
			}
			if after, err = c.world.AppendSnapshot(after[:0]); err != nil || !bytes.Equal(before, after) {
				t.Fatalf("%s: the snapshot after tick %d is another when what the tick has read is overwritten: %v", c.name, one.n, err)
			}
		}
		if bodies == 0 {
			t.Errorf("%s: no bytes were overwritten", c.name)
		}
	}
}

// The first snapshot of a world that is prepared makes no memory but for what it appends to: large components, 256 of each archetype at least, have theirs.
func TestFirstSnapshotIsPrepared(t *testing.T) {
	allocated := func(prepared bool) uint64 {
		w := brawled(30).live.World
		if prepared {
			if err := w.PrepareSnapshots(); err != nil {
				t.Fatal(err)
			}
		}
		room := make([]byte, 0, w.SnapshotBytes())
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, _, err := w.CopySnapshot(room); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	const blocks = 1 << 20 // of components that have 6.4 KB in a player
	if without, with := allocated(false), allocated(true); without < blocks || with > blocks/4 {
		t.Errorf("the first snapshot makes %d bytes, and %d in a world that was prepared; want %d at least, and a quarter of that at most", without, with, blocks)
	}
}

// The types that worlds are made of are looked up before the first snapshot, once for all worlds.
func TestTypesAreLookedUpOnce(t *testing.T) {
	before := lens
	defer func() { lens = before }()
	found := 0
	lens = snapshot.NewLens(func(t reflect.Type) bool {
		found++
		return given(t)
	})
	one, other := brawled(30), brawled(30)
	if err := one.live.World.PrepareSnapshots(); err != nil {
		t.Fatal(err)
	}
	if found < 100 {
		t.Fatalf("%d types were looked up", found)
	}
	found = 0
	for _, r := range []*ruckus{one, other} {
		if _, _, err := r.live.World.CopySnapshot(nil); err != nil {
			t.Fatal(err)
		}
	}
	if found > 0 {
		t.Errorf("%d types were looked up with a snapshot", found)
	}

	// What was prepared before a world is restored holds after it.
	whole, err := one.live.World.AppendSnapshot(nil)
	if err != nil {
		t.Fatal(err)
	}
	restored := newRuckus(20).live.World
	if err := errors.Join(restored.PrepareSnapshots(), restored.Restore(whole)); err != nil {
		t.Fatal(err)
	}
	if again, err := restored.AppendSnapshot(nil); err != nil || !bytes.Equal(again, whole) {
		t.Errorf("%v; the snapshot of a restored world is another one", err)
	}
}
