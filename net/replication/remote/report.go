package remote

import (
	"encoding/binary"
	"slices"

	"muster/components"
	"muster/components/life"
	"muster/net/replication/frame"
)

// A report is what a world keeps for its gateways besides frames: snapshots of players, answers to commands, and how many
// items it wants.
type report struct {
	tick, part uint64 // of a log, by which it is known when it is repeated by another process; 0 if it is not
	wants      uint32
	answers    []frame.Answered
	saves      []save
}

// A save is a snapshot with its lists.
type save struct {
	frame.Save
	lists []byte
}

func (r *report) empty() bool { return len(r.answers)+len(r.saves) == 0 }

// reset makes the report empty, for another one in its memory.
func (r *report) reset() {
	clear(r.answers)
	clear(r.saves)
	r.answers, r.saves = r.answers[:0], r.saves[:0]
}

// parts divides a report into some that fit into a message.
func (r *report) parts() (all []report) {
	if r.size() <= maxPart {
		return []report{*r}
	}
	part, size := report{wants: r.wants}, 0
	grow := func(n int) {
		if size += n; size > maxPart {
			all = append(all, part)
			part, size = report{}, n
		}
	}
	for _, a := range r.answers {
		grow(len(a.Text) + answerBytes)
		part.answers = append(part.answers, a)
	}
	for _, s := range r.saves {
		grow(len(s.lists) + saveBytes)
		part.saves = append(part.saves, s)
	}
	return append(all, part)
}

// size is how many bytes append appends at most.
func (r *report) size() (n int) {
	n = headBytes
	for i := range r.answers {
		n += len(r.answers[i].Text) + answerBytes
	}
	for i := range r.saves {
		n += len(r.saves[i].lists) + saveBytes
	}
	return n
}

// What an answer takes besides its text, a save besides its lists, and a report besides both, in bytes, at most.
const (
	headBytes   = 32
	answerBytes = 16
	saveBytes   = 256
)

// append appends the report: its tick and part, what is wanted, the answers, the saves; each list after its length.
func (r *report) append(w *writer) {
	w.b = slices.Grow(w.b, r.size())
	w.u64(r.tick)
	w.number(r.part)
	w.number(uint64(r.wants))
	w.number(uint64(len(r.answers)))
	for _, a := range r.answers {
		w.u64(a.ID)
		w.text([]byte(a.Text))
	}
	w.number(uint64(len(r.saves)))
	for i := range r.saves {
		s := &r.saves[i]
		w.u64(s.GUID)
		w.u64(s.Version)
		for _, word := range components.Words(&s.State) {
			w.b = binary.LittleEndian.AppendUint32(w.b, word)
		}
		w.number(uint64(s.Told))
		w.flag(s.Soon)
		w.text(s.lists)
	}
}

// readReport reads what append wrote. It is valid as long as the message.
func readReport(m *reader) (r report) {
	r.tick, r.part = m.u64(), m.number()
	r.wants = uint32(m.number())
	for range m.count() {
		id := m.u64()
		r.answers = append(r.answers, frame.Answered{ID: id, Text: string(m.text())})
	}
	for range m.count() {
		var s save
		s.GUID, s.Version = m.u64(), m.u64()
		words := components.Words(&s.State)
		if len(m.b) < 4*len(words) {
			m.fail("it ends in a snapshot")
			return r
		}
		for i := range words {
			words[i] = binary.LittleEndian.Uint32(m.b[4*i:])
		}
		m.b = m.b[4*len(words):]
		s.Told = life.Set(m.number())
		s.Soon = m.flag()
		s.lists = m.text()
		r.saves = append(r.saves, s)
	}
	return r
}
