package systems

import (
	"bytes"
	"slices"
	"testing"

	"muster/components"
	"muster/components/defs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

// A world with a door that closes after half a second, and one far away.
func doors() *World {
	d := &defs.World{
		GameObjects: []defs.GameObject{{Entry: 7, Type: defs.ObjectDoor, DisplayID: 9, Size: 1, Data: [24]uint32{defs.DoorCloseMs: 500}}},
		Maps: []defs.Map{{Half: 17_000, Objects: []defs.ObjectSpawn{
			{ID: 70, Entry: 7, X: 2, Rotation: [4]float32{3: 1}, State: components.GameObjectReady},
			{ID: 71, Entry: 7, X: 5000, Rotation: [4]float32{3: 1}, State: components.GameObjectReady},
		}}},
	}
	return New(Config{Defs: d, Map: &d.Maps[0]})
}

// The state of a door is in snapshots and in hashes: what comes of a snapshot closes it in the same tick. A game object that
// no observer is near does not exist.
func TestGameObjectsAreRestored(t *testing.T) {
	door := components.GameObjectGUID(7, 0x800000)
	inbox := func(n uint64) []byte {
		var in frame.Inbox
		switch n {
		case 1:
			in.Add(frame.Item{Session: 1, Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, &frame.Character{GUID: 1, Name: "Anna", Race: 1, Class: 1, Level: 1})})
		case 3:
			in.Add(frame.Item{Session: 1, Op: msg.OpGameObjectUse, Body: msg.Append(nil, wire.V12340, &msg.GameObjectUse{GUID: door})})
		}
		in.Seal()
		b, err := in.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	state := func(w *World) uint8 {
		return part[components.GameObject](&court{world: w}, door).Bytes1[components.ByteObjectState]
	}
	one, other := &take{world: doors()}, &take{world: doors()}
	for n := uint64(1); n <= 20; n++ {
		a, sums := one.tick(t, inbox(n))
		want := uint8(components.GameObjectReady)
		if n >= 3 && n < 13 {
			want = components.GameObjectActive
		}
		if got := state(one.world); got != want {
			t.Fatalf("tick %d: the door is in state %d, want %d", n, got, want)
		}
		switch {
		case n == 5:
			b, err := one.world.AppendSnapshot(nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := other.world.Restore(b); err != nil {
				t.Fatal(err)
			}
			other.n = n
		case n > 5:
			b, others := other.tick(t, inbox(n))
			if !bytes.Equal(a, b) || !slices.Equal(sums, others) {
				t.Fatalf("tick %d: the restored world goes on otherwise", n)
			}
		}
	}
	if n := one.world.Awake() + one.world.space.Asleep(); n != 2 {
		t.Errorf("%d entities exist, want the player and one door", n)
	}
}
