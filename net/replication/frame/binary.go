package frame

import (
	"cmp"
	"encoding/binary"
	"slices"

	"muster/components"
	"muster/ecs/grid"
)

// AppendBinary appends the contents of the frame, cell by cell in ascending order. Two frames have the
// same contents if and only if their bytes are equal, wherever in Bytes each keeps its parts. It does
// not fail.
func (f *Frame) AppendBinary(b []byte) ([]byte, error) {
	w := binaryWriter{f, binary.LittleEndian.AppendUint64(b, f.Tick)}
	order := make([]numbered, 0, len(f.cells))
	f.dir.Each(func(i int, c grid.Cell) { order = append(order, numbered{i, c}) })
	slices.SortFunc(order, func(x, y numbered) int { return cmp.Compare(x.cell, y.cell) })
	w.u32(len(order))
	for _, at := range order {
		w.u32(int(at.cell))
		w.cell(at.number)
	}
	w.u32(len(f.directs))
	for i := range f.directs {
		w.direct(&f.directs[i])
	}
	w.u32(len(f.own))
	for session := range f.sessions {
		for i := f.sessions[session].own; i != 0; i = f.own[i-1].next {
			w.u32(session)
			w.spans(f.own[i-1].span)
		}
	}
	w.u32(len(f.Now))
	for _, session := range f.Now {
		w.u32(int(session))
	}
	w.u32(int(f.Wants))
	w.u32(len(f.Saves))
	for _, s := range f.Saves {
		w.u64(s.GUID)
		w.u64(s.Version)
		w.words(components.Words(&s.State))
		w.u32(int(s.Told))
		w.b = append(w.b, bit(s.Soon))
		w.spans(s.Lists)
	}
	w.u32(len(f.Left))
	for _, l := range f.Left {
		w.u32(int(l.Session))
		w.b = append(w.b, bit(l.Away))
		w.spans(l.Character)
	}
	w.u32(len(f.Marks))
	for _, m := range f.Marks {
		w.u32(int(m.Session))
		w.b = append(w.b, bit(m.Master))
	}
	w.u32(len(f.Kicks))
	for _, k := range f.Kicks {
		w.u32(int(k.Session))
		w.b = append(append(w.b, k.Reason...), 0)
	}
	w.u32(len(f.Answers))
	for _, a := range f.Answers {
		w.u64(a.ID)
		w.spans(a.Text)
	}
	return w.b, nil
}

type numbered struct {
	number int
	cell   grid.Cell
}

type binaryWriter struct {
	f *Frame
	b []byte
}

func (w *binaryWriter) words(all []uint32) {
	for _, n := range all {
		w.b = binary.LittleEndian.AppendUint32(w.b, n)
	}
}

func (w *binaryWriter) u32(n int)    { w.b = binary.LittleEndian.AppendUint32(w.b, uint32(n)) }
func (w *binaryWriter) u64(n uint64) { w.b = binary.LittleEndian.AppendUint64(w.b, n) }

func (w *binaryWriter) spans(all ...Span) {
	for _, s := range all {
		w.bytes(w.f.In(s))
	}
}

func (w *binaryWriter) bytes(b []byte) {
	w.u32(len(b))
	w.b = append(w.b, b...)
}

func (w *binaryWriter) cell(number int) {
	for part := range parts {
		w.spans(w.f.delta(part, uint32(number), uint32(number)+1))
	}
	c := &w.f.cells[number]
	leaves := w.f.leaves[c.leave.first:][:c.leave.n]
	w.u32(len(leaves))
	for _, l := range leaves {
		w.u64(l.guid)
		w.u32(int(l.to))
	}
	enters := w.f.enters[c.enter.first:][:c.enter.n]
	w.u32(len(enters))
	for i := range enters {
		w.u64(enters[i].guid)
		w.u32(int(enters[i].from))
		w.spans(enters[i].create.block, enters[i].create.companions)
		w.spans(enters[i].delta[:]...)
	}
	residents := w.f.residents[c.residents.first:][:c.residents.n]
	w.u32(len(residents))
	for _, r := range residents {
		w.u64(r.guid)
		w.spans(r.create.block, r.create.companions)
	}
}

func (w *binaryWriter) direct(d *direct) {
	w.u32(int(d.session))
	w.u32(int(d.look.Center))
	w.b = append(w.b, d.look.Layers, bit(d.looked)|bit(d.reset)<<1|bit(d.left)<<2|bit(d.resumed != 0)<<3)
	if d.resumed != 0 {
		w.u64(d.resumed)
	}
	w.spans(d.parts[:]...)
}

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}
