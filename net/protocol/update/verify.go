package update

import "fmt"

// Forgotten looks for a change that was not marked dirty: a public word of a clean component that
// differs from image. It returns the number of the component and of the word. It compares everything
// and is for tests; Delta calls it, and panics, in a build with the tag verify. Private words have no
// image and cannot be checked.
func (l *Layout) Forgotten(w *Words, dirty uint32, image []uint32) (part, number int, found bool) {
	for _, r := range l.public.runs {
		if dirty>>r.part&1 != 0 {
			continue
		}
		for i, word := range w[r.part][r.offset:][:r.words] {
			if word != image[int(r.image)+i] {
				return int(r.part), int(r.number) + i, true
			}
		}
	}
	return 0, 0, false
}

func (l *Layout) verify(guid uint64, w *Words, dirty uint32, image []uint32) {
	if part, number, found := l.Forgotten(w, dirty, image); found {
		panic(fmt.Sprintf("update: %#x: field %#x of component %d changed, but was not dirty", guid, number, part))
	}
}
