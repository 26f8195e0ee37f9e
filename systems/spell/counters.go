package spell

import "muster/internal/metric"

// counters are the reasons why nothing came of something.
type counters struct {
	refused       *metric.Counter // casts that were not begun
	interrupted   *metric.Counter // casts that were not ended
	unknown       *metric.Counter // spells that do not exist
	notKnown      *metric.Counter // spells that the player does not know
	badTarget     *metric.Counter // targets that do not exist
	badPlace      *metric.Counter // places that do not exist
	badButton     *metric.Counter // buttons that do not exist
	tooMany       *metric.Counter // targets that a cast had no room for
	cooldownsFull *metric.Counter // cooldowns that were forgotten for lack of room
	bookFull      *metric.Counter // spells that were not learnt for lack of room
	refusedEffect *metric.Counter // effects that nobody executes
	tooDeep       *metric.Counter // spells that were triggered by too many in a row
	lost          *metric.Counter // missiles without a thrower or a target
}

func (c *counters) count(t *metric.Table) {
	*c = counters{
		refused: t.Counter("spell.refused"), interrupted: t.Counter("spell.interrupted"),
		unknown: t.Counter("spell.unknown"), notKnown: t.Counter("spell.not_known"),
		badTarget: t.Counter("spell.bad_target"), badPlace: t.Counter("spell.bad_place"),
		badButton: t.Counter("spell.bad_button"), tooMany: t.Counter("spell.too_many_targets"),
		cooldownsFull: t.Counter("spell.cooldowns_full"), bookFull: t.Counter("spell.book_full"),
		refusedEffect: t.Counter("spell.refused_effect"), tooDeep: t.Counter("spell.too_deep"),
		lost: t.Counter("spell.missile_lost"),
	}
}
