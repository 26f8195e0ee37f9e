package threat

import (
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/combat"
	"muster/systems/rules"
	"muster/systems/unit"
	"muster/systems/vitals"
)

// A stage is a world in which players and creatures fight: vitals, combat and threat, in the order of a tick.
type stage struct {
	*ecs.World
	system *ThreatLists
	plan   *sched.Plan
	log    *change.Log
	tick   sched.Tick // the next one
	count  metric.Table
	bodies map[uint16][]byte // of the packets of the last tick, the last of each kind

	dealt   *ecs.Reader[rules.DamageDealt]
	healed  *ecs.Reader[rules.Healed]
	engaged *ecs.Reader[rules.Engaged]
	tapped  *ecs.Reader[rules.LootRecipientSet]
	gone    *ecs.Reader[rules.Gone]

	rules.Threats
	player, beast *ecs.Archetype
	objects       ecs.Accessor[components.Object]
	units         ecs.Accessor[components.Unit]
	vitals        ecs.Accessor[components.Vitals]
	stats         ecs.Accessor[components.CombatStats]
	stances       ecs.Accessor[components.Stance]
	sessions      ecs.Accessor[components.Session]
	spawnInfos    ecs.Accessor[components.SpawnInfo]
	attacks       ecs.Accessor[components.Attack]
	threatStates  ecs.Accessor[components.ThreatState]
	taps          ecs.Accessor[components.Tapped]
}

func newStage() *stage {
	w := ecs.NewWorld(64)
	s := &stage{World: w, tick: sched.Tick{N: 1, NowMs: 50, Quantum: 50e6, Seed: 1}}
	ecs.Share(w, &defs.World{})
	ecs.Share(w, &s.count)
	ecs.Share(w, new(space.Space))
	s.log = change.NewLog(w)
	ecs.Share(w, s.log)
	rules.Share(w)
	ecs.Bind(w, &s.Threats)
	s.system = new(ThreatLists)
	s.plan = sched.NewPlan(w.EndStage, sched.Bind(w, sched.Act, new(vitals.Mitigation)), sched.Bind(w, sched.Act, new(vitals.Vitals)), sched.Bind(w, sched.Act, new(vitals.CombatLog)), sched.Bind(w, sched.Act, new(unit.UnitFields)), sched.Bind(w, sched.Act, new(unit.Stances)),
		sched.Bind(w, sched.Act, new(combat.Attacks)),
		sched.Bind(w, sched.Settle, new(ThreatSources)), sched.Bind(w, sched.Settle, s.system),
		sched.Bind(w, sched.Settle, new(CombatStates)), sched.Bind(w, sched.Settle, new(ThreatReports)), sched.Bind(w, sched.Settle, new(LootRecipients)))
	s.dealt, s.healed = ecs.QueueOf[rules.DamageDealt](w).Reader(), ecs.QueueOf[rules.Healed](w).Reader()
	s.engaged, s.tapped = ecs.QueueOf[rules.Engaged](w).Reader(), ecs.QueueOf[rules.LootRecipientSet](w).Reader()
	s.gone = ecs.QueueOf[rules.Gone](w).Reader()
	s.objects, s.spawnInfos = ecs.NewAccessor[components.Object](w), ecs.NewAccessor[components.SpawnInfo](w)
	s.units, s.vitals = ecs.NewAccessor[components.Unit](w), ecs.NewAccessor[components.Vitals](w)
	s.stats, s.stances = ecs.NewAccessor[components.CombatStats](w), ecs.NewAccessor[components.Stance](w)
	s.sessions = ecs.NewAccessor[components.Session](w)
	s.attacks = ecs.NewAccessor[components.Attack](w)
	s.threatStates = ecs.NewAccessor[components.ThreatState](w)
	s.taps = ecs.NewAccessor[components.Tapped](w)
	both := slices.Concat(components.CombatParts(), ecs.Of2[components.Position, components.Dirty]())
	s.player = ecs.NewArchetype(w, slices.Concat(components.PlayerParts(), both, ecs.Of[components.Session]())...)
	s.beast = ecs.NewArchetype(w, slices.Concat(components.CreatureParts(), both, ecs.Of[components.SpawnInfo]())...)
	return s
}

func (s *stage) addPlayer(guid uint64) ecs.Entity {
	e := s.player.Spawn()
	s.sessions.Get(e).ID = uint32(guid)
	return s.add(e, guid, 80, defs.FactionFriendly)
}

func (s *stage) addBeast(guid uint64) ecs.Entity {
	return s.add(s.beast.Spawn(), guid, 50, defs.FactionHostile)
}

func (s *stage) add(e ecs.Entity, guid uint64, health, faction uint32) ecs.Entity {
	s.objects.Get(e).GUID = guid
	*s.units.Get(e) = components.Unit{Level: 1, Faction: faction, CombatReach: 1.5}
	*s.vitals.Get(e) = components.Vitals{Health: health, MaxHealth: health}
	*s.stats.Get(e) = components.CombatStats{
		MinDamage: [3]float32{3}, MaxDamage: [3]float32{5}, SwingMs: [3]uint32{2000}, DamageDone: 1, DamageTaken: 1, ThreatDone: 1,
	}
	return e
}

// emit appends events of which systems take each in the next tick.
func emit[T any](s *stage, all ...T) {
	for _, it := range all {
		*ecs.QueueOf[T](s.World).Next() = it
	}
}

// run runs a tick, and lists the packets that it sends.
func (s *stage) run() (sent []uint16) {
	s.plan.Run(s.tick)
	s.EndTick()
	s.bodies = make(map[uint16][]byte)
	for b := s.log.Builder.Bytes; len(b) > 0; {
		op, payload, header, _ := wire.ServerHeader(b)
		sent = append(sent, op)
		s.bodies[op] = slices.Clone(b[header : header+payload])
		b = b[header+payload:]
	}
	s.log.Builder.Bytes = s.log.Builder.Bytes[:0]
	s.log.Builder.Cut()
	s.log.Reset()
	s.tick.N++
	s.tick.NowMs += 50
	return sent
}

// runFor runs ticks for a time.
func (s *stage) runFor(ms uint32) {
	for until := s.tick.NowMs + ms; s.tick.NowMs < until; {
		s.run()
	}
}

// threaten changes threat in the next tick.
func (s *stage) threaten(e, by ecs.Entity, amount float32) {
	emit(s, rules.ThreatChange{Entity: e, By: by, Amount: amount, Raw: true})
}

// remove takes a unit off a creature's list, if it is on it.
func (s *stage) remove(e, target ecs.Entity) {
	if block := s.threatStates.Get(e).List; block != 0 {
		if at := find(s.system.lists.Get().At(block), target); at >= 0 {
			s.system.removeEntry(s.tick, block, at)
		}
	}
}

// hit deals damage in the next tick.
func (s *stage) hit(by, to ecs.Entity, amount uint32) {
	emit(s, rules.Damage{By: by, To: to, School: 1, Amount: amount})
}

// listedOn is how many threat lists a unit is on.
func (s *stage) listedOn(e ecs.Entity) int { return int(s.threatStates.Get(e).ThreatenedByCount) }

// victim is what a unit attacks.
func (s *stage) victim(e ecs.Entity) ecs.Entity { return s.attacks.Get(e).Victim }

// recipient is the counter of the player that may loot a creature, 0 none.
func (s *stage) recipient(e ecs.Entity) uint32 { return s.taps.Get(e).LootRecipient }

func (s *stage) inCombat(e ecs.Entity) bool { return s.units.Get(e).Flags&components.UnitInCombat != 0 }
