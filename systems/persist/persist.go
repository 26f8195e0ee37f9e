// Package persist saves players while they play, so that little is lost if the process is killed. It writes snapshots
// into the frame; the gateway stores them.
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
	"muster/systems/rules"
)

// Period is the time between two checks of each player. A killed process loses at most this and the time until a
// snapshot is on the disk.
const Period = 400 * time.Millisecond

// Glance is that time in a world that keeps nothing. It limits the age of the level and the zone that others are sent
// of a player (who list).
const Glance = 10 * time.Second

// A Rate is how often the players of a world are checked.
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
	urgent   change.Urgent
	levels   ecs.EventReader[rules.LevelChanged]
	objects  ecs.Read[components.Object]
	kept     ecs.Write[components.SavedState]
	unsaved  ecs.Write[components.Unsaved]
	records  ecs.Write[components.Record]

	rota  rota
	lists frame.Lists
}

// Run checks players that were marked as urgent, and then those whose turn it is; in a period all have one.
func (s *System) Run(t sched.Tick) {
	for _, it := range s.levels.Next() {
		if s.entities.Alive(it.Entity) {
			s.records.Get(it.Entity).Levelled(t.NowMs)
		}
	}
	rate := s.rate.Get()
	if !rate.Seldom {
		for _, e := range s.urgent.All() {
			if s.entities.Alive(e) {
				s.look(t, e)
			}
		}
	}
	s.rota.enlist(s.joined.All(), int(rate.period()/t.Unit))
	for turn := range s.rota.due(t.N) {
		*turn = slices.DeleteFunc(*turn, func(e ecs.Entity) (gone bool) {
			if gone = !s.entities.Alive(e); !gone {
				s.look(t, e)
			}
			return gone
		})
	}
}

// look saves a player that has changed since its last snapshot.
func (s *System) look(t sched.Tick, e ecs.Entity) {
	unsaved, kept, state := s.unsaved.Get(e), s.kept.Get(e), s.saver.State(e)
	saved := unsaved.Lists & record.Lists
	if state == kept.State && saved == 0 {
		unsaved.Soon = 0
		return
	}
	r := s.records.Get(e)
	r.Version++
	save := s.out.Save()
	save.GUID, save.Version, save.State = s.objects.Get(e).GUID, r.Version, state
	s.saver.Complete(t, e, &save.State)
	save.Told, save.Soon = saved, unsaved.Soon != 0
	if saved != 0 {
		s.lists.Told = saved
		s.saver.TakeLists(t, e, &s.lists.Life, saved)
		s.out.Write(msg.Append(s.out.Buffer(), wire.V12340, &s.lists))
		save.Lists = s.out.Cut()
	}
	kept.State, *unsaved = state, components.Unsaved{}
}
