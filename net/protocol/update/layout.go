// Package update writes and reads SMSG_UPDATE_OBJECT: updates of the objects that a client knows.
//
// A system that writes a component sets its dirty bit, and a Layout compares the words of the dirty
// components with the image of what was sent last. It finds the words through the tags of package
// components, compiled to a few runs. A Writer assembles blocks to packets.
package update

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"

	"muster/components"
	"muster/net/protocol/wire"
)

// MaxComponents is how many components a Layout can have.
const MaxComponents = 10

// Words are the components of one object as words, in the order of its Layout: what components.Words
// makes of each. It aliases them, and must be filled anew once they may have moved.
type Words [MaxComponents][]uint32

// A Kind is a kind of object that a Layout can describe.
type Kind uint8

// The kinds.
const (
	Creature Kind = iota
	Player
	Item      // what follows has no movement
	Container // a bag
	Corpse    // of a player
	GameObject
)

// typeID is what a create block calls the kind.
func (k Kind) typeID() uint8 {
	return [...]uint8{
		components.TypeUnit, components.TypePlayer, components.TypeItem, components.TypeContainer, components.TypeCorpse,
		components.TypeGameObject,
	}[k]
}

// owners are the clients that see the non-public words of each kind of object. Only its owner sees an item.
func (k Kind) owners() components.Audience {
	if k == Item || k == Container {
		return components.Private | components.ItemOwner
	}
	return components.Private
}

// create is the type of the kind's create block.
//
// Source: Object::BuildCreateUpdateBlockForPlayer, AzerothCore; protocol.md 4.2.
func (k Kind) create() uint8 {
	if k == Player || k == Corpse {
		return Create2
	}
	return Create
}

// A Layout has the positions of the words of a kind of object on the wire and which clients see them.
// It never changes after NewLayout: any number of goroutines may share it.
type Layout struct {
	kind    Kind
	public  section // public words
	private section // words that only the object's own client sees, or its owner
	own     section // both
	images  int
}

// A section is some words of an object in ascending order of their numbers.
type section struct {
	runs  []run
	parts uint32 // the components that have a run
	masks int    // mask words that a block of all of them needs
	words int
}

// maxRun keeps the marks of a run in two mask words.
const maxRun = 32

// A run is up to maxRun words side by side in a component, on the wire, and in the image.
type run struct {
	part   uint16 // number of the component
	offset uint16 // of the first word in the component
	number uint16 // of the first word on the wire
	image  uint16 // of the first word in the image; public words only
	words  uint16
}

// NewLayout compiles the tags of components for a client build. Bit i of a dirty mask is the i-th
// component. It panics on a build that it has no table of fields for, and on tags that disagree with
// the table.
func NewLayout(version wire.Version, kind Kind, parts ...reflect.Type) *Layout {
	if version != wire.V12340 {
		panic(fmt.Sprintf("update: no fields of build %d", version))
	}
	if len(parts) > MaxComponents {
		panic(fmt.Sprintf("update: %d components, at most %d", len(parts), MaxComponents))
	}
	if probe := uint64(1); components.Words(&probe)[0] != 1 {
		panic("update: the machine is not little-endian")
	}
	l := &Layout{kind: kind}
	for part, c := range parts {
		for _, tag := range components.Tags(c, int(version)) {
			for i := range tag.Words {
				r := run{part: uint16(part), offset: uint16(tag.Offset + i), number: uint16(tag.Number + i), words: 1}
				f := components.FieldAt(kind.typeID(), r.number)
				switch {
				case f == nil:
					panic(fmt.Sprintf("update: %v.%s: no field %#x", c, tag.Name, r.number))
				case f.Audience&(components.Public|components.Dynamic) != 0:
					r.image = uint16(l.images)
					l.images++
					l.public.runs = append(l.public.runs, r)
				case f.Audience&kind.owners() != 0:
					l.private.runs = append(l.private.runs, r)
				}
			}
		}
	}
	l.own.runs = slices.Concat(l.public.runs, l.private.runs)
	l.public.compile()
	l.private.compile()
	l.own.compile()
	return l
}

// compile sorts runs of one word each by number and joins neighbours. Public words that are neighbours
// in a component are so in the image.
func (s *section) compile() {
	slices.SortFunc(s.runs, func(a, b run) int { return cmp.Compare(a.number, b.number) })
	joined := s.runs[:0]
	for _, r := range s.runs {
		s.parts |= 1 << r.part
		s.masks = int(r.number)/32 + 1
		s.words++
		if n := len(joined); n > 0 {
			last := &joined[n-1]
			if r.number < last.number+last.words {
				panic(fmt.Sprintf("update: field %#x twice", r.number))
			}
			if r.part == last.part && r.number == last.number+last.words && r.offset == last.offset+last.words &&
				last.words < maxRun {
				last.words++
				continue
			}
		}
		joined = append(joined, r)
	}
	s.runs = slices.Clip(joined)
}

// ImageWords is the length of an image: the number of public words.
func (l *Layout) ImageWords() int { return l.images }

// At is where the public word of a number is in an image. Those that are neighbours in a component are so there. It panics
// if there is no such word.
func (l *Layout) At(number uint16) int {
	for _, r := range l.public.runs {
		if number >= r.number && number < r.number+r.words {
			return int(r.image + number - r.number)
		}
	}
	panic(fmt.Sprintf("update: no client sees field %#x", number))
}

// Fill makes image what a client knows after a create block.
func (l *Layout) Fill(image []uint32, w *Words) {
	for _, r := range l.public.runs {
		copy(image[r.image:][:r.words], w[r.part][r.offset:][:r.words])
	}
}

// Delta appends a VALUES block with the public words of the dirty components that differ from image,
// and brings image up to date. If none differs, it reports false and appends nothing. Apart from
// growing dst it does not allocate.
func (l *Layout) Delta(dst []byte, guid uint64, w *Words, dirty uint32, image []uint32) ([]byte, bool) {
	if Verify {
		l.verify(guid, w, dirty, image)
	}
	if dirty &= l.public.parts; dirty == 0 {
		return dst, false
	}
	dst = l.public.grow(dst)
	var v values
	l.public.begin(&v, dst)
	for i := range l.public.runs {
		r := &l.public.runs[i]
		if dirty>>r.part&1 == 0 {
			continue
		}
		now := w[r.part][r.offset:][:r.words]
		was := image[r.image:][:len(now)]
		var changed uint64
		for j, word := range now {
			if word != was[j] {
				was[j] = word
				changed |= 1 << (j & 63)
				v.put(word)
			}
		}
		v.mark(r.number, changed)
	}
	if v.at == v.first {
		return dst, false
	}
	return v.end(beginBlock(dst, Values, guid)), true
}

// Private appends a VALUES block with all private words of the dirty components: they are not
// compared, since there is one client to update. If there are none, it reports false.
func (l *Layout) Private(dst []byte, guid uint64, w *Words, dirty uint32) ([]byte, bool) {
	if dirty &= l.private.parts; dirty == 0 {
		return dst, false
	}
	return l.private.appendDirty(dst, guid, w, dirty), true
}

// appendDirty appends a VALUES block with all words of a section that the dirty components have.
func (s *section) appendDirty(dst []byte, guid uint64, w *Words, dirty uint32) []byte {
	dst = s.grow(dst)
	var v values
	s.begin(&v, dst)
	for i := range s.runs {
		r := &s.runs[i]
		if dirty>>r.part&1 == 0 {
			continue
		}
		for _, word := range w[r.part][r.offset:][:r.words] {
			v.put(word)
		}
		v.mark(r.number, 1<<r.words-1)
	}
	return v.end(beginBlock(dst, Values, guid))
}

// appendAll appends a values block with the words of a section that are not zero.
func (s *section) appendAll(dst []byte, w *Words) []byte {
	dst = s.grow(dst)
	var v values
	s.begin(&v, dst)
	for i := range s.runs {
		r := &s.runs[i]
		var set uint64
		for j, word := range w[r.part][r.offset:][:r.words] {
			if word != 0 {
				set |= 1 << j
				v.put(word)
			}
		}
		v.mark(r.number, set)
	}
	return v.end(dst)
}

func beginBlock(dst []byte, kind uint8, guid uint64) []byte {
	return wire.AppendPackedGUID(append(dst, kind), guid)
}

// values is a values block in the making, in the unused part of a buffer: the whole mask, then the words
// in ascending order. It leaves room for what may come before it; end moves it there, with no more of
// the mask than is needed.
type values struct {
	buf   []byte
	mask  int // where the mask is
	first int // where the first word is
	at    int // where the next word goes
}

// headRoom is the longest start of a block: the type, a packed guid, the number of mask words.
const headRoom = 1 + 9 + 1

// begin makes v a values block in the room that grow made behind dst.
func (s *section) begin(v *values, dst []byte) {
	mask := len(dst) + headRoom
	first := mask + 4*s.masks
	buf := dst[:cap(dst)]
	clear(buf[mask:first])
	v.buf, v.mask, v.first, v.at = buf, mask, first, first
}

// grow makes room behind dst for every word of the section.
func (s *section) grow(dst []byte) []byte {
	return slices.Grow(dst, headRoom+4*s.masks+4*s.words)
}

// put adds a word.
func (v *values) put(word uint32) {
	binary.LittleEndian.PutUint32(v.buf[v.at:], word)
	v.at += 4
}

// mark sets which words of a run were put: bit i is the i-th.
func (v *values) mark(number uint16, put uint64) {
	if put == 0 {
		return
	}
	put <<= number & 31
	mask := v.buf[v.mask+int(number>>5)*4:]
	binary.LittleEndian.PutUint32(mask, binary.LittleEndian.Uint32(mask)|uint32(put))
	if high := uint32(put >> 32); high != 0 {
		binary.LittleEndian.PutUint32(mask[4:], binary.LittleEndian.Uint32(mask[4:])|high)
	}
}

// end appends the block to dst, which is what begin was given, or that and the start of the block. The
// last mask words are left out if they are zero, which every client accepts and one depends on.
//
// Source: protocol.md 3.1.2 and 4.2.
func (v *values) end(dst []byte) []byte {
	end := v.first
	for end > v.mask && binary.LittleEndian.Uint32(v.buf[end-4:]) == 0 {
		end -= 4
	}
	dst = append(dst, uint8((end-v.mask)/4))
	dst = append(dst, v.buf[v.mask:end]...)
	return append(dst, v.buf[v.first:v.at]...)
}
