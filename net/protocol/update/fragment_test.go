package update

import (
	"bytes"
	stdzlib "compress/zlib"
	"encoding/binary"
	"hash/adler32"
	"io"
	"math/rand/v2"
	"testing"

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

// What is joined is what was added, by the reader of the standard library and by ours, however it is split into
// packets; with nothing compressed it is the same.
func TestFragmentsAreTheirBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	var press Press
	for range 300 {
		var want []byte
		blocks := uint32(0)
		var plain [][]byte
		for range r.IntN(4) {
			plain = append(plain, block(r, 1+r.IntN(300)))
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
			for _, b := range plain {
				w.Block(b)
				want, blocks = append(want, b...), blocks+1
			}
			for i := range fragments {
				w.Fragment(&fragments[i])
				want, blocks = append(want, fragments[i].plain...), blocks+fragments[i].blocks
			}
			got, n := unpack(t, w.End()[len("before"):], threshold == 1)
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
