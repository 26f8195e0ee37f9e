package frame

import (
	"bytes"
	"testing"

	"muster/ecs/grid"
)

// Frames with the same contents have the same bytes, whatever was in them before and in which order
// their cells came into use; other frames have other bytes.
func TestBinaryIsWhatAFrameSays(t *testing.T) {
	near, far := grid.At(15, 15, grid.Living), grid.At(915, 15, grid.Ghosts)
	build := func(f *Frame, cells [2]grid.Cell, end string, left bool) []byte {
		var d Builder
		span := func(s string) Span {
			d.Bytes = append(d.Bytes, s...)
			return d.Cut()
		}
		for _, c := range cells {
			d.AddDelta(c, Moves, span("move in "+c.String()))
			d.AddDelta(c, Values, span("values in "+c.String()))
			d.Leave(c, 5, grid.None)
		}
		d.EnterDelta(d.Enter(near, 3, far, span("block"), span("companions")), Beats, span("beat"))
		d.Resident(far, 4, span("resident"), Span{})
		d.SetView(9, grid.ViewFrom(near), false)
		d.SendNow(8, Last, span(end))
		if left {
			d.PlayerLeft(7, span("character"))
		}
		d.Build(f, 12)
		b, _ := f.AppendBinary(nil)
		return b
	}
	var used Frame
	build(&used, [2]grid.Cell{far, grid.At(0, 600, grid.Living)}, "something else", true)

	want := build(new(Frame), [2]grid.Cell{near, far}, "end", false)
	if got := build(&used, [2]grid.Cell{far, near}, "end", false); !bytes.Equal(got, want) {
		t.Errorf("wrote\n% x, want\n% x", got, want)
	}
	for name, other := range map[string][]byte{
		"other bytes": build(new(Frame), [2]grid.Cell{near, far}, "End", false),
		"a goodbye":   build(new(Frame), [2]grid.Cell{near, far}, "end", true),
		"other cells": build(new(Frame), [2]grid.Cell{near, near}, "end", false),
	} {
		if bytes.Equal(other, want) {
			t.Errorf("%s: no difference", name)
		}
	}
}
