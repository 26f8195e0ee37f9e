package upgrade

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// An plan is what is to be done, by what processes say that they are.
type plan struct {
	worlds   []planned // by map
	gateways []Answer  // by number
	target   string    // the release that worlds and gateways are to be of; "" if there is none
	kinds    []string  // of successors: release and settings
	releases []string  // of worlds
}

// An planned is a world, and what becomes of it.
type planned struct {
	id   uint32
	from *Answer // the process that has it; nil if none has answered
	to   *Answer // that is to have it; nil if it stays
}

// makePlan makes a plan of what processes have answered, in any order. A world goes to the successor that is the first by name.
func makePlan(all []Answer) (p plan) {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b Answer) int {
		return cmp.Or(cmp.Compare(a.Map, b.Map), cmp.Compare(a.Gateway, b.Gateway), strings.Compare(a.Process, b.Process))
	})
	for i := range all {
		a := &all[i]
		if a.Role == roleGateway {
			p.gateways = append(p.gateways, *a)
			continue
		}
		if n := len(p.worlds); n == 0 || p.worlds[n-1].id != a.Map {
			p.worlds = append(p.worlds, planned{id: a.Map})
		}
		w := &p.worlds[len(p.worlds)-1]
		switch {
		case a.State == StateHas && w.from == nil:
			w.from = a
			p.releases = append(p.releases, a.Release)
		case a.State == StateWaits:
			p.kinds = append(p.kinds, a.Release+" "+a.Settings)
			if w.to == nil || w.to.Why != "" && a.Why == "" {
				w.to = a
			}
			p.target = a.Release
		}
	}
	slices.Sort(p.kinds)
	p.kinds = slices.Compact(p.kinds)
	slices.Sort(p.releases)
	p.releases = slices.Compact(p.releases)
	if p.target == "" && len(p.releases) == 1 {
		p.target = p.releases[0]
	}
	for i := range p.worlds { // what a process of the same kind has stays: a standby that has not yet seen so waits
		if w := &p.worlds[i]; w.from != nil && w.to != nil && w.from.Release == w.to.Release && w.from.Settings == w.to.Settings {
			w.to = nil
		}
	}
	return p
}

// moves reports whether a world is to be handed over.
func (p *plan) moves() bool {
	return slices.ContainsFunc(p.worlds, func(w planned) bool { return w.to != nil })
}

// split are the gateways that are to be drained, those of another release and those that are named, and the others.
func (p *plan) split(named []uint32) (old, stay []Answer) {
	for _, g := range p.gateways {
		if g.Release != p.target || slices.Contains(named, g.Gateway) {
			old = append(old, g)
		} else {
			stay = append(stay, g)
		}
	}
	return old, stay
}

// problems are why nothing can be done.
func (p *plan) problems(named []uint32) (lines []string) {
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	if len(p.worlds) == 0 {
		add("No worker with --durable world has answered.")
		return lines
	}
	if len(p.kinds) > 1 {
		add("There are successors of several kinds, and it is not known which is meant: %s.", strings.Join(p.kinds, "; "))
	}
	for _, w := range p.worlds {
		switch {
		case w.from == nil:
			add("Map %d: no process says that it has the world.", w.id)
		case w.to == nil && (w.from.Release != p.target || len(p.kinds) == 1 && w.from.Release+" "+w.from.Settings != p.kinds[0]):
			add("Map %d: there is no worker with --successor for it.", w.id)
		case w.to != nil && w.to.Why != "":
			add("Map %d: %s cannot have it: %s.", w.id, w.to.Process, w.to.Why)
		case w.to != nil && w.to.Made != w.from.Made:
			add("Map %d: the world of %s is made of other templates, and its gateways could not play in it.", w.id, w.to.Process)
		}
		if w.to != nil {
			for _, g := range p.gateways {
				if g.Made != w.to.Made {
					add("Map %d: gateway %d has a world of other templates, and could not play in that of %s.", w.id, g.Gateway, w.to.Process)
				}
				if g.Bus != w.to.Bus {
					add("Map %d: gateway %d has version %d of the bus, and %s version %d: they would not hear each other.", w.id, g.Gateway, g.Bus, w.to.Process, w.to.Bus)
				}
			}
		}
	}
	for _, number := range named {
		if !slices.ContainsFunc(p.gateways, func(g Answer) bool { return g.Gateway == number }) && p.moves() {
			add("There is no gateway %d.", number)
		}
	}
	return lines
}

// lines are the plan as text.
func (p *plan) lines(named []uint32) (lines []string) {
	for _, w := range p.worlds {
		switch {
		case w.from == nil:
		case w.to == nil:
			lines = append(lines, fmt.Sprintf("map %d stays with %s, %s %s", w.id, w.from.Process, w.from.Release, w.from.Settings))
		default:
			lines = append(lines, fmt.Sprintf("map %d goes from %s, %s %s, to %s, %s %s", w.id,
				w.from.Process, w.from.Release, w.from.Settings, w.to.Process, w.to.Release, w.to.Settings))
		}
	}
	return append(lines, p.gatewayLines(named)...)
}

// gatewayLines are what becomes of gateways, as text.
func (p *plan) gatewayLines(named []uint32) (lines []string) {
	old, stay := p.split(named)
	for _, g := range old {
		lines = append(lines, fmt.Sprintf("gateway %d, %s, is drained: %d players log in again", g.Gateway, g.Release, g.Players))
	}
	for _, g := range stay {
		lines = append(lines, fmt.Sprintf("gateway %d, %s, stays", g.Gateway, g.Release))
	}
	if len(old) > 0 && len(stay) == 0 {
		lines = append(lines, fmt.Sprintf("no gateway is drained before there is another one of %s", p.target))
	}
	return lines
}
