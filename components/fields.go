package components

// A Field is one update field of build 12340: one or more 32-bit words that belong together.
type Field struct {
	Number   uint16 // of the first word
	Size     uint16 // words
	Type     FieldType
	Audience Audience
	Name     string
}

// A FieldType is how the words of a field are to be read.
type FieldType uint8

// The field types.
//
// Source: enum UpdateFieldType, UpdateFieldFlags.h, AzerothCore.
const (
	Int      FieldType = iota + 1
	TwoShort           // two numbers of 16 bits in each word
	Float
	Long // two words, low first
	Bytes
)

// An Audience is a set of those that may see a field; NoAudience if it is never sent.
type Audience uint16

// The audiences.
//
// Source: protocol.md 4.6.
const (
	NoAudience  Audience = 0
	Public      Audience = 0x1  // all
	Private     Audience = 0x2  // the player itself
	Owner       Audience = 0x4  // the owner of a pet, game object, dynamic object or corpse
	ItemOwner   Audience = 0x10 // the owner of an item
	SpecialInfo Audience = 0x20 // a hunter that has studied the beast
	PartyMember Audience = 0x40
	Dynamic     Audience = 0x100 // all, but the value may depend on the viewer
)

// Fields lists the fields that a type id adds to those it inherits, in order and without gaps. The
// list is shared: do not change it.
func Fields(typeID uint8) []Field {
	if int(typeID) >= len(fields) {
		return nil
	}
	return fields[typeID]
}

// Inherits is the type id whose fields precede those of a type id.
func Inherits(typeID uint8) (parent uint8, ok bool) {
	switch typeID {
	case TypeObject:
		return 0, false
	case TypeContainer:
		return TypeItem, true
	case TypePlayer:
		return TypeUnit, true
	}
	return TypeObject, true
}

// End is the number after the last field of a type id; 0 if there is no such type.
func End(typeID uint8) uint16 {
	list := Fields(typeID)
	if list == nil {
		return 0
	}
	last := list[len(list)-1]
	return last.Number + last.Size
}

// FieldAt is the field that holds a word of an object of a type id, nil if there is none.
func FieldAt(typeID uint8, number uint16) *Field {
	for {
		list := Fields(typeID)
		for i := range list {
			if f := &list[i]; number >= f.Number && number < f.Number+f.Size {
				return f
			}
		}
		parent, ok := Inherits(typeID)
		if !ok {
			return nil
		}
		typeID = parent
	}
}

// fields is indexed by type id. The numbers are facts of the client; TestTable compares them with the
// table in protocol.md, appendix A, which leaves out the middle of the long repetitions.
//
// Source: UpdateFields.h and UpdateFieldFlags.cpp, AzerothCore; protocol.md appendix A.
var fields = [...][]Field{
	TypeObject: objectFields, TypeItem: itemFields, TypeContainer: containerFields, TypeUnit: unitFields,
	TypePlayer: playerFields, TypeGameObject: gameObjectFields, TypeDynamicObject: dynamicObjectFields,
	TypeCorpse: corpseFields,
}

var objectFields = []Field{
	{0x000, 2, Long, Public, "OBJECT_FIELD_GUID"},
	{0x002, 1, Int, Public, "OBJECT_FIELD_TYPE"},
	{0x003, 1, Int, Public, "OBJECT_FIELD_ENTRY"},
	{0x004, 1, Float, Public, "OBJECT_FIELD_SCALE_X"},
	{0x005, 1, Int, NoAudience, "OBJECT_FIELD_PADDING"},
}

var itemFields = []Field{
	{0x006, 2, Long, Public, "ITEM_FIELD_OWNER"},
	{0x008, 2, Long, Public, "ITEM_FIELD_CONTAINED"},
	{0x00A, 2, Long, Public, "ITEM_FIELD_CREATOR"},
	{0x00C, 2, Long, Public, "ITEM_FIELD_GIFTCREATOR"},
	{0x00E, 1, Int, Owner | ItemOwner, "ITEM_FIELD_STACK_COUNT"},
	{0x00F, 1, Int, Owner | ItemOwner, "ITEM_FIELD_DURATION"},
	{0x010, 5, Int, Owner | ItemOwner, "ITEM_FIELD_SPELL_CHARGES"},
	{0x015, 1, Int, Public, "ITEM_FIELD_FLAGS"},
	{0x016, 2, Int, Public, "ITEM_FIELD_ENCHANTMENT_1_1"},
	{0x018, 1, TwoShort, Public, "ITEM_FIELD_ENCHANTMENT_1_3"},
	{0x019, 2, Int, Public, "ITEM_FIELD_ENCHANTMENT_2_1"},
	{0x01B, 1, TwoShort, Public, "ITEM_FIELD_ENCHANTMENT_2_3"},
	{0x01C, 2, Int, Public, "ITEM_FIELD_ENCHANTMENT_3_1"},
	{0x01E, 1, TwoShort, Public, "ITEM_FIELD_ENCHANTMENT_3_3"},
	{0x01F, 2, Int, Public, "ITEM_FIELD_ENCHANTMENT_4_1"},
	{0x021, 1, TwoShort, Public, "ITEM_FIELD_ENCHANTMENT_4_3"},
	{0x022, 2, Int, Public, "ITEM_FIELD_ENCHANTMENT_5_1"},
	{0x024, 1, TwoShort, Public, "ITEM_FIELD_ENCHANTMENT_5_3"},
	{0x025, 2, Int, Public, "ITEM_FIELD_ENCHANTMENT_6_1"},
	{0x027, 1, TwoShort, Public, "ITEM_FIELD_ENCHANTMENT_6_3"},
	{0x028, 2, Int, Public, "ITEM_FIELD_ENCHANTMENT_7_1"},
	{0x02A, 1, TwoShort, Public, "ITEM_FIELD_ENCHANTMENT_7_3"},
	{0x02B, 2, Int, Public, "ITEM_FIELD_ENCHANTMENT_8_1"},
	{0x02D, 1, TwoShort, Public, "ITEM_FIELD_ENCHANTMENT_8_3"},
	{0x02E, 2, Int, Public, "ITEM_FIELD_ENCHANTMENT_9_1"},
	{0x030, 1, TwoShort, Public, "ITEM_FIELD_ENCHANTMENT_9_3"},
	{0x031, 2, Int, Public, "ITEM_FIELD_ENCHANTMENT_10_1"},
	{0x033, 1, TwoShort, Public, "ITEM_FIELD_ENCHANTMENT_10_3"},
	{0x034, 2, Int, Public, "ITEM_FIELD_ENCHANTMENT_11_1"},
	{0x036, 1, TwoShort, Public, "ITEM_FIELD_ENCHANTMENT_11_3"},
	{0x037, 2, Int, Public, "ITEM_FIELD_ENCHANTMENT_12_1"},
	{0x039, 1, TwoShort, Public, "ITEM_FIELD_ENCHANTMENT_12_3"},
	{0x03A, 1, Int, Public, "ITEM_FIELD_PROPERTY_SEED"},
	{0x03B, 1, Int, Public, "ITEM_FIELD_RANDOM_PROPERTIES_ID"},
	{0x03C, 1, Int, Owner | ItemOwner, "ITEM_FIELD_DURABILITY"},
	{0x03D, 1, Int, Owner | ItemOwner, "ITEM_FIELD_MAXDURABILITY"},
	{0x03E, 1, Int, Public, "ITEM_FIELD_CREATE_PLAYED_TIME"},
	{0x03F, 1, Int, NoAudience, "ITEM_FIELD_PAD"},
}

var containerFields = []Field{
	{0x040, 1, Int, Public, "CONTAINER_FIELD_NUM_SLOTS"},
	{0x041, 1, Bytes, NoAudience, "CONTAINER_ALIGN_PAD"},
	{0x042, 72, Long, Public, "CONTAINER_FIELD_SLOT_1"},
}

var unitFields = []Field{
	{0x006, 2, Long, Public, "UNIT_FIELD_CHARM"},
	{0x008, 2, Long, Public, "UNIT_FIELD_SUMMON"},
	{0x00A, 2, Long, Private, "UNIT_FIELD_CRITTER"},
	{0x00C, 2, Long, Public, "UNIT_FIELD_CHARMEDBY"},
	{0x00E, 2, Long, Public, "UNIT_FIELD_SUMMONEDBY"},
	{0x010, 2, Long, Public, "UNIT_FIELD_CREATEDBY"},
	{0x012, 2, Long, Public, "UNIT_FIELD_TARGET"},
	{0x014, 2, Long, Public, "UNIT_FIELD_CHANNEL_OBJECT"},
	{0x016, 1, Int, Public, "UNIT_CHANNEL_SPELL"},
	{0x017, 1, Bytes, Public, "UNIT_FIELD_BYTES_0"},
	{0x018, 1, Int, Public, "UNIT_FIELD_HEALTH"},
	{0x019, 1, Int, Public, "UNIT_FIELD_POWER1"},
	{0x01A, 1, Int, Public, "UNIT_FIELD_POWER2"},
	{0x01B, 1, Int, Public, "UNIT_FIELD_POWER3"},
	{0x01C, 1, Int, Public, "UNIT_FIELD_POWER4"},
	{0x01D, 1, Int, Public, "UNIT_FIELD_POWER5"},
	{0x01E, 1, Int, Public, "UNIT_FIELD_POWER6"},
	{0x01F, 1, Int, Public, "UNIT_FIELD_POWER7"},
	{0x020, 1, Int, Public, "UNIT_FIELD_MAXHEALTH"},
	{0x021, 1, Int, Public, "UNIT_FIELD_MAXPOWER1"},
	{0x022, 1, Int, Public, "UNIT_FIELD_MAXPOWER2"},
	{0x023, 1, Int, Public, "UNIT_FIELD_MAXPOWER3"},
	{0x024, 1, Int, Public, "UNIT_FIELD_MAXPOWER4"},
	{0x025, 1, Int, Public, "UNIT_FIELD_MAXPOWER5"},
	{0x026, 1, Int, Public, "UNIT_FIELD_MAXPOWER6"},
	{0x027, 1, Int, Public, "UNIT_FIELD_MAXPOWER7"},
	{0x028, 7, Float, Private | Owner, "UNIT_FIELD_POWER_REGEN_FLAT_MODIFIER"},
	{0x02F, 7, Float, Private | Owner, "UNIT_FIELD_POWER_REGEN_INTERRUPTED_FLAT_MODIFIER"},
	{0x036, 1, Int, Public, "UNIT_FIELD_LEVEL"},
	{0x037, 1, Int, Public, "UNIT_FIELD_FACTIONTEMPLATE"},
	{0x038, 3, Int, Public, "UNIT_VIRTUAL_ITEM_SLOT_ID"},
	{0x03B, 1, Int, Public, "UNIT_FIELD_FLAGS"},
	{0x03C, 1, Int, Public, "UNIT_FIELD_FLAGS_2"},
	{0x03D, 1, Int, Public, "UNIT_FIELD_AURASTATE"},
	{0x03E, 2, Int, Public, "UNIT_FIELD_BASEATTACKTIME"},
	{0x040, 1, Int, Private, "UNIT_FIELD_RANGEDATTACKTIME"},
	{0x041, 1, Float, Public, "UNIT_FIELD_BOUNDINGRADIUS"},
	{0x042, 1, Float, Public, "UNIT_FIELD_COMBATREACH"},
	{0x043, 1, Int, Public, "UNIT_FIELD_DISPLAYID"},
	{0x044, 1, Int, Public, "UNIT_FIELD_NATIVEDISPLAYID"},
	{0x045, 1, Int, Public, "UNIT_FIELD_MOUNTDISPLAYID"},
	{0x046, 1, Float, Private | Owner | SpecialInfo, "UNIT_FIELD_MINDAMAGE"},
	{0x047, 1, Float, Private | Owner | SpecialInfo, "UNIT_FIELD_MAXDAMAGE"},
	{0x048, 1, Float, Private | Owner | SpecialInfo, "UNIT_FIELD_MINOFFHANDDAMAGE"},
	{0x049, 1, Float, Private | Owner | SpecialInfo, "UNIT_FIELD_MAXOFFHANDDAMAGE"},
	{0x04A, 1, Bytes, Public, "UNIT_FIELD_BYTES_1"},
	{0x04B, 1, Int, Public, "UNIT_FIELD_PETNUMBER"},
	{0x04C, 1, Int, Public, "UNIT_FIELD_PET_NAME_TIMESTAMP"},
	{0x04D, 1, Int, Owner, "UNIT_FIELD_PETEXPERIENCE"},
	{0x04E, 1, Int, Owner, "UNIT_FIELD_PETNEXTLEVELEXP"},
	{0x04F, 1, Int, Dynamic, "UNIT_DYNAMIC_FLAGS"},
	{0x050, 1, Float, Public, "UNIT_MOD_CAST_SPEED"},
	{0x051, 1, Int, Public, "UNIT_CREATED_BY_SPELL"},
	{0x052, 1, Int, Dynamic, "UNIT_NPC_FLAGS"},
	{0x053, 1, Int, Public, "UNIT_NPC_EMOTESTATE"},
	{0x054, 1, Int, Private | Owner, "UNIT_FIELD_STAT0"},
	{0x055, 1, Int, Private | Owner, "UNIT_FIELD_STAT1"},
	{0x056, 1, Int, Private | Owner, "UNIT_FIELD_STAT2"},
	{0x057, 1, Int, Private | Owner, "UNIT_FIELD_STAT3"},
	{0x058, 1, Int, Private | Owner, "UNIT_FIELD_STAT4"},
	{0x059, 1, Int, Private | Owner, "UNIT_FIELD_POSSTAT0"},
	{0x05A, 1, Int, Private | Owner, "UNIT_FIELD_POSSTAT1"},
	{0x05B, 1, Int, Private | Owner, "UNIT_FIELD_POSSTAT2"},
	{0x05C, 1, Int, Private | Owner, "UNIT_FIELD_POSSTAT3"},
	{0x05D, 1, Int, Private | Owner, "UNIT_FIELD_POSSTAT4"},
	{0x05E, 1, Int, Private | Owner, "UNIT_FIELD_NEGSTAT0"},
	{0x05F, 1, Int, Private | Owner, "UNIT_FIELD_NEGSTAT1"},
	{0x060, 1, Int, Private | Owner, "UNIT_FIELD_NEGSTAT2"},
	{0x061, 1, Int, Private | Owner, "UNIT_FIELD_NEGSTAT3"},
	{0x062, 1, Int, Private | Owner, "UNIT_FIELD_NEGSTAT4"},
	{0x063, 7, Int, Private | Owner | SpecialInfo, "UNIT_FIELD_RESISTANCES"},
	{0x06A, 7, Int, Private | Owner, "UNIT_FIELD_RESISTANCEBUFFMODSPOSITIVE"},
	{0x071, 7, Int, Private | Owner, "UNIT_FIELD_RESISTANCEBUFFMODSNEGATIVE"},
	{0x078, 1, Int, Public, "UNIT_FIELD_BASE_MANA"},
	{0x079, 1, Int, Private | Owner, "UNIT_FIELD_BASE_HEALTH"},
	{0x07A, 1, Bytes, Public, "UNIT_FIELD_BYTES_2"},
	{0x07B, 1, Int, Private | Owner, "UNIT_FIELD_ATTACK_POWER"},
	{0x07C, 1, TwoShort, Private | Owner, "UNIT_FIELD_ATTACK_POWER_MODS"},
	{0x07D, 1, Float, Private | Owner, "UNIT_FIELD_ATTACK_POWER_MULTIPLIER"},
	{0x07E, 1, Int, Private | Owner, "UNIT_FIELD_RANGED_ATTACK_POWER"},
	{0x07F, 1, TwoShort, Private | Owner, "UNIT_FIELD_RANGED_ATTACK_POWER_MODS"},
	{0x080, 1, Float, Private | Owner, "UNIT_FIELD_RANGED_ATTACK_POWER_MULTIPLIER"},
	{0x081, 1, Float, Private | Owner, "UNIT_FIELD_MINRANGEDDAMAGE"},
	{0x082, 1, Float, Private | Owner, "UNIT_FIELD_MAXRANGEDDAMAGE"},
	{0x083, 7, Int, Private | Owner, "UNIT_FIELD_POWER_COST_MODIFIER"},
	{0x08A, 7, Float, Private | Owner, "UNIT_FIELD_POWER_COST_MULTIPLIER"},
	{0x091, 1, Float, Private | Owner, "UNIT_FIELD_MAXHEALTHMODIFIER"},
	{0x092, 1, Float, Public, "UNIT_FIELD_HOVERHEIGHT"},
	{0x093, 1, Int, NoAudience, "UNIT_FIELD_PADDING"},
}

var playerFields = []Field{
	{0x094, 2, Long, Public, "PLAYER_DUEL_ARBITER"},
	{0x096, 1, Int, Public, "PLAYER_FLAGS"},
	{0x097, 1, Int, Public, "PLAYER_GUILDID"},
	{0x098, 1, Int, Public, "PLAYER_GUILDRANK"},
	{0x099, 1, Bytes, Public, "PLAYER_BYTES"},
	{0x09A, 1, Bytes, Public, "PLAYER_BYTES_2"},
	{0x09B, 1, Bytes, Public, "PLAYER_BYTES_3"},
	{0x09C, 1, Int, Public, "PLAYER_DUEL_TEAM"},
	{0x09D, 1, Int, Public, "PLAYER_GUILD_TIMESTAMP"},
	{0x09E, 1, Int, PartyMember, "PLAYER_QUEST_LOG_1_1"},
	{0x09F, 1, Int, Private, "PLAYER_QUEST_LOG_1_2"},
	{0x0A0, 2, TwoShort, Private, "PLAYER_QUEST_LOG_1_3"},
	{0x0A2, 1, Int, Private, "PLAYER_QUEST_LOG_1_4"},
	{0x0A3, 1, Int, PartyMember, "PLAYER_QUEST_LOG_2_1"},
	{0x0A4, 1, Int, Private, "PLAYER_QUEST_LOG_2_2"},
	{0x0A5, 2, TwoShort, Private, "PLAYER_QUEST_LOG_2_3"},
	{0x0A7, 1, Int, Private, "PLAYER_QUEST_LOG_2_5"},
	{0x0A8, 1, Int, PartyMember, "PLAYER_QUEST_LOG_3_1"},
	{0x0A9, 1, Int, Private, "PLAYER_QUEST_LOG_3_2"},
	{0x0AA, 2, TwoShort, Private, "PLAYER_QUEST_LOG_3_3"},
	{0x0AC, 1, Int, Private, "PLAYER_QUEST_LOG_3_5"},
	{0x0AD, 1, Int, PartyMember, "PLAYER_QUEST_LOG_4_1"},
	{0x0AE, 1, Int, Private, "PLAYER_QUEST_LOG_4_2"},
	{0x0AF, 2, TwoShort, Private, "PLAYER_QUEST_LOG_4_3"},
	{0x0B1, 1, Int, Private, "PLAYER_QUEST_LOG_4_5"},
	{0x0B2, 1, Int, PartyMember, "PLAYER_QUEST_LOG_5_1"},
	{0x0B3, 1, Int, Private, "PLAYER_QUEST_LOG_5_2"},
	{0x0B4, 2, TwoShort, Private, "PLAYER_QUEST_LOG_5_3"},
	{0x0B6, 1, Int, Private, "PLAYER_QUEST_LOG_5_5"},
	{0x0B7, 1, Int, PartyMember, "PLAYER_QUEST_LOG_6_1"},
	{0x0B8, 1, Int, Private, "PLAYER_QUEST_LOG_6_2"},
	{0x0B9, 2, TwoShort, Private, "PLAYER_QUEST_LOG_6_3"},
	{0x0BB, 1, Int, Private, "PLAYER_QUEST_LOG_6_5"},
	{0x0BC, 1, Int, PartyMember, "PLAYER_QUEST_LOG_7_1"},
	{0x0BD, 1, Int, Private, "PLAYER_QUEST_LOG_7_2"},
	{0x0BE, 2, TwoShort, Private, "PLAYER_QUEST_LOG_7_3"},
	{0x0C0, 1, Int, Private, "PLAYER_QUEST_LOG_7_5"},
	{0x0C1, 1, Int, PartyMember, "PLAYER_QUEST_LOG_8_1"},
	{0x0C2, 1, Int, Private, "PLAYER_QUEST_LOG_8_2"},
	{0x0C3, 2, TwoShort, Private, "PLAYER_QUEST_LOG_8_3"},
	{0x0C5, 1, Int, Private, "PLAYER_QUEST_LOG_8_5"},
	{0x0C6, 1, Int, PartyMember, "PLAYER_QUEST_LOG_9_1"},
	{0x0C7, 1, Int, Private, "PLAYER_QUEST_LOG_9_2"},
	{0x0C8, 2, TwoShort, Private, "PLAYER_QUEST_LOG_9_3"},
	{0x0CA, 1, Int, Private, "PLAYER_QUEST_LOG_9_5"},
	{0x0CB, 1, Int, PartyMember, "PLAYER_QUEST_LOG_10_1"},
	{0x0CC, 1, Int, Private, "PLAYER_QUEST_LOG_10_2"},
	{0x0CD, 2, TwoShort, Private, "PLAYER_QUEST_LOG_10_3"},
	{0x0CF, 1, Int, Private, "PLAYER_QUEST_LOG_10_5"},
	{0x0D0, 1, Int, PartyMember, "PLAYER_QUEST_LOG_11_1"},
	{0x0D1, 1, Int, Private, "PLAYER_QUEST_LOG_11_2"},
	{0x0D2, 2, TwoShort, Private, "PLAYER_QUEST_LOG_11_3"},
	{0x0D4, 1, Int, Private, "PLAYER_QUEST_LOG_11_5"},
	{0x0D5, 1, Int, PartyMember, "PLAYER_QUEST_LOG_12_1"},
	{0x0D6, 1, Int, Private, "PLAYER_QUEST_LOG_12_2"},
	{0x0D7, 2, TwoShort, Private, "PLAYER_QUEST_LOG_12_3"},
	{0x0D9, 1, Int, Private, "PLAYER_QUEST_LOG_12_5"},
	{0x0DA, 1, Int, PartyMember, "PLAYER_QUEST_LOG_13_1"},
	{0x0DB, 1, Int, Private, "PLAYER_QUEST_LOG_13_2"},
	{0x0DC, 2, TwoShort, Private, "PLAYER_QUEST_LOG_13_3"},
	{0x0DE, 1, Int, Private, "PLAYER_QUEST_LOG_13_5"},
	{0x0DF, 1, Int, PartyMember, "PLAYER_QUEST_LOG_14_1"},
	{0x0E0, 1, Int, Private, "PLAYER_QUEST_LOG_14_2"},
	{0x0E1, 2, TwoShort, Private, "PLAYER_QUEST_LOG_14_3"},
	{0x0E3, 1, Int, Private, "PLAYER_QUEST_LOG_14_5"},
	{0x0E4, 1, Int, PartyMember, "PLAYER_QUEST_LOG_15_1"},
	{0x0E5, 1, Int, Private, "PLAYER_QUEST_LOG_15_2"},
	{0x0E6, 2, TwoShort, Private, "PLAYER_QUEST_LOG_15_3"},
	{0x0E8, 1, Int, Private, "PLAYER_QUEST_LOG_15_5"},
	{0x0E9, 1, Int, PartyMember, "PLAYER_QUEST_LOG_16_1"},
	{0x0EA, 1, Int, Private, "PLAYER_QUEST_LOG_16_2"},
	{0x0EB, 2, TwoShort, Private, "PLAYER_QUEST_LOG_16_3"},
	{0x0ED, 1, Int, Private, "PLAYER_QUEST_LOG_16_5"},
	{0x0EE, 1, Int, PartyMember, "PLAYER_QUEST_LOG_17_1"},
	{0x0EF, 1, Int, Private, "PLAYER_QUEST_LOG_17_2"},
	{0x0F0, 2, TwoShort, Private, "PLAYER_QUEST_LOG_17_3"},
	{0x0F2, 1, Int, Private, "PLAYER_QUEST_LOG_17_5"},
	{0x0F3, 1, Int, PartyMember, "PLAYER_QUEST_LOG_18_1"},
	{0x0F4, 1, Int, Private, "PLAYER_QUEST_LOG_18_2"},
	{0x0F5, 2, TwoShort, Private, "PLAYER_QUEST_LOG_18_3"},
	{0x0F7, 1, Int, Private, "PLAYER_QUEST_LOG_18_5"},
	{0x0F8, 1, Int, PartyMember, "PLAYER_QUEST_LOG_19_1"},
	{0x0F9, 1, Int, Private, "PLAYER_QUEST_LOG_19_2"},
	{0x0FA, 2, TwoShort, Private, "PLAYER_QUEST_LOG_19_3"},
	{0x0FC, 1, Int, Private, "PLAYER_QUEST_LOG_19_5"},
	{0x0FD, 1, Int, PartyMember, "PLAYER_QUEST_LOG_20_1"},
	{0x0FE, 1, Int, Private, "PLAYER_QUEST_LOG_20_2"},
	{0x0FF, 2, TwoShort, Private, "PLAYER_QUEST_LOG_20_3"},
	{0x101, 1, Int, Private, "PLAYER_QUEST_LOG_20_5"},
	{0x102, 1, Int, PartyMember, "PLAYER_QUEST_LOG_21_1"},
	{0x103, 1, Int, Private, "PLAYER_QUEST_LOG_21_2"},
	{0x104, 2, TwoShort, Private, "PLAYER_QUEST_LOG_21_3"},
	{0x106, 1, Int, Private, "PLAYER_QUEST_LOG_21_5"},
	{0x107, 1, Int, PartyMember, "PLAYER_QUEST_LOG_22_1"},
	{0x108, 1, Int, Private, "PLAYER_QUEST_LOG_22_2"},
	{0x109, 2, TwoShort, Private, "PLAYER_QUEST_LOG_22_3"},
	{0x10B, 1, Int, Private, "PLAYER_QUEST_LOG_22_5"},
	{0x10C, 1, Int, PartyMember, "PLAYER_QUEST_LOG_23_1"},
	{0x10D, 1, Int, Private, "PLAYER_QUEST_LOG_23_2"},
	{0x10E, 2, TwoShort, Private, "PLAYER_QUEST_LOG_23_3"},
	{0x110, 1, Int, Private, "PLAYER_QUEST_LOG_23_5"},
	{0x111, 1, Int, PartyMember, "PLAYER_QUEST_LOG_24_1"},
	{0x112, 1, Int, Private, "PLAYER_QUEST_LOG_24_2"},
	{0x113, 2, TwoShort, Private, "PLAYER_QUEST_LOG_24_3"},
	{0x115, 1, Int, Private, "PLAYER_QUEST_LOG_24_5"},
	{0x116, 1, Int, PartyMember, "PLAYER_QUEST_LOG_25_1"},
	{0x117, 1, Int, Private, "PLAYER_QUEST_LOG_25_2"},
	{0x118, 2, TwoShort, Private, "PLAYER_QUEST_LOG_25_3"},
	{0x11A, 1, Int, Private, "PLAYER_QUEST_LOG_25_5"},
	{0x11B, 1, Int, Public, "PLAYER_VISIBLE_ITEM_1_ENTRYID"},
	{0x11C, 1, TwoShort, Public, "PLAYER_VISIBLE_ITEM_1_ENCHANTMENT"},
	{0x11D, 1, Int, Public, "PLAYER_VISIBLE_ITEM_2_ENTRYID"},
	{0x11E, 1, TwoShort, Public, "PLAYER_VISIBLE_ITEM_2_ENCHANTMENT"},
	{0x11F, 1, Int, Public, "PLAYER_VISIBLE_ITEM_3_ENTRYID"},
	{0x120, 1, TwoShort, Public, "PLAYER_VISIBLE_ITEM_3_ENCHANTMENT"},
	{0x121, 1, Int, Public, "PLAYER_VISIBLE_ITEM_4_ENTRYID"},
	{0x122, 1, TwoShort, Public, "PLAYER_VISIBLE_ITEM_4_ENCHANTMENT"},
	{0x123, 1, Int, Public, "PLAYER_VISIBLE_ITEM_5_ENTRYID"},
	{0x124, 1, TwoShort, Public, "PLAYER_VISIBLE_ITEM_5_ENCHANTMENT"},
	{0x125, 1, Int, Public, "PLAYER_VISIBLE_ITEM_6_ENTRYID"},
	{0x126, 1, TwoShort, Public, "PLAYER_VISIBLE_ITEM_6_ENCHANTMENT"},
	{0x127, 1, Int, Public, "PLAYER_VISIBLE_ITEM_7_ENTRYID"},
	{0x128, 1, TwoShort, Public, "PLAYER_VISIBLE_ITEM_7_ENCHANTMENT"},
	{0x129, 1, Int, Public, "PLAYER_VISIBLE_ITEM_8_ENTRYID"},
	{0x12A, 1, TwoShort, Public, "PLAYER_VISIBLE_ITEM_8_ENCHANTMENT"},
	{0x12B, 1, Int, Public, "PLAYER_VISIBLE_ITEM_9_ENTRYID"},
	{0x12C, 1, TwoShort, Public, "PLAYER_VISIBLE_ITEM_9_ENCHANTMENT"},
	{0x12D, 1, Int, Public, "PLAYER_VISIBLE_ITEM_10_ENTRYID"},
	{0x12E, 1, TwoShort, Public, "PLAYER_VISIBLE_ITEM_10_ENCHANTMENT"},
	{0x12F, 1, Int, Public, "PLAYER_VISIBLE_ITEM_11_ENTRYID"},
	{0x130, 1, TwoShort, Public, "PLAYER_VISIBLE_ITEM_11_ENCHANTMENT"},
	{0x131, 1, Int, Public, "PLAYER_VISIBLE_ITEM_12_ENTRYID"},
	{0x132, 1, TwoShort, Public, "PLAYER_VISIBLE_ITEM_12_ENCHANTMENT"},
	{0x133, 1, Int, Public, "PLAYER_VISIBLE_ITEM_13_ENTRYID"},
	{0x134, 1, TwoShort, Public, "PLAYER_VISIBLE_ITEM_13_ENCHANTMENT"},
	{0x135, 1, Int, Public, "PLAYER_VISIBLE_ITEM_14_ENTRYID"},
	{0x136, 1, TwoShort, Public, "PLAYER_VISIBLE_ITEM_14_ENCHANTMENT"},
	{0x137, 1, Int, Public, "PLAYER_VISIBLE_ITEM_15_ENTRYID"},
	{0x138, 1, TwoShort, Public, "PLAYER_VISIBLE_ITEM_15_ENCHANTMENT"},
	{0x139, 1, Int, Public, "PLAYER_VISIBLE_ITEM_16_ENTRYID"},
	{0x13A, 1, TwoShort, Public, "PLAYER_VISIBLE_ITEM_16_ENCHANTMENT"},
	{0x13B, 1, Int, Public, "PLAYER_VISIBLE_ITEM_17_ENTRYID"},
	{0x13C, 1, TwoShort, Public, "PLAYER_VISIBLE_ITEM_17_ENCHANTMENT"},
	{0x13D, 1, Int, Public, "PLAYER_VISIBLE_ITEM_18_ENTRYID"},
	{0x13E, 1, TwoShort, Public, "PLAYER_VISIBLE_ITEM_18_ENCHANTMENT"},
	{0x13F, 1, Int, Public, "PLAYER_VISIBLE_ITEM_19_ENTRYID"},
	{0x140, 1, TwoShort, Public, "PLAYER_VISIBLE_ITEM_19_ENCHANTMENT"},
	{0x141, 1, Int, Public, "PLAYER_CHOSEN_TITLE"},
	{0x142, 1, Int, Public, "PLAYER_FAKE_INEBRIATION"},
	{0x143, 1, Int, NoAudience, "PLAYER_FIELD_PAD_0"},
	{0x144, 46, Long, Private, "PLAYER_FIELD_INV_SLOT_HEAD"},
	{0x172, 32, Long, Private, "PLAYER_FIELD_PACK_SLOT_1"},
	{0x192, 56, Long, Private, "PLAYER_FIELD_BANK_SLOT_1"},
	{0x1CA, 14, Long, Private, "PLAYER_FIELD_BANKBAG_SLOT_1"},
	{0x1D8, 24, Long, Private, "PLAYER_FIELD_VENDORBUYBACK_SLOT_1"},
	{0x1F0, 64, Long, Private, "PLAYER_FIELD_KEYRING_SLOT_1"},
	{0x230, 64, Long, Private, "PLAYER_FIELD_CURRENCYTOKEN_SLOT_1"},
	{0x270, 2, Long, Private, "PLAYER_FARSIGHT"},
	{0x272, 2, Long, Private, "PLAYER_FIELD_KNOWN_TITLES"},
	{0x274, 2, Long, Private, "PLAYER_FIELD_KNOWN_TITLES1"},
	{0x276, 2, Long, Private, "PLAYER_FIELD_KNOWN_TITLES2"},
	{0x278, 2, Long, Private, "PLAYER_FIELD_KNOWN_CURRENCIES"},
	{0x27A, 1, Int, Private, "PLAYER_XP"},
	{0x27B, 1, Int, Private, "PLAYER_NEXT_LEVEL_XP"},
	{0x27C, 384, TwoShort, Private, "PLAYER_SKILL_INFO_1_1"},
	{0x3FC, 1, Int, Private, "PLAYER_CHARACTER_POINTS1"},
	{0x3FD, 1, Int, Private, "PLAYER_CHARACTER_POINTS2"},
	{0x3FE, 1, Int, Private, "PLAYER_TRACK_CREATURES"},
	{0x3FF, 1, Int, Private, "PLAYER_TRACK_RESOURCES"},
	{0x400, 1, Float, Private, "PLAYER_BLOCK_PERCENTAGE"},
	{0x401, 1, Float, Private, "PLAYER_DODGE_PERCENTAGE"},
	{0x402, 1, Float, Private, "PLAYER_PARRY_PERCENTAGE"},
	{0x403, 1, Int, Private, "PLAYER_EXPERTISE"},
	{0x404, 1, Int, Private, "PLAYER_OFFHAND_EXPERTISE"},
	{0x405, 1, Float, Private, "PLAYER_CRIT_PERCENTAGE"},
	{0x406, 1, Float, Private, "PLAYER_RANGED_CRIT_PERCENTAGE"},
	{0x407, 1, Float, Private, "PLAYER_OFFHAND_CRIT_PERCENTAGE"},
	{0x408, 7, Float, Private, "PLAYER_SPELL_CRIT_PERCENTAGE1"},
	{0x40F, 1, Int, Private, "PLAYER_SHIELD_BLOCK"},
	{0x410, 1, Float, Private, "PLAYER_SHIELD_BLOCK_CRIT_PERCENTAGE"},
	{0x411, 128, Bytes, Private, "PLAYER_EXPLORED_ZONES_1"},
	{0x491, 1, Int, Private, "PLAYER_REST_STATE_EXPERIENCE"},
	{0x492, 1, Int, Private, "PLAYER_FIELD_COINAGE"},
	{0x493, 7, Int, Private, "PLAYER_FIELD_MOD_DAMAGE_DONE_POS"},
	{0x49A, 7, Int, Private, "PLAYER_FIELD_MOD_DAMAGE_DONE_NEG"},
	{0x4A1, 7, Int, Private, "PLAYER_FIELD_MOD_DAMAGE_DONE_PCT"},
	{0x4A8, 1, Int, Private, "PLAYER_FIELD_MOD_HEALING_DONE_POS"},
	{0x4A9, 1, Float, Private, "PLAYER_FIELD_MOD_HEALING_PCT"},
	{0x4AA, 1, Float, Private, "PLAYER_FIELD_MOD_HEALING_DONE_PCT"},
	{0x4AB, 1, Int, Private, "PLAYER_FIELD_MOD_TARGET_RESISTANCE"},
	{0x4AC, 1, Int, Private, "PLAYER_FIELD_MOD_TARGET_PHYSICAL_RESISTANCE"},
	{0x4AD, 1, Bytes, Private, "PLAYER_FIELD_BYTES"},
	{0x4AE, 1, Int, Private, "PLAYER_AMMO_ID"},
	{0x4AF, 1, Int, Private, "PLAYER_SELF_RES_SPELL"},
	{0x4B0, 1, Int, Private, "PLAYER_FIELD_PVP_MEDALS"},
	{0x4B1, 12, Int, Private, "PLAYER_FIELD_BUYBACK_PRICE_1"},
	{0x4BD, 12, Int, Private, "PLAYER_FIELD_BUYBACK_TIMESTAMP_1"},
	{0x4C9, 1, TwoShort, Private, "PLAYER_FIELD_KILLS"},
	{0x4CA, 1, Int, Private, "PLAYER_FIELD_TODAY_CONTRIBUTION"},
	{0x4CB, 1, Int, Private, "PLAYER_FIELD_YESTERDAY_CONTRIBUTION"},
	{0x4CC, 1, Int, Private, "PLAYER_FIELD_LIFETIME_HONORABLE_KILLS"},
	{0x4CD, 1, Bytes, Private, "PLAYER_FIELD_BYTES2"},
	{0x4CE, 1, Int, Private, "PLAYER_FIELD_WATCHED_FACTION_INDEX"},
	{0x4CF, 25, Int, Private, "PLAYER_FIELD_COMBAT_RATING_1"},
	{0x4E8, 21, Int, Private, "PLAYER_FIELD_ARENA_TEAM_INFO_1_1"},
	{0x4FD, 1, Int, Private, "PLAYER_FIELD_HONOR_CURRENCY"},
	{0x4FE, 1, Int, Private, "PLAYER_FIELD_ARENA_CURRENCY"},
	{0x4FF, 1, Int, Private, "PLAYER_FIELD_MAX_LEVEL"},
	{0x500, 25, Int, Private, "PLAYER_FIELD_DAILY_QUESTS_1"},
	{0x519, 4, Float, Private, "PLAYER_RUNE_REGEN_1"},
	{0x51D, 3, Int, Private, "PLAYER_NO_REAGENT_COST_1"},
	{0x520, 6, Int, Private, "PLAYER_FIELD_GLYPH_SLOTS_1"},
	{0x526, 6, Int, Private, "PLAYER_FIELD_GLYPHS_1"},
	{0x52C, 1, Int, Private, "PLAYER_GLYPHS_ENABLED"},
	{0x52D, 1, Int, Private, "PLAYER_PET_SPELL_POWER"},
}

var gameObjectFields = []Field{
	{0x006, 2, Long, Public, "OBJECT_FIELD_CREATED_BY"},
	{0x008, 1, Int, Public, "GAMEOBJECT_DISPLAYID"},
	{0x009, 1, Int, Public, "GAMEOBJECT_FLAGS"},
	{0x00A, 4, Float, Public, "GAMEOBJECT_PARENTROTATION"},
	{0x00E, 1, TwoShort, Dynamic, "GAMEOBJECT_DYNAMIC"},
	{0x00F, 1, Int, Public, "GAMEOBJECT_FACTION"},
	{0x010, 1, Int, Public, "GAMEOBJECT_LEVEL"},
	{0x011, 1, Bytes, Public, "GAMEOBJECT_BYTES_1"},
}

var dynamicObjectFields = []Field{
	{0x006, 2, Long, Public, "DYNAMICOBJECT_CASTER"},
	{0x008, 1, Bytes, Public, "DYNAMICOBJECT_BYTES"},
	{0x009, 1, Int, Public, "DYNAMICOBJECT_SPELLID"},
	{0x00A, 1, Float, Public, "DYNAMICOBJECT_RADIUS"},
	{0x00B, 1, Int, Public, "DYNAMICOBJECT_CASTTIME"},
}

var corpseFields = []Field{
	{0x006, 2, Long, Public, "CORPSE_FIELD_OWNER"},
	{0x008, 2, Long, Public, "CORPSE_FIELD_PARTY"},
	{0x00A, 1, Int, Public, "CORPSE_FIELD_DISPLAY_ID"},
	{0x00B, 19, Int, Public, "CORPSE_FIELD_ITEM"},
	{0x01E, 1, Bytes, Public, "CORPSE_FIELD_BYTES_1"},
	{0x01F, 1, Bytes, Public, "CORPSE_FIELD_BYTES_2"},
	{0x020, 1, Int, Public, "CORPSE_FIELD_GUILD"},
	{0x021, 1, Int, Public, "CORPSE_FIELD_FLAGS"},
	{0x022, 1, Int, Dynamic, "CORPSE_FIELD_DYNAMIC_FLAGS"},
	{0x023, 1, Int, NoAudience, "CORPSE_FIELD_PAD"},
}
