package respawn

import (
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/space"
	"muster/sched"
	"muster/systems/rules"
)

// maxSummons is the most summoned creatures of a map at a time, our own choice. Their GUIDs have the last counters,
// in turn: each is reused only after all others.
const maxSummons = 1 << 12

// firstSummon is the counter of the first summoned creature.
const firstSummon = FirstCounter + MaxCreatures - maxSummons

// Summons decides which creatures are summoned, and when those leave that are summoned for a time.
type Summons struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	space    ecs.Res[space.Space]
	summons  ecs.Requests[rules.Summon]
	births   ecs.Emit[birth]
	removals ecs.Emit[removal]
	results  ecs.Emit[rules.Summoned]
	units    ecs.Read[components.Unit]
	aiStates ecs.Read[components.AIState]

	next   uint32             // the next counter to try
	guids  [maxSummons]uint64 // by counter: of its last creature,
	uses   [maxSummons]uint32 // how many it has had,
	born   [maxSummons]uint64 // and one more than the tick in which it was asked for: it is not to be found before that ends
	timers sched.Wheel[expiry]

	badSummon sched.Counter `name:"respawn.bad_summon"`
	crowded   sched.Counter `name:"respawn.crowded"`
}

// An expiry is due when the time of a summoned creature is up.
type expiry struct {
	counter, use uint32
	peaceMs      uint32 // it is a time out of combat, of this length; 0 it is not
}

// Run implements sched.Runner.
func (s *Summons) Run(t sched.Tick) {
	for _, due := range s.timers.Take(t.N) {
		e := s.creature(due.counter)
		switch {
		case s.uses[due.counter] != due.use || !s.entities.Exists(e):
		case s.staysMs(t, e, due.peaceMs) > 0:
			s.timers.Add(t.After(time.Duration(s.staysMs(t, e, due.peaceMs))*time.Millisecond), due)
		default:
			s.removals.Emit(removal{e})
		}
	}
	summons := s.summons.Take()
	for i := range summons {
		s.summon(t, &summons[i])
	}
}

// staysMs is how long a creature stays whose time counts out of combat, milliseconds: 0 if its time is up.
//
// Source: TempSummon::Update, AzerothCore (TEMPSUMMON_TIMED_DESPAWN_OUT_OF_COMBAT).
func (s *Summons) staysMs(t sched.Tick, e ecs.Entity, peaceMs uint32) uint32 {
	state := s.aiStates.Get(e)
	if peaceMs == 0 || state.SinceMs == 0 {
		return 0
	}
	if state.Mode != components.Idle {
		return peaceMs
	}
	return peaceMs - min(peaceMs, t.NowMs-state.SinceMs)
}

// creature is the last creature of a counter, zero or gone if it is not there any more.
func (s *Summons) creature(counter uint32) ecs.Entity {
	return s.space.Get().Find(s.guids[counter])
}

// summon makes a creature without a spawn point, in the faction and the service of its summoner.
func (s *Summons) summon(t sched.Tick, m *rules.Summon) {
	template := s.defs.Get().Creature(m.Entry)
	if template == nil || !m.At.OnMap() {
		s.badSummon.Count()
		return
	}
	counter, ok := s.counter(t)
	if !ok {
		s.crowded.Count()
		if m.Command != 0 {
			s.results.Emit(rules.Summoned{Command: m.Command})
		}
		return
	}
	dice := t.Dice("respawn.summon", uint64(counter))
	b := birth{
		entry: m.Entry, counter: firstSummon + counter, level: level(template, &dice), faction: template.Faction,
		info: components.SpawnInfo{At: m.At, Path: -1, Summoner: m.Summoner, Prey: m.Prey}, look: template.Look,
	}
	if s.entities.Exists(m.By) {
		b.faction, b.info.Owner = s.units.Get(m.By).Faction, m.By
	}
	s.births.Emit(b)
	s.guids[counter] = components.CreatureGUID(b.entry, b.counter)
	s.uses[counter]++
	s.born[counter] = t.N + 1
	if m.Command != 0 {
		s.results.Emit(rules.Summoned{Command: m.Command, GUID: s.guids[counter]})
	}
	if m.ForMs > 0 {
		due := expiry{counter: counter, use: s.uses[counter]}
		if m.Peace {
			due.peaceMs = m.ForMs
		}
		s.timers.Add(t.After(time.Duration(m.ForMs)*time.Millisecond), due)
	}
}

// counter is the number of the next summoned creature. Used ones are skipped: some creatures never despawn.
func (s *Summons) counter(t sched.Tick) (n uint32, ok bool) {
	for range maxSummons {
		n = s.next
		s.next = (s.next + 1) % maxSummons
		if s.born[n] != t.N+1 && !s.entities.Exists(s.creature(n)) {
			return n, true
		}
	}
	return 0, false
}
