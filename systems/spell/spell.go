// Package spell is how spells are cast, by players and creatures alike: a wish is checked, begun, timed,
// perhaps put off or interrupted, and done; what it does to whom follows at once, or when its missile arrives.
//
// Nothing is polled: whoever casts waits in a timer wheel. Whether the target is in line of sight is not asked,
// as the world has no obstacles. What lasts on units is system aura's business.
package spell

import (
	"slices"

	"muster/components"
	"muster/components/change"
	"muster/components/defs"
	"muster/components/move"
	"muster/ecs"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/net/msg"
	"muster/sched"
	"muster/systems/goods"
	"muster/systems/rules"
)

// System returns the system of a world.
func System(w *ecs.World) sched.System {
	s := &system{
		world: w,
		defs:  ecs.Shared[defs.World](w),
		place: ecs.Shared[defs.Map](w),
		space: ecs.Shared[space.Space](w),
		log:   ecs.Shared[change.Log](w),
		book:  rules.New(w),

		ledger: goods.New(w),

		requests: ecs.QueueOf[change.Sent[msg.CastSpell]](w),
		cancels:  ecs.QueueOf[change.Sent[msg.CancelCast]](w),
		unchosen: ecs.QueueOf[change.Sent[msg.CancelChannelling]](w),
		wishes:   ecs.QueueOf[change.Sent[msg.Empty]](w),
		moves:    ecs.QueueOf[change.Sent[msg.Move]](w),
		buttons:  ecs.QueueOf[change.Sent[msg.SetActionButton]](w),

		casts:   ecs.QueueOf[rules.Cast](w).Lasting(),
		halts:   ecs.QueueOf[rules.Halt](w).Lasting(),
		learns:  ecs.QueueOf[rules.Learn](w).Lasting(),
		levels:  ecs.QueueOf[rules.Levelled](w).Lasting(),
		blows:   ecs.QueueOf[rules.Blow](w),
		deaths:  ecs.QueueOf[rules.Death](w).Reader(),
		readied: ecs.QueueOf[rules.Readied](w),
		applies: ecs.QueueOf[rules.Apply](w),
		strips:  ecs.QueueOf[rules.Strip](w),
		broken:  ecs.QueueOf[rules.Broken](w),
		summons: ecs.QueueOf[rules.Summon](w),
		offers:  ecs.QueueOf[rules.Resurrect](w),
		throws:  ecs.QueueOf[move.KnockBack](w),
		jumps:   ecs.QueueOf[move.Teleport](w),
		runs:    ecs.QueueOf[move.Run](w),

		verdicts: ecs.QueueOf[rules.Verdict](w).Lasting(),

		objects:   ecs.NewColumn[components.Object](w),
		vitals:    ecs.NewColumn[components.Vitals](w),
		units:     ecs.NewColumn[components.Unit](w),
		stances:   ecs.NewColumn[components.Stance](w),
		bouts:     ecs.NewColumn[components.Bout](w),
		positions: ecs.NewColumn[components.Position](w),
		motions:   ecs.NewColumn[components.Motion](w),
		walks:     ecs.NewColumn[components.Walk](w),
		homes:     ecs.NewColumn[components.Home](w),
		records:   ecs.NewColumn[components.Record](w),
		stats:     ecs.NewColumn[components.Stats](w),
		regards:   ecs.NewColumn[components.Target](w),
		casting:   ecs.NewColumn[components.Casting](w),
		spells:    ecs.NewColumn[components.Spellbook](w),
		actions:   ecs.NewColumn[components.Actions](w),
	}
	s.count(ecs.Shared[metric.Table](w))
	s.gather.visit = s.gather.near
	return sched.System{
		Name: "spell", Stage: sched.Act,
		Reads: slices.Concat(goods.Reads(),
			ecs.Of4[defs.Map, space.Space, components.Motion, components.Walk](),
			ecs.Of2[components.Record, components.Stats](),
			ecs.Of3[ecs.Queue[change.Sent[msg.CastSpell]], ecs.Queue[change.Sent[msg.CancelCast]], ecs.Queue[change.Sent[msg.CancelChannelling]]](),
			ecs.Of3[ecs.Queue[change.Sent[msg.Empty]], ecs.Queue[change.Sent[msg.Move]], ecs.Queue[change.Sent[msg.SetActionButton]]](),
		),
		Writes: slices.Concat(goods.Writes(),
			ecs.Of4[components.Casting, components.Spellbook, components.Actions, ecs.Queue[rules.Broken]](),
			ecs.Of4[ecs.Queue[rules.Cast], ecs.Queue[rules.Halt], ecs.Queue[rules.Learn], ecs.Queue[rules.Levelled]](),
			ecs.Of4[ecs.Queue[rules.Apply], ecs.Queue[rules.Strip], ecs.Queue[rules.Summon], ecs.Queue[rules.Resurrect]](),
			ecs.Of[ecs.Queue[rules.Verdict]](),
			ecs.Of3[ecs.Queue[move.KnockBack], ecs.Queue[move.Teleport], ecs.Queue[move.Run]](),
		),
		Timers: []sched.Timers{&s.timers, &s.missiles},
		Self:   s,
		Run:    s.run,
	}
}

type system struct {
	world *ecs.World
	defs  *defs.World
	place *defs.Map
	space *space.Space
	log   *change.Log
	book  *rules.Book

	ledger *goods.Ledger

	requests *ecs.Queue[change.Sent[msg.CastSpell]]
	cancels  *ecs.Queue[change.Sent[msg.CancelCast]]
	unchosen *ecs.Queue[change.Sent[msg.CancelChannelling]]
	wishes   *ecs.Queue[change.Sent[msg.Empty]]
	moves    *ecs.Queue[change.Sent[msg.Move]]
	buttons  *ecs.Queue[change.Sent[msg.SetActionButton]]

	casts   *ecs.Queue[rules.Cast]
	halts   *ecs.Queue[rules.Halt]
	learns  *ecs.Queue[rules.Learn]
	levels  *ecs.Queue[rules.Levelled]
	blows   *ecs.Queue[rules.Blow]
	deaths  *ecs.Reader[rules.Death]
	readied *ecs.Queue[rules.Readied]
	applies *ecs.Queue[rules.Apply]
	strips  *ecs.Queue[rules.Strip]
	broken  *ecs.Queue[rules.Broken]
	summons *ecs.Queue[rules.Summon]
	offers  *ecs.Queue[rules.Resurrect]
	throws  *ecs.Queue[move.KnockBack]
	jumps   *ecs.Queue[move.Teleport]
	runs    *ecs.Queue[move.Run]

	verdicts *ecs.Queue[rules.Verdict]

	objects   ecs.Column[components.Object]
	vitals    ecs.Column[components.Vitals]
	units     ecs.Column[components.Unit]
	stances   ecs.Column[components.Stance]
	bouts     ecs.Column[components.Bout]
	positions ecs.Column[components.Position]
	motions   ecs.Column[components.Motion]
	walks     ecs.Column[components.Walk]
	homes     ecs.Column[components.Home]
	records   ecs.Column[components.Record]
	stats     ecs.Column[components.Stats]
	regards   ecs.Column[components.Target]
	casting   ecs.Column[components.Casting]
	spells    ecs.Column[components.Spellbook]
	actions   ecs.Column[components.Actions]

	timers   sched.Wheel[timer]
	missiles sched.Wheel[missile]
	gather   gather  `image:"-"` // within a cast
	hands    [8]cast `image:"-"` // see hand
	used     int
	said     said
	counters
}

// run does what is due, then what is asked for, then what the tick's blows and deaths do to those who cast.
// What a cast triggers at once is done in the same tick.
func (s *system) run(t sched.Tick) {
	s.learn(t)
	s.press()
	s.interrupt(t)
	s.fire(t)
	s.swing(t)
	s.ask(t)
	for range maxTriggered + 1 {
		casts := s.casts.Take()
		for i := range casts {
			s.begin(t, &casts[i])
		}
	}
	s.push(t)
	s.bury(t)
}

// maxTriggered is how many spells in a row may trigger each other, with missiles in between or without, our own
// choice.
const maxTriggered = 4
