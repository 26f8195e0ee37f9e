package gateway

import (
	"bytes"
	"fmt"
	"testing"
	"unsafe"

	"muster/loaders/store"
	"muster/net/gateway/session"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// TestMemory has a connection keep as much of what its client does not take as there may be, and compares that,
// with what its session may keep and what may wait for its world, with MaxMemory.
func TestMemory(t *testing.T) {
	r := newRig(t, nil)
	r.dial("ALICE").login()
	packet := wire.AppendServerHeader(nil, msg.OpNotification, 1000)
	packet = append(packet, make([]byte, 1000)...)
	length, room := 0, 0
	r.onLoops(func(l *loop) {
		c := l.conns[0]
		for !c.gone() {
			c.write(bytes.Clone(packet))
			length, room = max(length, len(c.rest)), max(room, cap(c.rest))
		}
	})
	r.closed(SlowReader, 1)
	if length > maxRest || length < maxRest-len(packet) {
		t.Errorf("%d bytes are kept, at most %d may be", length, maxRest)
	}
	if all := room + session.MaxMemory + maxPassed + int(unsafe.Sizeof(conn{})); all > MaxMemory {
		t.Errorf("a connection may take %d bytes, %d are said", all, MaxMemory)
	}
	if rest := r.gate.Stats().Rest; rest != length {
		t.Errorf("%d bytes are reported, %d were kept", rest, length)
	}
}

// TestWhoIsBounded has more players than a client is shown.
func TestWhoIsBounded(t *testing.T) {
	var r roster
	r.init()
	for i := range 100 {
		p := &player{worldLink: new(worldLink), guid: uint64(i + 1), character: frame.Character{Name: fmt.Sprint("P", i)}, kept: &store.Character{}}
		r.number(p)
	}
	if who := r.who(&msg.Who{LevelMax: 100}, &frame.Character{}, false); who.Matches != 100 || len(who.Players) != maxWho {
		t.Errorf("%d match, and %d are shown", who.Matches, len(who.Players))
	}
}
