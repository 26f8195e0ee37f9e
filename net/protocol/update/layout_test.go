package update

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"muster/components"
	"muster/internal/testseed"
	"muster/net/protocol/wire"
)

// unhex reads bytes in hex, spaces ignored.
func unhex(t testing.TB, s string) []byte {
	b, err := hex.DecodeString(string(bytes.Join(bytes.Fields([]byte(s)), nil)))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestImageWords(t *testing.T) {
	for kind, want := range map[Kind]int{Creature: creatureWords, Player: playerWords} {
		if got := layoutOf(kind).ImageWords(); got != want {
			t.Errorf("the image of kind %d has %d words, want %d", kind, want, got)
		}
	}
}

// TestRuns checks that neighbours are compared and copied as one run.
func TestRuns(t *testing.T) {
	got := layoutOf(Creature).public.runs
	want := []run{ // component, first word there, number, first word in the image, words
		{0, 0, 0x00, 0, 5}, {4, 0, 0x12, 44, 5}, {2, 0, 0x17, 21, 1}, {1, 0, 0x18, 5, 16}, {2, 1, 0x36, 22, 10}, {2, 12, 0x41, 32, 4},
		{3, 0, 0x45, 36, 1}, {3, 1, 0x4A, 37, 1}, {3, 2, 0x4F, 38, 2}, {3, 4, 0x52, 40, 2}, {3, 6, 0x7A, 42, 1}, {3, 7, 0x92, 43, 1},
	}
	if !slices.Equal(got, want) {
		t.Errorf("runs of a creature are\n%v, want\n%v", got, want)
	}
	if got := layoutOf(Player).private.runs; len(got) != 13 {
		t.Errorf("a player has %d private runs, want 13: %v", len(got), got)
	}
}

// Words are one run only if they are neighbours on the wire and in one component, and up to 32 of them.
func TestRunsOfNeighbours(t *testing.T) {
	type apart struct { // neighbours on the wire alone
		A uint32 `v12340:"0x18"`
		_ uint32
		B uint32 `v12340:"0x19"`
	}
	type spread struct { // neighbours in memory alone
		A uint32 `v12340:"0x36"`
		B uint32 `v12340:"0x38"`
	}
	type first struct { // neighbours, but in two components
		A uint32 `v12340:"0x3B"`
	}
	type second struct {
		_ uint32
		B uint32 `v12340:"0x3C"`
	}
	got := NewLayout(wire.V12340, Creature, reflect.TypeFor[apart](), reflect.TypeFor[spread](), reflect.TypeFor[first](), reflect.TypeFor[second]())
	want := []run{{0, 0, 0x18, 0, 1}, {0, 2, 0x19, 1, 1}, {1, 0, 0x36, 2, 1}, {1, 1, 0x38, 3, 1}, {2, 0, 0x3B, 4, 1}, {3, 1, 0x3C, 5, 1}}
	if !slices.Equal(got.public.runs, want) {
		t.Errorf("runs are\n%v, want\n%v", got.public.runs, want)
	}
	// PLAYER_VISIBLE_ITEM_1_ENTRYID and following are 38 words: protocol.md appendix A.
	got = NewLayout(wire.V12340, Player, reflect.TypeFor[components.VisibleItems]())
	if want := []run{{0, 0, 0x11B, 0, 32}, {0, 32, 0x13B, 32, 6}}; !slices.Equal(got.public.runs, want) {
		t.Errorf("runs are\n%v, want\n%v", got.public.runs, want)
	}
}

// A public word is in the image where Fill puts it.
//
// Source: protocol.md appendix A: the first and the last word of fields of several words, and what is beside them.
func TestAt(t *testing.T) {
	l := layoutOf(Creature)
	var b body
	b.Object.GUID, b.Entry, b.Scale = 0x0000000200000001, 3, 1
	b.Health, b.Power[0], b.Power[6], b.HoverHeight = 4, 5, 6, 1
	image := make([]uint32, l.ImageWords())
	l.Fill(image, b.words())
	for number, want := range map[uint16]uint32{0x00: 1, 0x01: 2, 0x03: 3, 0x04: 0x3F800000, 0x18: 4, 0x19: 5, 0x1F: 6, 0x92: 0x3F800000} {
		if got := image[l.At(number)]; got != want {
			t.Errorf("word %#x is %#x in the image, want %#x", number, got, want)
		}
	}
	for _, number := range []uint16{0x05, 0x11, 0x28, 0x93, 0x94} { // padding, and what no component has
		func() {
			defer func() {
				if got, want := recover(), fmt.Sprintf("update: no client sees field %#x", number); got != want {
					t.Errorf("field %#x: panics with %v, want %q", number, got, want)
				}
			}()
			t.Errorf("field %#x is at %d", number, l.At(number))
		}()
	}
}

// TestDeltaBytes pins blocks word by word as protocol.md 4.2 describes them.
func TestDeltaBytes(t *testing.T) {
	var b body
	var image [playerWords]uint32
	l := layoutOf(Player)
	for _, c := range []struct {
		change func()
		dirty  uint32
		want   string
	}{
		{func() { b.Health = 50 }, components.DirtyVitals, "00 0108 01 00000001 32000000"},
		{func() {}, components.DirtyVitals, ""}, // it is in the image now
		{func() { b.Unit.Flags, b.DynamicFlags = 0x80000, 1 }, components.DirtyUnit | components.DirtyStance,
			"00 0108 03 00000000 00000008 00800000 00000800 01000000"},
		{func() { b.Target.GUID = 0xF130000000000007 }, components.DirtyTarget, "00 0108 01 00000C00 07000000 000030F1"},
		{func() { b.Stat[0], b.XP = 9, 9 }, components.DirtyStats | components.DirtyProgress, ""}, // for others there is nothing
		{func() { b.Item[37] = 7 }, everything, "00 0108 0B" +
			" 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 01000000 07000000"},
		{func() {}, 0, ""},
	} {
		c.change()
		got, ok := l.Delta([]byte("before"), 8, b.words(), c.dirty, image[:])
		if want := "before" + string(unhex(t, c.want)); string(got) != want || ok != (c.want != "") {
			t.Errorf("dirty %#x: % x, %v; want % x", c.dirty, got, ok, want)
		}
	}
	b.Health = 0 // a change to zero is a change
	got, ok := l.Delta(nil, 8, b.words(), components.DirtyVitals, image[:])
	if want := unhex(t, "00 0108 01 00000001 00000000"); !bytes.Equal(got, want) || !ok {
		t.Errorf("health 0: % x, want % x", got, want)
	}
	got, ok = l.Private(nil, 8, b.words(), components.DirtyVitals|components.DirtyAppearance)
	if len(got) > 0 || ok {
		t.Errorf("vitals and appearance have private words % x", got)
	}
	b.XP, b.MaxLevel = 3, 80
	got, ok = l.Private(nil, 8, b.words(), components.DirtyProgress)
	if want := unhex(t, "00 0108 28"+ // 40 mask words
		" 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000"+
		" 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 0000000C"+
		" 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000"+
		" 00000000 00000030 00000000 00000000 00000000 00000000 00000400 00000000 00000000 00000080"+
		" 03000000 00000000 00000000 00000000 00000000 50000000"); !bytes.Equal(got, want) || !ok {
		t.Errorf("private words are\n% x, want\n% x", got, want)
	}
}

// TestDeltaPlain compares blocks with those of an encoder that visits one field at a time.
func TestDeltaPlain(t *testing.T) {
	for _, kind := range []Kind{Creature, Player} {
		seed := testseed.Of(t)
		r := rand.New(rand.NewPCG(seed, 0))
		l := layoutOf(kind)
		var b body
		image := make([]uint32, l.ImageWords())
		sent := make(map[int]uint32)
		for range 2000 {
			guid := r.Uint64() >> r.IntN(64)
			dirty := scribble(r, b.words())
			fields := plainFields(&b, kind)

			changed, private := make(map[int]uint32), make(map[int]uint32)
			for number, f := range fields {
				if dirty>>f.part&1 == 0 {
					continue
				}
				if f.public && sent[number] != f.word {
					changed[number], sent[number] = f.word, f.word
				} else if f.private {
					private[number] = f.word
				}
			}
			got, ok := l.Delta(nil, guid, b.words(), dirty, image)
			if want := plainBlock(guid, changed); !bytes.Equal(got, want) || ok != (len(changed) > 0) {
				t.Fatalf("seed %d: dirty %#x: % x, want % x", seed, dirty, got, want)
			}
			got, ok = l.Private(nil, guid, b.words(), dirty)
			if want := plainBlock(guid, private); !bytes.Equal(got, want) || ok != (len(private) > 0) {
				t.Fatalf("seed %d: dirty %#x: private % x, want % x", seed, dirty, got, want)
			}
		}
	}
}

// scribble changes some words of some components, some of them to what they were, and returns these.
func scribble(r *rand.Rand, w *Words) (dirty uint32) {
	dirty = r.Uint32() & r.Uint32() & everything
	for part := range w {
		if dirty>>part&1 == 0 {
			continue
		}
		for range r.IntN(4) {
			w[part][r.IntN(len(w[part]))] = r.Uint32N(3)
		}
	}
	return dirty
}

type plainField struct {
	part            int
	word            uint32
	public, private bool
}

// plainFields reads the tags and the values of a body by reflection, by number.
func plainFields(b *body, kind Kind) map[int]plainField {
	fields := make(map[int]plainField)
	for part, c := range parts(kind) {
		for _, tag := range components.Tags(c, 12340) {
			var raw bytes.Buffer
			if err := binary.Write(&raw, binary.LittleEndian, b.part(c).FieldByName(tag.Name).Interface()); err != nil {
				panic(err)
			}
			for i := range tag.Words {
				a := components.FieldAt(kind.typeID(), uint16(tag.Number+i)).Audience
				f := plainField{part: part, word: binary.LittleEndian.Uint32(raw.Next(4))}
				f.public = a&components.Public != 0 || a&components.Dynamic != 0
				f.private = !f.public && a&components.Private != 0
				fields[tag.Number+i] = f
			}
		}
	}
	return fields
}

// plainBlock writes a VALUES block.
func plainBlock(guid uint64, words map[int]uint32) []byte {
	if len(words) == 0 {
		return nil
	}
	numbers := slices.Sorted(maps.Keys(words))
	masks := make([]uint32, numbers[len(numbers)-1]/32+1)
	for _, n := range numbers {
		masks[n/32] |= 1 << (n % 32)
	}
	block := wire.AppendPackedGUID([]byte{0}, guid)
	block = append(block, byte(len(masks)))
	for _, m := range masks {
		block = binary.LittleEndian.AppendUint32(block, m)
	}
	for _, n := range numbers {
		block = binary.LittleEndian.AppendUint32(block, words[n])
	}
	return block
}

func TestFill(t *testing.T) {
	l := layoutOf(Player)
	var b body
	scribble(rand.New(rand.NewPCG(1, 1)), b.words())
	b.Object.GUID, b.HoverHeight, b.Item[37] = 8, 1, 2
	var image [playerWords]uint32
	l.Fill(image[:], b.words())
	if got, ok := l.Delta(nil, 8, b.words(), everything, image[:]); ok {
		t.Errorf("after Fill there is a difference: % x", got)
	}
}

func TestForgotten(t *testing.T) {
	l := layoutOf(Creature)
	var b body
	var image [creatureWords]uint32
	b.Health = 1
	if part, number, found := l.Forgotten(b.words(), everything&^components.DirtyVitals, image[:]); !found || part != 1 || number != 0x18 {
		t.Errorf("a change without a mark: component %d, field %#x, %v", part, number, found)
	}
	b.Health, b.Power[6] = 0, 1 // within its run
	if part, number, found := l.Forgotten(b.words(), 0, image[:]); !found || part != 1 || number != 0x1F {
		t.Errorf("a forgotten touch: component %d, field %#x, %v", part, number, found)
	}
	if _, number, found := l.Forgotten(b.words(), components.DirtyVitals, image[:]); found {
		t.Errorf("field %#x was dirty", number)
	}
	if !Verify {
		return
	}
	defer func() {
		if recover() == nil {
			t.Error("a change without a mark does not panic")
		}
	}()
	l.Delta(nil, 8, b.words(), components.DirtyUnit, image[:])
}

func TestNewLayoutRefuses(t *testing.T) {
	type unknown struct {
		A uint32 `v12340:"0x94"`
	}
	for name, f := range map[string]func(){
		"another build":    func() { NewLayout(wire.V5875, Creature, parts(Creature)...) },
		"a player's field": func() { NewLayout(wire.V12340, Creature, reflect.TypeFor[components.PlayerAppearance]()) },
		"an unknown field": func() { NewLayout(wire.V12340, Creature, reflect.TypeFor[unknown]()) },
		"a component twice": func() {
			NewLayout(wire.V12340, Creature, append(parts(Creature), parts(Creature)...)...)
		},
		"too many to number": func() { NewLayout(wire.V12340, Creature, make([]reflect.Type, MaxComponents+1)...) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func TestLayoutAllocs(t *testing.T) {
	l := layoutOf(Player)
	var b body
	w := b.words()
	var image [playerWords]uint32
	s := Subject{GUID: 8, Self: true, Words: w, Position: new(components.Position), Motion: new(components.Motion), Speeds: new(components.Speeds)}
	dst := make([]byte, 0, 4096)
	if n := testing.AllocsPerRun(100, func() {
		b.Health++
		b.Item[37]++
		d, _ := l.Delta(dst, 8, w, everything, image[:])
		d, _ = l.Private(d, 8, w, everything)
		l.Create(d, &s)
		l.Fill(image[:], w)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkDelta(bench *testing.B) {
	for _, c := range []struct {
		name   string
		kind   Kind
		dirty  uint32
		change func(*body)
	}{
		{"creature/2", Creature, components.DirtyVitals, func(b *body) { b.Health++; b.Power[0]++ }},
		{"creature/8", Creature, components.DirtyVitals, func(b *body) {
			b.Health++
			for i := range b.Power {
				b.Power[i]++
			}
		}},
		{"creature/0", Creature, components.DirtyVitals, func(*body) {}},
		{"player/2", Player, components.DirtyVitals, func(b *body) { b.Health++; b.Power[0]++ }},
		{"player/8", Player, components.DirtyVitals | components.DirtyUnit, func(b *body) {
			b.Health++
			b.Unit.Flags++
			for i := range b.Power[:6] {
				b.Power[i]++
			}
		}},
	} {
		bench.Run(c.name, func(bench *testing.B) {
			l := layoutOf(c.kind)
			var b body
			w := b.words()
			image := make([]uint32, l.ImageWords())
			guid := components.CreatureGUID(1234, 5678)
			dst := make([]byte, 0, 4096)
			for bench.Loop() {
				c.change(&b)
				l.Delta(dst, guid, w, c.dirty, image)
			}
		})
	}
}
