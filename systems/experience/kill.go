package experience

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/sched"
	"muster/systems/rules"
)

// A Kill is a creature's death that gives a player experience.
type Kill struct {
	By     ecs.Entity
	Victim uint64
	Level  uint32
	XP     float32 // factor of its template
	Elite  bool
}

// KillExperience finds the players that the deaths of creatures give experience.
type KillExperience struct {
	rules.Living

	entities ecs.Entities
	defs     ecs.Res[defs.World]
	space    ecs.Res[space.Space]
	deaths   ecs.EventReader[rules.Death]
	kills    ecs.Emit[Kill]

	sessions  ecs.Read[components.Session]
	objects   ecs.Read[components.Object]
	positions ecs.Read[components.Position]
	taps      ecs.Read[components.Tapped]
	units     ecs.Read[components.Unit]
}

// rewardYards is the largest distance of a player from a creature whose death gives it experience.
//
// Source: MaxRecruitAFriendBonusDistance aside, CONFIG_GROUP_XP_DISTANCE, worldserver.conf.dist, AzerothCore (74).
const rewardYards = 74

// OnEvents finds the loot recipients of creatures that have died, if they are alive and near.
func (s *KillExperience) OnEvents(sched.Tick) {
	for _, d := range s.deaths.Next() {
		if !s.entities.Exists(d.Entity) || s.sessions.Has(d.Entity) {
			continue
		}
		is := s.objects.Get(d.Entity)
		template := s.defs.Get().Creature(is.Entry)
		player := s.space.Get().Find(uint64(s.taps.Get(d.Entity).LootRecipient))
		if template == nil || template.XP == 0 || !s.Alive(player) || !s.sessions.Has(player) || !s.near(player, d.Entity) {
			continue
		}
		s.kills.Emit(Kill{player, is.GUID, s.units.Get(d.Entity).Level, template.XP, template.Rank == defs.RankElite})
	}
}

func (s *KillExperience) near(e, other ecs.Entity) bool {
	p, at := s.positions.Get(e), s.positions.Get(other)
	dx, dy, dz := p.X-at.X, p.Y-at.Y, p.Z-at.Z
	return float32(dx*dx)+float32(dy*dy)+float32(dz*dz) <= float32(rewardYards*rewardYards)
}
