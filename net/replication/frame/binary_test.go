package frame

import (
	"bytes"
	"testing"

	"muster/components/life"
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

// The bytes of a frame are its contents one after another, each list after its length: so frames of two builds can be
// compared by them.
func TestBinaryBytes(t *testing.T) {
	near, far := grid.At(15, 15, grid.Living), grid.At(915, 15, grid.Living)
	if near > far {
		near, far = far, near
	}
	var d Builder
	span := func(s string) Span {
		d.Bytes = append(d.Bytes, s...)
		return d.Cut()
	}
	d.AddDelta(far, Events, span("event"))
	d.AddOwnDelta(9, near, Moves, span("move 9"))
	d.AddOwnDelta(8, near, Beats, span("beat 8"))
	d.AddOwnDelta(9, near, Moves, span("move 9 again"))
	d.AddDelta(near, Values, span("values"))
	d.AddDelta(near, After, span("aura"))
	d.Leave(near, 5, grid.None)
	d.Leave(near, 6, far)
	e := d.Enter(far, 6, near, span("block 6"), span("companion 6"))
	d.EnterDelta(e, Moves, span("move 6"))
	d.EnterDelta(e, Events, span("event 6"))
	d.Resident(near, 4, span("block 4"), span("companion 4"))
	d.Send(9, Last, span("last 9"))
	d.SendNow(9, First, span("first 9"))
	d.SetView(8, grid.View{Center: near, Layers: 5}, true)
	d.Kick(3, "slow")
	d.Send(10, Middle, span("middle 10"))
	d.PlayerLeft(10, span("character 10"))
	d.PlayerTransferred(7, span("character 7"))
	d.RequestItems(77)
	state := life.State{XP: 21}
	*d.Save() = Save{GUID: 1 << 40, Version: 1 << 41, State: state, Told: life.Items, Soon: true, Lists: span("lists")}
	*d.Save() = Save{GUID: 2}
	d.SetGameMaster(8, true)
	d.SetGameMaster(9, false)
	d.Answer(1<<42, span("answer"))
	var f Frame
	d.Build(&f, 1<<33)

	var want packer
	u32 := func(n int) { want.put(uint32(n)) }
	text := func(all ...string) {
		for _, s := range all {
			u32(len(s))
			want.WriteString(s)
		}
	}
	want.put(uint64(1 << 33))
	u32(2) // cells, each with its delta half, its leaves, its enters and its residents
	want.put(near)
	text("", "values", "move 9move 9 again", "beat 8", "aura")
	u32(2)
	want.put(uint64(5), grid.None, uint64(6), far)
	u32(0)
	u32(1)
	want.put(uint64(4))
	text("block 4", "companion 4")
	want.put(far)
	text("event", "", "", "", "")
	u32(0)
	u32(1)
	want.put(uint64(6), near)
	text("block 6", "companion 6", "event 6", "", "move 6", "", "")
	u32(0)
	u32(4) // directs, by session
	for _, one := range []struct {
		session uint32
		view    grid.View
		flags   byte // looked, reset, left
		parts   [places]string
	}{
		{session: 7, flags: 4}, {session: 8, view: grid.View{Center: near, Layers: 5}, flags: 3},
		{session: 9, parts: [places]string{"first 9", "", "last 9"}}, {session: 10, flags: 4, parts: [places]string{"", "middle 10", ""}},
	} {
		want.put(one.session, one.view.Center, one.view.Layers, one.flags)
		text(one.parts[:]...)
	}
	u32(3) // own moves, by session
	u32(8)
	text("beat 8")
	u32(9)
	text("move 9")
	u32(9)
	text("move 9 again")
	u32(4) // now
	want.put([]uint32{3, 7, 9, 10})
	u32(77)
	u32(2) // saves
	want.put(uint64(1<<40), uint64(1<<41), state, uint32(life.Items), uint8(1))
	text("lists")
	want.put(uint64(2), uint64(0), life.State{}, uint32(0), uint8(0))
	text("")
	u32(2) // left
	want.put(uint32(10), uint8(0))
	text("character 10")
	want.put(uint32(7), uint8(1))
	text("character 7")
	u32(2) // marks
	want.put(uint32(8), uint8(1), uint32(9), uint8(0))
	u32(1) // kicks
	want.put(uint32(3), "slow")
	u32(1) // answers
	want.put(uint64(1 << 42))
	text("answer")
	got, err := f.AppendBinary([]byte("before"))
	if err != nil || !bytes.Equal(got, append([]byte("before"), want.Bytes()...)) {
		t.Errorf("wrote\n%q, want\n%q", got, want.Bytes())
	}

	// Nothing of it is in the next tick of the same frame and builder.
	d.Build(&f, 2)
	if got, _ := f.AppendBinary(nil); !bytes.Equal(got, new(packer).put(uint64(2), [10]uint32{}).Bytes()) {
		t.Errorf("an empty frame is % x", got)
	}
}

// A ring has stopped growing a round after its fullest tick: ticks that are no fuller allocate nothing.
func TestBuilderDoesNotAllocate(t *testing.T) {
	p := NewExchange()
	var d Builder
	tick := uint64(0)
	round := func() {
		for n := range ringLen {
			for i := range uint32(20 * (n % 8)) {
				cell := grid.At(float32(30*i), 15, grid.Living)
				d.Bytes = append(d.Bytes, "some bytes"...)
				s := d.Cut()
				d.AddOwnDelta(i, cell, Moves, s)
				d.Leave(cell, uint64(i), grid.None)
				d.EnterDelta(d.Enter(cell, uint64(i), grid.None, s, s), Events, s)
				d.Resident(cell, uint64(i), s, s)
				d.SendNow(i, Last, s)
				d.PlayerLeft(i, Span{})
			}
			tick++
			f := p.Write()
			d.Build(f, tick)
			f.Left = f.Left[:0] // which would be copied
			p.Publish(f)
		}
	}
	for range 3 {
		round()
	}
	if n := testing.AllocsPerRun(2, round); n != 0 {
		t.Errorf("a round of ticks allocates %v times", n)
	}
}
