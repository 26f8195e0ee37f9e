package spell

import (
	"muster/components/defs"
	"muster/net/protocol/msg"
)

// An attempt is a step of a cast that may turn out to be impossible. It goes through the systems that check it, and
// each of them notes why it is impossible, if none before it did; system castcosts decides.
type attempt struct {
	cast   castEvent
	step   step
	asked  bool   // by the player's own client, which is sent the reason of a refusal
	due    bool   // of atPulse: the channel pulses
	player bool   // the caster is a player
	cheats uint16 // components.Cheats of the caster
	why    msg.CastResult
	ticket uint32 // see rules.Cast

	castMs, globalMs uint32 // cast time and global cooldown, with the caster's haste
}

// A step is what is attempted.
type step uint8

const (
	atBegin step = iota // a cast begins
	atEnd               // its cast time is over
	atPulse             // a channel goes on, and pulses
	atShot              // an automatic shot
	atSwing             // a melee swing, which the cast replaces
)

// castOK is the result of a check without an error.
const castOK = msg.CastResult(255)

// newAttempt returns a step of a cast that may be possible.
func newAttempt(at step, c castEvent) attempt { return attempt{cast: c, step: at, why: castOK} }

// executes reports whether a step that is possible executes its cast. It does not if the cast first takes time, or waits
// for a swing or shot.
func (a *attempt) executes(sp *defs.Spell) bool {
	return a.step != atBegin || a.cast.triggered || !sp.Has(defs.SpellNextSwing|defs.SpellAutoRepeat) && a.castMs == 0
}

// channelled reports whether a cast that is executed is a channel from then on.
func (c *cast) channelled() bool { return c.spell.Has(defs.SpellChannelled) && !c.triggered }
