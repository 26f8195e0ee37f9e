// Package experience is what kills are worth, and the levels of players.
package experience

import (
	"cmp"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/ecs/space"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// Rate is the factor of experience from kills: a resource. 0 is 1.
type Rate float32

func (r Rate) factor() float32 { return cmp.Or(float32(r), 1) }

// System rewards kills, and decides on levels. It alone writes experience.
type System struct {
	rules.Living

	entities ecs.Entities
	rate     ecs.Res[Rate]
	defs     ecs.Res[defs.World]
	space    ecs.Res[space.Space]
	out      change.Out
	dirty    change.Dirty
	unsaved  change.Unsaved

	joined    ecs.Events[change.Joined]
	deaths    ecs.EventReader[rules.Death]
	setLevels ecs.Requests[rules.SetLevel]
	levels    ecs.Emit[rules.LevelChanged]

	sessions     ecs.Read[components.Session]
	objects      ecs.Read[components.Object]
	positions    ecs.Read[components.Position]
	threatStates ecs.Read[components.ThreatState]
	units        ecs.Read[components.Unit]
	progress     ecs.Write[components.Progress]

	risen []rules.LevelChanged // in this tick: system unit shows them at the end of the stage
	gain  msg.XPGain           // kept here, since a packet takes its message by reference
}

// Run rewards the kills of the tick, and sets the levels that are asked for.
func (s *System) Run(sched.Tick) {
	s.risen = s.risen[:0]
	for _, it := range s.joined.All() {
		if s.entities.Alive(it.Entity) {
			s.setNextXP(it.Entity, s.units.Get(it.Entity).Level)
		}
	}
	for _, d := range s.deaths.Next() {
		if s.entities.Alive(d.Entity) && !s.sessions.Has(d.Entity) {
			s.reward(d.Entity)
		}
	}
	for _, r := range s.setLevels.Take() {
		if !s.entities.Alive(r.Entity) || !s.sessions.Has(r.Entity) {
			continue
		}
		if from, to := s.level(r.Entity), min(max(r.Level, 1), s.defs.Get().Players.MaxLevel); from != to {
			s.progress.Get(r.Entity).XP = 0
			s.rise(r.Entity, from, to)
		}
	}
}

// BaseGain is the experience that a player of a level gets for a kill of a creature of another.
//
// Source: Acore::XP::BaseGain, AzerothCore, where the maps have these levels and not the creatures.
func BaseGain(player, creature uint32) uint32 {
	base := uint32(45)
	switch {
	case creature > 70:
		base = 580
	case creature > 60:
		base = 235
	}
	if creature >= player {
		return ((player*5+base)*(20+min(creature-player, 4))/10 + 1) / 2
	}
	if creature <= GreyLevel(player) {
		return 0
	}
	zero := zeroDifference(player)
	return (player*5 + base) * (zero + creature - player) / zero
}

// GreyLevel is the highest level of creatures that give a player no experience.
//
// Source: Acore::XP::GetGrayLevel, AzerothCore.
func GreyLevel(player uint32) uint32 {
	switch {
	case player <= 5:
		return 0
	case player <= 39:
		return player - 5 - player/10
	case player <= 59:
		return player - 1 - player/5
	}
	return player - 9
}

// zeroDifference is the number of levels below a player's at which a creature gives no experience, by which the gain
// falls with the difference.
//
// Source: Acore::XP::GetZeroDifference, AzerothCore.
func zeroDifference(player uint32) uint32 {
	for _, step := range [...]struct{ below, difference uint32 }{
		{8, 5}, {10, 6}, {12, 7}, {16, 8}, {20, 9}, {30, 11}, {40, 12}, {45, 13}, {50, 14}, {55, 15}, {60, 16},
	} {
		if player < step.below {
			return step.difference
		}
	}
	return 17
}

// reward gives the loot recipient of a dead creature its experience, if it is alive and near.
//
// Source: KillRewarder and Acore::XP::Gain, AzerothCore (an elite gives twice as much; 74 yards).
func (s *System) reward(e ecs.Entity) {
	template := s.defs.Get().Creature(s.objects.Get(e).Entry)
	player := s.space.Get().Find(uint64(s.threatStates.Get(e).LootRecipient))
	if template == nil || template.XP == 0 || !s.Alive(player) || !s.sessions.Has(player) || !s.within(player, s.positions.Get(e), rewardYards) {
		return
	}
	gain := BaseGain(s.level(player), s.units.Get(e).Level)
	if template.Rank == defs.RankElite {
		gain *= 2
	}
	if gain = uint32(float32(float32(gain)*template.XP) * s.rate.Get().factor()); gain > 0 {
		s.learn(player, gain, s.objects.Get(e).GUID)
	}
}

// rewardYards is the largest distance of a player from a creature whose death gives it experience.
//
// Source: MaxRecruitAFriendBonusDistance aside, CONFIG_GROUP_XP_DISTANCE, worldserver.conf.dist, AzerothCore (74).
const rewardYards = 74

func (s *System) within(e ecs.Entity, at components.Position, yards float32) bool {
	p := s.positions.Get(e)
	dx, dy, dz := p.X-at.X, p.Y-at.Y, p.Z-at.Z
	return float32(dx*dx)+float32(dy*dy)+float32(dz*dz) <= float32(yards*yards)
}

// learn gives a player experience, and the levels that follow. At the highest level there is none.
//
// Source: Player::GiveXP, AzerothCore.
func (s *System) learn(e ecs.Entity, gain uint32, victim uint64) {
	players, level, p := &s.defs.Get().Players, s.level(e), s.progress.Get(e)
	if players.Next(level) == 0 {
		return
	}
	s.gain = msg.XPGain{Victim: victim, Total: gain, Kind: msg.XPKill, Base: gain, Group: 1}
	s.out.SendNow(e, msg.OpXPGain, &s.gain)
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
func (s *System) level(e ecs.Entity) uint32 {
	for i := len(s.risen) - 1; i >= 0; i-- {
		if s.risen[i].Entity == e {
			return s.risen[i].To
		}
	}
	return s.units.Get(e).Level
}

// rise changes a player's level. System unit shows it, and system stats recomputes what depends on it, sends the player
// what has changed, and restores its health and power.
//
// Source: Player::GiveLevel, AzerothCore.
func (s *System) rise(e ecs.Entity, from, to uint32) {
	changed := rules.LevelChanged{Entity: e, From: from, To: to}
	s.risen = append(s.risen, changed)
	s.levels.Emit(changed)
	s.setNextXP(e, to)
	s.unsaved.MarkNow(e, life.Set(0))
}

// setNextXP shows how much experience the level after one takes, and which is the highest.
func (s *System) setNextXP(e ecs.Entity, level uint32) {
	players, progress := &s.defs.Get().Players, s.progress.Get(e)
	progress.NextXP, progress.MaxLevel = players.Next(level), players.MaxLevel
	s.dirty.Mark(e, components.DirtyProgress)
}
