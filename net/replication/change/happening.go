package change

import "muster/net/replication/frame"

// A Happening is something that has happened, for observers of the server.
type Happening = frame.Happening

// The kinds of a Happening.
const (
	HappenedEnter uint8 = iota + 1 // a player is in the world
	HappenedLogout
	HappenedLeave      // a player is out of the world, also after a logout
	HappenedDeath      // Other has killed it, with the spell ID if that is not 0
	HappenedLevel      // Amount is the new level
	HappenedItem       // a player has got Amount of the item ID
	HappenedSpell      // the cast of ID is done; Other is the first that it has hit
	HappenedCastFailed // of ID; Amount is the msg.CastResult
	HappenedChat       // Said, to all near
	HappenedExperience // a player has got Amount for the kill of Other
	HappenedMoney      // a player has got Amount of copper from the body Other
	HappenedEventBegin // the game event ID
	HappenedEventEnd
)

// Happen notes what has happened in the tick, for observers of the server. It costs an append, and clients are sent nothing.
func (o *Out) Happen(h Happening) { o.log.Builder.Happen(h) }
