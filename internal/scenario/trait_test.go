package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"muster/components/defs"
)

// reactStates are what creatures are said to be.
var reactStates = map[string]defs.ReactState{
	"neutral": defs.Neutral, "aggressive": defs.Aggressive, "timid": defs.Timid, "passive": defs.Passive, "guard": defs.Guard,
}

// trait reads what a creature is besides, as "is aggressive" or "flees below 50". It is false for what is none.
func (p *play) trait(m *defs.Map, template *defs.Creature, spawn *defs.Spawn, words []string) error {
	amount := func(after string) float64 {
		i := slices.Index(words, after)
		if i < 0 || i+1 >= len(words) {
			return 0
		}
		v, _ := strconv.ParseFloat(words[i+1], 32)
		return v
	}
	switch words[0] {
	case "is":
		if words[1] == "level" {
			template.MinLevel, template.MaxLevel = uint8(amount("level")), uint8(amount("level"))
			return nil
		}
		if words[1] == "immune" {
			return p.immunities(template, words[3:])
		}
		if words[1] == "elite" {
			template.Rank = defs.RankElite
			return nil
		}
		reactState, ok := reactStates[words[1]]
		if !ok {
			return fmt.Errorf("what is %s", words[1])
		}
		if template.ReactState = reactState; reactState == defs.Guard {
			template.Faction = defs.FactionFriendly
		}
	case "casts": // Breath every 3s, at its victim
		id, err := p.spellNamed(words[1])
		every, ok := time.ParseDuration(words[3])
		if err != nil || ok != nil {
			return fmt.Errorf("what is %q", words)
		}
		template.Spells = append(template.Spells, defs.CreatureSpell{
			Spell: id, CooldownMs: uint32(every / time.Millisecond), MaxYards: 30,
		})
	case "sells": // Tooth, Club 3 every 10s
		return p.sells(template, words[1:])
	case "does": // 0 when 4 do 1 0 to 1, as the columns of smart_scripts have it
		var nodes []defs.Node
		if spawn.Path >= 0 && int(spawn.Path) < len(m.Paths) {
			nodes = m.Paths[spawn.Path].Nodes
		}
		return p.scripted(&template.Script, nodes, words[1:])
	case "says": // 0 yell "Grr!" for 2s
		return p.says(template, words[1:])
	case "talks": // 7 text 70: Wares to vendor, Tales to 8
		return p.talks(template, words[1:])
	case "teaches": // Bolt for 10 at level 1, Hail for 5
		return p.teaches(template, words[1:])
	case "flees":
		template.FleeBelow = uint32(amount("below"))
	case "calls":
		template.CallYards = float32(amount("calls"))
	case "hits":
		template.MinDamage, template.MaxDamage = float32(amount("for")), float32(amount("for"))
	case "returns":
		d, err := time.ParseDuration(words[2])
		if err != nil {
			return err
		}
		spawn.RespawnMs = uint32(d / time.Millisecond)
	case "walks": // 3 yards beside Guard at 1.57
		spawn.Leader = uint32(slices.IndexFunc(p.script.creatures, func(c creature) bool { return c.name == words[4] })) + 1
		spawn.BesideYards, spawn.BesideAngle = float32(amount("walks")), float32(amount("at"))
	case "shares": // a place with Other: one of them is there at a time
		other := slices.IndexFunc(p.script.creatures, func(c creature) bool { return c.name == words[4] })
		self := slices.IndexFunc(p.script.creatures, func(c creature) bool { return c.name == template.Name })
		m.Pools = append(m.Pools, defs.Pool{Limit: 1, Members: []defs.PoolMember{
			{Index: uint32(other)}, {Index: uint32(self)},
		}})
	default:
		return fmt.Errorf("what is %q", words)
	}
	return nil
}
