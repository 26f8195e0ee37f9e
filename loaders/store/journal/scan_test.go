package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"reflect"
	"testing"
	"testing/synctest"

	"muster/components/life"
	"muster/internal/golden"
	"muster/loaders/store"
)

// randomSegment is a segment of groups of records about some characters, and where each group ends.
func randomSegment(r *rand.Rand, characters []store.Character, groups int) (b []byte, ends []int, expected [][]record) {
	b = appendHead(nil, 1)
	number := uint64(1)
	for range groups {
		var round []writing
		for _, i := range r.Perm(len(characters))[:1+r.IntN(len(characters))] {
			s := step(&characters[i], []life.Set{0, life.Spells, life.All}[r.IntN(3)])
			since := s.Since
			if s.Lists == life.All {
				since = 0
			}
			round = append(round, writing{nil, record{since: since, lists: s.Lists, now: s.Character}})
		}
		b = append(b, encode(number, round)...)
		number += uint64(len(round))
		ends = append(ends, len(b))
		var group []record
		for i := range round {
			group = append(group, round[i].record)
		}
		expected = append(expected, group)
	}
	return b, ends, expected
}

// Wherever a file ends, all groups before that are read, and nothing of the incomplete one.
func TestCut(t *testing.T) {
	seeds(t, 1, func(t *testing.T, r *rand.Rand) {
		b, ends, expected := randomSegment(r, newBelow().characters(t, 5), 60)
		for range 1000 {
			cut := r.IntN(len(b) + 1)
			var want, got []record
			good := 0
			for i, end := range ends {
				if end <= cut {
					want, good = append(want, expected[i]...), end
				}
			}
			s, err := read(b[:cut], func(r *record) { got = append(got, *r) })
			if err != nil || len(got) != len(want) || s.damaged != 0 || s.missing != 0 {
				t.Fatalf("cut at %d: %d records, %+v, %v, want %d", cut, len(got), s, err, len(want))
			}
			if len(want) > 0 && (s.good != good || s.torn != cut-good || s.next != want[len(want)-1].number+1) {
				t.Errorf("cut at %d: %+v", cut, s)
			}
			for i := range want {
				if fmt.Sprint(got[i].now.GUID, got[i].now.Version, got[i].lists, got[i].since) !=
					fmt.Sprint(want[i].now.GUID, want[i].now.Version, want[i].lists, want[i].since) {
					t.Fatalf("cut at %d: record %d is %+v, want %+v", cut, i, got[i], want[i])
				}
			}
		}
	})
}

// Any damage to a file is reported unless it looks like an end, every character is found as it was at some version,
// and the file is put aside.
func TestDamage(t *testing.T) {
	seeds(t, 100, func(t *testing.T, r *rand.Rand) {
		synctest.Test(t, func(t *testing.T) {
			below, d := newBelow(), newDisk()
			characters := below.characters(t, 5)
			history := make(map[string]bool)
			for i := range characters {
				history[text(characters[i])] = true
			}
			now := append([]store.Character(nil), characters...)
			b, ends, expected := randomSegment(r, now, 40)
			state := append([]store.Character(nil), characters...)
			for _, group := range expected {
				for _, rec := range group {
					c := &state[rec.now.GUID-1]
					c.Merge(&rec.now, rec.lists)
					history[text(*c)] = true
				}
			}
			at := r.IntN(len(b))
			b[at] ^= byte(1 + r.IntN(255))
			d.files[nameOf(1)] = &content{b: b, synced: len(b), named: true}
			j, report := open(t, below, d, nil)
			if at < ends[len(ends)-2] && len(report.Damage) == 0 {
				t.Errorf("byte %d of %d is another, and found %+v", at, len(b), report)
			}
			for _, c := range characters {
				got, err := j.Character(t.Context(), c.GUID)
				if err != nil || !history[text(got)] {
					t.Errorf("found %+v, %v", got, err)
				}
			}
			if len(report.Damage) > 0 && report.Damage[0].File != nameOf(1)+corrupt {
				t.Errorf("%+v is not aside", report.Damage)
			}
			if err := j.Close(); err != nil {
				t.Error(err)
			}
			j, report = open(t, below, d, nil)
			if len(report.Damage) > 0 || report.Records > 0 {
				t.Errorf("the next time found %+v", report)
			}
			j.Close()
		})
	})
}

// A journal of another version of muster is left alone.
func TestAnotherFormat(t *testing.T) {
	d := newDisk()
	b := append([]byte(segmentWord), format+1, 1, 0, 0, 0, 0, 0, 0, 0)
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
	d.files[nameOf(1)] = &content{b: b}
	if _, _, err := Open(t.Context(), newBelow(), Config{FS: d}); !errors.Is(err, ErrFormat) {
		t.Errorf("opened with %v, want %v", err, ErrFormat)
	}
	if got := d.files[nameOf(1)].b; !bytes.Equal(got, b) || d.locked {
		t.Errorf("left % x, locked %v", got, d.locked)
	}
}

// A record is encoded as it was when its format got its number. If this fails, and journals are in use, the format
// needs the next number: then -update makes another file.
func TestFormat(t *testing.T) {
	var c store.Character
	full(reflect.ValueOf(&c).Elem(), 1)
	r := record{number: 1, last: true, since: 2, lists: life.All, now: c}
	golden.Compare(t, fmt.Sprintf("testdata/format%d.txt", format), fmt.Appendf(nil, "%x\n", r.append(nil)))
}

// full sets every field to another value, and every list to one element.
func full(v reflect.Value, n uint64) uint64 {
	switch v.Kind() {
	case reflect.Struct:
		for _, f := range v.Fields() {
			n = full(f, n)
		}
		return n
	case reflect.Array:
		for i := range v.Len() {
			n = full(v.Index(i), n)
		}
		return n
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		return full(v.Index(0), n)
	case reflect.String:
		v.SetString("Name")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float32:
		v.SetFloat(float64(n))
	case reflect.Int32, reflect.Int64:
		v.SetInt(int64(n))
	default:
		v.SetUint(n & 0x7F)
	}
	return n + 1
}

func FuzzReader(f *testing.F) {
	b, ends, _ := randomSegment(rand.New(rand.NewPCG(1, 1)), newBelow().characters(f, 3), 4)
	f.Add(b)
	f.Add(b[:ends[2]+9])
	f.Add(append(append([]byte(nil), b[:ends[0]]...), b[ends[1]:]...))
	f.Add(appendHead(nil, 7))
	f.Add([]byte(segmentWord))
	f.Fuzz(func(t *testing.T, b []byte) {
		n := 0
		s, err := read(b, func(*record) { n++ })
		if s.good < 0 || s.torn < 0 || s.good+s.torn > len(b) || s.damaged > len(b) || err != nil && n > 0 {
			t.Errorf("%+v, %v", s, err)
		}
		if err != nil {
			return
		}
		again := 0
		if s2, err := read(b[:s.good], func(*record) { again++ }); err != nil || again != n || s2.torn != 0 {
			t.Errorf("cut to what is good: %d records, %+v, %v, want %d", again, s2, err, n)
		}
	})
}
