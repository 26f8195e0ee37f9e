package database

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"muster/components/life"
)

// What of a life is neither a column of its own nor a list is stored as one value. It begins with its version; numbers follow as
// varints, in the order of the struct. A life that was never stored is no bytes at all. Before version 6 of the schema
// the lists but items followed, each with its length before it, and before version 3 items were such a value, too.
const (
	lifeVersion  = 2
	listsVersion = 1 // with lists
	itemsVersion = 1
)

// errLife is the error of a stored life that cannot be read.
var errLife = errors.New("database: a life that is torn, or of a newer muster")

func appendLife(b []byte, l *life.Life) []byte {
	w := pack{b: append(b, lifeVersion)}
	for _, p := range l.Power {
		w.u32(p)
	}
	w.u32(l.Death.State)
	w.place(l.Death.Body)
	w.u32(l.Death.ReclaimLeftMs)
	w.place(l.Bind)
	return w.b
}

func readLife(b []byte, l *life.Life) error {
	if len(b) == 0 {
		return nil
	}
	r := unpack{b: b[1:], bad: b[0] != lifeVersion}
	r.life(l)
	return r.end()
}

// readLists reads a life as version 5 of the schema had it.
func readLists(b []byte, l *life.Life) error {
	if len(b) == 0 {
		return nil
	}
	r := unpack{b: b[1:], bad: b[0] != listsVersion}
	r.life(l)
	r.lists(l)
	return r.end()
}

func (r *unpack) life(l *life.Life) {
	for i := range l.Power {
		l.Power[i] = r.u32()
	}
	l.Death.State = r.u32()
	l.Death.Body = r.place()
	l.Death.ReclaimLeftMs = r.u32()
	l.Bind = r.place()
}

func (r *unpack) lists(l *life.Life) {
	l.Spells = list[uint32](r, life.MaxSpells)
	last := uint32(0)
	for i := range l.Spells {
		last += r.u32()
		l.Spells[i] = last
	}
	l.Cooldowns = list[life.Cooldown](r, life.MaxCooldowns)
	for i := range l.Cooldowns {
		l.Cooldowns[i] = life.Cooldown{Spell: r.u32(), Category: r.u32(), LeftMs: r.u32()}
	}
	l.Auras = list[life.Aura](r, life.MaxAuras)
	for i := range l.Auras {
		r.aura(&l.Auras[i])
	}
	l.Actions = list[life.Action](r, life.MaxActions)
	for i := range l.Actions {
		l.Actions[i] = life.Action{Button: r.u8(), Packed: r.u32()}
	}
}

// readItems reads the items of a character as version 2 of the schema had them.
func readItems(b []byte) ([]life.Item, error) {
	if len(b) == 0 {
		return nil, nil
	}
	r := unpack{b: b[1:], bad: b[0] != itemsVersion}
	items := list[life.Item](&r, life.MaxItems)
	last := uint64(0)
	for i := range items {
		last += uint64(r.signed())
		items[i] = life.Item{
			GUID: last, Entry: r.u32(), Count: r.u32(), Durability: r.u32(), Bag: r.u8(), Slot: r.u8(),
		}
		r.bad = r.bad || last == 0 || last > math.MaxInt64 || items[i].Count == 0
	}
	return items, r.end()
}

// pack appends to b.
type pack struct{ b []byte }

func (w *pack) u32(v uint32) { w.b = binary.AppendUvarint(w.b, uint64(v)) }

func (w *pack) place(p life.Place) {
	w.u32(p.Map)
	w.u32(p.Zone)
	for _, f := range [...]float32{p.X, p.Y, p.Z, p.O} {
		w.b = binary.LittleEndian.AppendUint32(w.b, math.Float32bits(f))
	}
}

// unpack reads from the front of b. After an error all values are zero.
type unpack struct {
	b   []byte
	bad bool
}

func (r *unpack) take(n int) []byte {
	if r.bad = r.bad || n <= 0 || n > len(r.b); r.bad {
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *unpack) u64() uint64 {
	v, n := binary.Uvarint(r.b)
	if r.take(n) == nil {
		return 0
	}
	return v
}

func (r *unpack) u32() uint32 {
	v := r.u64()
	r.bad = r.bad || v > math.MaxUint32
	return uint32(v)
}

func (r *unpack) signed() int64 {
	v, n := binary.Varint(r.b)
	if r.take(n) == nil {
		return 0
	}
	return v
}

func (r *unpack) u8() uint8 {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *unpack) f32() float32 {
	if b := r.take(4); b != nil {
		return math.Float32frombits(binary.LittleEndian.Uint32(b))
	}
	return 0
}

func (r *unpack) place() life.Place {
	return life.Place{Map: r.u32(), Zone: r.u32(), X: r.f32(), Y: r.f32(), Z: r.f32(), O: r.f32()}
}

func (r *unpack) aura(a *life.Aura) {
	a.Spell, a.Caster = r.u32(), r.u64()
	a.CasterLevel, a.Slot, a.Stacks, a.Charges = r.u8(), r.u8(), r.u8(), r.u8()
	a.MaxMs, a.LeftMs = r.u32(), r.u32()
	for i := range a.Amount {
		n := r.signed()
		r.bad = r.bad || n != int64(int32(n))
		a.Amount[i] = int32(n)
	}
}

// list allocates a list whose length is read. It is nil if that is 0.
func list[T any](r *unpack, limit uint32) []T {
	n := r.u32()
	if r.bad = r.bad || n > limit; r.bad || n == 0 {
		return nil
	}
	return make([]T, n)
}

func (r *unpack) end() error {
	if r.bad || len(r.b) > 0 {
		return fmt.Errorf("%w: %d bytes from its end", errLife, len(r.b))
	}
	return nil
}

// lifeValue scans what appendLife has written. If that is damaged it stores the error in torn, if that is not nil, and
// goes on without.
type lifeValue struct {
	life *life.Life
	torn *error
}

// Scan implements sql.Scanner.
func (v lifeValue) Scan(value any) error {
	b, _ := value.([]byte)
	return tolerate(readLife(b, v.life), v.torn)
}

func tolerate(err error, torn *error) error {
	if err != nil && torn != nil {
		*torn = err
		return nil
	}
	return err
}
