package conformance

import "fmt"

// A Kind is one way in which a server can break the protocol.
type Kind uint8

// The rules are those that all clients rely on.
//
// Source: protocol.md 4.2, 4.3 and 2.3; AzerothGhost, tentacli and BotFarm drop or misread what breaks them. Those of
// fighting: protocol.md 3.1.2, 4.4, 4.7 and 7.
const (
	UnknownValues   Kind = iota // VALUES or MOVEMENT block for a guid that was not created
	UnknownMove                 // relayed movement of one
	UnknownPath                 // MONSTER_MOVE of one
	UnknownAura                 // AURA_UPDATE of one
	UnknownGone                 // DESTROY_OBJECT or OUT_OF_RANGE of one
	DuplicateCreate             // CREATE of a guid that is known
	OwnMove                     // the client's own movement, echoed
	LateSelf                    // CREATE of something else, other than an item, before the client's own
	Early                       // a packet the client cannot expect yet: before AUTH_RESPONSE, or before it is in the world
	Undecodable                 // bytes missing, left over, or without sense
	Oversize                    // payload, or inflated payload, above what a client can bear
	Backwards                   // an opcode that clients alone send
	UnknownEvent                // a hit, a spell or a threat of units of which none is known
	LateHit                     // ATTACKERSTATEUPDATE after the values that have its damage in them
	DeadVictim                  // damage to a unit that is dead already
	Overfull                    // health above its maximum
	LivingBody                  // LOOTABLE or DEAD on a unit with health
	BadPath                     // a path with flags that clients read in different ways
	BadAura                     // an aura without effects, or with more time left than it has
	CastOrder                   // an own cast that ends without having begun, or begins within another
	ForeignItem                 // CREATE of an item that is not the client's own
	Unlevelled                  // the own level has changed without a preceding LEVELUP_INFO
	Overlearnt                  // as much experience as the next level takes, or more
	LivingGhost                 // a ghost with more than the one point of health that ghosts have
	kinds
)

var kindNames = [kinds]string{
	"values of unknown", "move of unknown", "path of unknown", "aura of unknown", "end of unknown",
	"duplicate create", "own move", "self not first", "early", "undecodable", "oversize", "backwards",
	"event of unknown", "hit after its values", "hit on the dead", "health above maximum", "body of the living",
	"path of a forbidden kind", "aura without sense", "cast out of order", "item of another",
	"level without notice", "experience above the level's", "ghost alive",
}

// String is a short lower-case phrase, stable: reports are keyed by it.
func (k Kind) String() string {
	if k < kinds {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// A Tally counts violations by kind.
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
