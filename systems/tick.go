// Package systems is the tick of a world: the one place where its order is written.
package systems

import (
	"time"

	"muster/components"
	"muster/components/change"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/net/frame"
	"muster/sched"
	"muster/systems/ai"
	"muster/systems/combat"
	"muster/systems/fanout"
	"muster/systems/intake"
	"muster/systems/logout"
	"muster/systems/movement"
	"muster/systems/respawn"
	"muster/systems/social"
	"muster/systems/visibility"
)

// plan is the tick.
func plan(w *ecs.World) *sched.Plan {
	return sched.NewPlan(w.EndStage,
		// Take
		intake.System(w),
		// Move
		movement.System(w),
		// See
		visibility.System(w),
		// Act
		social.System(w),
		combat.System(w),
		// Settle
		logout.System(w),
		respawn.System(w),
		// Think
		ai.System(w),
		// Send
		fanout.System(w),
	)
}

// Config is what a world is made of.
type Config struct {
	Defs   *defs.World
	Map    *defs.Map
	Seed   uint64
	Step   time.Duration // default 50 ms
	Metric *metric.Table // default: a table of its own
}

// A World is one map and everything in it. One goroutine owns it. It is a function: the frame of a tick
// follows from the inboxes of all ticks so far, and from nothing else.
type World struct {
	config  Config
	ecs     *ecs.World
	plan    *sched.Plan
	inbox   *frame.Inbox
	output  *fanout.Output
	players *ecs.Filter1[components.Session]
}

// New returns a world with its creatures in place, as of tick 0.
func New(c Config) *World {
	if c.Step == 0 {
		c.Step = 50 * time.Millisecond
	}
	if c.Metric == nil {
		c.Metric = new(metric.Table)
	}
	w := &World{config: c, ecs: ecs.NewWorld(1024), inbox: new(frame.Inbox), output: new(fanout.Output)}
	ecs.Share(w.ecs, c.Defs)
	ecs.Share(w.ecs, c.Map)
	ecs.Share(w.ecs, c.Metric)
	ecs.Share(w.ecs, w.inbox)
	ecs.Share(w.ecs, w.output)
	ecs.Share(w.ecs, new(space.Space))
	ecs.Share(w.ecs, change.NewLog(w.ecs))
	w.plan = plan(w.ecs)
	w.players = ecs.NewFilter1[components.Session](w.ecs)
	var none frame.Frame
	w.Tick(0, &none)
	return w
}

// Inbox is what the next tick reads. Fill and seal it before Tick, which empties it.
func (w *World) Inbox() *frame.Inbox { return w.inbox }

// Tick runs tick n and writes its frame. Ticks ascend; they may skip numbers.
func (w *World) Tick(n uint64, into *frame.Frame) {
	w.output.Frame = into
	w.plan.Run(sched.Tick{
		N: n, NowMs: uint32(time.Duration(n) * w.config.Step / time.Millisecond), Step: w.config.Step, Seed: w.config.Seed,
	})
	w.ecs.EndTick()
	w.inbox.Reset()
}

// Players is how many players are in the world.
func (w *World) Players() int { return w.players.Count() }

// Awake is how many entities the last tick simulated: those that somebody may see.
func (w *World) Awake() int { return len(ecs.Shared[space.Space](w.ecs).Order.All()) }

// Plan is the tick as a list.
func (w *World) Plan() *sched.Plan { return w.plan }
