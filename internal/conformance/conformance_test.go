package conformance

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"muster/internal/corrupt"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

const (
	self     = 0x17
	other    = 0x2A
	creature = 0xF130_0000_0700_0001
)

// A packet is an opcode and a payload, made by hand from protocol.md section 4.
type packet struct {
	op   uint16
	body []byte
}

func join(parts ...any) []byte {
	var b []byte
	for _, p := range parts {
		switch p := p.(type) {
		case int:
			b = append(b, byte(p))
		case uint32:
			b = binary.LittleEndian.AppendUint32(b, p)
		case uint64:
			b = binary.LittleEndian.AppendUint64(b, p)
		case float32:
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(p))
		case []float32:
			for _, f := range p {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
			}
		case packed:
			b = wire.AppendPackedGUID(b, uint64(p))
		case []byte:
			b = append(b, p...)
		}
	}
	return b
}

type packed uint64

func blocks(all ...[]byte) packet {
	return packet{0x0A9, join(uint32(len(all)), slices.Concat(all...))}
}

// movement is a MovementInfo without optional parts.
func movement(flags uint32, x, y float32) []byte {
	return join(flags, 0, 0, uint32(1000), []float32{x, y, 50, 1.5}, uint32(0))
}

func create(kind int, guid uint64, x, y float32) []byte {
	typeID, mask := 4, uint32(0x19)
	if guid == creature {
		typeID, mask = 3, 9
	}
	flags := 0x60
	if guid == self {
		flags = 0x61
	}
	return join(kind, packed(guid), typeID, flags, 0, movement(0, x, y),
		[]float32{2.5, 7.25, 4.5, 4.722222, 2.5, 7, 4.5, 3.141594, 3.14},
		1, uint32(5), uint32(guid), mask)
}

func values(guid uint64, index int, value uint32) []byte {
	return join(0, packed(guid), index/32+1, make([]byte, index/32*4), uint32(1)<<(index%32), value)
}

func outOfRange(guids ...uint64) []byte {
	b := join(4, uint32(len(guids)))
	for _, g := range guids {
		b = wire.AppendPackedGUID(b, g)
	}
	return b
}

func move(op uint16, guid uint64, x, y float32) packet {
	return packet{op, join(packed(guid), movement(1, x, y))}
}

func monsterMove(guid uint64) packet {
	return packet{0x0DD, join(packed(guid), 0, []float32{1, 2, 3}, uint32(9), 0, uint32(0x1000), uint32(1500), uint32(1), []float32{4, 5, 6})}
}

func compress(p packet, size uint32) packet { return compressAt(zlib.DefaultCompression, p, size) }

func compressAt(level int, p packet, size uint32) packet {
	var z bytes.Buffer
	z.Write(join(size))
	w, err := zlib.NewWriterLevel(&z, level)
	if err != nil {
		panic(err)
	}
	w.Write(p.body)
	w.Close()
	return packet{0x1F6, z.Bytes()}
}

var (
	challenge = packet{0x1EC, join(uint32(1), make([]byte, 36))}
	accepted  = packet{0x1EE, join(0x0C, make([]byte, 9), 2)}
	verified  = packet{0x236, join(uint32(1), []float32{1, 2, 3, 4})}
)

// inWorld is a client that has just entered, knows itself, another player and a creature, and has counted no violation.
func inWorld(t *testing.T, config Config) *Client {
	t.Helper()
	c := New(config)
	show(c, challenge, accepted)
	c.Enter(self)
	show(c, verified, blocks(create(3, self, 10, 20)), blocks(create(3, other, 11, 21), create(2, creature, 12, 22)))
	if v := c.Violations(); v.Total() != 0 {
		t.Fatalf("on the way into the world: %v", c.Texts())
	}
	return c
}

func show(c *Client, packets ...packet) {
	for _, p := range packets {
		c.Packet(p.op, p.body)
	}
}

// want holds the tally against the kinds given, in any order.
func want(t *testing.T, c *Client, kinds ...Kind) {
	t.Helper()
	var tally Tally
	for _, k := range kinds {
		tally[k]++
	}
	if got := c.Violations(); got != tally {
		t.Errorf("violations %v, want %v: %q", got, tally, c.Texts())
	}
	if total := c.Violations(); total.Total() != uint64(len(kinds)) {
		t.Errorf("total %d, want %d", total.Total(), len(kinds))
	}
}

func TestEachViolation(t *testing.T) {
	const stranger = 0x99
	for _, test := range []struct {
		name    string
		packets []packet
		kinds   []Kind
	}{
		{"nothing wrong", []packet{
			blocks(values(other, 0x18, 77)), move(0xEE, other, 1, 2), monsterMove(creature),
			{0x496, join(packed(other), 0, uint32(0))}, {0x495, join(packed(self))},
			blocks(outOfRange(other)), blocks(create(3, other, 1, 1)), {0x0AA, join(uint64(other), 0)}, {0x1DD, join(uint32(7))},
			{0x388, nil}, // not in the table: nothing is known about it
		}, nil},
		{"values of unknown", []packet{blocks(values(stranger, 3, 1))}, []Kind{UnknownValues}},
		{"values after out of range", []packet{blocks(outOfRange(other), values(other, 3, 1))}, []Kind{UnknownValues}},
		{"movement block of unknown", []packet{blocks(join(1, packed(stranger), 0, 0))}, []Kind{UnknownValues}},
		{"move of unknown", []packet{move(0xB5, stranger, 1, 1)}, []Kind{UnknownMove}},
		{"teleport of unknown", []packet{move(0xC5, stranger, 1, 1)}, []Kind{UnknownMove}},
		{"speed of unknown", []packet{{0xCD, join(packed(stranger), movement(0, 1, 1), float32(7))}}, []Kind{UnknownMove}},
		{"path of unknown", []packet{monsterMove(stranger)}, []Kind{UnknownPath}},
		{"aura of unknown", []packet{{0x496, join(packed(stranger), 0, uint32(0))}}, []Kind{UnknownAura}},
		{"a client's message", []packet{{0x2CA, join(packed(other), make([]byte, 30))}}, []Kind{Backwards}},
		{"auras of unknown", []packet{{0x495, join(packed(stranger))}}, []Kind{UnknownAura}},
		{"aura without a unit", []packet{{0x495, nil}}, []Kind{Undecodable}},
		{"destroy of unknown", []packet{{0x0AA, join(uint64(stranger), 0)}}, []Kind{UnknownGone}},
		{"out of range of unknown", []packet{blocks(outOfRange(stranger, other, stranger))}, []Kind{UnknownGone, UnknownGone}},
		{"duplicate create", []packet{blocks(create(3, other, 1, 1))}, []Kind{DuplicateCreate}},
		{"duplicate in one packet", []packet{blocks(create(3, stranger, 1, 1), create(3, stranger, 1, 1))}, []Kind{DuplicateCreate}},
		{"own move", []packet{move(0xEE, self, 1, 1)}, []Kind{OwnMove}},
		{"own teleport, as others see it", []packet{move(0xC5, self, 1, 1)}, []Kind{OwnMove}},
		{"create without a GUID", []packet{blocks(create(3, 0, 1, 1))}, []Kind{Undecodable}},
		{"short move", []packet{{0xEE, join(packed(other), movement(0, 1, 1)[:20])}}, []Kind{Undecodable}},
		{"long move", []packet{{0xEE, join(packed(other), movement(0, 1, 1), 0)}}, []Kind{Undecodable}},
		{"short destroy", []packet{{0x0AA, join(uint64(other))}}, []Kind{Undecodable}},
		{"short path", []packet{{0x0DD, monsterMove(creature).body[:30]}}, []Kind{Undecodable}},
		{"blocks missing", []packet{{0x0A9, join(uint32(2), values(other, 3, 1))}}, []Kind{Undecodable}},
		{"no such block", []packet{blocks(join(9))}, []Kind{Undecodable}},
		{"short listed", []packet{{0x1DD, join(1)}}, []Kind{Undecodable}},
		{"long listed", []packet{{0x1DD, join(uint32(1), 1)}}, []Kind{Undecodable}},
		{"broken zlib", []packet{{0x1F6, join(uint32(100), 1, 2, 3)}}, []Kind{Undecodable}},
		{"no size", []packet{{0x1F6, join(1, 2)}}, []Kind{Undecodable}},
		{"another size", []packet{compress(blocks(values(other, 3, 1)), 5)}, []Kind{Undecodable}},
		{"inflated shorter than it says", []packet{compress(blocks(), 32767)}, []Kind{Undecodable}},
		{"inflated, just not too large", []packet{inflating(32766)}, nil},
		{"inflated too large", []packet{inflating(32767)}, []Kind{Oversize}},
		{"inflated too large, with a fault", []packet{inflating(40000, values(stranger, 3, 1))}, []Kind{Oversize, UnknownValues}},
		{"not inflated too large, with a fault", []packet{long(40000, values(stranger, 3, 1))}, []Kind{Oversize, UnknownValues}},
		{"too large before and after", []packet{compressAt(zlib.NoCompression, long(40000), 40000)}, []Kind{Oversize}},
		{"4 MiB", []packet{inflating(4 << 20)}, []Kind{Oversize}},
		{"more than 4 MiB", []packet{inflating(4<<20 + 1)}, []Kind{Undecodable}},
		{"own create again", []packet{blocks(create(3, self, 1, 1))}, []Kind{OwnAgain}},
		{"own create a third time", []packet{blocks(create(3, self, 1, 1), create(3, self, 1, 1))}, []Kind{OwnAgain, DuplicateCreate}},
		{"own create again on a new map", []packet{blocks(create(3, self, 1, 1)), {0x03E, verified.body}, blocks(create(3, self, 1, 1), create(3, self, 1, 1))},
			[]Kind{OwnAgain, OwnAgain}},
		{"own item again", []packet{blocks(item(0x4000_0000_0000_0007, self)), blocks(item(0x4000_0000_0000_0007, self))}, []Kind{OwnAgain}},
		{"item of another again", []packet{blocks(item(0x4000_0000_0000_0007, other)), blocks(item(0x4000_0000_0000_0007, other))},
			[]Kind{ForeignItem, ForeignItem, DuplicateCreate}},
		{"talents of no pet", []packet{{0x4C0, []byte{1, 0, 0, 0, 0, 0}}}, nil},
		{"talents of a pet", []packet{{0x4C0, []byte{1, 3, 0, 0, 0, 1, 0xB6, 0, 0, 0, 2}}}, nil},
		{"talents of a pet, cut short", []packet{{0x4C0, []byte{1, 3, 0, 0, 0, 2, 0xB6, 0, 0, 0, 2}}}, []Kind{Undecodable}},
		{"too large", []packet{{0x388, make([]byte, 32767)}}, []Kind{Oversize}},
		{"just not too large", []packet{{0x388, make([]byte, 32766)}}, nil},
		{"bundled move of unknown", []packet{bundle(move(0xEE, stranger, 1, 1), move(0xEE, other, 1, 1))},
			[]Kind{UnknownMove}},
		{"bundle cut short", []packet{{0x51E, join(uint32(2), 38, 0)}}, []Kind{Undecodable}},
		{"moves after a far teleport", []packet{{0x03E, verified.body}, move(0xEE, other, 1, 1)}, []Kind{UnknownMove}},
		{"self not first on a new map", []packet{{0x03E, verified.body}, blocks(create(3, other, 1, 1), create(3, self, 1, 1))}, []Kind{LateSelf}},
		{"values after logout", []packet{{0x04D, nil}, blocks(values(other, 3, 1))}, []Kind{Early}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := inWorld(t, Config{Texts: 10})
			show(c, test.packets...)
			want(t, c, test.kinds...)
			if len(c.Texts()) != len(test.kinds) {
				t.Errorf("%d texts for %d violations", len(c.Texts()), len(test.kinds))
			}
		})
	}
}

// inflating is a compressed update that inflates to what long makes.
func inflating(size int, last ...[]byte) packet { return compress(long(size, last...), uint32(size)) }

// long is an update of so many bytes: values of a known object, and at the end others.
func long(size int, last ...[]byte) packet {
	tail := slices.Concat(last...)
	var all [][]byte
	room := size - 4 - len(tail)
	one := values(other, 3, 1)
	for room >= 2*len(one) {
		all = append(all, one)
		room -= len(one)
	}
	// One whose mask is longer, by what is left. A mask word takes four bytes, and a byte of a GUID one.
	for n := 0; room > 0; n++ {
		if n > 42 {
			panic("no block is as long as what is left")
		}
		for extra := range 4 {
			guid := uint64(other)
			padded := []byte{byte(1<<(1+extra) - 1), byte(guid), 0, 0, 0}[:2+extra]
			if b := join(0, padded, 1+n, uint32(1<<3), make([]byte, 4*n), uint32(1)); len(b) == room {
				all, room = append(all, b), 0
				break
			}
		}
	}
	all = append(all, last...)
	p := blocks(all...)
	if len(p.body) != size {
		panic("the update is not as long as it should be")
	}
	return p
}

// bundle is SMSG_MULTIPLE_MOVES, protocol.md 4.5.
func bundle(all ...packet) packet {
	var records []byte
	for _, p := range all {
		records = join(records, len(p.body)+2, int(p.op&0xFF), int(p.op>>8), p.body)
	}
	return packet{0x51E, join(uint32(len(records)), records)}
}

func TestEarly(t *testing.T) {
	for _, test := range []struct {
		name    string
		packets []packet
		kinds   []Kind
	}{
		{"in order", []packet{challenge, {0x1DD, join(uint32(1))}, accepted}, nil},
		{"the list before the answer", []packet{challenge, {0x03B, join(0)}}, []Kind{Early}},
		{"refused, then the list", []packet{challenge, {0x1EE, join(0x0D)}, {0x03B, join(0)}}, []Kind{Early}},
		{"queued, then the list", []packet{challenge, {0x1EE, join(0x1B, uint32(5), 0)}, {0x03B, join(0)}, accepted, {0x03B, join(0)}}, []Kind{Early}},
		{"the world uninvited", []packet{challenge, accepted, verified}, []Kind{Early}},
		{"objects on the character screen", []packet{challenge, accepted, blocks(create(3, other, 1, 1))}, []Kind{Early}},
		{"moves on the character screen", []packet{challenge, accepted, move(0xEE, other, 1, 1)}, []Kind{Early}},
	} {
		c := New(Config{})
		show(c, test.packets...)
		t.Run(test.name, func(t *testing.T) { want(t, c, test.kinds...) })
	}
}

func TestSelfFirst(t *testing.T) {
	c := New(Config{})
	show(c, challenge, accepted)
	c.Enter(self)
	show(c, verified, blocks(create(3, other, 1, 1)), blocks(create(3, self, 1, 1)))
	want(t, c, LateSelf)
}

func TestText(t *testing.T) {
	c := inWorld(t, Config{Texts: 2})
	for range 5 {
		show(c, packet{0x0AA, join(uint64(0x99), 1)})
	}
	want := []string{"end of unknown: SMSG_DESTROY_OBJECT 0x0aa, guid 0x99, 9 bytes: 990000000000000001"}
	if got := c.Texts(); len(got) != 2 || got[0] != want[0] {
		t.Errorf("texts %q, want two of %q", got, want)
	}
	show(c, packet{0x33D, make([]byte, 40000)})
	if tally := c.Violations(); tally[UnknownGone] != 5 || tally[Oversize] != 1 {
		t.Errorf("violations %v", tally)
	}
	if got := c.Texts(); len(got) != 3 || !strings.HasPrefix(got[2], "oversize: ") {
		t.Errorf("texts %q, want two violations and a note", got)
	}
	c = inWorld(t, Config{})
	show(c, packet{0x388, make([]byte, 40000)})
	if got := c.Texts()[0]; !strings.HasPrefix(got, "oversize: unlisted 0x388, 40000 bytes: 0000") || len(got) > 200 {
		t.Errorf("text %q", got)
	}
}

func TestObjects(t *testing.T) {
	c := inWorld(t, Config{Keep: true})
	show(c,
		blocks(values(creature, 0x18, 77), values(creature, 0x52, 3)),
		compress(blocks(values(other, 0x36, 80)), uint32(len(blocks(values(other, 0x36, 80)).body))),
		move(0xEE, other, 100, 200),
		monsterMove(creature),
	)
	want(t, c)

	words := func(n int, set map[int]uint32) []uint32 {
		w := make([]uint32, n)
		for i, v := range set {
			w[i] = v
		}
		return w
	}
	creatureLow := uint32(0x0700_0001)
	all := []Object{
		{GUID: self, TypeID: 4, X: 10, Y: 20, Z: 50, O: 1.5, Words: words(3, map[int]uint32{0: self, 2: 0x19})},
		{GUID: other, TypeID: 4, X: 100, Y: 200, Z: 50, O: 1.5, Flags: msg.MoveForward,
			Words: words(0x37, map[int]uint32{0: other, 2: 0x19, 0x36: 80})},
		{GUID: creature, TypeID: 3, X: 1, Y: 2, Z: 3, O: 1.5, Goal: wire.Vec3{X: 4, Y: 5, Z: 6}, PathMs: 1500,
			Words: words(0x53, map[int]uint32{0: creatureLow, 2: 9, 0x18: 77, 0x52: 3})},
	}
	if got := c.Objects(); !reflect.DeepEqual(got, all) {
		t.Errorf("objects\n%+v, want\n%+v", got, all)
	}
	if me, ok := c.Self(); !ok || me.X != 10 || c.RunSpeed() != 7.25 {
		t.Errorf("self %+v, %v, at %v yards per second", me, ok, c.RunSpeed())
	}
	if c.Len() != 3 || !c.Knows(other) || c.Knows(5) {
		t.Errorf("knows %d, %v, %v", c.Len(), c.Knows(other), c.Knows(5))
	}

	stop := monsterMove(creature).body[:5+1+12+4] // guid, 0, start, id
	show(c, packet{0x0DD, join(stop, 1)})
	if o, _ := c.Object(creature); o.Goal != (wire.Vec3{X: 1, Y: 2, Z: 3}) || o.PathMs != 0 {
		t.Errorf("after the stop: %+v; %q", o, c.Texts())
	}
	show(c, packet{0x0AA, join(uint64(creature), 0)}, blocks(outOfRange(other)))
	if got := c.Objects(); len(got) != 1 || got[0].GUID != self {
		t.Errorf("left: %+v", got)
	}
	want(t, c)

	c.Reset(NewDecoder(Config{}))
	if c.Len() != 0 {
		t.Errorf("knows %d objects after Reset", c.Len())
	}
}

func TestMoved(t *testing.T) {
	var got []msg.Move
	var ops []uint16
	c := inWorld(t, Config{Moved: func(op uint16, m *msg.Move) int64 { ops, got = append(ops, op), append(got, *m); return 0 }})
	show(c, move(0xB5, other, 3, 4), move(0xEE, self, 5, 6), move(0xEE, 0x99, 7, 8), move(0xEE, other, 9, 10))
	if !slices.Equal(ops, []uint16{0xB5, 0xEE}) || got[0].Mover != other || got[0].X != 3 || got[1].Y != 10 {
		t.Errorf("moved %#x %+v", ops, got)
	}
	want(t, c, OwnMove, UnknownMove)
}

// What comes a million times a second allocates nothing.
func TestMet(t *testing.T) {
	var met []uint64
	c := inWorld(t, Config{Met: func(guid uint64) { met = append(met, guid) }})
	show(c, blocks(values(other, 22, 5)), blocks(outOfRange(other)), blocks(create(3, other, 1, 2)))
	if !slices.Equal(met, []uint64{other, creature, other}) {
		t.Errorf("met %#x", met)
	}
	if all := slices.Sorted(c.GUIDs()); !slices.Equal(all, []uint64{self, other, creature}) {
		t.Errorf("knows %#x", all)
	}
	want(t, c)
}

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	c := inWorld(t, Config{Moved: func(uint16, *msg.Move) int64 { return 0 }})
	update := blocks(values(other, 0x18, 77), outOfRange(creature), create(2, creature, 12, 22))
	packed := compress(update, uint32(len(update.body)))
	beat := move(0xEE, other, 100, 200)
	if n := testing.AllocsPerRun(100, func() { show(c, beat) }); n != 0 {
		t.Errorf("a move allocates %v times", n)
	}
	if n := testing.AllocsPerRun(100, func() { show(c, update) }); n != 0 {
		t.Errorf("an update allocates %v times", n)
	}
	if n := testing.AllocsPerRun(100, func() { show(c, packed) }); n != 0 {
		t.Errorf("a compressed update allocates %v times", n)
	}
	want(t, c)
}

func TestCorruptPackets(t *testing.T) {
	for _, p := range []packet{challenge, accepted, verified, blocks(create(3, other, 1, 1), values(other, 0x18, 7), outOfRange(other)),
		move(0xEE, other, 1, 2), monsterMove(creature), compress(blocks(values(other, 3, 1)), 20),
		bundle(move(0xEE, other, 1, 1)), {0x495, join(packed(self))}} {
		for body := range corrupt.Bytes(2000, p.body) {
			c := inWorld(t, Config{Keep: true})
			show(c, packet{p.op, body}, packet{p.op, body})
			for _, o := range c.Objects() {
				if again, ok := c.Object(o.GUID); !ok || again.X != o.X && o.X == o.X {
					t.Errorf("object %#x is not what Objects says", o.GUID)
				}
			}
		}
	}
}

func BenchmarkMove(b *testing.B) {
	c := New(Config{})
	show(c, challenge, accepted)
	c.Enter(self)
	show(c, verified, blocks(create(3, self, 0, 0)))
	var beats []packet
	for guid := uint64(100); guid < 200; guid++ {
		show(c, blocks(create(3, guid, 1, 1)))
		beats = append(beats, move(0xEE, guid, 2, 2))
	}
	for i := 0; b.Loop(); i++ {
		p := &beats[i%len(beats)]
		c.Packet(p.op, p.body)
	}
}
