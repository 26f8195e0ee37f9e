package components

import "reflect"

// ItemValues is what a client is told of an item that it owns, beside its Object. It is no component: nobody keeps
// one for longer than it takes to write.
//
// Source: ITEM_FIELD_OWNER and following, protocol.md appendix A.
type ItemValues struct {
	Owner         uint64 `v12340:"0x6"`
	Contained     uint64 `v12340:"0x8"` // the owner, or the bag that it is in
	Count         uint32 `v12340:"0xE"`
	Durability    uint32 `v12340:"0x3C"`
	MaxDurability uint32 `v12340:"0x3D"`
	_             uint32
}

// Container is what it is told of a bag besides.
//
// Source: CONTAINER_FIELD_NUM_SLOTS and following, protocol.md appendix A.
type Container struct {
	Slots uint32 `v12340:"0x40"`
	_     uint32
	GUID  [36]uint64 `v12340:"0x42"` // of what is in it, by slot
}

// ItemParts are what a client is told of an item; the last one of bags alone.
func ItemParts() []reflect.Type {
	return []reflect.Type{reflect.TypeFor[Object](), reflect.TypeFor[ItemValues](), reflect.TypeFor[Container]()}
}
