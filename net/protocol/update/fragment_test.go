package update

import (
	"bytes"
	"cmp"
	stdzlib "compress/zlib"
	"encoding/binary"
	"hash/adler32"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/klauspost/compress/flate"

	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// Sums of pieces combine to that of the whole.
func TestCombineIsTheSumOfTheWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for range 2_000 {
		whole := make([]byte, r.IntN(200_000))
		for i := range whole {
			whole[i] = byte(r.Uint32()) | 0xC0
		}
		at := r.IntN(len(whole) + 1)
		got := combine(adler32.Checksum(whole[:at]), adler32.Checksum(whole[at:]), len(whole)-at)
		if want := adler32.Checksum(whole); got != want {
			t.Fatalf("%d and %d bytes: %#x, want %#x", at, len(whole)-at, got, want)
		}
	}
}

// block is one of so many bytes that can be compressed.
func block(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.IntN(4))
	}
	return b
}

// dense are bytes of which few can be saved: noise, and then n that are 0 or 1.
func dense(r *rand.Rand, n int) []byte {
	b := make([]byte, 100+n)
	for i := range b {
		if b[i] = byte(r.Uint32()); i >= 100 {
			b[i] &= 1
		}
	}
	return b
}

// What is joined is what was added, by the reader of the standard library and by ours, however it is split into
// packets; with nothing compressed it is the same.
func TestFragmentsAreTheirBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	var press Press
	for range 300 {
		var want []byte
		blocks := uint32(0)
		var first [][]byte
		for range r.IntN(4) {
			first = append(first, block(r, 1+r.IntN(300)))
		}
		fragments := make([]Fragment, 1+r.IntN(12))
		for i := range fragments {
			f := &fragments[i]
			f.Reset()
			for range 1 + r.IntN(25) {
				f.Add(block(r, 100+r.IntN(400)))
			}
			if !press.Press(f) {
				t.Fatal("could not be compressed")
			}
		}
		for _, threshold := range []int{1, 0, -1} {
			w := Writer{Config: Config{Threshold: threshold}}
			w.Begin([]byte("before"))
			want, blocks = want[:0], 0
			for _, b := range first {
				w.Block(b)
				want, blocks = append(want, b...), blocks+1
			}
			for i := range fragments {
				w.Fragment(&fragments[i])
				want, blocks = append(want, fragments[i].plain...), blocks+fragments[i].blocks
			}
			packets := w.End()[len("before"):]
			for _, p := range split(t, packets) {
				worth := threshold == 1 || threshold == 0 && len(plain(t, p)) > 8192
				if compressed := p.op == msg.OpCompressedUpdateObject; compressed && !worth {
					t.Fatalf("threshold %d: %d bytes are compressed", threshold, len(plain(t, p)))
				}
			}
			got, n := unpack(t, packets, threshold == 1)
			if !bytes.Equal(got, want) || n != blocks {
				t.Fatalf("threshold %d: %d bytes in %d blocks, want %d in %d", threshold, len(got), n, len(want), blocks)
			}
		}
	}
}

// unpack is the blocks of packets, read by the standard library and by Inflate.
func unpack(t *testing.T, packets []byte, all bool) (blocks []byte, n uint32) {
	t.Helper()
	for len(packets) > 0 {
		op, payload, header, _ := wire.ServerHeader(packets)
		body := packets[header : header+payload]
		packets = packets[header+payload:]
		switch {
		case op == msg.OpCompressedUpdateObject:
			z, err := stdzlib.NewReader(bytes.NewReader(body[4:]))
			if err != nil {
				t.Fatal(err)
			}
			plain, err := io.ReadAll(z)
			ours, oursErr := Inflate(nil, body)
			if err != nil || oursErr != nil || !bytes.Equal(plain, ours) || len(plain) != int(binary.LittleEndian.Uint32(body)) {
				t.Fatalf("%d bytes, %v; %d bytes, %v", len(plain), err, len(ours), oursErr)
			}
			if len(body) >= len(plain) || len(plain) > wire.MaxPayload {
				t.Fatalf("%d bytes compressed to %d", len(plain), len(body))
			}
			body = plain
		case all && payload > 1_000:
			t.Fatalf("%d bytes are not compressed", payload)
		}
		n += binary.LittleEndian.Uint32(body)
		blocks = append(blocks, body[4:]...)
	}
	return blocks, n
}

// The bytes of a joined packet: the plain length, a zlib stream of the plain blocks as a stored block, of the fragments
// as they were compressed, and of an empty last block.
//
// Source: docs/protocol.md 4.2, compression; RFC 1950, 2.2; RFC 1951, 3.2.4 and 3.2.6.
func TestJoinBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 9))
	var press Press
	var f, g Fragment
	f.Add(block(r, 2_000))
	f.Add(block(r, 1_000))
	g.Add(block(r, 3_000))
	if !press.Press(&f) || !press.Press(&g) {
		t.Fatal("not compressed")
	}
	first := block(r, 300)
	w := Writer{Config: Config{Threshold: 100}}
	w.Begin(nil)
	w.Block(first)
	w.Fragment(&f)
	w.Fragment(&g)
	if !w.Holds(&f) || !w.Holds(&g) || w.Holds(new(Fragment)) {
		t.Error("the writer does not hold what it was given")
	}
	got := w.End()
	if w.Holds(&f) {
		t.Error("the writer holds a fragment of a packet that is complete")
	}
	stored := binary.LittleEndian.AppendUint32(nil, 4) // blocks
	stored = append(stored, first...)
	whole := slices.Concat(stored, f.plain, g.plain)
	want := binary.LittleEndian.AppendUint32(nil, uint32(len(whole)))
	want = append(want, 0x78, 0x01, 0)
	want = binary.LittleEndian.AppendUint16(want, uint16(len(stored)))
	want = binary.LittleEndian.AppendUint16(want, ^uint16(len(stored)))
	want = slices.Concat(want, stored, f.packed, g.packed, []byte{3, 0})
	want = binary.BigEndian.AppendUint32(want, adler32.Checksum(whole))
	want = append(binary.BigEndian.AppendUint16(nil, uint16(len(want)+2)), append([]byte{0xF6, 0x01}, want...)...)
	if !bytes.Equal(got, want) {
		t.Errorf("wrote\n% x, want\n% x", got, want)
	}
}

// A packet is joined compressed if that makes it shorter, by a byte at least: it has 17 bytes more than its pieces, the
// plain length, the headers of stream and stored block, and the end.
//
// Source: docs/protocol.md 4.2, compression; RFC 1950, 2.2; RFC 1951, 3.2.4 and 3.2.6.
func TestJoinedOnlyIfShorter(t *testing.T) {
	const besides = 4 + 2 + 5 + 2 + 4
	r := rand.New(rand.NewPCG(5, 9))
	var press Press
	saved := make(map[int]bool)
	for n := range 500 {
		var f Fragment
		f.Add(dense(r, n%100))
		if !press.Press(&f) {
			continue
		}
		saves := len(f.plain) - len(f.packed)
		saved[saves] = true
		w := Writer{Config: Config{Threshold: 1}}
		w.Begin(nil)
		w.Block([]byte{1})
		w.Fragment(&f)
		p := split(t, w.End())[0]
		joined := p.op == msg.OpCompressedUpdateObject && bytes.Equal(p.payload[4:12], []byte{0x78, 1, 0, 5, 0, 0xFA, 0xFF, 2})
		if joined != (saves > besides) {
			t.Errorf("%d bytes are saved of %d: joined compressed: %v", saves, len(f.plain), joined)
		}
		if got := plain(t, p); !bytes.Equal(got, slices.Concat([]byte{2, 0, 0, 0, 1}, f.plain)) {
			t.Errorf("%d bytes are saved: the payload is another", saves)
		}
	}
	if !saved[besides] || !saved[besides+1] {
		t.Errorf("no fragment saves %d bytes, or none %d: %v", besides, besides+1, saved)
	}
}

// A fragment is compressed if that makes it shorter, by a byte at least.
func TestPressedOnlyIfShorter(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 9))
	var press Press
	var f Fragment
	order := make(map[int]int)
	for n := range 500 {
		f.Reset()
		if !f.Empty() {
			t.Error("a fragment that was reset is not empty")
		}
		f.Add(dense(r, n%100))
		var want bytes.Buffer
		z, _ := flate.NewWriter(&want, 5)
		z.Write(f.plain)
		z.Flush()
		shorter := cmp.Compare(want.Len(), len(f.plain))
		order[shorter]++
		if press.Press(&f) != (shorter < 0) {
			t.Errorf("%d bytes become %d: compressed: %v", len(f.plain), want.Len(), len(f.packed) > 0)
		}
		if shorter < 0 && !bytes.Equal(f.packed, want.Bytes()) || shorter >= 0 && len(f.packed) > 0 {
			t.Errorf("%d bytes become % x, want % x", len(f.plain), f.packed, want.Bytes())
		}
	}
	if order[-1] == 0 || order[0] == 0 || order[1] == 0 || f.Empty() {
		t.Errorf("there is no fragment of each kind: %v", order)
	}
}

// What a payload is worth follows from the threshold: 8192 bytes unless another is set, and a negative one for none.
func TestWorth(t *testing.T) {
	for _, c := range []struct {
		threshold, payload int
		want               bool
	}{{0, 8192, false}, {0, 8193, true}, {100, 100, false}, {100, 101, true}, {-1, 0, false}, {-1, 32_000, false}} {
		w := Writer{Config: Config{Threshold: c.threshold}}
		if got := w.Worth(c.payload); got != c.want {
			t.Errorf("threshold %d, %d bytes: %v, want %v", c.threshold, c.payload, got, c.want)
		}
	}
}

// The longest fragment fills a packet. One that is longer is not compressed, and not taken.
func TestLongFragments(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	var press Press
	var f Fragment
	f.Add(block(r, 1000))
	f.Add(block(r, wire.MaxPayload-4-1000))
	if !press.Press(&f) {
		t.Fatal("the longest is not compressed")
	}
	var w Writer
	w.Begin(nil)
	w.Block(block(r, 10))
	w.Fragment(&f)
	sent := w.End()
	packets := 0
	for len(sent) > 0 {
		n := int(binary.BigEndian.Uint16(sent)) + 2
		sent = sent[n:]
		packets++
	}
	if packets != 2 {
		t.Errorf("a block and the longest fragment are in %d packets", packets)
	}
	f.Add([]byte{1})
	if press.Press(&f) {
		t.Error("a longer one is compressed")
	}
	defer func() {
		if got, want := recover(), "update: a fragment of 32762 bytes"; got != want {
			t.Errorf("it panics with %v, want %q", got, want)
		}
	}()
	w.Begin(nil)
	w.Fragment(&f)
}

// Once warm, joining allocates nothing.
func TestFragmentsDoNotAllocate(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	var press Press
	var f Fragment
	var w Writer
	var dst []byte
	body := block(r, 3_000)
	write := func() {
		f.Reset()
		f.Add(body)
		press.Press(&f)
		w.Begin(dst[:0])
		for range 20 {
			w.Fragment(&f)
		}
		dst = w.End()
	}
	write()
	if n := testing.AllocsPerRun(20, write); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
