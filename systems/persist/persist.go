// Package persist tells of players while they play, so that little is lost if the process ends without a word. It
// writes snapshots into the frame; what becomes of them is the gateway's.
package persist

import (
	"slices"
	"time"

	"muster/components"
	"muster/components/change"
	"muster/ecs"
	"muster/net/frame"
	"muster/net/msg"
	"muster/net/wire"
	"muster/sched"
	"muster/systems/record"
)

// Period is how often each player is looked at. What a killed process loses of it is at most as old as this and the
// time until a snapshot is on the disk.
const Period = 400 * time.Millisecond

// Glance is how often that is where nothing has to outlive the process. It bounds how old the level and the zone are
// that others are told of a player who is asked for.
const Glance = 10 * time.Second

// A Rate says how often players of a world are looked at.
type Rate struct {
	Seldom bool // every Glance, and nothing is urgent; otherwise every Period
}

func (r Rate) period() time.Duration {
	if r.Seldom {
		return Glance
	}
	return Period
}

// System returns the system of a world.
func System(w *ecs.World) sched.System {
	s := &system{
		rate:    ecs.Shared[Rate](w),
		world:   w,
		log:     ecs.Shared[change.Log](w),
		taker:   record.New(w),
		objects: ecs.NewColumn[components.Object](w),
		kept:    ecs.NewColumn[components.Kept](w),
		unsaved: ecs.NewColumn[components.Unsaved](w),
		records: ecs.NewColumn[components.Record](w),
	}
	return sched.System{
		Name: "persist", Stage: sched.Keep,
		Reads:  slices.Concat(record.Parts(), record.Shared(), ecs.Of[Rate]()),
		Writes: ecs.Of4[components.Kept, components.Unsaved, components.Record, change.Log](),
		Self:   s,
		Run:    s.run,
	}
}

type system struct {
	rate    *Rate
	world   *ecs.World
	log     *change.Log
	taker   *record.Taker
	objects ecs.Column[components.Object]
	kept    ecs.Column[components.Kept]
	unsaved ecs.Column[components.Unsaved]
	records ecs.Column[components.Record]

	rota  rota
	lists frame.Lists
}

// run looks at who cannot wait, and then at the players whose turn it is, which in a period are all.
func (s *system) run(t sched.Tick) {
	if !s.rate.Seldom {
		for _, e := range s.log.Urgent {
			if s.world.Alive(e) {
				s.look(t, e)
			}
		}
	}
	s.rota.enlist(s.log.Joined, int(s.rate.period()/t.Step))
	for turn := range s.rota.due(t.N) {
		*turn = slices.DeleteFunc(*turn, func(e ecs.Entity) (gone bool) {
			if gone = !s.world.Alive(e); !gone {
				s.look(t, e)
			}
			return gone
		})
	}
}

// look takes a snapshot of a player that is not as it was told of last.
func (s *system) look(t sched.Tick, e ecs.Entity) {
	unsaved, kept, state := s.unsaved.Get(e), s.kept.Get(e), s.taker.State(e)
	told := unsaved.Lists & record.Lists
	if state == kept.State && told == 0 {
		unsaved.Soon = 0
		return
	}
	r, d := s.records.Get(e), &s.log.Draft
	r.Version++
	save := d.Save()
	save.GUID, save.Version, save.State = s.objects.Get(e).GUID, r.Version, state
	s.taker.Complete(t, e, &save.State)
	save.Told, save.Soon = told, unsaved.Soon != 0
	if told != 0 {
		s.lists.Told = told
		s.taker.TakeLists(t, e, &s.lists.Life, told)
		d.Bytes = msg.Append(d.Bytes, wire.V12340, &s.lists)
		save.Lists = d.Cut()
	}
	kept.State, *unsaved = state, components.Unsaved{}
}
