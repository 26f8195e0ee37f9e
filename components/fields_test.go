package components

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"muster/docs"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var typeNames = [...]string{
	TypeObject: "Object", TypeItem: "Item", TypeContainer: "Container", TypeUnit: "Unit", TypePlayer: "Player",
	TypeGameObject: "GameObject", TypeDynamicObject: "DynamicObject", TypeCorpse: "Corpse",
}

// order is that of appendix A.
var order = []uint8{
	TypeObject, TypeItem, TypeContainer, TypeUnit, TypePlayer, TypeGameObject, TypeDynamicObject, TypeCorpse,
}

func (t FieldType) String() string {
	return [...]string{"?", "INT", "TWO_SHORT", "FLOAT", "LONG", "BYTES"}[t]
}

func (a Audience) String() string {
	var s []string
	for _, n := range []struct {
		bit  Audience
		name string
	}{
		{Public, "PUB"}, {Private, "PRIV"}, {Owner, "OWN"}, {ItemOwner, "IOWN"}, {SpecialInfo, "SPEC"},
		{PartyMember, "PARTY"}, {Dynamic, "DYN"},
	} {
		if a&n.bit != 0 {
			s = append(s, n.name)
			a &^= n.bit
		}
	}
	if a != 0 {
		s = append(s, strconv.Itoa(int(a)))
	}
	if s == nil {
		return "—"
	}
	return strings.Join(s, "+")
}

// TestFieldsGolden prints every field with its audience and owner, so that a change is a visible diff.
func TestFieldsGolden(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("# Update fields of build 12340. Source: protocol.md appendix A (UpdateFields.h, UpdateFieldFlags.cpp, AzerothCore).\n")
	b.WriteString("# number size type audience name component\n")
	names, pads := 0, 0
	for _, id := range order {
		fmt.Fprintf(&b, "\n%s\n", typeNames[id])
		for _, f := range Fields(id) {
			fmt.Fprintf(&b, "0x%03X %3d %-9s %-13v %-49s %s\n", f.Number, f.Size, f.Type, f.Audience, f.Name, owner(id, f.Number))
			names++
			if f.Audience == NoAudience {
				pads++
			}
		}
		fmt.Fprintf(&b, "0x%03X END\n", End(id))
	}
	if names-pads != 367 || pads != 6 {
		t.Errorf("%d names and %d paddings, want 367 and 6", names-pads, pads)
	}
	const file = "testdata/fields_12340.golden"
	if *update {
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("the fields differ from %s; run with -update and look at the diff", file)
	}
}

// owner is the component and field that hold a word.
func owner(typeID uint8, number uint16) string {
	var parts []reflect.Type
	switch typeID {
	case TypeObject, TypeUnit, TypePlayer:
		parts = PlayerParts()
	case TypeItem, TypeContainer:
		parts = ItemParts()
	case TypeCorpse:
		parts = CorpseParts()
	}
	for _, c := range parts {
		for _, tag := range Tags(c, 12340) {
			if at := int(number) - tag.Number; at >= 0 && at < tag.Words {
				s := c.Name() + "." + tag.Name
				if tag.Type.Kind() == reflect.Array && tag.Words > 1 {
					s += fmt.Sprintf("[%d]", at)
				}
				return s
			}
		}
	}
	return "-"
}

// TestFieldsGapless checks that fields follow each other from the end of what they extend.
func TestFieldsGapless(t *testing.T) {
	ends := map[uint8]uint16{
		TypeObject: 0x06, TypeItem: 0x40, TypeContainer: 0x8A, TypeUnit: 0x94, TypePlayer: 0x52E,
		TypeGameObject: 0x12, TypeDynamicObject: 0x0C, TypeCorpse: 0x24,
	}
	for _, id := range order {
		var at uint16
		if parent, ok := Inherits(id); ok {
			at = End(parent)
		}
		for _, f := range Fields(id) {
			if f.Number != at {
				t.Errorf("%s begins at %#x, want %#x", f.Name, f.Number, at)
			}
			at = f.Number + f.Size
		}
		if at != ends[id] || End(id) != at {
			t.Errorf("%s ends at %#x, want %#x", typeNames[id], at, ends[id])
		}
	}
	if f := FieldAt(TypePlayer, 0x27); f == nil || f.Name != "UNIT_FIELD_MAXPOWER7" {
		t.Errorf("field 0x27 of a player is %v", f)
	}
	if f := FieldAt(TypeUnit, 0x94); f != nil {
		t.Errorf("a unit has %v", f)
	}
}

// TestTable compares the fields with protocol.md appendix A.
func TestTable(t *testing.T) {
	row := regexp.MustCompile(`(?m)^(?:### (\w+)|\| 0x([0-9A-F]{3}) \| (\d+) \| (\d+) \| (\w+) \| (\S+) \| (\w+) \|)$`)
	_, appendix, _ := strings.Cut(docs.Protocol, "# Appendix A.")
	listed := make(map[string]bool)
	var section string
	for _, m := range row.FindAllStringSubmatch(appendix, -1) {
		if m[1] != "" {
			section = m[1]
			continue
		}
		id := uint8(slices.Index(typeNames[:], section))
		number, _ := strconv.ParseUint(m[2], 16, 16)
		f := FieldAt(id, uint16(number))
		if f == nil {
			t.Errorf("%s is missing", m[7])
			continue
		}
		got := fmt.Sprintf("%03X %d %d %v %v %s", f.Number, f.Number, f.Size, f.Type, f.Audience, f.Name)
		if want := strings.Join(m[2:], " "); got != want {
			t.Errorf("have %s, want %s", got, want)
		}
		listed[f.Name] = true
	}
	if len(listed) < 200 {
		t.Fatalf("found only %d fields in protocol.md", len(listed))
	}
	repeated := regexp.MustCompile(`^(ITEM_FIELD_ENCHANTMENT|PLAYER_QUEST_LOG|PLAYER_VISIBLE_ITEM)_\d+_`)
	for _, id := range order {
		for _, f := range Fields(id) {
			if !listed[f.Name] && !repeated.MatchString(f.Name) {
				t.Errorf("%s is not in protocol.md", f.Name)
			}
		}
	}
}

// TestTags checks that what the components say of their words agrees with the table of fields.
func TestTags(t *testing.T) {
	creature := CreatureParts()
	taken := make(map[int]string)
	for i, c := range PlayerParts() {
		id := TypePlayer
		if i < len(creature) {
			id = TypeUnit
		}
		last := -1
		for _, tag := range Tags(c, 12340) {
			name := c.Name() + "." + tag.Name
			if tag.Number <= last {
				t.Errorf("%s: field 0x%X comes after 0x%X", name, tag.Number, last)
			}
			last = tag.Number + tag.Words - 1
			for word := tag.Number; word <= last; word++ {
				if taken[word] != "" {
					t.Errorf("0x%X is both %s and %s", word, taken[word], name)
				}
				taken[word] = name
			}
			for at := tag.Number; at <= last; {
				f := FieldAt(id, uint16(at))
				if f == nil || int(f.Number) != at || int(f.Number+f.Size) > last+1 {
					t.Errorf("%s: 0x%X to 0x%X are not whole fields", name, tag.Number, last)
					break
				}
				if !fits(tag.Type, f.Type) {
					t.Errorf("%s is a %v, but %s is %v", name, tag.Type, f.Name, f.Type)
				}
				at += int(f.Size)
			}
		}
	}
	if n := len(taken); n != 198 {
		t.Errorf("%d words have an owner, want 198", n)
	}
}

// fits reports whether a Go type can hold a field type: word by word, as little-endian machines lay it out.
func fits(t reflect.Type, f FieldType) bool {
	switch {
	case t == reflect.TypeFor[[4]uint8]():
		return f == Bytes
	case t.Kind() == reflect.Array:
		return fits(t.Elem(), f)
	case t.Kind() == reflect.Uint32:
		return f == Int || f == TwoShort
	case t.Kind() == reflect.Float32:
		return f == Float
	case t.Kind() == reflect.Uint64:
		return f == Long
	}
	return false
}

// TestImages checks that an image has one word for each public word of its parts.
func TestImages(t *testing.T) {
	for _, c := range []struct {
		name  string
		id    uint8
		parts []reflect.Type
		have  int
	}{
		{"creature", TypePlayer, CreatureParts(), len(CreatureImage{})},
		{"player", TypePlayer, PlayerParts(), len(PlayerImage{})},
		{"corpse", TypeCorpse, CorpseParts(), len(CorpseImage{})},
	} {
		want := 0
		for _, part := range c.parts {
			for _, tag := range Tags(part, 12340) {
				for word := range tag.Words {
					if FieldAt(c.id, uint16(tag.Number+word)).Audience&(Public|Dynamic) != 0 {
						want++
					}
				}
			}
		}
		if c.have != want {
			t.Errorf("the image of a %s has %d words, want %d", c.name, c.have, want)
		}
	}
}

func TestDirtyBits(t *testing.T) {
	bits := map[string]uint32{
		"Object": DirtyObject, "Vitals": DirtyVitals, "Unit": DirtyUnit, "Stance": DirtyStance, "Target": DirtyTarget,
		"Stats": DirtyStats, "PlayerAppearance": DirtyAppearance, "VisibleItems": DirtyVisibleItems, "Progress": DirtyProgress,
		"Carried": DirtyCarried,
	}
	for i, c := range PlayerParts() {
		if bits[c.Name()] != 1<<i {
			t.Errorf("%s has bit %#x, want %#x", c.Name(), bits[c.Name()], 1<<i)
		}
	}
}

func TestBadTags(t *testing.T) {
	type limited struct {
		Power [7]uint32 `v5875:"0x17,5"`
	}
	want := Tag{"Power", reflect.TypeFor[[7]uint32](), 0x17, 0, 5}
	if got := Tags(reflect.TypeFor[limited](), 5875); len(got) != 1 || got[0] != want {
		t.Errorf("have %v, want %v", got, want)
	}
	for _, c := range []reflect.Type{
		reflect.TypeFor[struct {
			A uint32 `v12340:"health"`
		}](),
		reflect.TypeFor[struct {
			A uint32 `v12340:"1,2"`
		}](),
		reflect.TypeFor[struct {
			A uint16 `v12340:"1"`
		}](),
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v: no panic", c)
				}
			}()
			Tags(c, 12340)
		}()
	}
}
