package smartai

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/sched"
	"muster/systems/rules"
)

// Talks has creatures say lines of their texts. A group is gone through before a line of it is said again.
//
// Source: CreatureTextMgr::SendChat, AzerothCore.
type Talks struct {
	rules.Units
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	states   ecs.ResMut[ecs.Slab[components.ScriptState]]
	effects  ecs.EventReader[effect]
	triggers ecs.Emit[trigger]
	lines    ecs.Emit[line]

	objects  ecs.Read[components.Object]
	scripted ecs.Read[components.Scripted]

	noText sched.Counter `name:"smartai.no_text"` // of groups that a creature does not have
}

// A line is a line of a text that a unit says. System speeches reads it.
type line struct {
	speaker, listener ecs.Entity
	entry, group      uint32 // of the text
	index             uint32 // of the line in it
}

// React implements sched.Reactor.
func (s *Talks) React(t sched.Tick) {
	effects := s.effects.Next()
	for i := range effects {
		it := &effects[i]
		switch row := it.at.in(s.defs.Get()); row.Action {
		case defs.ScriptTalk:
			if it.number == 0 {
				s.talk(t, it, row)
			}
		case defs.ScriptSimpleTalk:
			if it.target != (ecs.Entity{}) && s.entities.Exists(it.target) && s.Unit(it.target) {
				s.speak(t, it, it.target, it.by, row.Do[0])
			}
		}
	}
}

// talk has the target say a text to the invoker, or the creature itself if the target is a player or its listener.
//
// Source: SMART_ACTION_TALK, SmartScript::ProcessAction, AzerothCore.
func (s *Talks) talk(t sched.Tick, it *effect, row *defs.ScriptRow) {
	speaker, listener := it.entity, it.by
	if it.target != (ecs.Entity{}) {
		switch {
		case !s.entities.Exists(it.target) || !s.Unit(it.target):
			return
		case s.Player(it.target) || row.Do[2] != 0:
			listener = it.target
		default:
			speaker = it.target
		}
	}
	if !s.Unit(speaker) {
		return // a game object says nothing
	}
	said := s.speak(t, it, speaker, listener, row.Do[0])
	if said == nil {
		return
	}
	ms := row.Do[1]
	if ms == 0 {
		ms = said.TimeMs
	}
	if it.at.node == 0 {
		s.triggers.Emit(trigger{entity: it.entity, kind: talks, a: row.Do[0], b: ms})
	}
}

// speak has a unit say a line of a group, and returns it, nil if there is none.
func (s *Talks) speak(t sched.Tick, it *effect, speaker, listener ecs.Entity, group uint32) *defs.TextLine {
	entry := s.objects.Get(speaker).Entry
	if s.Player(speaker) {
		entry = s.objects.Get(it.entity).Entry
	}
	if it.at.node != 0 {
		entry = 0 // such texts are of no creature
	}
	text, said := s.defs.Get().Texts.Of(entry, group), (*components.ScriptSaid)(nil)
	if s.entities.Exists(it.entity) {
		said = s.saidOf(it, group)
	}
	if text == nil || said == nil {
		s.noText.Count()
		return nil
	}
	n := s.choose(t, it, text, said)
	s.lines.Emit(line{speaker, listener, entry, group, uint32(n)})
	return &text.Lines[n]
}

// choose is the index of one of the lines of a group that have not been said since all were, by their chances.
//
// Source: CreatureTextMgr::SendChat, AzerothCore.
func (s *Talks) choose(t sched.Tick, it *effect, text *defs.Text, said *components.ScriptSaid) int {
	n := len(text.Lines)
	all := uint32(1)<<n - 1
	if n == 32 {
		all = 0xFFFFFFFF
	}
	if said.Lines&all == all {
		said.Lines = 0
	}
	var weights float32
	free := 0
	for i := range n {
		if said.Lines&(1<<i) == 0 {
			weights += text.Lines[i].Chance
			free++
		}
	}
	dice := t.Dice("smartai.text", s.objects.Get(it.entity).GUID^uint64(text.Group+1)<<40)
	roll := dice.Between(0, weights)
	if weights == 0 {
		roll = float32(dice.Intn(free))
	}
	chosen := -1
	for i := range n {
		if said.Lines&(1<<i) != 0 {
			continue
		}
		weight := text.Lines[i].Chance
		if weights == 0 {
			weight = 1
		}
		if chosen = i; roll < weight {
			break
		}
		roll -= weight
	}
	said.Lines |= 1 << chosen
	return chosen
}

// saidOf is what a script has said of a group, nil if it is over. It forgets another group if it knows too many, and those of areas and nodes
// remember nothing.
func (s *Talks) saidOf(it *effect, group uint32) *components.ScriptSaid {
	e := it.entity
	if it.at.node != 0 || s.Player(e) {
		return new(components.ScriptSaid)
	}
	if !s.scripted.Has(e) || s.scripted.Get(e).Block == 0 {
		return nil
	}
	st := s.states.Get().At(s.scripted.Get(e).Block)
	free := &st.Said[group%components.MaxScriptTexts]
	for i := range st.Said {
		switch st.Said[i].Group {
		case group + 1:
			return &st.Said[i]
		case 0:
			if free.Group != 0 {
				free = &st.Said[i]
			}
		}
	}
	*free = components.ScriptSaid{Group: group + 1}
	return free
}
