package scenario

import (
	"errors"
	"slices"

	"muster/components/defs"
	"muster/net/replication/frame"
)

// later is the first word of traits of definitions that are reloaded.
const later = "later"

// foresee makes the definitions that are reloaded, which have the scripts and texts of later traits alone.
func (p *play) foresee() {
	now, next := p.defs, *p.defs
	next.Creatures = slices.Clone(now.Creatures)
	next.Scripts, next.ScriptLists, next.Texts = nil, nil, nil
	for i := range next.Creatures {
		next.Creatures[i].Script = 0
	}
	p.later, p.defs = &next, &next
	for i, c := range p.script.creatures {
		for _, words := range c.traits {
			if words[0] == later {
				if err := p.trait(&next.Maps[0], &next.Creatures[i], new(defs.Spawn), words[1:]); err != nil {
					panic(err)
				}
			}
		}
	}
	p.defs = now
}

// reload gives the world a part of the later definitions.
func (p *play) reload(what string) error {
	part, ok := map[string]defs.Part{"scripts": defs.PartScripts, "texts": defs.PartTexts}[what]
	if !ok {
		return errors.New("what is reloaded?")
	}
	b, err := p.later.Cut(part, &p.later.Maps[0]).AppendBinary(nil)
	if err != nil {
		return err
	}
	for _, it := range frame.Reloads(0, p.nowMs(), b) {
		if err := p.world.Inbox().Add(it); err != nil {
			return err
		}
	}
	return nil
}
