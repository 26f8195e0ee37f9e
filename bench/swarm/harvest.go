package swarm

import (
	"fmt"
	"slices"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Harvest is what clients of behaviour Grind have done in the whole run.
type Harvest struct {
	Kills    Spread `json:"kills"`    // by weapons, as clients count them that take damage off themselves, and by spells
	Rewarded Spread `json:"rewarded"` // kills for which there was experience
	Deaths   Spread `json:"deaths"`
	Returns  Spread `json:"returns"` // to life, asked for with CMSG_RECLAIM_CORPSE
	Unasked  Spread `json:"unasked"` // to life, in other ways
	Bodies   Spread `json:"bodies"`  // looted
	Items    Spread `json:"items"`
	Copper   Spread `json:"copper"`
	XP       Spread `json:"xp"`
	Levels   Spread `json:"levels"`   // gained
	Swings   Spread `json:"swings"`   // CMSG_ATTACKSWING
	Attacks  Spread `json:"attacks"`  // dealt, misses included
	Suffered Spread `json:"suffered"` // attacks taken, misses included
	Casts    Spread `json:"casts"`    // CMSG_CAST_SPELL
	Done     Spread `json:"done"`     // SMSG_SPELL_GO
	Said     Spread `json:"said"`     // lines of chat
	Heard    Spread `json:"heard"`

	SwingErrors  Reasons `json:"swing_errors"`
	CastFailures Reasons `json:"cast_failures"`
	LootErrors   Reasons `json:"loot_errors"` // bodies left as they were, and items that could not be taken
	Dropped      Reasons `json:"dropped"`     // targets that were given up

	Swing Latency `json:"swing"` // from the moment the first swing at a target was due to SMSG_ATTACKSTART
	Cast  Latency `json:"cast"`  // from the moment the cast was due to its first answer: start, end or refusal
	Loot  Latency `json:"loot"`  // from the moment CMSG_LOOT was due to SMSG_LOOT_RESPONSE
}

// A Spread is a sum over all clients that came in, and how it is spread over them.
type Spread struct {
	Total  uint64 `json:"total"`
	Least  uint64 `json:"least"`
	Median uint64 `json:"median"`
	Some   int    `json:"some"` // clients that have any of it
}

// String is the sum, and how it is spread.
func (s Spread) String() string {
	return fmt.Sprintf("%d (least %d, median %d)", s.Total, s.Least, s.Median)
}

// grinds is what clients of behaviour Grind measure together.
type grinds struct {
	swing, cast, loot *hdrhistogram.Histogram

	swingErrors, castFailures, lootErrors, dropped Reasons
}

func newGrinds() grinds {
	return grinds{
		swing: newHistogram(), cast: newHistogram(), loot: newHistogram(),
		swingErrors: newReasons(), castFailures: newReasons(), lootErrors: newReasons(), dropped: newReasons(),
	}
}

// harvest sums up what the clients have done that came in.
func (r *run) harvest() *Harvest {
	spread := func(of func(*deeds) uint64) (s Spread) {
		var all []uint64
		for i := range r.clients {
			if c := &r.clients[i]; c.entered {
				all = append(all, of(&c.grinder.deeds))
			}
		}
		if len(all) == 0 {
			return s
		}
		slices.Sort(all)
		for _, n := range all {
			if s.Total += n; n > 0 {
				s.Some++
			}
		}
		s.Least, s.Median = all[0], all[len(all)/2]
		return s
	}
	count := func(of func(*deeds) uint32) Spread {
		return spread(func(d *deeds) uint64 { return uint64(of(d)) })
	}
	g := &r.grinds
	return &Harvest{
		Kills:    count(func(d *deeds) uint32 { return d.kills }),
		Rewarded: count(func(d *deeds) uint32 { return d.rewarded }),
		Deaths:   count(func(d *deeds) uint32 { return d.deaths }),
		Returns:  count(func(d *deeds) uint32 { return d.returns }),
		Unasked:  count(func(d *deeds) uint32 { return d.unasked }),
		Bodies:   count(func(d *deeds) uint32 { return d.bodies }),
		Items:    count(func(d *deeds) uint32 { return d.items }),
		Copper:   spread(func(d *deeds) uint64 { return d.copper }),
		XP:       spread(func(d *deeds) uint64 { return d.xp }),
		Levels:   count(func(d *deeds) uint32 { return d.levels }),
		Swings:   count(func(d *deeds) uint32 { return d.swings }),
		Attacks:  count(func(d *deeds) uint32 { return d.attacks }),
		Suffered: count(func(d *deeds) uint32 { return d.suffered }),
		Casts:    count(func(d *deeds) uint32 { return d.casts }),
		Done:     count(func(d *deeds) uint32 { return d.done }),
		Said:     count(func(d *deeds) uint32 { return d.said }),
		Heard:    count(func(d *deeds) uint32 { return d.heard }),

		SwingErrors: g.swingErrors, CastFailures: g.castFailures, LootErrors: g.lootErrors, Dropped: g.dropped,
		Swing: latencyOf(g.swing), Cast: latencyOf(g.cast), Loot: latencyOf(g.loot),
	}
}

// write adds the lines of a harvest to a report for people.
func (h *Harvest) write(row func(name, format string, args ...any)) {
	row("kills", "%v; %d rewarded", h.Kills, h.Rewarded.Total)
	row("deaths", "%d, of %d clients; %d returns, %d unasked", h.Deaths.Total, h.Deaths.Some, h.Returns.Total, h.Unasked.Total)
	row("loot", "%d bodies, %v items, %v copper", h.Bodies.Total, h.Items, h.Copper)
	row("levels", "%v gained, for %d xp", h.Levels, h.XP.Total)
	row("attacks", "%v of %d swings; %d suffered; errors %v", h.Attacks, h.Swings.Total, h.Suffered.Total, h.SwingErrors)
	row("casts", "%d of %d; failed %v", h.Done.Total, h.Casts.Total, h.CastFailures)
	row("chat", "%d lines said, %d heard", h.Said.Total, h.Heard.Total)
	row("not looted", "%v", h.LootErrors)
	row("given up", "%v", h.Dropped)
	row("swing", "%v", h.Swing)
	row("cast", "%v", h.Cast)
	row("loot", "%v", h.Loot)
}
