package frame

import (
	"unsafe"

	"muster/components/life"
)

// maxSaves is how many bytes of snapshots wait in an exchange before they are thinned: those of 10,000 players that
// walk, for ten seconds.
const maxSaves = 32 << 20

// saveBytes is how many of them a snapshot has besides its lists.
const saveBytes = int(unsafe.Sizeof(Save{}))

// Saves are snapshots in the order in which they were taken. However long they wait, they are no more than a few
// for each player: those that later ones make superfluous are removed when there are many. The zero Saves is
// empty.
type Saves struct {
	bytes []byte
	list  []Save
	full  int  // bytes at which it is thinned next; 0 is maxSaves
	soon  bool // one is not to wait
}

// Len is the number of snapshots.
func (s *Saves) Len() int { return len(s.list) }

// At is the i-th snapshot, and its lists as Lists.Wire wrote them; both belong to s.
func (s *Saves) At(i int) (save *Save, lists []byte) {
	save = &s.list[i]
	at := save.Lists
	return save, s.bytes[at.Off : at.Off+at.Len : at.Off+at.Len]
}

func (s *Saves) reset() { s.bytes, s.list, s.full, s.soon = s.bytes[:0], s.list[:0], 0, false }

// add copies the snapshots of a frame.
func (s *Saves) add(f *Frame) {
	from := len(s.list)
	s.list = append(s.list, f.Saves...)
	for i := from; i < len(s.list); i++ {
		s.place(&s.list[i], f.In(s.list[i].Lists))
		s.soon = s.soon || s.list[i].Soon
	}
	s.bound()
}

// bound thins the snapshots if there are too many.
func (s *Saves) bound() {
	if s.size() > max(s.full, maxSaves) {
		s.thin()
		s.full = 2 * s.size()
	}
}

func (s *Saves) size() int { return len(s.bytes) + len(s.list)*saveBytes }

// place copies the lists of a snapshot.
func (s *Saves) place(save *Save, lists []byte) {
	save.Lists = Span{uint32(len(s.bytes)), uint32(len(lists))}
	s.bytes = append(s.bytes, lists...)
}

// thin removes the snapshots whose contents later ones of the same player all repeat. The last of each stays, and
// what was urgent is still urgent.
func (s *Saves) thin() {
	type later struct {
		lists life.Set
		soon  bool
	}
	seen := make(map[uint64]*later)
	keep := make([]bool, len(s.list))
	for i := len(s.list) - 1; i >= 0; i-- {
		save := &s.list[i]
		l, superfluous := seen[save.GUID]
		if !superfluous {
			l = new(later)
			seen[save.GUID] = l
		} else {
			superfluous = save.Told&^l.lists == 0
		}
		keep[i] = !superfluous
		l.lists |= save.Told
		l.soon = l.soon || save.Soon
	}
	old := *s
	s.reset()
	for i := range keep { // in place: nothing moves to where something is yet to be read
		if keep[i] {
			save, lists := old.At(i)
			s.list = append(s.list, *save)
			last := &s.list[len(s.list)-1]
			last.Soon = seen[last.GUID].soon
			s.soon = s.soon || last.Soon
			s.place(last, lists)
		}
	}
}
