package systems

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"
	"unsafe"

	"muster/components"
	"muster/ecs"
	"muster/ecs/digest"
	"muster/sched"
	"muster/systems/loot"
)

// A digester hashes a world: components, timers, and events in queues. The sums do not depend on the order of rows.
// docs/adr/0014-a-log-of-inboxes.md says what is in a hash, and what is not.
type digester struct {
	world   *ecs.World
	objects *ecs.Filter1[components.Object]
	guids   ecs.Accessor[components.Object]
	every   uint64 // units between two shares
	round   uint64 // of these in a second
	parts   []string
	fast    []hashedColumn // telling
	slow    []hashedColumn
	wheels  []hashedWheel
	queues  map[reflect.Type]hashed

	turns []turn
	sums  []uint64 // by part
	rows  []byte   // of entities hashed in this tick: GUID u64, hash u32
	bytes []byte
	visit func(part string, guid, hash uint64) // of each hash; may be nil

	timed  func(at uint64, item unsafe.Pointer) // timer, bound once
	queued func(of ecs.Type, at unsafe.Pointer) // waits, bound once
	wheel  *hashedWheel                         // the wheel that is visited
	place  uint64                               // in the queues
}

// A hashed is a part of a world and its form: one component of all entities, one wheel, one queue.
type hashed struct {
	digest.Form
	part int
}

type hashedColumn struct {
	ecs.Raw
	hashed
	size uintptr
}

// A turn is an entity that is hashed, with the sum of the hashes of its parts, and of its GUID.
type turn struct {
	entity    ecs.Entity
	guid, all uint64
}

type hashedWheel struct {
	sched.Timers
	hashed
}

// ShareEvery is about how often a share of the entities is hashed, however short a step is, if a Config does not say otherwise. Smaller shares, more of them, would find the caches
// cold more often.
const ShareEvery = 200 * time.Millisecond

// shareUnits is how many units of a world's clock are between two shares that are to be some time apart: as many of the longest steps as that has room for, and one at least. Such a step is 10 units of
// 5 ms, or 8 of 7 (sched/ladder). A tick has a number that its step divides, so that no step, however many units it has, passes over a share, but for a late one that
// takes the place of several.
func shareUnits(apart, unit time.Duration) uint64 {
	const longestStep = 50 * time.Millisecond
	longest := (longestStep + unit - 1) / unit
	return uint64(longest * max(apart/(longest*unit), 1))
}

// The telling components of all entities are hashed once a second, everything else in so many seconds.
const slowSeconds = 40

// telling are the components in which a divergence shows soon: positions and vitals.
func telling() []ecs.Type { return ecs.Of2[components.Position, components.Vitals]() }

// copies are components whose contents are copies of others, or were: what clients were sent last.
func copies() []ecs.Type {
	return append(ecs.Of3[components.PlayerImage, components.CreatureImage, components.CorpseImage](),
		ecs.Of2[components.GameObjectImage, components.SavedState]()...)
}

func newDigester(w *World) *digester {
	d := &digester{
		world:   w.ecs,
		objects: ecs.NewFilter1[components.Object](w.ecs),
		guids:   ecs.NewAccessor[components.Object](w.ecs),
		every:   shareUnits(w.config.ShareEvery, w.config.Quantum),
		queues:  make(map[reflect.Type]hashed),
	}
	d.round = max(1, uint64(time.Second/(time.Duration(d.every)*w.config.Quantum)))
	threats := ecs.Shared[ecs.Slab[components.ThreatList]](w.ecs)
	auras := ecs.Shared[ecs.Slab[components.Auras]](w.ecs)
	bodies := ecs.Shared[loot.Bodies](w.ecs)
	scripts := ecs.Shared[ecs.Slab[components.ScriptState]](w.ecs)
	forms := &digest.World{Name: d.name, Blocks: map[string]digest.Block{
		"ThreatList":  {Of: reflect.TypeFor[components.ThreatList](), At: func(i uint32) unsafe.Pointer { return unsafe.Pointer(threats.At(i)) }},
		"Auras":       {Of: reflect.TypeFor[components.Auras](), At: func(i uint32) unsafe.Pointer { return unsafe.Pointer(auras.At(i)) }},
		"ScriptState": {Of: reflect.TypeFor[components.ScriptState](), At: func(i uint32) unsafe.Pointer { return unsafe.Pointer(scripts.At(i)) }},
		"Loot":        {Of: reflect.TypeFor[components.Loot](), At: func(i uint32) unsafe.Pointer { return unsafe.Pointer(bodies.At(i)) }},
	}}
	part := func(name string, of ecs.Type) hashed {
		form, err := forms.Form(of)
		if err != nil {
			panic(fmt.Sprintf("systems: %s: %v", name, err))
		}
		d.parts = append(d.parts, name)
		return hashed{form, len(d.parts) - 1}
	}
	for _, raw := range w.ecs.Raws() {
		switch {
		case slices.Contains(copies(), raw.Type):
		case slices.Contains(telling(), raw.Type):
			d.fast = append(d.fast, hashedColumn{raw, part(raw.Type.Name(), raw.Type), raw.Type.Size()})
		default:
			d.slow = append(d.slow, hashedColumn{raw, part(raw.Type.Name(), raw.Type), raw.Type.Size()})
		}
	}
	w.timers(func(of string, t sched.Timers) {
		name := fmt.Sprintf("timer %d of %s (%v)", len(d.wheels)+1, of, t.Item())
		d.wheels = append(d.wheels, hashedWheel{t, part(name, t.Item())})
	})
	for _, of := range w.ecs.Outlasting() {
		d.queues[of] = part(fmt.Sprintf("queue of %v", of), of)
	}
	d.sums = make([]uint64, len(d.parts))
	d.timed, d.queued = d.timer, d.waits
	return d
}

// timers visits the timers of systems, and then those of resources.
func (w *World) timers(visit func(of string, t sched.Timers)) {
	w.plan.Timers(visit)
	for _, resource := range w.ecs.Values() {
		for _, t := range sched.TimersOf(resource) {
			visit(reflect.TypeOf(resource).Elem().String(), t)
		}
	}
}

// name is the GUID of an entity, the same for all that are gone.
func (d *digester) name(e ecs.Entity) uint64 {
	if !d.world.Exists(e) {
		return 1
	}
	return d.guids.Get(e).GUID
}

// digest hashes the share of a tick. Between two ticks that have one, it hashes the queues alone.
func (d *digester) digest(n uint64) {
	d.begin()
	if n%d.every == 0 {
		d.shares(n / d.every)
	}
	d.world.Pending(d.queued)
}

// shares hashes the n-th share of the components and timers.
func (d *digester) shares(n uint64) {
	d.share(d.fast, n%d.round, d.round)
	slow := slowSeconds * d.round
	d.share(d.slow, n%slow, slow)
	for i := range d.wheels {
		if uint64(i)%slow == n%slow {
			d.timers(&d.wheels[i])
		}
	}
}

// share hashes some components of the n-th of so many shares of all entities, as they lie in memory.
func (d *digester) share(columns []hashedColumn, n, shares uint64) {
	q := d.objects.Iter()
	all := uint64(q.Count())
	first, end := all*n/shares, all*(n+1)/shares
	if first == end {
		q.Close()
		return
	}
	d.turns = slices.Grow(d.turns[:0], int(end-first))[:end-first]
	q.Step(int(first) + 1)
	for i := range d.turns {
		guid := q.Get().GUID
		d.turns[i] = turn{q.Entity(), guid, guid}
		q.Next()
	}
	if end < all {
		q.Close()
	}
	one, other := d.turns[0].entity, d.turns[len(d.turns)-1].entity
	alike := d.world.SameArchetype(one, other) // and so have all between
	for i := range columns {                   // in this order: each component is contiguous
		if c := &columns[i]; !alike {
			d.column(c, nil)
		} else if rows := c.At(one); rows != nil {
			d.column(c, rows)
		}
	}
	d.rows = slices.Grow(d.rows, len(d.turns)*rowLen)
	for i := range d.turns {
		d.row(d.turns[i].guid, d.turns[i].all)
	}
}

// column hashes one component of the entities of this turn. They have one archetype, row by row from rows on; or, if
// that is nil, several, of which some may not have the component.
func (d *digester) column(c *hashedColumn, rows unsafe.Pointer) {
	sum, size, flat := uint64(0), c.size, c.Flat()
	for i := range d.turns {
		t := &d.turns[i]
		var at unsafe.Pointer
		if rows != nil {
			at = unsafe.Add(rows, uintptr(i)*size)
		} else if at = c.At(t.entity); at == nil {
			continue
		}
		var h uint64
		if flat != 0 {
			h = digest.Bytes(t.guid, at, flat)
		} else {
			h = c.Hash(t.guid, at)
		}
		t.all += h
		sum += h
		if d.visit != nil {
			d.visit(d.parts[c.part], t.guid, h)
		}
	}
	d.sums[c.part] += sum
}

// all hashes everything.
func (d *digester) all() {
	d.begin()
	d.share(d.fast, 0, 1)
	d.share(d.slow, 0, 1)
	for i := range d.wheels {
		d.timers(&d.wheels[i])
	}
	d.world.Pending(d.queued)
}

func (d *digester) begin() {
	clear(d.sums)
	d.rows, d.place = d.rows[:0], 0
}

func (d *digester) timers(w *hashedWheel) {
	d.wheel = w
	w.Each(d.timed)
}

func (d *digester) timer(at uint64, item unsafe.Pointer) {
	h := d.wheel.Hash(at, item)
	guid := d.wheel.Owner(item)
	d.add(d.wheel.part, guid, h)
	d.row(guid, h)
}

func (d *digester) waits(of ecs.Type, at unsafe.Pointer) {
	d.place++
	q := d.queues[of]
	h := q.Hash(d.place, at)
	guid := q.Owner(at)
	d.add(q.part, guid, h)
	d.row(guid, h)
}

func (d *digester) add(part int, guid, h uint64) {
	d.sums[part] += h
	if d.visit != nil {
		d.visit(d.parts[part], guid, h)
	}
}

func (d *digester) row(guid, h uint64) {
	d.rows = binary.LittleEndian.AppendUint64(d.rows, guid)
	d.rows = binary.LittleEndian.AppendUint32(d.rows, uint32(h))
}

// rowLen is the length of a row.
const rowLen = 8 + 4

// Parts names what Digest has sums of, by number.
func (w *World) Parts() []string { return w.digests().parts }

// Digest hashes a part of the world after tick n: within a second of ticks all positions and vitals, and within
// slowSeconds everything else. The slice is valid until the next call. Differ compares digests.
func (w *World) Digest(n uint64) []byte {
	d := w.digests()
	d.digest(n)
	b := append(d.bytes[:0], 0, 0)
	for part, sum := range d.sums {
		if sum != 0 {
			binary.LittleEndian.PutUint16(b, binary.LittleEndian.Uint16(b)+1)
			b = binary.LittleEndian.AppendUint16(b, uint16(part))
			b = binary.LittleEndian.AppendUint64(b, sum)
		}
	}
	d.bytes = append(b, d.rows...)
	return d.bytes
}

// Sums hashes the whole world, by part. The slice is valid until the next call.
func (w *World) Sums() []uint64 {
	d := w.digests()
	d.all()
	return d.sums
}

// Hash hashes the whole world.
func (w *World) Hash() uint64 {
	sums := w.Sums()
	return digest.Bytes(0, unsafe.Pointer(unsafe.SliceData(sums)), uintptr(len(sums))*unsafe.Sizeof(sums[0]))
}

// Hashes visits every hash that goes into Hash, with the part of the world that it is of, and the GUID if it has one.
func (w *World) Hashes(visit func(part string, guid, hash uint64)) {
	d := w.digests()
	d.visit = visit
	defer func() { d.visit = nil }()
	d.all()
}

// digests makes the digester at the first call.
func (w *World) digests() *digester {
	if w.digester == nil {
		w.digester = newDigester(w)
	}
	return w.digester
}

// ErrDigest is the error for bytes that Digest has not made.
var ErrDigest = errors.New("systems: malformed digest")

// A Difference is where two digests of one tick differ.
type Difference struct {
	Parts []int    // ascending
	GUIDs []uint64 // ascending, each once; 0 for what has no GUID
}

// Differ returns where two digests of one tick differ.
func Differ(a, b []byte) (Difference, error) {
	sumsA, rowsA, errA := parseDigest(a)
	sumsB, rowsB, errB := parseDigest(b)
	if err := errors.Join(errA, errB); err != nil {
		return Difference{}, err
	}
	var d Difference
	for part := range max(len(sumsA), len(sumsB)) {
		if at(sumsA, part) != at(sumsB, part) {
			d.Parts = append(d.Parts, part)
		}
	}
	missing := make(map[[rowBytes]byte]int)
	for row := range slices.Chunk(rowsA, rowBytes) {
		missing[[rowBytes]byte(row)]++
	}
	for row := range slices.Chunk(rowsB, rowBytes) {
		missing[[rowBytes]byte(row)]--
	}
	for row, n := range missing {
		if n != 0 {
			d.GUIDs = append(d.GUIDs, binary.LittleEndian.Uint64(row[:]))
		}
	}
	slices.Sort(d.GUIDs)
	d.GUIDs = slices.Compact(d.GUIDs)
	return d, nil
}

func at(sums []uint64, part int) uint64 {
	if part < len(sums) {
		return sums[part]
	}
	return 0
}

const (
	sumBytes = 2 + 8
	rowBytes = 8 + 4
)

// parseDigest splits a digest into the sums by part, and the rows.
func parseDigest(b []byte) (sums []uint64, rows []byte, err error) {
	if len(b) < 2 {
		return nil, nil, ErrDigest
	}
	n := int(binary.LittleEndian.Uint16(b))
	b = b[2:]
	if len(b) < n*sumBytes || (len(b)-n*sumBytes)%rowBytes != 0 {
		return nil, nil, ErrDigest
	}
	for ; n > 0; n-- {
		part := int(binary.LittleEndian.Uint16(b))
		for len(sums) <= part {
			sums = append(sums, 0)
		}
		sums[part] = binary.LittleEndian.Uint64(b[2:])
		b = b[sumBytes:]
	}
	return sums, b, nil
}
