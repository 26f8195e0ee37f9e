package ai

import "muster/internal/metric"

// reasons are why creatures thought.
type reasons struct {
	stroll, patrol, rest, stuck, follow, back, watch, lost *metric.Counter // at peace

	aggro, assist                                  *metric.Counter // how fights begin
	chase, melee, cast, casting, helpless, unready *metric.Counter // in a fight
	thrown                                         *metric.Counter // on a way that is not its own
	flee, evade, home                              *metric.Counter // how they end
}

func newReasons(t *metric.Table) reasons {
	return reasons{
		stroll: t.Counter("ai.stroll"), patrol: t.Counter("ai.patrol"), rest: t.Counter("ai.rest"),
		stuck: t.Counter("ai.stuck"), follow: t.Counter("ai.follow"), back: t.Counter("ai.back"),
		watch: t.Counter("ai.watch"), lost: t.Counter("ai.lost_owner"),

		aggro: t.Counter("ai.aggro"), assist: t.Counter("ai.assist"),
		chase: t.Counter("ai.chase"), melee: t.Counter("ai.melee"), cast: t.Counter("ai.cast"),
		casting: t.Counter("ai.casting"), helpless: t.Counter("ai.helpless"), unready: t.Counter("ai.out_of_reach"),
		thrown: t.Counter("ai.thrown"),
		flee:   t.Counter("ai.flee"), evade: t.Counter("ai.evade"), home: t.Counter("ai.home"),
	}
}
