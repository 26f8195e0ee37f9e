package components

// The high 16 bits of a GUID say what it names.
//
// Source: protocol.md 4.1.
const (
	HighPlayer        uint16 = 0x0000
	HighItem          uint16 = 0x4000
	HighInstance      uint16 = 0x1F42
	HighGroup         uint16 = 0x1F50
	HighMOTransport   uint16 = 0x1FC0
	HighDynamicObject uint16 = 0xF100
	HighCorpse        uint16 = 0xF101
	HighGameObject    uint16 = 0xF110
	HighTransport     uint16 = 0xF120
	HighCreature      uint16 = 0xF130
	HighPet           uint16 = 0xF140
	HighVehicle       uint16 = 0xF150
)

// MaxCounter is the largest counter beside an entry, and the largest entry: they have 24 bits each.
const MaxCounter = 1<<24 - 1

// CreatureGUID is the GUID of a creature. Entry and counter are at most MaxCounter. Some clients recognise their own
// player by the low 32 bits alone, in which a creature whose entry is a multiple of 256 has just its counter: keep
// the counters of creatures above those of players.
//
// Source: protocol.md 3.1.2 and 7.9.
func CreatureGUID(entry, counter uint32) uint64 {
	return uint64(HighCreature)<<48 | uint64(entry&MaxCounter)<<24 | uint64(counter&MaxCounter)
}

// GUIDHigh is the part of a GUID that says what it names.
func GUIDHigh(guid uint64) uint16 { return uint16(guid >> 48) }

// The type ids: what a create block makes.
//
// Source: protocol.md 4.1.
const (
	TypeObject uint8 = iota
	TypeItem
	TypeContainer
	TypeUnit
	TypePlayer
	TypeGameObject
	TypeDynamicObject
	TypeCorpse
)

// The sets of type masks that Object.Type takes.
//
// Source: protocol.md 4.1.
const (
	MaskOfItem          = 0x3
	MaskOfContainer     = 0x7
	MaskOfCreature      = 0x9
	MaskOfPlayer        = 0x19
	MaskOfGameObject    = 0x21
	MaskOfDynamicObject = 0x41
	MaskOfCorpse        = 0x81
)
