// Package persist saves players while they play, so that little is lost if the process is killed: SaveTurns says which are
// checked in a tick, SaveLists packs their lists that have changed, and CharacterSaves writes snapshots into the frame; the gateway
// stores them.
package persist

import (
	"time"

	"muster/components"
	"muster/ecs"
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

// CharacterSaves takes snapshots of the players whose turn it is.
type CharacterSaves struct {
	entities ecs.Entities
	out      change.Out
	saver    record.StateSaver
	resumed  ecs.Events[change.Resumed]
	levels   ecs.EventReader[rules.LevelChanged]
	turns    ecs.Events[turn]
	packed   ecs.Events[packed]
	objects  ecs.Read[components.Object]
	kept     ecs.Write[components.SavedState]
	records  ecs.Write[components.Record]
}

// OnEvents implements sched.Handler.
func (s *CharacterSaves) OnEvents(t sched.Tick) {
	for _, it := range s.levels.Next() {
		if s.entities.Exists(it.Entity) {
			s.records.Get(it.Entity).Levelled(t.NowMs)
		}
	}
	for _, it := range s.resumed.All() { // by a gateway that has claimed it
		if s.entities.Exists(it.Entity) {
			r := s.records.Get(it.Entity)
			r.Version = max(r.Version, it.Version)
		}
	}
	lists := s.packed.All()
	for _, it := range s.turns.All() {
		var in frame.Span
		if it.Lists != 0 {
			in, lists = lists[0].Span, lists[1:]
		}
		s.save(t, it, in)
	}
}

// save saves a player that has changed since its last snapshot. The span has its lists that have.
func (s *CharacterSaves) save(t sched.Tick, it turn, lists frame.Span) {
	e := it.Entity
	kept, state := s.kept.Get(e), s.saver.State(e)
	if state == kept.State && it.Lists == 0 {
		return
	}
	kept.State = state
	r := s.records.Get(e)
	r.Version++
	save := s.out.Save()
	save.GUID, save.Version, save.State = s.objects.Get(e).GUID, r.Version, state
	s.saver.Complete(t, e, &save.State)
	save.Told, save.Soon, save.Lists = it.Lists, it.Soon != 0, lists
}
