package update

import (
	"reflect"
	"unsafe"

	"muster/components"
	"muster/net/protocol/wire"
)

// A body has every component with update fields. Package components defines which of them a creature
// has, and in which order the components come.
type body struct {
	components.Object
	components.Vitals
	components.Unit
	components.Stance
	components.Target
	components.Stats
	components.PlayerAppearance
	components.VisibleItems
	components.Progress
	components.Carried
}

// The images of a creature and a player have these many words.
const (
	creatureWords = len(components.CreatureImage{})
	playerWords   = len(components.PlayerImage{})
)

func parts(kind Kind) []reflect.Type {
	if kind == Creature {
		return components.CreatureParts()
	}
	return components.PlayerParts()
}

// everything is the mask of all parts.
var everything = uint32(1)<<len(parts(Player)) - 1

func layoutOf(kind Kind) *Layout {
	return NewLayout(wire.V12340, kind, parts(kind)...)
}

// part is a component of b, addressable.
func (b *body) part(c reflect.Type) reflect.Value {
	return reflect.ValueOf(b).Elem().FieldByName(c.Name())
}

func (b *body) words() *Words {
	var w Words
	for i, c := range parts(Player) {
		w[i] = unsafe.Slice((*uint32)(b.part(c).Addr().UnsafePointer()), c.Size()/4)
	}
	return &w
}
