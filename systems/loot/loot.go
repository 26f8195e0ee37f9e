// Package loot is what players do with their hands outside of a fight: they take what bodies leave, put on and away
// what they have, and ask what it is.
package loot

import (
	"slices"

	"muster/components"
	"muster/components/change"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/net/msg"
	"muster/net/wire"
	"muster/sched"
	"muster/systems/goods"
	"muster/systems/rules"
)

// System returns the system of a world. It comes after all that kills, and before those that let players go.
func System(w *ecs.World) sched.System {
	counters := ecs.Shared[metric.Table](w)
	s := &system{
		world:  w,
		defs:   ecs.Shared[defs.World](w),
		space:  ecs.Shared[space.Space](w),
		log:    ecs.Shared[change.Log](w),
		mint:   ecs.Shared[goods.Mint](w),
		tally:  ecs.Shared[goods.Tally](w),
		bodies: ecs.Shared[Bodies](w),
		ledger: goods.New(w),
		eyes:   newEyes(w),

		deaths:    ecs.QueueOf[rules.Death](w).Reader(),
		looted:    ecs.QueueOf[rules.Looted](w),
		casts:     ecs.QueueOf[rules.Cast](w),
		newcomers: ecs.QueueOf[goods.Newcomer](w),

		objects:   ecs.NewColumn[components.Object](w),
		vitals:    ecs.NewColumn[components.Vitals](w),
		units:     ecs.NewColumn[components.Unit](w),
		stances:   ecs.NewColumn[components.Stance](w),
		guises:    ecs.NewColumn[components.Guise](w),
		bouts:     ecs.NewColumn[components.Bout](w),
		positions: ecs.NewColumn[components.Position](w),
		homes:     ecs.NewColumn[components.Home](w),
		sessions:  ecs.NewColumn[components.Session](w),
		remains:   ecs.NewColumn[components.Remains](w),
		looting:   ecs.NewColumn[components.Looting](w),
		records:   ecs.NewColumn[components.Record](w),

		tooFar:   counters.Counter("loot.too_far"),
		notTheir: counters.Counter("loot.not_theirs"),
		gone:     counters.Counter("loot.gone"),
		unable:   counters.Counter("loot.unable"),
		tooDeep:  counters.Counter("loot.too_deep"),
		tooMany:  counters.Counter("loot.too_many"),
		badPlace: counters.Counter("loot.bad_place"),
	}
	s.listen(w)
	return sched.System{
		Name: "loot", Stage: sched.Settle,
		Reads: slices.Concat(goods.Reads(), s.heard,
			ecs.Of4[space.Space, components.Sight, ecs.Queue[goods.Newcomer], components.Guise]()),
		Writes: slices.Concat(goods.Writes(),
			ecs.Of4[components.Remains, components.Looting, Bodies, ecs.Queue[rules.Looted]](),
			ecs.Of2[ecs.Queue[rules.Cast], components.Record]()),
		Self: s,
		Run:  s.run,
	}
}

// Bodies is all that lies about to be looted: a shared value.
type Bodies struct {
	ecs.Slab[components.Loot]
	Lying []uint32 // the blocks in use; those of bodies that are gone are still there for a while
}

// Share gives a world its bodies.
func Share(w *ecs.World) { ecs.Share(w, new(Bodies)) }

type system struct {
	world  *ecs.World
	defs   *defs.World
	space  *space.Space
	log    *change.Log
	mint   *goods.Mint
	tally  *goods.Tally
	bodies *Bodies
	ledger *goods.Ledger
	eyes   eyes

	ears  []ear
	heard []ecs.Type // the queues behind them
	order []wish

	deaths    *ecs.Reader[rules.Death]
	looted    *ecs.Queue[rules.Looted]
	casts     *ecs.Queue[rules.Cast]
	newcomers *ecs.Queue[goods.Newcomer]

	objects   ecs.Column[components.Object]
	vitals    ecs.Column[components.Vitals]
	units     ecs.Column[components.Unit]
	stances   ecs.Column[components.Stance]
	guises    ecs.Column[components.Guise]
	bouts     ecs.Column[components.Bout]
	positions ecs.Column[components.Position]
	homes     ecs.Column[components.Home]
	sessions  ecs.Column[components.Session]
	remains   ecs.Column[components.Remains]
	looting   ecs.Column[components.Looting]
	records   ecs.Column[components.Record]

	naked  []ecs.Entity // who waits for the outfit of its class
	thrown int          // tables of which dice were thrown for the body that is being filled

	response msg.LootResponse // kept here, since a packet takes its message by reference
	released msg.LootReleaseResponse
	removed  msg.LootRemoved
	money    msg.LootMoneyNotify
	failure  msg.InventoryChangeFailure
	item     msg.ItemQueryResponse
	name     msg.ItemNameQueryResponse

	tooFar, notTheir, gone, unable, tooDeep, tooMany, badPlace *metric.Counter
}

// run fills the bodies of who has died, does what clients ask for in the order in which it arrived, and shows what
// can be looted to who may.
func (s *system) run(t sched.Tick) {
	if t.N > 0 { // nobody is there to answer in the first
		if n := s.mint.Wants(); n > 0 {
			s.log.Draft.Want(n)
		}
	}
	s.dress(t)
	for _, d := range s.deaths.Next() {
		switch {
		case !s.world.Alive(d.Entity):
		case s.remains.Has(d.Entity):
			s.fill(t, d.Entity)
		case s.looting.Get(d.Entity).Open != 0:
			s.bid(d.Entity)
		}
	}
	s.claim()
	s.obey(t)
	s.show(t)
	s.sweep(t)
}

// answer sends a packet to a player, without waiting for its flush.
func (s *system) answer(e ecs.Entity, op uint16, m msg.Message) {
	s.log.Draft.Bytes = msg.Packet(s.log.Draft.Bytes, wire.V12340, op, m)
	s.log.Answer(e)
}
