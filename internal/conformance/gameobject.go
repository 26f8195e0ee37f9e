package conformance

import "muster/net/protocol/update"

// Numbers of the fields of a game object that are checked.
//
// Source: protocol.md appendix A.
const (
	fieldObjectType  = 0x002
	fieldObjectBytes = 0x011
)

// objectMask is the type mask of game objects, and objectTypes how many types of them clients know.
//
// Source: protocol.md 4.1; GameObject::Create, AzerothCore.
const objectMask, objectTypes = 0x21, 36

// checkGameObject checks a block of a game object.
func (c *Client) checkGameObject(b *update.Block) {
	bytes, _ := b.Value(fieldObjectBytes)
	bad := bytes>>8&0xFF >= objectTypes
	if b.Type != update.Values {
		const whole = update.FlagLowGUID | update.FlagRotation
		mask, _ := b.Value(fieldObjectType)
		bad = bad || mask != objectMask || !ofGameObject(b.GUID) || b.UpdateFlags&whole != whole ||
			b.UpdateFlags&(update.FlagPosition|update.FlagStationary) == 0
	}
	if bad {
		c.violation(BadObject, b.GUID)
	}
}

// ofGameObject reports whether a GUID is one of a game object or a transport.
//
// Source: protocol.md 4.1.
func ofGameObject(guid uint64) bool {
	switch guid >> 48 {
	case 0xF110, 0xF120, 0x1FC0:
		return true
	}
	return false
}
