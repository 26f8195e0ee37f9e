package streamlog

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/s2"

	"muster/internal/testseed"
)

// What is read of parts is a head and a stream with all bytes of them, in pieces that are full but for the last. So large a state takes no more memory than a small one: some blocks.
func TestStateIsCompressedAsItIsRead(t *testing.T) {
	r := rand.New(rand.NewPCG(testseed.Of(t), 1))
	var parts [][]byte
	for _, size := range []int{0, 1, stateBlock - 1, stateBlock, 0, 5*stateBlock + 7, 3, 20 * stateBlock, 0} {
		part := make([]byte, size)
		for i := 0; i < size; i += 1 + r.IntN(8) { // the rest are zeros
			part[i] = byte(r.Uint32())
		}
		parts = append(parts, part)
	}
	head := []byte("head")
	p := newPacking(head, parts)
	var all []byte
	for last := false; ; {
		b := make([]byte, 128<<10)
		n, err := p.Read(b)
		if err == io.EOF && n == 0 {
			break
		}
		if err != nil || last {
			t.Fatalf("%d bytes follow a piece that is not full: %v", n, err)
		}
		last = n < len(b)
		all = append(all, b[:n]...)
		if p.ready.Cap() > 4*stateBlock {
			t.Fatalf("%d bytes wait to be read", p.ready.Cap())
		}
	}
	stream, ok := bytes.CutPrefix(all, head)
	if !ok {
		t.Fatalf("it begins with %q", all[:min(len(all), 10)])
	}
	state, err := io.ReadAll(s2.NewReader(bytes.NewReader(stream)))
	if err != nil || !bytes.Equal(state, bytes.Join(parts, nil)) {
		t.Errorf("what is read is not what the parts are: %v", err)
	}
}
