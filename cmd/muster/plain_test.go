package main

import (
	"bytes"
	"compress/zlib"
	endian "encoding/binary"
	"io"
	"math"
	"math/rand/v2"

	"muster/net/protocol/wire"
)

// A plain grinder is a client that fights as AzerothGhost does in its mode grind: it reads what that
// program reads, in the way in which it reads it, chooses as it chooses, and sends the same bytes as often. It knows what
// it is sent, and nothing of this server. How it decides is in plainmind_test.go, how it walks in plainwalk_test.go.
//
// Source: protocol.md 3.1; client/world.go, bot/bot.go, movement/movement.go and ai/behaviortree, AzerothGhost.
type plain struct {
	say  func(op uint32, parts ...any)
	dice *rand.Rand
	now  int64 // ms, of a clock of its own
	guid uint64

	things            map[uint64]*thing
	at                spot
	run               float64 // yards per second, as of its own CREATE
	health, maxHealth uint32
	level             uint32
	spells            map[uint32]bool
	garbled           []uint16 // opcodes of what it could not read to the end

	course course
	mind   mind
	hands  hands
	due    [4]int64 // of habits
	pings  uint32

	kills, deaths, returns int
	dealt, taken           int            // hits with damage
	fair                   int            // kills that are worth something
	refused                map[uint16]int // how often its attack was refused
}

// A spot is a place and a facing.
type spot struct{ x, y, z, o float64 }

func (s spot) flat(to spot) float64 { return math.Hypot(to.x-s.x, to.y-s.y) }

func (s spot) far(to spot) float64 { return math.Hypot(s.flat(to), to.z-s.z) }

func (s spot) towards(to spot) float64 { return math.Atan2(to.y-s.y, to.x-s.x) }

// A thing is what it knows of an object.
type thing struct {
	guid   uint64
	kind   uint8
	fields map[uint16]uint32
	at, to spot
	placed bool
	began  int64 // of the way from at to to
	took   int64 // 0: it stands
	seen   int64 // when it last heard of it
}

// Fields and flags by which it goes. Source: client/world.go, AzerothGhost.
const (
	plainHealth    = 0x18
	plainMaxHealth = 0x20
	plainLevel     = 0x36
	plainFaction   = 0x37
	plainFlags     = 0x3B
	plainDynamic   = 0x4F
	plainServices  = 0x52
	plainCoinage   = 0x492

	deadFlag    = 0x20000000
	deadDynamic = 0x21 // dead or lootable
)

func newPlain(guid, seed uint64, say func(op uint32, parts ...any)) *plain {
	return &plain{
		say: say, guid: guid, dice: rand.New(rand.NewPCG(seed, guid)), run: 7, things: map[uint64]*thing{},
		spells: map[uint32]bool{}, refused: map[uint16]int{}, mind: mind{dead: map[uint64]bool{}},
	}
}

// habits are what it does again and again, and how often, in ms.
var habits = [...]struct {
	each int64
	do   func(*plain)
}{
	{200, (*plain).think},
	{250, (*plain).step},
	{5000, func(g *plain) {
		if !g.course.on {
			g.send(0x0EE, 0)
		}
	}},
	{30_000, func(g *plain) {
		g.pings++
		g.say(0x1DC, g.pings, uint32(0))
	}},
}

// pass does what is due at a time.
func (g *plain) pass(now int64) {
	g.now = now
	for i := range habits {
		if g.due[i] == 0 {
			g.due[i] = now + habits[i].each
		}
		for ; g.due[i] <= now; g.due[i] += habits[i].each {
			habits[i].do(g)
		}
	}
}

// where is the place of a thing by now, as far as it was sent.
func (g *plain) where(o *thing) spot {
	gone := g.now - o.began
	switch {
	case o.took <= 0:
		return o.at
	case gone >= o.took:
		return o.to
	}
	part := float64(gone) / float64(o.took)
	return spot{x: o.at.x + (o.to.x-o.at.x)*part, y: o.at.y + (o.to.y-o.at.y)*part, z: o.at.z + (o.to.z-o.at.z)*part}
}

func (o *thing) alive() bool {
	if o.fields[plainFlags]&deadFlag != 0 || o.fields[plainDynamic]&deadDynamic != 0 {
		return false
	}
	return o.fields[plainHealth] > 0 || o.fields[plainMaxHealth] == 0
}

func (o *thing) setDead() {
	o.fields[plainHealth] = 0
	o.fields[plainFlags] |= deadFlag
	o.fields[plainDynamic] |= 0x20
}

// known is an object, known from now on.
func (g *plain) known(guid uint64) *thing {
	o := g.things[guid]
	if o == nil {
		o = &thing{guid: guid, fields: map[uint16]uint32{}}
		g.things[guid] = o
	}
	return o
}

// self reports whether a guid looks like its own: it compares the lower half.
func (g *plain) self(guid uint64) bool { return guid != 0 && uint32(guid) == uint32(g.guid) }

// A scan reads a body from its beginning.
type scan struct {
	b     []byte
	short bool
}

func (r *scan) take(n int) []byte {
	if len(r.b) < n {
		r.short, r.b = true, nil
		return make([]byte, n)
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *scan) u8() uint8    { return r.take(1)[0] }
func (r *scan) u16() uint16  { return endian.LittleEndian.Uint16(r.take(2)) }
func (r *scan) u32() uint32  { return endian.LittleEndian.Uint32(r.take(4)) }
func (r *scan) u64() uint64  { return endian.LittleEndian.Uint64(r.take(8)) }
func (r *scan) f32() float64 { return float64(math.Float32frombits(r.u32())) }

func (r *scan) vec() spot { return spot{x: r.f32(), y: r.f32(), z: r.f32()} }

func (r *scan) spot() spot {
	s := r.vec()
	s.o = r.f32()
	return s
}

func (r *scan) packed() uint64 {
	guid, n := wire.ReadPackedGUID(r.b)
	if n <= 0 {
		r.short = true
		return 0
	}
	r.b = r.b[n:]
	return guid
}

// hear reads a packet. Of most it reads as much as it wants; of updates everything, and has to.
func (g *plain) hear(op uint16, body []byte) {
	r := &scan{b: body}
	switch op {
	case 0x0A9:
		g.update(r)
	case 0x1F6:
		size := r.u32()
		z, err := zlib.NewReader(bytes.NewReader(r.b))
		if err != nil {
			r.short = true
			break
		}
		whole, err := io.ReadAll(z)
		*r = scan{b: whole, short: err != nil || len(whole) != int(size)}
		g.update(r)
	case 0x0AA:
		delete(g.things, r.u64())
	case 0x0DD:
		g.walks(r)
	case 0x0B5, 0x0B6, 0x0B7, 0x0B8, 0x0B9, 0x0BA, 0x0BB, 0x0BC, 0x0BD, 0x0BE, 0x0C9, 0x0DA, 0x0EE:
		if o := g.things[r.packed()]; o != nil {
			r.take(4 + 2 + 4)
			o.at, o.placed, o.took, o.seen = r.spot(), true, 0, g.now
		}
	case 0x0C7:
		g.carried(r)
	case 0x0E2:
		if r.packed(); !r.short {
			counter, _, speed := r.u32(), r.u8(), r.u32()
			g.say(0x0E3, packed(g.guid), counter, g.pose(g.course.flags), speed)
		}
	case 0x12A:
		r.u8()
		for range r.u16() {
			if id := r.u32(); r.u16() == 0 {
				g.spells[id] = true
			}
		}
	case 0x143:
		g.attacked(r.u64(), r.u64())
	case 0x144:
		g.stopped(r.packed(), r.packed())
	case 0x145, 0x146, 0x148, 0x149:
		g.hindered(op)
	case 0x14A:
		r.u32()
		g.struck(r.packed(), r.packed(), r.u32())
	case 0x160:
		g.offered(r)
	case 0x166:
		g.hands.items++
		r.short = r.short || len(body) != 45
	case 0x14E:
		g.mind.fighting = false
	case 0x1D4:
		g.level = r.u32()
	case 0x269:
		if r.u32(); g.health > 0 {
			g.fall()
		}
	case 0x390:
		g.say(0x391, r.u32(), uint32(g.now))
	}
	if r.short || (op == 0x0A9 || op == 0x1F6 || op == 0x160) && len(r.b) > 0 {
		g.garbled = append(g.garbled, op)
	}
}

// fall notes its own death.
func (g *plain) fall() {
	g.health = 0
	g.deaths++
}

// update reads blocks of an update. What it does not expect ends it.
func (g *plain) update(r *scan) {
	for range r.u32() {
		switch kind := r.u8(); kind {
		case 0:
			o := g.things[r.packed()]
			g.values(r, o)
		case 2, 3:
			o := g.known(r.packed())
			o.kind, o.took = r.u8(), 0
			g.place(r, o)
			g.values(r, o)
		case 4:
			for range r.u32() {
				delete(g.things, r.packed())
			}
		default:
			r.short = true
		}
		if r.short {
			return
		}
	}
}

// place reads where an object is. Of paths it reads other flags than there are: a CREATE must not have one.
func (g *plain) place(r *scan, o *thing) {
	flags := r.u16()
	switch {
	case flags&0x20 != 0:
		moves, extra := r.u32(), r.u16()
		r.u32()
		o.at, o.placed, o.seen = r.spot(), true, g.now
		if moves&0x200 != 0 {
			r.packed()
			r.take(21)
			if extra&0x400 != 0 {
				r.u32()
			}
		}
		if moves&0x2200000 != 0 || extra&0x20 != 0 {
			r.u32()
		}
		r.u32()
		if moves&0x1000 != 0 {
			r.take(16)
		}
		if moves&0x4000000 != 0 {
			r.u32()
		}
		r.u32()
		if run := r.f32(); o.guid == g.guid {
			g.run, g.at = run, o.at
		}
		r.take(7 * 4)
		r.short = r.short || moves&0x8000000 != 0
	case flags&0x100 != 0:
		r.packed()
		o.at, o.placed, o.seen = r.vec(), true, g.now
		r.take(5 * 4)
	case flags&0x40 != 0:
		o.at, o.placed, o.seen = r.spot(), true, g.now
	}
	for _, more := range []struct {
		flag uint16
		n    int
	}{{0x8, 4}, {0x10, 4}, {0x4, 0}, {0x2, 4}, {0x80, 8}, {0x200, 8}} {
		switch {
		case flags&more.flag == 0:
		case more.n == 0:
			r.packed()
		default:
			r.take(more.n)
		}
	}
}

// values reads fields. Those of what it does not know it can skip up to 32 words of the mask.
func (g *plain) values(r *scan, o *thing) {
	mask := make([]uint32, r.u8())
	for i := range mask {
		mask[i] = r.u32()
	}
	if o == nil {
		o = &thing{fields: map[uint16]uint32{}}
		r.short = r.short || len(mask) > 32
	}
	o.seen = g.now
	for i, word := range mask {
		for bit := range 32 {
			if word&(1<<bit) != 0 {
				g.field(o, uint16(32*i+bit), r.u32())
			}
		}
	}
}

func (g *plain) field(o *thing, number uint16, value uint32) {
	o.fields[number] = value
	if number == plainDynamic && value&deadDynamic != 0 {
		o.fields[plainHealth] = 0
	}
	if o.guid != g.guid {
		return
	}
	switch number {
	case plainHealth:
		if value == 0 && g.health > 0 {
			g.fall()
		}
		if value > 0 && g.health == 0 && g.maxHealth > 0 {
			g.returns++
		}
		g.health = value
	case plainMaxHealth:
		g.maxHealth = value
	case plainLevel:
		g.level = value
	case plainCoinage:
		g.hands.copper = value
	}
}

// walks reads a path: where it begins, how long it takes, and the first point, which is its end.
func (g *plain) walks(r *scan) {
	const stop, foreign = 1, 0x100 | 0x200 | 0x8 // flags that it takes for others
	o := g.known(r.packed())
	r.u8()
	o.at, o.placed, o.seen, o.took = r.vec(), true, g.now, 0
	r.u32()
	kind := r.u8()
	if kind != stop {
		r.take(map[uint8]int{2: 12, 3: 8, 4: 4}[kind])
		flags, took := r.u32(), r.u32()
		r.short = r.short || flags&foreign != 0
		points := r.u32()
		r.short = r.short || points > 1 // it would look for the walker on the straight line
		if points > 0 {
			o.to, o.began, o.took = r.vec(), g.now, int64(took)
		}
	}
	if g.self(o.guid) {
		to := o.at
		if o.took > 0 && o.took <= 1500 {
			to = o.to
		}
		to.o = g.at.o
		g.put(to)
	}
}

// carried reads where it was teleported to, and says that it is there.
func (g *plain) carried(r *scan) {
	if guid := r.packed(); !g.self(guid) {
		return
	}
	counter := r.u32()
	r.take(4 + 2 + 4)
	g.put(r.spot())
	for guid, o := range g.things {
		if guid != g.guid && o.placed && o.at.far(g.at) > 150 {
			delete(g.things, guid)
		}
	}
	g.say(0x0C7, packed(g.guid), counter, uint32(g.now))
	g.mind.target, g.mind.fighting = 0, false
	g.say(0x142)
	g.say(0x13D, uint64(0))
	g.mind.sought, g.mind.engaged, g.mind.since, g.mind.pursued = 0, 0, 0, pursuit{}
	g.send(0x0EE, 0)
}
