package recording

import "testing"

// There is one room at a time: as large as it was asked for, or as what has taken its place.
func TestRoom(t *testing.T) {
	r := NewRoom()
	if b := r.Take(); cap(b) != 0 {
		t.Errorf("at first there are %d bytes", cap(b))
	}
	if b := r.Take(); b != nil {
		t.Errorf("two have room, of %d bytes", cap(b))
	}
	r.Need(1 << 20) // is in use
	r.Return(make([]byte, 5, 100))
	r.Need(1 << 20)
	r.Made()
	b := r.Take()
	if len(b) != 0 || cap(b) < 1<<20 {
		t.Errorf("a room of %d bytes, of which %d are used", cap(b), len(b))
	}
	r.Return(append(b, 1, 2, 3))
	r.Need(1 << 10) // there is more
	if again := r.Take(); len(again) != 0 || cap(again) != cap(b) {
		t.Errorf("it has %d bytes, of which %d are used, and had %d", cap(again), len(again), cap(b))
	}
	r.Return(nil)
	r.Need(1 << 12)
	r.Wait()
	if b := r.Take(); cap(b) != 0 {
		t.Errorf("it still has %d bytes", cap(b))
	}
}
