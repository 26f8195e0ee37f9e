package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"muster/components/defs"
)

// scripted reads a row of a creature's script, or of a timed action list, with the numbers of smart_scripts: "does 1 link 2 when 0 500 500 do 5 16
// to 1", "does 0 of 900 when 0 100 100 do 1 0 to 7", "does 0 node 2 when 0 500 do 5 16 to 1". Besides there are phases, chance, flags, and the place as
// in "at 3,4". The script is one more than the index of one, and nodes are those of a path.
func (p *play) scripted(own *uint32, nodes []defs.Node, words []string) error {
	row := defs.ScriptRow{Chance: 100}
	keys := []string{"link", "of", "node", "when", "do", "to", "phases", "chance", "flags", "at"}
	var list, link, node uint64
	key, into := "", []uint64{}
	finish := func() {
		n := func(i int) uint32 {
			if i < len(into) {
				return uint32(into[i])
			}
			return 0
		}
		switch key {
		case "":
			row.ID = uint16(n(0))
		case "link":
			link = uint64(n(0))
		case "of":
			list = uint64(n(0))
		case "node":
			node = uint64(n(0))
		case "when":
			row.Event = defs.ScriptEvent(n(0))
			for i := range row.When {
				row.When[i] = n(i + 1)
			}
		case "do":
			row.Action = defs.ScriptAction(n(0))
			for i := range row.Do {
				row.Do[i] = n(i + 1)
			}
		case "to":
			row.Target = defs.ScriptTarget(n(0))
			for i := range row.Of {
				row.Of[i] = n(i + 1)
			}
		case "phases":
			row.Phases = uint16(n(0))
		case "chance":
			row.Chance = uint8(n(0))
		case "flags":
			row.Flags = defs.ScriptFlag(n(0))
		}
		into = into[:0]
	}
	for _, word := range words {
		switch {
		case slices.Contains(keys, word):
			finish()
			key = word
		case key == "at":
			at, err := point(word)
			if err != nil {
				return err
			}
			row.At = [4]float32{at.x, at.y, at.z}
		default:
			n, err := strconv.ParseUint(word, 10, 32)
			if id, known := p.number(word); err != nil && known {
				n, err = uint64(id), nil
			}
			if err != nil {
				return fmt.Errorf("what is %q", word)
			}
			into = append(into, n)
		}
	}
	finish()
	if !row.Event.Executed() || !row.Action.Executed() || !row.Target.Executed() {
		return fmt.Errorf("event %d, action %d or target %d is not executed", row.Event, row.Action, row.Target)
	}
	row.Next = uint16(link) + 1 // rows are in the order of their IDs, from 0 on
	if link == 0 {
		row.Next = 0
	}
	if least, most, ok := row.Repeat(); ok && row.Event.Timed() && least == 0 && most == 0 {
		row.Flags |= defs.ScriptOnce
	}
	if node != 0 {
		if node > uint64(len(nodes)) {
			return fmt.Errorf("there is no node %d", node)
		}
		at := &nodes[node-1]
		if at.Script == 0 {
			p.defs.NodeScripts = append(p.defs.NodeScripts, defs.NodeScript{})
			at.Script, at.Chance = uint32(len(p.defs.NodeScripts)), row.Chance
		}
		to := &p.defs.NodeScripts[at.Script-1]
		row.Flags = 0
		to.Rows = append(to.Rows, row)
		return nil
	}
	if list != 0 {
		i := slices.IndexFunc(p.defs.ScriptLists, func(l defs.ScriptList) bool { return uint64(l.ID) == list })
		if i < 0 {
			i = len(p.defs.ScriptLists)
			p.defs.ScriptLists = append(p.defs.ScriptLists, defs.ScriptList{ID: uint32(list)})
		}
		p.defs.ScriptLists[i].Rows = append(p.defs.ScriptLists[i].Rows, row)
		return nil
	}
	if *own == 0 {
		p.defs.Scripts = append(p.defs.Scripts, defs.Script{})
		*own = uint32(len(p.defs.Scripts))
	}
	script := &p.defs.Scripts[*own-1]
	script.Rows = append(script.Rows, row)
	return nil
}

// area reads a line about an area: "78 at 5,0 within 3", or a row of its script, "78 does 0 when 46 do 5 16 to 7".
func (p *play) area(words []string) error {
	id, err := strconv.ParseUint(words[0], 10, 32)
	if err != nil {
		return err
	}
	if words[1] == "does" {
		return p.scripted(&p.defs.Trigger(uint32(id)).Script, nil, words[2:])
	}
	at, err := point(words[2])
	if err != nil {
		return err
	}
	yards, err := strconv.ParseFloat(after(words, "within"), 32)
	p.defs.Triggers = append(p.defs.Triggers, defs.Trigger{ID: uint32(id), Map: p.defs.Maps[0].ID, X: at.x, Y: at.y, Z: at.z, Radius: float32(yards)})
	return err
}

// immunities are what a creature is immune to, as in "is immune to school 16, effect 98".
func (p *play) immunities(template *defs.Creature, words []string) error {
	im := defs.Immunity{Entry: template.Entry}
	for of := range strings.SplitSeq(strings.Join(words, " "), ", ") {
		kind, number, _ := strings.Cut(of, " ")
		n, err := strconv.ParseUint(number, 10, 16)
		if err != nil {
			return err
		}
		switch kind {
		case "school":
			im.Schools |= uint32(n)
		case "mechanic":
			im.Mechanics |= 1 << (n - 1)
		case "dispel":
			im.Dispels |= 1 << n
		case "effect":
			im.Effects = append(im.Effects, defs.EffectKind(n))
		case "aura":
			im.Auras = append(im.Auras, defs.AuraKind(n))
		default:
			return fmt.Errorf("what is %s", kind)
		}
	}
	p.defs.Immunities = append(p.defs.Immunities, im)
	return nil
}

// number is the number of a spell or of the template of a creature.
func (p *play) number(name string) (uint32, bool) {
	if id, err := p.spellNamed(name); err == nil {
		return id, true
	}
	i := slices.IndexFunc(p.script.creatures, func(c creature) bool { return c.name == name })
	return uint32(101 + i), i >= 0
}

// textTypes are the types of texts of creatures.
var textTypes = map[string]uint8{"say": 12, "yell": 14, "whisper": 15, "emote": 16, "bossemote": 41, "bosswhisper": 42}

// says reads a line of a text: "says 0 yell \"Grr!\" chance 50 with 5 for 2s".
func (p *play) says(template *defs.Creature, words []string) error {
	text := strings.Join(words, " ")
	quoted := text[strings.Index(text, "\""):]
	line, err := strconv.QuotedPrefix(quoted)
	if err != nil {
		return err
	}
	rest := strings.Fields(quoted[len(line):])
	said := defs.TextLine{Type: textTypes[words[1]]}
	said.Text, _ = strconv.Unquote(line)
	group, err := strconv.ParseUint(words[0], 10, 8)
	if err != nil || said.Type == 0 {
		return fmt.Errorf("what is %q", text)
	}
	chance, _ := strconv.ParseFloat(after(rest, "chance"), 32)
	emote, _ := strconv.ParseUint(after(rest, "with"), 10, 32)
	took, _ := time.ParseDuration(after(rest, "for"))
	said.Chance, said.Emote, said.TimeMs = float32(chance), uint32(emote), uint32(took/time.Millisecond)
	t := &p.defs.Texts
	if last := len(*t) - 1; last < 0 || (*t)[last].Entry != template.Entry || (*t)[last].Group != uint32(group) {
		*t = append(*t, defs.Text{Entry: template.Entry, Group: uint32(group)})
	}
	last := &(*t)[len(*t)-1]
	last.Lines = append(last.Lines, said)
	return nil
}
