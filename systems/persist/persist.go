// Package persist tells of players while they play, so that little is lost if the process ends without a word. It
// writes snapshots into the frame; what becomes of them is the gateway's.
package persist

import (
	"slices"
	"time"

	"muster/components"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/net/replication/frame"
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

// System takes snapshots of players.
type System struct {
	entities ecs.Entities
	rate     ecs.Res[Rate]
	out      change.Out
	saver    record.Saver
	joined   ecs.Events[change.Joined]
	urgent   ecs.Events[change.Urgent]
	objects  ecs.Read[components.Object]
	kept     ecs.Write[components.SavedState]
	unsaved  ecs.Write[components.Unsaved]
	records  ecs.Write[components.Record]

	rota  rota
	lists frame.Lists
}

// Run looks at players that cannot wait, and then at those whose turn it is, which in a period are all.
func (s *System) Run(t sched.Tick) {
	rate := s.rate.Get()
	if !rate.Seldom {
		for _, it := range s.urgent.All() {
			if s.entities.Alive(it.Entity) {
				s.look(t, it.Entity)
			}
		}
	}
	s.rota.enlist(s.joined.All(), int(rate.period()/t.Step))
	for turn := range s.rota.due(t.N) {
		*turn = slices.DeleteFunc(*turn, func(e ecs.Entity) (gone bool) {
			if gone = !s.entities.Alive(e); !gone {
				s.look(t, e)
			}
			return gone
		})
	}
}

// look takes a snapshot of a player that is not as it was told of last.
func (s *System) look(t sched.Tick, e ecs.Entity) {
	unsaved, kept, state := s.unsaved.Get(e), s.kept.Get(e), s.saver.State(e)
	told := unsaved.Lists & record.Lists
	if state == kept.State && told == 0 {
		unsaved.Soon = 0
		return
	}
	r := s.records.Get(e)
	r.Version++
	save := s.out.Save()
	save.GUID, save.Version, save.State = s.objects.Get(e).GUID, r.Version, state
	s.saver.Complete(t, e, &save.State)
	save.Told, save.Soon = told, unsaved.Soon != 0
	if told != 0 {
		s.lists.Told = told
		s.saver.TakeLists(t, e, &s.lists.Life, told)
		s.out.Write(msg.Append(s.out.Buffer(), wire.V12340, &s.lists))
		save.Lists = s.out.Cut()
	}
	kept.State, *unsaved = state, components.Unsaved{}
}
