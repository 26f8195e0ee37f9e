package sched

import (
	"fmt"
	"io"
	"path"
	"reflect"
	"strings"

	"muster/ecs"
)

// A Meeting is how two systems of a plan depend on their order.
type Meeting uint8

// The meetings. Systems that meet in outputs only could run in either order if what they append were sorted.
const (
	Free     Meeting = iota // they share nothing that either of them changes
	Output                  // one appends events, packets or counts that the other reads
	Conflict                // one writes what the other reads or writes
)

// Meet returns how two systems depend on their order, and over which types, in the order of a's access.
func (a *System) Meet(b *System) (m Meeting, over []reflect.Type) {
	for _, x := range a.Access {
		for _, y := range b.Access {
			if !x.Conflict(y) {
				continue
			}
			if x.Mode == ecs.ModeAppend || y.Mode == ecs.ModeAppend {
				m = max(m, Output)
			} else {
				m, over = Conflict, append(over, x.Type)
			}
		}
	}
	return m, over
}

// Systems lists the systems in their order. It belongs to the plan.
func (p *Plan) Systems() []System { return p.systems }

// WriteMatrix writes which pairs of systems conflict (x), meet in outputs only (o) or are free (.), how many of each
// there are, and over which components and resources each pair conflicts.
func (p *Plan) WriteMatrix(w io.Writer) error {
	var b strings.Builder
	n := len(p.systems)
	var pairs [Conflict + 1]int
	for i := range n {
		fmt.Fprintf(&b, "%2d %-12s", i+1, p.systems[i].Name)
		for j := range i {
			m, _ := p.systems[i].Meet(&p.systems[j])
			pairs[m]++
			fmt.Fprintf(&b, " %2s", [...]string{".", "o", "x"}[m])
		}
		b.WriteByte('\n')
	}
	b.WriteString("               ")
	for i := range n {
		fmt.Fprintf(&b, " %2d", i+1)
	}
	fmt.Fprintf(&b, "\n%d pairs: %d free, %d meet in outputs only, %d conflict\n\n", n*(n-1)/2, pairs[Free], pairs[Output], pairs[Conflict])
	for i := range n {
		for j := range i {
			if m, over := p.systems[j].Meet(&p.systems[i]); m == Conflict {
				fmt.Fprintf(&b, "%s, %s: %s\n", p.systems[j].Name, p.systems[i].Name, names(over))
			}
		}
	}
	b.WriteString("\nwriters of each component\n")
	for _, t := range p.types() {
		var names []string
		for i := range p.systems {
			for _, a := range p.systems[i].Access {
				if a.Type == t && a.Mode == ecs.ModeWrite {
					names = append(names, p.systems[i].Name)
				}
			}
		}
		if len(names) > 0 && isData(t) {
			fmt.Fprintf(&b, "  %-28s %s\n", nameOf(t), strings.Join(names, ", "))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// isData reports whether a type is a component, or a resource with blocks that components refer to.
func isData(t reflect.Type) bool {
	return path.Base(t.PkgPath()) == "components" || reflect.PointerTo(t).Implements(reflect.TypeFor[ecs.Blocks]())
}

// types lists all types to which a system has access, in the order in which the systems name them.
func (p *Plan) types() (all []reflect.Type) {
	seen := make(map[reflect.Type]bool)
	for i := range p.systems {
		for _, a := range p.systems[i].Access {
			if !seen[a.Type] {
				seen[a.Type] = true
				all = append(all, a.Type)
			}
		}
	}
	return all
}
