package components

import (
	"reflect"
	"slices"
	"testing"
	"unsafe"
)

// every component, those with update fields and the others.
func every() []reflect.Type {
	return append(PlayerParts(),
		reflect.TypeFor[Position](), reflect.TypeFor[Speeds](), reflect.TypeFor[Motion](), reflect.TypeFor[Walk](),
		reflect.TypeFor[HomeCell](), reflect.TypeFor[Name](), reflect.TypeFor[Session](), reflect.TypeFor[Dirty](),
		reflect.TypeFor[CreatureImage](), reflect.TypeFor[PlayerImage](),
		reflect.TypeFor[Clock](), reflect.TypeFor[Observer](), reflect.TypeFor[SpawnInfo](), reflect.TypeFor[AIState](), reflect.TypeFor[Formation](), reflect.TypeFor[Sleep](), reflect.TypeFor[StepTimer](), reflect.TypeFor[SpellTimers](), reflect.TypeFor[Errand](), reflect.TypeFor[Route](),
		reflect.TypeFor[PendingMoveAcks](), reflect.TypeFor[MoveValidation](), reflect.TypeFor[MapTransfer](), reflect.TypeFor[Record](), reflect.TypeFor[SavedState](), reflect.TypeFor[Unsaved](), reflect.TypeFor[Logout](), reflect.TypeFor[ChatThrottle](),
		reflect.TypeFor[Attack](), reflect.TypeFor[SwingTimers](), reflect.TypeFor[ThreatState](), reflect.TypeFor[CombatState](), reflect.TypeFor[Tapped](), reflect.TypeFor[UnitAuras](), reflect.TypeFor[VitalsState](), reflect.TypeFor[CombatStats](), reflect.TypeFor[Casting](), reflect.TypeFor[AutoRepeat](), reflect.TypeFor[CastLimits](), reflect.TypeFor[Spellbook](), reflect.TypeFor[Cooldowns](),
		reflect.TypeFor[ThreatList](), reflect.TypeFor[Auras](),
		reflect.TypeFor[Inventory](), reflect.TypeFor[CorpseLoot](), reflect.TypeFor[Loot](), reflect.TypeFor[Looting](), reflect.TypeFor[Buyback](), reflect.TypeFor[Dialog](), reflect.TypeFor[ResurrectOffer](), reflect.TypeFor[Corpse](), reflect.TypeFor[CorpseImage](),
		reflect.TypeFor[GameObject](), reflect.TypeFor[GameObjectImage](), reflect.TypeFor[ObjectState](),
		reflect.TypeFor[ItemValues](), reflect.TypeFor[Container]())
}

func TestFlat(t *testing.T) {
	for _, c := range every() {
		if got := solid(t, c, c.Name()); got != c.Size() {
			t.Errorf("%v: fields take %d bytes of %d: implicit padding", c, got, c.Size())
		}
		if c.Size()%4 != 0 {
			t.Errorf("%v: %d bytes are not whole words", c, c.Size())
		}
	}
}

// solid is the size of what a type is made of. It fails the test if part of it is a pointer.
func solid(t *testing.T, of reflect.Type, path string) (size uintptr) {
	switch of.Kind() {
	case reflect.Struct:
		for f := range of.Fields() {
			size += solid(t, f.Type, path+"."+f.Name)
		}
		return size
	case reflect.Array:
		return uintptr(of.Len()) * solid(t, of.Elem(), path+"[]")
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Int32, reflect.Float32:
		return of.Size()
	}
	t.Errorf("%s is a %v", path, of)
	return of.Size()
}

func TestWords(t *testing.T) {
	o := Object{GUID: 0x0807060504030201, Type: MaskOfPlayer, Entry: 7, Scale: 1}
	w := Words(&o)
	if want := []uint32{0x04030201, 0x08070605, 0x19, 7, 0x3F800000, 0}; !slices.Equal(w, want) {
		t.Errorf("words of an object are %#x, want %#x", w, want)
	}
	w[3] = 9
	if o.Entry != 9 {
		t.Error("Words made a copy")
	}
	u := Unit{Bytes0: [4]uint8{ByteRace: 1, ByteClass: 2, ByteGender: 3, BytePower: 4}}
	if got := Words(&u)[0]; got != 0x04030201 {
		t.Errorf("Bytes0 is %#x", got)
	}
	if got, want := len(Words(&u)), int(unsafe.Sizeof(u)/4); got != want {
		t.Errorf("a unit has %d words, want %d", got, want)
	}
}

func TestName(t *testing.T) {
	var n Name
	if !n.Set("Fifteenletters!") || n.String() != "Fifteenletters!" {
		t.Errorf("name is %q", n.String())
	}
	if n.Set("Sixteen letters!") || n.String() != "Fifteenletters!" {
		t.Errorf("after a long name it is %q", n.String())
	}
	if !n.Set("Ab") || n != (Name{2, [15]uint8{'A', 'b'}}) {
		t.Errorf("a short name leaves %v", n)
	}
}

func TestGUID(t *testing.T) {
	for _, c := range []struct {
		guid uint64
		want uint64
		high uint16
	}{
		{8, 0x8, HighPlayer},
		{CreatureGUID(0x1234, 0xABCDEF), 0xF130001234ABCDEF, HighCreature},
		{CreatureGUID(MaxCounter, MaxCounter), 0xF130FFFFFFFFFFFF, HighCreature},
	} {
		if c.guid != c.want || GUIDHigh(c.guid) != c.high {
			t.Errorf("%#x: high %#x, want %+v", c.guid, GUIDHigh(c.guid), c)
		}
	}
}
