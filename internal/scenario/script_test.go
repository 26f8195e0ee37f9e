package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/systems/death"
)

// A script is a .sim file without what was seen.
type script struct {
	creatures []creature
	objects   []object
	areas     [][]string
	showAll   bool
	reclaim   death.Reclaim
	events    []event
	end       uint64
	lines     []scriptLine
}

// A scriptLine is a line of the author's. Comments and blank lines belong to the event after them.
type scriptLine struct {
	text string
	tick uint64
}

// An event is something that happens: Anna enters at 0,0.
type event struct {
	text    string
	tick    uint64
	subject string
	words   []string // what it does
}

// A creature is a spawn point.
type creature struct {
	name   string
	nodes  []node // where it walks; the first is where it is
	wander float32
	traits [][]string // "is aggressive"

	loot     []defs.LootEntry
	copper   uint32
	services uint32 // of its NPC flags
}

type node struct {
	x, y, z float32
	rest    time.Duration
}

// A sight is something to report.
type sight struct {
	tick uint64
	text string
}

func parse(text string) (*script, error) {
	s := new(script)
	loose := 0 // lines that belong to the next event
	for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") {
			continue
		}
		s.lines = append(s.lines, scriptLine{text: line})
		loose++
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		tick, err := s.read(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		for ; loose > 0; loose-- {
			s.lines[len(s.lines)-loose].tick = tick
		}
	}
	if s.end == 0 {
		return nil, errors.New("no end")
	}
	return s, nil
}

// read takes in a line that says something, and says for which tick.
func (s *script) read(line string) (tick uint64, err error) {
	when, what, timed := strings.Cut(line, ": ")
	if !timed {
		return 0, s.readSetting(strings.Fields(line), line)
	}
	tick, err = strconv.ParseUint(strings.TrimPrefix(when, "tick "), 10, 32)
	switch {
	case err != nil || tick == 0:
		return 0, fmt.Errorf("no tick: %q", when)
	case s.end != 0:
		return 0, errors.New("after the end")
	case len(s.events) > 0 && tick < s.events[len(s.events)-1].tick:
		return 0, errors.New("back in time")
	case what == "end":
		s.end = tick
		return tick, nil
	}
	words := strings.Fields(what)
	s.events = append(s.events, event{text: line, tick: tick, subject: words[0], words: words[1:]})
	return tick, nil
}

// readSetting reads a line about the state before the first tick.
func (s *script) readSetting(words []string, line string) error {
	if line == "show all" {
		s.showAll = true
		return nil
	}
	if line == "corpses are reclaimed where they are" {
		s.reclaim = death.AtCorpse
		return nil
	}
	if words[0] == "object" {
		return s.readObject(words[1:])
	}
	if words[0] == "area" && len(words) > 3 {
		s.areas = append(s.areas, words[1:])
		return nil
	}
	if len(words) > 1 && len(s.creatures) > 0 && words[0] == s.creatures[len(s.creatures)-1].name {
		c := &s.creatures[len(s.creatures)-1]
		switch words[1] {
		case "has":
			return c.has(words[2:])
		case "heals":
			c.services = components.NPCSpiritHealer
			return nil
		}
	}
	if len(words) < 3 {
		return fmt.Errorf("cannot read: %s", line)
	}
	for i := range s.creatures {
		if c := &s.creatures[i]; c.name == words[0] {
			if slices.Contains([]string{"stands", "wanders", "patrols"}, words[1]) {
				return fmt.Errorf("a second %s", c.name)
			}
			c.traits = append(c.traits, words[1:])
			return nil
		}
	}
	c := creature{name: words[0]}
	rest := words[3:]
	switch verb := words[1]; {
	case verb == "stands" && words[2] == "at":
	case verb == "wanders" && len(words) == 6 && words[3] == "yards" && words[4] == "around":
		yards, err := strconv.ParseFloat(words[2], 32)
		if err != nil {
			return err
		}
		c.wander, rest = float32(yards), words[5:]
	case verb == "patrols":
		rest = words[2:]
	default:
		return fmt.Errorf("cannot read: %s", line)
	}
	var err error
	if c.nodes, err = nodes(rest); err != nil {
		return err
	}
	s.creatures = append(s.creatures, c)
	return nil
}

// nodes reads "0,20 then 30,20 for 5s then 30,50".
func nodes(words []string) (all []node, err error) {
	for _, stop := range strings.Split(strings.Join(words, " "), " then ") {
		at, rest, rests := strings.Cut(stop, " for ")
		n, err := point(at)
		if err != nil {
			return nil, err
		}
		if rests {
			if n.rest, err = time.ParseDuration(rest); err != nil {
				return nil, err
			}
		}
		all = append(all, n)
	}
	return all, nil
}

// point reads "3,-1.5" or "3,-1.5,10". NaN and Inf are points too, for clients that send them.
func point(word string) (n node, err error) {
	parts := strings.Split(word, ",")
	for i, v := range []*float32{&n.x, &n.y, &n.z} {
		if i == len(parts) && i == 2 {
			break
		}
		if i >= len(parts) || len(parts) > 3 {
			return node{}, fmt.Errorf("no point: %s", word)
		}
		f, err := strconv.ParseFloat(parts[i], 32)
		if err != nil {
			return node{}, fmt.Errorf("no point: %s", word)
		}
		*v = float32(f)
	}
	return n, nil
}

// with is the file again, each sight after all that happened up to its tick.
func (s *script) with(seen []sight) string {
	var b strings.Builder
	for _, line := range s.lines {
		for len(seen) > 0 && seen[0].tick < line.tick {
			fmt.Fprintf(&b, "    tick %d: %s\n", seen[0].tick, seen[0].text)
			seen = seen[1:]
		}
		if strings.HasSuffix(line.text, ": end") {
			for _, last := range seen {
				fmt.Fprintf(&b, "    tick %d: %s\n", last.tick, last.text)
			}
		}
		fmt.Fprintln(&b, line.text)
	}
	return b.String()
}
