package database

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"muster/components/life"
)

// The lists of a life but its items are stored as one value. It begins with its version; numbers follow as varints, in
// the order of the struct, and lists with their length before them. A life that was never stored is no bytes at all.
// Before version 3 of the schema items were such a value, too.
const (
	lifeVersion  = 1
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
	w.u32(uint32(len(l.Spells)))
	last := uint32(0)
	for _, s := range l.Spells {
		w.u32(s - last) // small, if they ascend
		last = s
	}
	w.u32(uint32(len(l.Cooldowns)))
	for _, c := range l.Cooldowns {
		w.u32(c.Spell)
		w.u32(c.Category)
		w.u32(c.LeftMs)
	}
	w.u32(uint32(len(l.Auras)))
	for i := range l.Auras {
		w.aura(&l.Auras[i])
	}
	w.u32(uint32(len(l.Actions)))
	for _, a := range l.Actions {
		w.b = append(w.b, a.Button)
		w.u32(a.Packed)
	}
	return w.b
}

func readLife(b []byte, l *life.Life) error {
	if len(b) == 0 {
		return nil
	}
	r := unpack{b: b[1:], bad: b[0] != lifeVersion}
	for i := range l.Power {
		l.Power[i] = r.u32()
	}
	l.Death.State = r.u32()
	l.Death.Body = r.place()
	l.Death.ReclaimLeftMs = r.u32()
	l.Bind = r.place()
	l.Spells = list[uint32](&r, life.MaxSpells)
	last := uint32(0)
	for i := range l.Spells {
		last += r.u32()
		l.Spells[i] = last
	}
	l.Cooldowns = list[life.Cooldown](&r, life.MaxCooldowns)
	for i := range l.Cooldowns {
		l.Cooldowns[i] = life.Cooldown{Spell: r.u32(), Category: r.u32(), LeftMs: r.u32()}
	}
	l.Auras = list[life.Aura](&r, life.MaxAuras)
	for i := range l.Auras {
		r.aura(&l.Auras[i])
	}
	l.Actions = list[life.Action](&r, life.MaxActions)
	for i := range l.Actions {
		l.Actions[i] = life.Action{Button: r.u8(), Packed: r.u32()}
	}
	return r.end()
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

func (w *pack) aura(a *life.Aura) {
	w.u32(a.Spell)
	w.b = binary.AppendUvarint(w.b, a.Caster)
	w.b = append(w.b, a.CasterLevel, a.Slot, a.Stacks, a.Charges)
	w.u32(a.MaxMs)
	w.u32(a.LeftMs)
	for _, n := range a.Amount {
		w.b = binary.AppendVarint(w.b, int64(n))
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
