package streamlog

import (
	"bytes"

	"github.com/klauspost/compress/s2"
)

// A packing reads a head, and then parts as one stream of S2. It compresses so much of them as is read, so that no more memory is taken for a large state than for a small one.
type packing struct {
	parts  [][]byte     // that are left
	part   []byte       // what is left of one
	ready  bytes.Buffer // what is to be read next
	packer *s2.Writer   // nil when all is in there
	err    error        // what it has failed with
}

func newPacking(head []byte, parts [][]byte) *packing {
	p := &packing{parts: parts}
	p.ready.Write(head)
	p.packer = s2.NewWriter(&p.ready, s2.WriterConcurrency(1), s2.WriterBlockSize(stateBlock))
	return p
}

// Read implements io.Reader. It returns less than there is room for only at the end: who stores it in chunks stores full ones.
func (p *packing) Read(b []byte) (n int, err error) {
	for p.ready.Len() < len(b) && p.packer != nil && p.err == nil {
		p.err = p.pack()
	}
	if p.err != nil {
		return 0, p.err
	}
	return p.ready.Read(b)
}

// pack compresses some more.
func (p *packing) pack() error {
	if len(p.part) == 0 && len(p.parts) > 0 {
		p.part, p.parts = p.parts[0], p.parts[1:]
	}
	n := min(len(p.part), stateBlock)
	if n == 0 && len(p.parts) == 0 {
		packer := p.packer
		p.packer = nil
		return packer.Close()
	}
	_, err := p.packer.Write(p.part[:n])
	p.part = p.part[n:]
	return err
}
