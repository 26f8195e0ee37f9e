// Package scriptreport prints which rows of the scripts of an imported world are executed, and why the others are not.
package scriptreport

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"muster/loaders/worlddb/content"
)

// A Report is what lint prints as JSON.
type Report struct {
	Table      string                  `json:"table"`
	Loaded     int64                   `json:"rows_loaded"`
	Executable int64                   `json:"rows_executable"`
	Kinds      []Kind                  `json:"kinds"`
	Refused    []content.RefusedScript `json:"refused"`
}

// A Kind has the rows whose event, action or target is of a kind.
type Kind struct {
	Part       string `json:"part"`
	Kind       int64  `json:"kind"`
	Loaded     int64  `json:"loaded"`
	Executable int64  `json:"executable"`
}

// Of counts what becomes of the scripts of a world.
func Of(use *content.ScriptUse) *Report {
	r := &Report{Table: use.Table, Loaded: use.Loaded, Executable: use.Executed, Kinds: []Kind{}, Refused: append([]content.RefusedScript{}, use.Refused...)}
	for _, part := range slices.Sorted(maps.Keys(use.Kinds)) {
		for _, kind := range slices.Sorted(maps.Keys(use.Kinds[part])) {
			n := use.Kinds[part][kind]
			r.Kinds = append(r.Kinds, Kind{part, kind, n.Loaded, n.Executed})
		}
	}
	return r
}

// WriteText prints it for people: a line for each row, then the kinds.
func (r *Report) WriteText(w io.Writer) error {
	out := bufio.NewWriter(w)
	for i := range r.Refused {
		row := &r.Refused[i]
		fmt.Fprintf(out, "entryorguid %d source_type %d id %d link %d (event %d, action %d, target %d): %s\n",
			row.Of, row.Source, row.ID, row.Link, row.Event, row.Action, row.Target, row.Why)
	}
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "executable\tloaded\tkind\t  part")
	for _, k := range r.Kinds {
		fmt.Fprintf(t, "%d\t%d\t%d\t  %s\n", k.Executable, k.Loaded, k.Kind, k.Part)
	}
	t.Flush()
	fmt.Fprintf(out, "%s: %d of %d rows are executable\n", r.Table, r.Executable, r.Loaded)
	return out.Flush()
}
