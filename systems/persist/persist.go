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
const Period = 500 * time.Millisecond

// System returns the system of a world.
func System(w *ecs.World) sched.System {
	s := &system{
		world:   w,
		log:     ecs.Shared[change.Log](w),
		taker:   record.New(w),
		players: ecs.NewFilter2[components.Session, components.Kept](w),
		kept:    ecs.NewColumn[components.Kept](w),
		unsaved: ecs.NewColumn[components.Unsaved](w),
		records: ecs.NewColumn[components.Record](w),
	}
	return sched.System{
		Name: "persist", Stage: sched.Keep,
		Reads:  slices.Concat(record.Parts(), record.Shared(), ecs.Of[components.Session]()),
		Writes: ecs.Of4[components.Kept, components.Unsaved, components.Record, change.Log](),
		Run:    s.run,
	}
}

type system struct {
	world   *ecs.World
	log     *change.Log
	taker   *record.Taker
	players *ecs.Filter2[components.Session, components.Kept]
	kept    ecs.Column[components.Kept]
	unsaved ecs.Column[components.Unsaved]
	records ecs.Column[components.Record]

	character frame.Character
}

// run looks at who cannot wait, and then at the players whose turn it is, which in a period are all.
func (s *system) run(t sched.Tick) {
	for _, e := range s.log.Urgent {
		if s.world.Alive(e) {
			s.look(t, e, s.kept.Get(e))
		}
	}
	turns := max(1, uint32(Period/t.Step))
	turn := uint32(t.N) % turns
	for q := s.players.Query(); q.Next(); {
		if session, kept := q.Get(); session.ID%turns == turn {
			s.look(t, q.Entity(), kept)
		}
	}
}

// look takes a snapshot of a player that is not as it was told of last.
func (s *system) look(t sched.Tick, e ecs.Entity, kept *components.Kept) {
	unsaved, body := s.unsaved.Get(e), s.taker.Body(e)
	told := unsaved.Lists & record.Lists
	if body == *kept && told == 0 {
		unsaved.Soon = 0
		return
	}
	s.records.Get(e).Version++
	s.taker.Take(t, e, &s.character, told)
	d := &s.log.Draft
	d.Bytes = msg.Append(d.Bytes, wire.V12340, &s.character)
	d.Save(frame.Save{GUID: s.character.GUID, Told: told, Soon: unsaved.Soon != 0, Character: d.Cut()})
	*kept, *unsaved = body, components.Unsaved{}
}
