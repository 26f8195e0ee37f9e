package spell

import "muster/sched"

// counters count the reasons for which requests and effects did nothing.
type counters struct {
	refused       sched.Counter `name:"spell.refused"`          // casts that were not begun
	interrupted   sched.Counter `name:"spell.interrupted"`      // casts that were not ended
	unknown       sched.Counter `name:"spell.unknown"`          // spells that do not exist
	notKnown      sched.Counter `name:"spell.not_known"`        // spells that the player does not know
	badTarget     sched.Counter `name:"spell.bad_target"`       // targets that do not exist
	badPlace      sched.Counter `name:"spell.bad_place"`        // places that do not exist
	tooMany       sched.Counter `name:"spell.too_many_targets"` // targets that a cast had no room for
	cooldownsFull sched.Counter `name:"spell.cooldowns_full"`   // cooldowns that were forgotten for lack of room
	refusedEffect sched.Counter `name:"spell.refused_effect"`   // effects that are not implemented
	tooDeep       sched.Counter `name:"spell.too_deep"`         // spells that were triggered by too many in a row
	lost          sched.Counter `name:"spell.missile_lost"`     // missiles without a thrower or a target
}
