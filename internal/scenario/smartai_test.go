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
// to 1", "does 0 of 900 when 0 100 100 do 1 0 to 7". Besides there are phases, chance, flags, and the place as in "at 3,4".
func (p *play) scripted(template *defs.Creature, words []string) error {
	row := defs.ScriptRow{Chance: 100}
	keys := []string{"link", "of", "when", "do", "to", "phases", "chance", "flags", "at"}
	var list, link uint64
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
	if list != 0 {
		i := slices.IndexFunc(p.defs.ScriptLists, func(l defs.ScriptList) bool { return uint64(l.ID) == list })
		if i < 0 {
			i = len(p.defs.ScriptLists)
			p.defs.ScriptLists = append(p.defs.ScriptLists, defs.ScriptList{ID: uint32(list)})
		}
		p.defs.ScriptLists[i].Rows = append(p.defs.ScriptLists[i].Rows, row)
		return nil
	}
	if template.Script == 0 {
		p.defs.Scripts = append(p.defs.Scripts, defs.Script{})
		template.Script = uint32(len(p.defs.Scripts))
	}
	script := &p.defs.Scripts[template.Script-1]
	script.Rows = append(script.Rows, row)
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
