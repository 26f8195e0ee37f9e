package conformance

import "fmt"

// A Kind is one way in which a server can break the protocol, or go where some clients do not follow.
type Kind uint8

// The kinds. What each breaks is in rules.
const (
	UnknownValues Kind = iota
	UnknownMove
	UnknownPath
	UnknownAura
	UnknownGone
	DuplicateCreate
	OwnMove
	LateSelf
	Early
	Undecodable
	Oversize // a note
	Backwards
	UnknownEvent
	LateHit
	DeadVictim
	Overfull
	LivingBody
	BadPath
	BadAura
	CastOrder
	ForeignItem
	Unlevelled
	Overlearnt
	LivingGhost
	OwnAgain // a note
	BadObject
	kinds
)

// A Rule is what a server that is counted under a Kind has not kept.
type Rule struct {
	Name   string // of the kind: a short lower-case phrase, stable
	Text   string // the rule, in a sentence
	Source string // why it is one

	// Note says that public servers break the rule and real clients go on: it is worth knowing, and no violation.
	Note bool
}

// rules has the rule of each kind. AzerothGhost, tentacli and BotFarm drop or misread what breaks those about objects.
var rules = [kinds]Rule{
	UnknownValues: {Name: "values of unknown", Source: "protocol.md 4.2",
		Text: "An object is created before a VALUES or MOVEMENT block of it is sent."},
	UnknownMove: {Name: "move of unknown", Source: "protocol.md 4.2, 4.3",
		Text: "An object is created before its movement is relayed."},
	UnknownPath: {Name: "path of unknown", Source: "protocol.md 4.2, 4.4",
		Text: "An object is created before a MONSTER_MOVE of it is sent."},
	UnknownAura: {Name: "aura of unknown", Source: "protocol.md 4.2",
		Text: "An object is created before an AURA_UPDATE of it is sent."},
	UnknownGone: {Name: "end of unknown", Source: "protocol.md 4.2",
		Text: "Only an object that was created is sent in DESTROY_OBJECT or OUT_OF_RANGE, and once."},
	DuplicateCreate: {Name: "duplicate create", Source: "protocol.md 4.2",
		Text: "An object is created once, until DESTROY_OBJECT or OUT_OF_RANGE."},
	OwnMove: {Name: "own move", Source: "protocol.md 4.3",
		Text: "A client's movement is relayed to others and not to itself."},
	LateSelf: {Name: "self not first", Source: "protocol.md 4.2",
		Text: "The client's own object is created before all others but its items."},
	Early: {Name: "early", Source: "protocol.md 2.3",
		Text: "Nothing but the handshake precedes an AUTH_RESPONSE that lets the client in, and nothing of a world LOGIN_VERIFY_WORLD."},
	Undecodable: {Name: "undecodable", Source: "protocol.md 2.4, 4, 7",
		Text: "A packet has the layout of its opcode, no byte less or more, and inflates to no more than 4 MiB."},
	Oversize: {Name: "oversize", Source: "UpdateData::BuildPacket, mangos-wotlk; protocol.md 2.1", Note: true,
		Text: "A payload has no more than 32,766 bytes, also after it is inflated. AzerothCore packs all creates of a login into one."},
	Backwards: {Name: "backwards", Source: "protocol.md 2.1",
		Text: "A server does not send the opcodes of clients."},
	UnknownEvent: {Name: "event of unknown", Source: "protocol.md 4.7",
		Text: "A hit, a spell or a reaction is sent to clients that know one of its units."},
	LateHit: {Name: "hit after its values", Source: "protocol.md 3.1.2, 7.11",
		Text: "ATTACKERSTATEUPDATE precedes the values of health that have its damage in them."},
	DeadVictim: {Name: "hit on the dead", Source: "protocol.md 3.1.2, 7.11",
		Text: "A dead unit takes no damage."},
	Overfull: {Name: "health above maximum", Source: "Unit::SetHealth, AzerothCore",
		Text: "Health is at most the maximum of health."},
	LivingBody: {Name: "body of the living", Source: "protocol.md 3.1.2",
		Text: "A unit with health is neither LOOTABLE nor DEAD."},
	BadPath: {Name: "path of a forbidden kind", Source: "protocol.md 3.1.2, 4.4, 7.10",
		Text: "A path has flags that all clients read alike: walk mode and orientation fixed."},
	BadAura: {Name: "aura without sense", Source: "protocol.md 4.7",
		Text: "An aura has an effect, and no more time left than it has in all."},
	CastOrder: {Name: "cast out of order", Source: "protocol.md 4.7",
		Text: "A cast of the client ends after it has begun, and begins after the last one has ended."},
	ForeignItem: {Name: "item of another", Source: "Player::BuildCreateUpdateBlockForPlayer, AzerothCore",
		Text: "A client is sent no items but its own."},
	Unlevelled: {Name: "level without notice", Source: "Player::GiveLevel, AzerothCore",
		Text: "LEVELUP_INFO precedes a change of the client's own level."},
	Overlearnt: {Name: "experience above the level's", Source: "Player::GiveXP, AzerothCore",
		Text: "A character has less experience than its next level takes."},
	LivingGhost: {Name: "ghost alive", Source: "Player::BuildPlayerRepop, AzerothCore; protocol.md 3.1.2",
		Text: "A ghost has one point of health."},
	OwnAgain: {Name: "own objects twice", Source: "WorldSession::HandlePlayerLoginToCharInWorld, AzerothCore; protocol.md 4.2", Note: true,
		Text: "The client's own character and items are created once. AzerothCore creates them twice for a client that logs in to a character that is still in the world."},
	BadObject: {Name: "bad game object", Source: "GameObject::Create, AzerothCore; protocol.md 4.1, 4.2",
		Text: "A game object is created with a GUID of game objects, its type mask, its position, its rotation and its low GUID, and has a type that clients know."},
}

// Rule is what the server has not kept.
func (k Kind) Rule() Rule {
	if k < kinds {
		return rules[k]
	}
	return Rule{Name: fmt.Sprintf("Kind(%d)", uint8(k))}
}

// String is the name in the kind's rule: reports are keyed by it.
func (k Kind) String() string { return k.Rule().Name }

// A Tally counts by kind, notes like violations.
type Tally [kinds]uint32

// Total is the sum over all kinds.
func (t *Tally) Total() uint64 {
	var n uint64
	for _, v := range t {
		n += uint64(v)
	}
	return n
}

// Each visits the kinds that were counted, in order.
func (t *Tally) Each(visit func(Kind, uint32)) {
	for k, n := range t {
		if n > 0 {
			visit(Kind(k), n)
		}
	}
}
