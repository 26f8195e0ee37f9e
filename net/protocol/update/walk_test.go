package update

import (
	"bytes"
	"testing"

	"muster/components"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// A late viewer of a walking creature gets its remaining path.
func TestAppendWalk(t *testing.T) {
	w := components.Walk{Flags: components.SplineWalk}
	w.Begin(components.Vec{X: 1, Y: 2, Z: 3}, []components.Vec{{X: 11, Y: 2, Z: 3}, {X: 11, Y: 22, Z: 3}}, 2.5, 1000)
	for _, tt := range []struct {
		nowMs, leftMs uint32
		from          wire.Vec3
		path          []wire.Vec3
	}{
		{1000, 12000, wire.Vec3{X: 1, Y: 2, Z: 3}, []wire.Vec3{{X: 11, Y: 2, Z: 3}, {X: 11, Y: 22, Z: 3}}},
		{3000, 10000, wire.Vec3{X: 6, Y: 2, Z: 3}, []wire.Vec3{{X: 11, Y: 2, Z: 3}, {X: 11, Y: 22, Z: 3}}},
		{9000, 4000, wire.Vec3{X: 11, Y: 12, Z: 3}, []wire.Vec3{{X: 11, Y: 22, Z: 3}}},
	} {
		at, _ := w.At(tt.nowMs)
		want := msg.Packet(nil, wire.V12340, msg.OpMonsterMove, &msg.MonsterMove{
			Mover: 7, Start: tt.from, ID: 1, Flags: components.SplineWalk, DurationMs: tt.leftMs, Path: tt.path,
		})
		if got := AppendWalk(nil, 7, &w, &at, tt.nowMs); !bytes.Equal(got, want) {
			t.Errorf("at %d ms: % x, want % x", tt.nowMs, got, want)
		}
	}
	at, _ := w.At(13000)
	if got := AppendWalk(nil, 7, &w, &at, 13000); got != nil {
		t.Errorf("after the walk: % x", got)
	}
	buf := make([]byte, 0, 256)
	at, _ = w.At(1000)
	if n := testing.AllocsPerRun(100, func() { AppendWalk(buf, 7, &w, &at, 1000) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestAppendHalt(t *testing.T) {
	w, at := components.Walk{SplineID: 3}, components.Position{X: 1, Y: 2, Z: 3}
	want := msg.Packet(nil, wire.V12340, msg.OpMonsterMove, &msg.MonsterMove{
		Mover: 7, Start: wire.Vec3{X: 1, Y: 2, Z: 3}, ID: 3, Facing: msg.FaceStop,
	})
	if got := AppendHalt(nil, 7, &w, &at); !bytes.Equal(got, want) {
		t.Errorf("wrote % x, want % x", got, want)
	}
	buf := make([]byte, 0, 64)
	if n := testing.AllocsPerRun(100, func() { AppendHalt(buf, 7, &w, &at) }); n != 0 {
		t.Errorf("%v allocations, want 0", n)
	}
}
