package frame

import "testing"

// Spans name what is borrowed one behind the other, from 2^31 on, and none that reaches 2^32.
func TestBorrow(t *testing.T) {
	var d Builder
	for i, l := range []struct {
		bytes string
		from  uint32
	}{{"one", 1 << 31}, {"", 1<<31 + 3}, {"two", 1<<31 + 3}, {"three", 1<<31 + 6}} {
		if from, ok := d.borrow([]byte(l.bytes)); !ok || from != l.from {
			t.Errorf("piece %d is from %d on, %v, want %d", i, from, ok, l.from)
		}
	}
	d.Bytes = append(d.Bytes, "zero"...)
	for _, c := range []struct {
		at   Span
		want string
	}{{Span{1, 3}, "ero"}, {Span{1 << 31, 3}, "one"}, {Span{1<<31 + 2, 1}, "e"}, {Span{1<<31 + 3, 3}, "two"}, {Span{1<<31 + 7, 4}, "hree"}} {
		if got := string(d.In(c.at)); got != c.want {
			t.Errorf("%v is %q, want %q", c.at, got, c.want)
		}
	}
	d.borrowed = []borrowed{{1<<32 - 10, []byte("five5")}}
	if _, ok := d.borrow(make([]byte, 5)); ok {
		t.Error("one reaches 2^32")
	}
	if from, ok := d.borrow(make([]byte, 4)); !ok || from != 1<<32-5 {
		t.Errorf("the last is from %d on, %v", from, ok)
	}
}
