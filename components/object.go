package components

// Object is what everything in the world has.
//
// Source: OBJECT_FIELD_GUID and following, protocol.md appendix A.
type Object struct {
	GUID    uint64  `v12340:"0x0"`
	Type    uint32  `v12340:"0x2"` // a set of type masks: MaskOfCreature, MaskOfPlayer, …
	Entry   uint32  `v12340:"0x3"` // the template's number; 0 for players
	Scale   float32 `v12340:"0x4"` // 1 is life-size
	Padding uint32  `v12340:"0x5"` // never sent
}
