package update

import (
	"bytes"
	stdzlib "compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zlib"

	"muster/components"
	"muster/internal/testseed"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// A packet is what a client takes from the stream.
type packet struct {
	op      uint16
	payload []byte
}

// split takes a stream of packets apart, and holds each against the client's limit.
func split(t *testing.T, stream []byte) (packets []packet) {
	for len(stream) > 0 {
		op, n, header, ok := wire.ServerHeader(stream)
		if !ok || header != 4 || n < 0 || n > wire.MaxPayload || header+n > len(stream) {
			t.Fatalf("header % x before %d bytes", stream[:min(5, len(stream))], len(stream))
		}
		packets = append(packets, packet{op, stream[header : header+n]})
		stream = stream[header+n:]
	}
	return packets
}

// plain is the payload of an update packet, inflated by the standard library.
func plain(t *testing.T, p packet) []byte {
	if p.op == msg.OpUpdateObject {
		return p.payload
	}
	if p.op != msg.OpCompressedUpdateObject {
		t.Fatalf("opcode %#x", p.op)
	}
	z, err := stdzlib.NewReader(bytes.NewReader(p.payload[4:]))
	if err != nil {
		t.Fatal(err)
	}
	payload, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	if got := binary.LittleEndian.Uint32(p.payload); int(got) != len(payload) || len(payload) > wire.MaxPayload {
		t.Fatalf("inflates to %d bytes and says %d", len(payload), got)
	}
	return payload
}

// updatesOf lists the updates in a stream: "gone 5", "values 5=50".
func updatesOf(t *testing.T, stream []byte) (said []string) {
	for _, p := range split(t, stream) {
		if err := Parse(plain(t, p), func(b *Block) error {
			for _, guid := range b.GUIDs {
				said = append(said, fmt.Sprintf("gone %d", guid))
			}
			if b.Type == Values {
				said = append(said, fmt.Sprintf("values %d=%d", b.GUID, b.Fields[0].Value))
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	return said
}

// health is a VALUES block.
func health(guid uint64, points uint32) []byte {
	return plainBlock(guid, map[int]uint32{0x18: points})
}

func TestWriterBytes(t *testing.T) {
	var w Writer
	w.Begin([]byte("before"))
	w.OutOfRange(5)
	w.OutOfRange(0x0600)
	w.Block(health(8, 50))
	got := w.End()
	want := "before" + string(unhex(t, "001B A900 02000000 04 02000000 0105 0206 00 0108 01 00000001 32000000"))
	if string(got) != want {
		t.Errorf("wrote % x, want % x", got, want)
	}
	w.Begin(got[:0])
	if got := w.End(); len(got) != 0 {
		t.Errorf("nothing is % x", got)
	}
	w.Begin(nil)
	w.Block(health(8, 1))
	w.OutOfRange(9)
	w.OutOfRange(10)
	got = w.End()
	if want := []string{"values 8=1", "gone 9", "gone 10"}; !slices.Equal(updatesOf(t, got), want) || len(split(t, got)) != 2 {
		t.Errorf("a guid after a block: % x", got)
	}
}

// What was begun is forgotten by another Begin, also fragments.
func TestBeginForgets(t *testing.T) {
	var press Press
	var f Fragment
	f.Add(bytes.Repeat(health(7, 7), 30))
	press.Press(&f)
	var w Writer
	w.Begin(nil)
	w.OutOfRange(5)
	w.Block(health(8, 1))
	w.Fragment(&f)
	w.Begin([]byte("before"))
	if w.Holds(&f) {
		t.Error("a writer that begins holds a fragment")
	}
	w.OutOfRange(6)
	want := "before" + string(unhex(t, "000D A900 01000000 04 01000000 0106"))
	if got := w.End(); string(got) != want {
		t.Errorf("wrote % x, want % x", got, want)
	}
}

// A guid after a fragment begins another packet, as one after a block does.
func TestGuidAfterFragment(t *testing.T) {
	var press Press
	var f Fragment
	for range 30 {
		f.Add(health(7, 7))
	}
	press.Press(&f)
	w := Writer{Config: Config{Threshold: -1}}
	w.Begin(nil)
	w.OutOfRange(5)
	w.Fragment(&f)
	w.OutOfRange(6)
	got := w.End()
	want := slices.Concat([]string{"gone 5"}, slices.Repeat([]string{"values 7=7"}, 30), []string{"gone 6"})
	if said := updatesOf(t, got); !slices.Equal(said, want) || len(split(t, got)) != 2 {
		t.Errorf("told %q in %d packets", said, len(split(t, got)))
	}
}

// A payload is compressed only if that makes it shorter, with its plain length, by a byte at least.
//
// Source: docs/protocol.md 4.2, compression.
func TestCompressedOnlyIfShorter(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 9))
	order := make(map[int]int)
	w := Writer{Config: Config{Threshold: 1}}
	z, _ := zlib.NewWriterLevel(nil, zlib.BestSpeed)
	for n := range 500 {
		content := dense(r, n%100)
		payload := append([]byte{1, 0, 0, 0}, content...)
		var want bytes.Buffer
		z.Reset(&want)
		z.Write(payload)
		z.Close()
		saves := len(payload) - 4 - want.Len()
		order[max(-1, min(saves, 2))]++
		w.Begin(nil)
		w.Block(content)
		p := split(t, w.End())[0]
		if compressed := p.op == msg.OpCompressedUpdateObject; compressed != (saves > 0) {
			t.Errorf("%d bytes are saved of %d: compressed: %v", saves, len(payload), compressed)
		} else if compressed && !bytes.Equal(p.payload, append(binary.LittleEndian.AppendUint32(nil, uint32(len(payload))), want.Bytes()...)) {
			t.Errorf("%d bytes are saved of %d: the payload is another", saves, len(payload))
		}
	}
	if order[-1] == 0 || order[0] == 0 || order[1] == 0 {
		t.Errorf("no payload of each kind: %v", order)
	}
}

// TestWriterBoundary fills packets to the client's limit and beyond: FAULTS.md row 44.
func TestWriterBoundary(t *testing.T) {
	w := Writer{Config: Config{Threshold: -1}}
	first := make([]byte, 1000)
	for _, c := range []struct{ payload, packets int }{
		{wire.MaxPayload - 1, 1}, {wire.MaxPayload, 1}, {wire.MaxPayload + 1, 2}, {32766, 2}, {32767, 2}, {32768, 2},
	} {
		w.Begin(nil)
		w.Block(first)
		w.Block(make([]byte, c.payload-4-len(first)))
		packets := split(t, w.End())
		total := 0
		for _, p := range packets {
			total += len(p.payload) - 4
		}
		if len(packets) != c.packets || total != c.payload-4 {
			t.Errorf("%d bytes: %d packets with %d bytes of blocks", c.payload, len(packets), total)
		}
	}
	w.Begin(nil)
	w.Block(make([]byte, wire.MaxPayload-4))
	if packets := split(t, w.End()); len(packets) != 1 || len(packets[0].payload) != wire.MaxPayload {
		t.Errorf("the longest block makes %d packets", len(packets))
	}
	defer func() {
		if recover() == nil {
			t.Error("a block that fits nowhere does not panic")
		}
	}()
	w.Begin(nil)
	w.Block(make([]byte, wire.MaxPayload-3))
}

// TestWriterManyGuids checks the boundary for guids, of each length.
func TestWriterManyGuids(t *testing.T) {
	for shift := 0; shift < 64; shift += 8 {
		w := Writer{Config: Config{Threshold: -1}}
		w.Begin(nil)
		var want []string
		for i := range uint64(12000) {
			guid := 1<<shift - 1 + (i%250+1)<<shift
			w.OutOfRange(guid)
			want = append(want, fmt.Sprintf("gone %d", guid))
		}
		w.Block(health(8, 1))
		stream := w.End()
		if got := updatesOf(t, stream); !slices.Equal(got, append(want, "values 8=1")) {
			t.Errorf("shift %d: %d of %d were sent", shift, len(got), len(want)+1)
		}
		for i, p := range split(t, stream) {
			if last := i == len(split(t, stream))-1; !last && len(p.payload) <= wire.MaxPayload-9 {
				t.Errorf("shift %d: packet %d has %d bytes", shift, i, len(p.payload))
			}
		}
	}
}

// TestWriterTells checks that random sequences arrive in order, whatever the threshold.
func TestWriterTells(t *testing.T) {
	seed := testseed.Of(t)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 60 {
		w := Writer{Config: Config{Threshold: []int{0, -1, 1, 500}[r.IntN(4)]}}
		for range 3 { // the writer is used again
			var want []string
			w.Begin(nil)
			for range r.IntN(10) * r.IntN(300) {
				guid := uint64(r.Uint32N(1000) + 1)
				w.OutOfRange(guid)
				want = append(want, fmt.Sprintf("gone %d", guid))
			}
			for range r.IntN(10) * r.IntN(500) {
				guid, points := uint64(r.Uint32()), r.Uint32()
				w.Block(health(guid, points))
				want = append(want, fmt.Sprintf("values %d=%d", guid, points))
			}
			if got := updatesOf(t, w.End()); !slices.Equal(got, want) {
				t.Fatalf("seed %d: %d updates, want %d", seed, len(got), len(want))
			}
		}
	}
}

// creates are the blocks of a crowd of creatures.
func creates(n int) (blocks [][]byte) {
	l := layoutOf(Creature)
	speeds := components.NormalSpeeds()
	for i := range n {
		var b body
		b.Object.GUID, b.Type, b.Entry, b.Scale = components.CreatureGUID(uint32(100+i%9), uint32(i)), components.MaskOfCreature, uint32(100+i%9), 1
		b.Health, b.MaxHealth, b.Level, b.Faction = 100, 100, 5, 7
		b.DisplayID, b.NativeDisplayID, b.BoundingRadius, b.CombatReach = 1000, 1000, 0.5, 1.5
		blocks = append(blocks, l.Create(nil, &Subject{
			GUID: b.Object.GUID, Words: b.words(), Speeds: &speeds, Position: &components.Position{X: float32(i), Y: float32(i * 3), Z: 50},
		}))
	}
	return blocks
}

// TestBurst sends 500 creates at once: FAULTS.md row 44.
func TestBurst(t *testing.T) {
	blocks := creates(500)
	want := bytes.Join(blocks, nil)
	for _, threshold := range []int{-1, 0} {
		w := Writer{Config: Config{Threshold: threshold}}
		w.Begin(nil)
		for _, b := range blocks {
			w.Block(b)
		}
		packets := split(t, w.End())
		var got []byte
		for _, p := range packets {
			if compressed := p.op == msg.OpCompressedUpdateObject; compressed != (threshold == 0 && len(plain(t, p)) > defaultThreshold) {
				t.Errorf("threshold %d: opcode %#x", threshold, p.op)
			}
			payload := plain(t, p)
			got = append(got, payload[4:]...)
			if p.op == msg.OpCompressedUpdateObject {
				inflated, err := Inflate([]byte("before"), p.payload)
				if err != nil || string(inflated) != "before"+string(payload) {
					t.Errorf("Inflate gives %d bytes of %d, %v", len(inflated), len(payload), err)
				}
			}
		}
		if !bytes.Equal(got, want) || len(packets) < 2 {
			t.Errorf("threshold %d: %d packets with %d bytes of blocks, want %d", threshold, len(packets), len(got), len(want))
		}
	}
}

func TestThreshold(t *testing.T) {
	for _, c := range []struct {
		threshold, payload int
		noise, compressed  bool
	}{
		{0, 8192, false, false}, {0, 8193, false, true}, {100, 100, false, false}, {100, 101, false, true},
		{-1, 30000, false, false}, {0, 30000, true, false}, // noise cannot be compressed
	} {
		r := rand.NewChaCha8([32]byte{1})
		block := bytes.Repeat([]byte("abcd"), c.payload)[:c.payload-4]
		if c.noise {
			r.Read(block)
		}
		w := Writer{Config: Config{Threshold: c.threshold}}
		w.Begin(nil)
		w.Block(block)
		p := split(t, w.End())[0]
		if compressed := p.op == msg.OpCompressedUpdateObject; compressed != c.compressed || compressed && len(p.payload) >= c.payload {
			t.Errorf("%+v: opcode %#x with %d bytes", c, p.op, len(p.payload))
		}
		if got := plain(t, p); !bytes.Equal(got[4:], block) || len(got) != c.payload {
			t.Errorf("%+v: the payload is another", c)
		}
	}
}

func TestInflateRefuses(t *testing.T) {
	pack := func(size uint32, plain, after string) []byte {
		var b bytes.Buffer
		z := zlib.NewWriter(&b)
		io.WriteString(z, plain)
		z.Close()
		return append(append(binary.LittleEndian.AppendUint32(nil, size), b.Bytes()...), after...)
	}
	text := strings.Repeat("muster ", 100)
	good := pack(700, text, "")
	if got, err := Inflate(nil, good); string(got) != text || err != nil {
		t.Fatalf("a good stream: %d bytes, %v", len(got), err)
	}
	if got, err := InflateUpTo(700, nil, good); string(got) != text || err != nil {
		t.Errorf("up to as long as it is: %d bytes, %v", len(got), err)
	}
	if _, err := InflateUpTo(699, nil, good); err != wire.ErrLimit {
		t.Errorf("up to less: %v", err)
	}
	bent := bytes.Clone(good)
	bent[len(bent)-1] ^= 1
	limit := strings.Repeat("x", MaxInflated)
	for _, c := range []struct {
		name    string
		payload []byte
		err     error
	}{
		{"the longest", pack(MaxInflated, limit, ""), nil},
		{"too long", pack(MaxInflated+1, limit+"x", ""), wire.ErrLimit},
		{"a bomb", pack(0xFFFFFFFF, limit, ""), wire.ErrLimit},
		{"longer than it says", pack(699, text, ""), wire.ErrValue},
		{"shorter than it says", pack(701, text, ""), wire.ErrValue},
		{"bytes left over", pack(700, text, "\x00"), msg.ErrLong},
		{"a bomb without a stream", []byte{0xFF, 0xFF, 0xFF, 0xFF}, wire.ErrLimit},
		{"no size", good[:3], wire.ErrShort},
		{"no stream", good[:4], wire.ErrShort},
		{"half a stream", good[:len(good)/2], wire.ErrShort},
		{"half a checksum", good[:len(good)-2], wire.ErrShort},
		{"another checksum", bent, wire.ErrValue},
		{"not zlib", []byte("\x04\x00\x00\x00abcdefgh"), wire.ErrValue},
	} {
		got, err := Inflate([]byte("before"), c.payload)
		if !errors.Is(err, c.err) || err != nil && string(got) != "before" {
			t.Errorf("%s: %v, want %v", c.name, err, c.err)
		}
	}
}

func TestWriterAllocs(t *testing.T) {
	blocks := creates(100)
	var w Writer
	var inflated []byte
	dst := make([]byte, 0, 1<<16)
	run := func() {
		w.Begin(dst)
		for i := range uint64(20) {
			w.OutOfRange(i + 1)
		}
		for _, b := range blocks {
			w.Block(b)
		}
		stream := w.End()
		var err error
		if inflated, err = Inflate(inflated[:0], stream[4:]); err != nil {
			t.Error(err)
		}
	}
	if n := testing.AllocsPerRun(20, run); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// inflates holds an inflated payload against what the standard library makes of it.
func inflates(t *testing.T, payload []byte) {
	got, err := Inflate(nil, payload)
	if err != nil {
		return
	}
	z, err := stdzlib.NewReader(bytes.NewReader(payload[4:]))
	if err != nil {
		t.Fatal(err)
	}
	if want, err := io.ReadAll(z); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, the standard library has %d, %v", len(got), len(want), err)
	}
}

func BenchmarkWriter(b *testing.B) {
	for _, c := range []struct {
		name      string
		threshold int
	}{{"plain", -1}, {"compressed", 0}} {
		b.Run(c.name, func(b *testing.B) {
			blocks := creates(50)
			w := Writer{Config: Config{Threshold: c.threshold}}
			dst := make([]byte, 0, 1<<16)
			for b.Loop() {
				w.Begin(dst)
				for _, block := range blocks {
					w.Block(block)
				}
				w.End()
			}
		})
	}
}
