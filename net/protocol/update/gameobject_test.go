package update

import (
	"bytes"
	"slices"
	"testing"

	"muster/components"
	"muster/net/protocol/wire"
)

// object is a door at 1, 2, 3 that has turned by a quarter.
func object() (components.Object, components.GameObject, components.Position) {
	return components.Object{GUID: components.GameObjectGUID(0x99, 0x800003), Type: components.MaskOfGameObject, Entry: 0x99, Scale: 1.5},
		components.GameObject{
			DisplayID: 0x1F, Flags: 0x20, ParentRotation: [4]float32{0, 0, 0, 1}, Dynamic: components.GameObjectDynamic, Faction: 35,
			Bytes1: [4]uint8{components.GameObjectReady, 0, 0, 100},
		}, components.Position{X: 1, Y: 2, Z: 3, O: 0.5}
}

// The create block of a game object is that of protocol.md 4.2, which has the flags and the order of the parts, with the fields of
// appendix A.
func TestCreateGameObject(t *testing.T) {
	o, g, at := object()
	l := NewLayout(wire.V12340, GameObject, components.GameObjectParts()...)
	words := Words{components.Words(&o), components.Words(&g)}
	s := Subject{GUID: o.GUID, Words: &words, Position: &at, Rotation: 0xB504F}
	want := unhex(t, "02 CD 03 80 99 10 F1"+ // CREATE_OBJECT, F110 0000 9980 0003 packed
		"05 5003"+ // a game object, flags 0x350
		"00 0000803F 00000040 00004040 0000803F 00000040 00004040 0000003F 00000000"+ // no transport, position twice, orientation, 0
		"03008000"+ // the low guid is the counter
		"4F500B0000000000"+ // the rotation
		"01 1FE30200"+ // one mask word: 0 to 4, 8, 9, 13, 14, 15, 17
		"03008099 000010F1 21000000 99000000 0000C03F"+ // GUID, type, entry, size
		"1F000000 20000000 0000803F 0000FFFF 23000000 01000064")
	if got := l.Create(nil, &s); !bytes.Equal(got, want) {
		t.Errorf("got  % x\nwant % x", got, want)
	}
	blocks, err := parseAll(1, want)
	if err != nil || len(blocks) != 1 {
		t.Fatalf("%d blocks, %v", len(blocks), err)
	}
	if b := blocks[0]; b.TypeID != components.TypeGameObject || b.Rotation != 0xB504F || b.HasMovement || b.Movement.X != 1 || b.Movement.Z != 3 || b.Movement.O != 0.5 {
		t.Errorf("read as %+v", b)
	}
	if s.Appears = true; l.Create(nil, &s)[0] != Create2 {
		t.Error("it does not appear")
	}
}

// What has changed of a game object is a VALUES block with that alone.
func TestGameObjectChanges(t *testing.T) {
	o, g, _ := object()
	l := NewLayout(wire.V12340, GameObject, components.GameObjectParts()...)
	if l.ImageWords() != len(components.GameObjectImage{}) {
		t.Fatalf("an image has %d words", l.ImageWords())
	}
	words, image := Words{components.Words(&o), components.Words(&g)}, make([]uint32, l.ImageWords())
	l.Fill(image, &words)
	g.Bytes1[components.ByteObjectState], g.Flags = components.GameObjectActive, g.Flags|components.GameObjectInUse
	got, changed := l.Delta(nil, o.GUID, &words, components.DirtyGameObject, image)
	want := unhex(t, "00 CD 03 80 99 10 F1 01 00020200 21000000 00000064")
	if !changed || !bytes.Equal(got, want) {
		t.Errorf("got  % x\nwant % x", got, want)
	}
	if !slices.Contains(image, 0x21) {
		t.Error("the image has the old flags")
	}
}
