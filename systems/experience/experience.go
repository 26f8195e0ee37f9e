// Package experience is what kills are worth, and the levels of players.
package experience

import (
	"cmp"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// Rate is the factor of experience from kills: a resource. 0 is 1.
type Rate float32

func (r Rate) factor() float32 { return cmp.Or(float32(r), 1) }

// Experience gives players experience, and decides on levels. It alone writes experience.
type Experience struct {
	entities ecs.Entities
	rate     ecs.ResMut[Rate]
	defs     ecs.Res[defs.World]
	out      change.Out
	dirty    change.Dirty
	unsaved  change.Unsaved

	joined    ecs.Events[change.Joined]
	kills     ecs.Events[Kill]
	setLevels ecs.Requests[rules.SetLevel]
	setRates  ecs.Requests[rules.SetXPRate]
	levels    ecs.Emit[rules.LevelChanged]

	sessions ecs.Read[components.Session]
	objects  ecs.Read[components.Object]
	units    ecs.Read[components.Unit]
	progress ecs.Write[components.Progress]

	risen []rules.LevelChanged // in this tick: system unitfields shows them at the end of the stage
	gain  msg.XPGain           // kept here, since a packet takes its message by reference
}

// OnEvents rewards the kills of the tick, at the rate that counts from now on, and sets the levels that are asked for.
func (s *Experience) OnEvents(sched.Tick) {
	s.risen = s.risen[:0]
	for _, r := range s.setRates.Take() {
		*s.rate.Get() = Rate(r.Rate)
	}
	for _, it := range s.joined.All() {
		s.setNextXP(it.Entity, s.units.Get(it.Entity).Level)
	}
	for _, k := range s.kills.All() {
		s.reward(&k)
	}
	for _, r := range s.setLevels.Take() {
		if !s.entities.Exists(r.Entity) || !s.sessions.Has(r.Entity) {
			continue
		}
		if from, to := s.level(r.Entity), min(max(r.Level, 1), s.defs.Get().Players.MaxLevel); from != to {
			s.progress.Get(r.Entity).XP = 0
			s.rise(r.Entity, from, to)
		}
	}
}

// reward gives a player the experience of a kill.
//
// Source: KillRewarder and Acore::XP::Gain, AzerothCore (an elite gives twice as much).
func (s *Experience) reward(k *Kill) {
	gain := BaseGain(s.level(k.By), k.Level)
	if k.Elite {
		gain *= 2
	}
	if gain = uint32(float32(float32(gain)*k.XP) * s.rate.Get().factor()); gain > 0 {
		s.learn(k.By, gain, k.Victim)
	}
}

// learn gives a player experience, and the levels that follow. At the highest level there is none.
//
// Source: Player::GiveXP, AzerothCore.
func (s *Experience) learn(e ecs.Entity, gain uint32, victim uint64) {
	players, level, p := &s.defs.Get().Players, s.level(e), s.progress.Get(e)
	if players.Next(level) == 0 {
		return
	}
	s.gain = msg.XPGain{Victim: victim, Total: gain, Kind: msg.XPKill, Base: gain, Group: 1}
	s.out.SendNow(e, msg.OpXPGain, &s.gain)
	s.out.Happen(change.Happening{Kind: change.HappenedExperience, Subject: s.objects.Get(e).GUID, Other: victim, Amount: gain})
	p.XP += gain
	for next := players.Next(level); next > 0 && p.XP >= next; next = players.Next(level) {
		p.XP -= next
		s.rise(e, level, level+1)
		level++
	}
	if players.Next(level) == 0 {
		p.XP = 0
	}
	s.dirty.Mark(e, components.DirtyProgress)
	s.unsaved.MarkNow(e, 0)
}

// level returns a player's level, after the changes of this tick.
func (s *Experience) level(e ecs.Entity) uint32 {
	for i := len(s.risen) - 1; i >= 0; i-- {
		if s.risen[i].Entity == e {
			return s.risen[i].To
		}
	}
	return s.units.Get(e).Level
}

// rise changes a player's level. System unitfields shows it, and system stats recomputes what depends on it, sends the player
// what has changed, and restores its health and power.
//
// Source: Player::GiveLevel, AzerothCore.
func (s *Experience) rise(e ecs.Entity, from, to uint32) {
	changed := rules.LevelChanged{Entity: e, From: from, To: to}
	s.risen = append(s.risen, changed)
	s.levels.Emit(changed)
	s.setNextXP(e, to)
	s.unsaved.MarkNow(e, life.Set(0))
}

// setNextXP shows how much experience the level after one takes, and which is the highest.
func (s *Experience) setNextXP(e ecs.Entity, level uint32) {
	players, progress := &s.defs.Get().Players, s.progress.Get(e)
	progress.NextXP, progress.MaxLevel = players.Next(level), players.MaxLevel
	s.dirty.Mark(e, components.DirtyProgress)
}
