package frame

import (
	"bytes"
	"testing"

	"muster/ecs/grid"
)

var home = grid.At(15, 15, grid.Living)

// one is a port with one frame, and an observer in home to whom it is new.
func one(write func(*Draft)) (*Port, Cursor) {
	p := NewPort()
	var d Draft
	write(&d)
	f := p.Write()
	d.Build(f, 1)
	p.Publish(f)
	return p, Cursor{Session: 7, GUID: 1, View: grid.ViewFrom(home)}
}

// What is out of the world is destroyed by guid, as msg declares it, and that allocates nothing.
func TestDestroy(t *testing.T) {
	p, c := one(func(d *Draft) {
		d.Leave(home, 0x0807060504030201, grid.None)
		d.Leave(home, 1, grid.None) // the observer itself
		d.Leave(home, 0xF130000000000002, grid.None)
	})
	want := []byte{
		0, 11, 0xAA, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0,
		0, 11, 0xAA, 0, 2, 0, 0, 0, 0, 0, 0x30, 0xF1, 0,
	}
	var r Replayer
	var w Window
	w.Open(p)
	defer w.Close()
	var out []byte
	replay := func() {
		again := c
		out, _ = r.Replay(out[:0], &w, &again)
	}
	if replay(); !bytes.Equal(out, want) {
		t.Errorf("got % x, want % x", out, want)
	}
	if n := testing.AllocsPerRun(100, replay); n != 0 {
		t.Errorf("allocates %v times", n)
	}
}
