package sched

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"muster/ecs"
)

// WriteEvents writes, for each type of events, the systems that emit it and those that read it, in the order of the tick, and by
// which field they read: Events, an EventReader or Requests. Systems that only look at pending Requests are among the
// readers. The types are in the order of their names.
func (p *Plan) WriteEvents(w io.Writer, types []ecs.EventType) error {
	types = slices.SortedFunc(slices.Values(types), func(a, b ecs.EventType) int { return cmp.Compare(nameOf(a.Type), nameOf(b.Type)) })
	var b strings.Builder
	b.WriteString("emitters of each event, and its readers\n")
	for _, t := range types {
		emit, read := p.endsOf(t.Type)
		fmt.Fprintf(&b, "  %s\n    from    %s\n    to      %s, by %s\n",
			nameOf(t.Type), strings.Join(emit, ", "), strings.Join(read, ", "), t.Read)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// endsOf lists the systems that emit a type of events, and those that read it. A system may do both.
func (p *Plan) endsOf(t ecs.Type) (emit, read []string) {
	for i := range p.systems {
		for _, a := range p.systems[i].Access {
			if a.Type != t {
				continue
			}
			if a.Mode != ecs.ModeRead {
				emit = append(emit, p.systems[i].Name)
			}
			if a.Mode != ecs.ModeAppend {
				read = append(read, p.systems[i].Name)
			}
		}
	}
	return emit, read
}
