package msg

import (
	"time"

	"muster/net/protocol/wire"
)

// This file has the messages of the login sequence, in its order.
//
// Source: Player::SendInitialPacketsBeforeAddToMap and SendInitialPacketsAfterAddToMap,
// WorldSession::HandlePlayerLoginFromDB, AzerothCore.

// DungeonDifficulty is the difficulty of dungeons that the player would enter.
type DungeonDifficulty struct {
	Difficulty uint32
	One        uint32 // always 1
	InGroup    bool
}

// Wire walks the body.
func (m *DungeonDifficulty) Wire(c *wire.Codec) {
	wire.U32(c, &m.Difficulty)
	wire.U32(c, &m.One)
	wire.Bool32(c, &m.InGroup)
}

// FeatureSystemStatus is which services there are.
type FeatureSystemStatus struct {
	Complaints uint8 // 2: complaints about players, with a button
	Voice      bool
}

// Wire walks the body.
func (m *FeatureSystemStatus) Wire(c *wire.Codec) {
	wire.U8(c, &m.Complaints)
	wire.Bool(c, &m.Voice)
}

// MOTD is the message of the day.
type MOTD struct{ Lines []string }

// Limits of a message of the day that is read.
const (
	maxLines = 256
	maxText  = 4096 // bytes of a text that servers send
)

// Wire walks the body.
func (m *MOTD) Wire(c *wire.Codec) { wire.Slice[uint32](c, &m.Lines, maxLines, wireText) }

func wireText(c *wire.Codec, s *string) { wire.CString(c, s, maxText) }

// LearnedDanceMoves lists no dances.
type LearnedDanceMoves struct{ Low, High uint32 }

// Wire walks the body.
func (m *LearnedDanceMoves) Wire(c *wire.Codec) {
	wire.U32(c, &m.Low)
	wire.U32(c, &m.High)
}

// ContactFlags is what an entry of a ContactList is to the player.
type ContactFlags uint32

// The kinds of contacts. Source: SocialFlag, SocialMgr.h, AzerothCore.
const (
	ContactFriend  ContactFlags = 1
	ContactIgnored ContactFlags = 2
	ContactMuted   ContactFlags = 4
)

// ContactList lists friends and foes.
//
// Source: PlayerSocial::SendSocialList, AzerothCore.
type ContactList struct {
	Kinds    ContactFlags // those listed; 7 for all
	Contacts []Contact
}

// A Contact is one of a ContactList. Status and what follows it belong to friends only.
type Contact struct {
	GUID   uint64
	Flags  ContactFlags
	Note   string
	Status uint8 // 0 off line; otherwise the next three are there
	Area   uint32
	Level  uint32
	Class  uint32
}

// maxContacts bounds a list of contacts that is read. A client keeps 50 of each kind.
const maxContacts = 255

// Wire walks the body.
func (m *ContactList) Wire(c *wire.Codec) {
	wire.U32(c, &m.Kinds)
	wire.Slice[uint32](c, &m.Contacts, maxContacts, wireContact)
}

func wireContact(c *wire.Codec, m *Contact) {
	wire.U64(c, &m.GUID)
	wire.U32(c, &m.Flags)
	wire.CString(c, &m.Note, 255)
	if m.Flags&ContactFriend == 0 {
		return
	}
	if wire.U8(c, &m.Status); m.Status != 0 {
		wire.U32(c, &m.Area)
		wire.U32(c, &m.Level)
		wire.U32(c, &m.Class)
	}
}

// BindPoint is where the player's hearth is.
type BindPoint struct {
	Position wire.Vec3
	Map      uint32
	Area     uint32
}

// Wire walks the body.
func (m *BindPoint) Wire(c *wire.Codec) {
	wire.XYZ(c, &m.Position)
	wire.U32(c, &m.Map)
	wire.U32(c, &m.Area)
}

// TalentsInfo is how a player has spent its talent points, or its pet.
//
// A client that logs in to a character that is still in the world is sent the form of a pet with or without a pet.
//
// Source: Player::SendTalentsInfoData, WorldSession::HandlePlayerLoginToCharInWorld, AzerothCore; protocol.md 2.4.
type TalentsInfo struct {
	Pet     bool // of the pet
	Free    uint32
	Active  uint8        // index into Specs; not of a pet
	Specs   []TalentSpec // not of a pet
	Talents []Talent     // of a pet
}

// A TalentSpec is one of the ways to spend talent points.
type TalentSpec struct {
	Talents []Talent
	Glyphs  []uint16 // 6
}

// A Talent is one talent that has been learnt.
type Talent struct {
	ID   uint32
	Rank uint8 // from 0
}

// Limits of talents that are read.
const (
	maxSpecs   = 2
	maxTalents = 255
	maxGlyphs  = 6
)

// Wire walks the body.
func (m *TalentsInfo) Wire(c *wire.Codec) {
	var pet, specs uint8 = 0, uint8(len(m.Specs))
	if m.Pet {
		pet = 1
	}
	if wire.U8(c, &pet); pet > 1 {
		c.Fail(wire.ErrValue)
	}
	m.Pet = pet == 1
	wire.U32(c, &m.Free)
	if m.Pet {
		wire.Slice[uint8](c, &m.Talents, maxTalents, wireTalent)
		return
	}
	wire.U8(c, &specs)
	wire.U8(c, &m.Active)
	if max(int(specs), len(m.Specs)) > maxSpecs {
		c.Fail(wire.ErrLimit)
	}
	if c.Reading() && c.Err() == nil && specs > 0 {
		m.Specs = make([]TalentSpec, specs)
	}
	for i := range m.Specs {
		wire.Slice[uint8](c, &m.Specs[i].Talents, maxTalents, wireTalent)
		wire.Slice[uint8](c, &m.Specs[i].Glyphs, maxGlyphs, wire.U16)
	}
}

func wireTalent(c *wire.Codec, t *Talent) {
	wire.U32(c, &t.ID)
	wire.U8(c, &t.Rank)
}

// InstanceDifficulty is the difficulty of the map the player is on.
type InstanceDifficulty struct {
	Difficulty uint32
	Dynamic    bool // of a raid whose difficulty can change inside
}

// Wire walks the body.
func (m *InstanceDifficulty) Wire(c *wire.Codec) {
	wire.U32(c, &m.Difficulty)
	wire.Bool32(c, &m.Dynamic)
}

// InitialSpells is the player's spell book.
//
// Source: Player::SendInitialSpells, AzerothCore.
type InitialSpells struct {
	Zero      uint8
	Spells    []KnownSpell
	Cooldowns []Cooldown
}

// A KnownSpell is one page of the book.
type KnownSpell struct {
	ID   uint32
	Zero uint16
}

// A Cooldown is a spell that cannot be cast yet.
type Cooldown struct {
	Spell      uint32
	Item       uint16
	Category   uint16
	Ms         uint32
	CategoryMs uint32
}

// maxSpells bounds a spell book that is read.
const maxSpells = 4096

// Wire walks the body.
func (m *InitialSpells) Wire(c *wire.Codec) {
	wire.U8(c, &m.Zero)
	wire.Slice[uint16](c, &m.Spells, maxSpells, wireKnownSpell)
	wire.Slice[uint16](c, &m.Cooldowns, maxSpells, wireCooldown)
}

func wireKnownSpell(c *wire.Codec, s *KnownSpell) {
	wire.U32(c, &s.ID)
	wire.U16(c, &s.Zero)
}

func wireCooldown(c *wire.Codec, s *Cooldown) {
	wire.U32(c, &s.Spell)
	wire.U16(c, &s.Item)
	wire.U16(c, &s.Category)
	wire.U32(c, &s.Ms)
	wire.U32(c, &s.CategoryMs)
}

// SendUnlearnSpells lists spells that the player has unlearned.
type SendUnlearnSpells struct{ Spells []uint32 }

// Wire walks the body.
func (m *SendUnlearnSpells) Wire(c *wire.Codec) {
	wire.Slice[uint32](c, &m.Spells, maxSpells, wire.U32)
}

// ActionButtons is the contents of the player's action bars.
//
// Source: Player::SendActionButtons, AzerothCore.
type ActionButtons struct {
	State   uint8       // 1 at login; 2 clears, and no buttons follow
	Buttons [144]uint32 // the action, and its kind in the top byte
}

// ClearButtons is the state in which ActionButtons has no buttons.
const ClearButtons = 2

// Wire walks the body.
func (m *ActionButtons) Wire(c *wire.Codec) {
	if wire.U8(c, &m.State); m.State == ClearButtons {
		return
	}
	for i := range m.Buttons {
		wire.U32(c, &m.Buttons[i])
	}
}

// InitializeFactions is the player's reputation with all factions.
//
// Source: ReputationMgr::SendInitialReputations, AzerothCore.
type InitializeFactions struct{ Factions [128]Faction }

// A Faction is the player's standing with one faction, by its place in the reputation list.
type Faction struct {
	Flags    uint8
	Standing uint32 // above the base for the player's race
}

// Wire walks the body.
func (m *InitializeFactions) Wire(c *wire.Codec) {
	n := uint32(len(m.Factions))
	if wire.U32(c, &n); n != uint32(len(m.Factions)) {
		c.Fail(wire.ErrValue)
	}
	for i := range m.Factions {
		wire.U8(c, &m.Factions[i].Flags)
		wire.U32(c, &m.Factions[i].Standing)
	}
}

// AllAchievementData lists what the player has achieved and is about to.
//
// Source: AchievementMgr::BuildAllDataPacket, AzerothCore.
type AllAchievementData struct {
	Achievements []Achievement
	Criteria     []Criterion
}

// An Achievement is one that is done. ID is not NoID.
type Achievement struct {
	ID   uint32
	Date PackedTime
}

// A Criterion is progress towards an achievement. ID is not NoID.
type Criterion struct {
	ID      uint32
	Counter uint64
	Player  uint64
	Flags   uint32
	Date    PackedTime
	Timer1  uint32 // seconds since it started; both are the same
	Timer2  uint32
}

// NoID ends a list on the wire.
const NoID = ^uint32(0)

// maxAchievements bounds each list of achievements that is read.
const maxAchievements = 8192

// Wire walks the body.
func (m *AllAchievementData) Wire(c *wire.Codec) {
	untilNoID(c, &m.Achievements, func(c *wire.Codec, a *Achievement) { wire.U32(c, &a.Date) },
		func(a *Achievement) *uint32 { return &a.ID })
	untilNoID(c, &m.Criteria, wireCriterion,
		func(a *Criterion) *uint32 { return &a.ID })
}

func wireCriterion(c *wire.Codec, m *Criterion) {
	wire.PackedGUID(c, &m.Counter)
	wire.PackedGUID(c, &m.Player)
	wire.U32(c, &m.Flags)
	wire.U32(c, &m.Date)
	wire.U32(c, &m.Timer1)
	wire.U32(c, &m.Timer2)
}

// untilNoID walks elements that begin with an id, up to an id that is NoID.
func untilNoID[T any](c *wire.Codec, s *[]T, rest func(*wire.Codec, *T), id func(*T) *uint32) {
	end := NoID
	for i := 0; !c.Reading() && i < len(*s); i++ {
		wire.U32(c, id(&(*s)[i]))
		rest(c, &(*s)[i])
	}
	for c.Reading() && c.Err() == nil {
		var e T
		if wire.U32(c, id(&e)); *id(&e) == NoID {
			return
		}
		if len(*s) == maxAchievements {
			c.Fail(wire.ErrLimit)
		}
		rest(c, &e)
		*s = append(*s, e)
	}
	wire.U32(c, &end)
}

// EquipmentSetList lists the player's sets of equipment.
//
// Source: Player::SendEquipmentSetList, AzerothCore.
type EquipmentSetList struct{ Sets []EquipmentSet }

// An EquipmentSet is one of them. Items are guids; 1 stands for a slot that the set leaves alone.
type EquipmentSet struct {
	GUID  uint64
	Index uint32
	Name  string
	Icon  string
	Items [19]uint64
}

// maxSets bounds a list of sets that is read. Source: MAX_EQUIPMENT_SET_INDEX, Player.h, AzerothCore.
const maxSets = 10

// Wire walks the body.
func (m *EquipmentSetList) Wire(c *wire.Codec) {
	wire.Slice[uint32](c, &m.Sets, maxSets, wireEquipmentSet)
}

func wireEquipmentSet(c *wire.Codec, m *EquipmentSet) {
	wire.PackedGUID(c, &m.GUID)
	wire.U32(c, &m.Index)
	wire.CString(c, &m.Name, 255)
	wire.CString(c, &m.Icon, 255)
	for i := range m.Items {
		wire.PackedGUID(c, &m.Items[i])
	}
}

// LoginSetTimeSpeed sets the clock of the world.
//
// Source: Player::SendInitialPacketsBeforeAddToMap, AzerothCore.
type LoginSetTimeSpeed struct {
	Time  PackedTime
	Speed float32 // minutes of the world per second; RealTime for as long as ours
	Zero  uint32
}

// RealTime is the speed at which a day of the world lasts 24 hours.
const RealTime = float32(0.01666667)

// Wire walks the body.
func (m *LoginSetTimeSpeed) Wire(c *wire.Codec) {
	wire.U32(c, &m.Time)
	wire.F32(c, &m.Speed)
	wire.U32(c, &m.Zero)
}

// A PackedTime is a minute: from the top, 8 bits of year since 2000, 4 of month from 0, 6 of day from 0, 3
// of weekday from Sunday, 5 of hour, 6 of minute.
//
// Source: ByteBuffer::AppendPackedTime, AzerothCore.
type PackedTime uint32

// PackTime is the minute of t where t is.
func PackTime(t time.Time) PackedTime {
	year, month, day := t.Date()
	return PackedTime((year-2000)<<24 | (int(month)-1)<<20 | (day-1)<<14 |
		int(t.Weekday())<<11 | t.Hour()<<6 | t.Minute())
}

// SetForcedReactions lists factions whose reaction to the player differs from reputation.
//
// Source: ReputationMgr::SendForceReactions, AzerothCore.
type SetForcedReactions struct{ Reactions []Reaction }

// A Reaction is how one faction treats the player.
type Reaction struct {
	Faction uint32
	Rank    uint32 // from 0, hated, to 7, exalted
}

// Wire walks the body.
func (m *SetForcedReactions) Wire(c *wire.Codec) {
	wire.Slice[uint32](c, &m.Reactions, 255, wireReaction)
}

func wireReaction(c *wire.Codec, r *Reaction) {
	wire.U32(c, &r.Faction)
	wire.U32(c, &r.Rank)
}

// InitWorldStates is where the player is, and the numbers that scripts show there.
//
// Source: Player::SendInitWorldStates, AzerothCore.
type InitWorldStates struct {
	Map, Zone, Area uint32
	States          []WorldState
}

// A WorldState is one number.
type WorldState struct{ ID, Value uint32 }

// maxWorldStates bounds the numbers that are read.
const maxWorldStates = 1024

// Wire walks the body.
func (m *InitWorldStates) Wire(c *wire.Codec) {
	wire.U32(c, &m.Map)
	wire.U32(c, &m.Zone)
	wire.U32(c, &m.Area)
	wire.Slice[uint16](c, &m.States, maxWorldStates, wireWorldState)
}

func wireWorldState(c *wire.Codec, s *WorldState) {
	wire.U32(c, &s.ID)
	wire.U32(c, &s.Value)
}

// LogoutResponse is whether the player may leave. LogoutComplete, which is Empty, follows it at once if
// Instant, or after 20 seconds.
//
// Source: WorldSession::HandleLogoutRequestOpcode, AzerothCore.
type LogoutResponse struct {
	Reason  uint32 // 0: yes
	Instant bool
}

// Wire walks the body.
func (m *LogoutResponse) Wire(c *wire.Codec) {
	wire.U32(c, &m.Reason)
	wire.Bool(c, &m.Instant)
}
