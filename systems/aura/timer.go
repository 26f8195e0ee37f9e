package aura

import (
	"muster/components"
	"muster/ecs"
	"muster/sched"
)

// resume schedules the auras of a player that has entered.
func (s *AppliedAuras) resume(t sched.Tick, e ecs.Entity, auras *components.Auras) {
	for i := range auras.List[:auras.Count] {
		s.schedule(t, e, &auras.List[i])
	}
	s.unitAuras.Get(e).States = 0 // the client knows none of the states of its auras yet
	s.changed(e)
}

// expire executes what is due of an aura: all pulses up to now, in order, and its end. So a unit whose cell slept, or
// whose map was not stepped, catches up.
func (s *AppliedAuras) expire(t sched.Tick, due timer) {
	if !s.entities.Exists(due.entity) {
		return
	}
	for n := 0; ; n++ {
		auras := s.auras(due.entity)
		at := find(auras, due.number)
		if at < 0 {
			return
		}
		a := &auras.List[at]
		i := s.first(t, a)
		switch {
		case i >= 0 && n >= maxPulses:
			a.NextMs[i] = t.NowMs + s.template(a).Effects[i].PulseMs
			s.skipped.Count()
			continue
		case i >= 0:
			a.NextMs[i] += s.template(a).Effects[i].PulseMs
			s.pulses.Emit(pulse{due.entity, *a, i})
			continue
		case a.Ended(t.NowMs):
			s.remove(t, due.entity, at)
		default:
			s.schedule(t, due.entity, a)
		}
		return
	}
}

// maxPulses is how many pulses of an aura are caught up with at once, our own choice: those of an hour. A permanent
// aura may have been left alone for weeks.
const maxPulses = 3600

// find is the index of a timer's aura, -1 if it is gone.
func find(auras *components.Auras, number uint32) int {
	if auras == nil {
		return -1
	}
	for i := range auras.List[:auras.Count] {
		if auras.List[i].Timer == number {
			return i
		}
	}
	return -1
}

// first is the effect of an aura whose pulse has been due longest, -1 if there is none. Pulses after the end of the
// aura do not count.
func (s *AppliedAuras) first(t sched.Tick, a *components.Aura) int {
	sp, first := s.template(a), -1
	for i := range a.NextMs {
		if a.Effects&(1<<i) == 0 || sp.Effects[i].PulseMs == 0 || int32(t.NowMs-a.NextMs[i]) < 0 ||
			a.MaxMs != 0 && int32(a.EndMs-a.NextMs[i]) < 0 {
			continue
		}
		if first < 0 || int32(a.NextMs[i]-a.NextMs[first]) < 0 {
			first = i
		}
	}
	return first
}
