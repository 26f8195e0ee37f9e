package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"text/tabwriter"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/storage"
	"muster/cmd/internal/worldspec"
	"muster/loaders/worlddb/content"
)

// smartaiVerbs work on the scripts of an imported world.
type smartaiVerbs struct {
	Lint smartaiLint `cmd:"" help:"List the rows of smart_scripts, or of creature_ai_scripts, that serve --world-db does not execute, each with the reason; exit 1 if there are any."`
}

type smartaiLint struct {
	worldAt
	JSON bool `name:"json" help:"Print it as JSON."`
}

// A smartaiReport is what lint prints as JSON.
type smartaiReport struct {
	Table      string                  `json:"table"`
	Loaded     int64                   `json:"rows_loaded"`
	Executable int64                   `json:"rows_executable"`
	Kinds      []smartaiKind           `json:"kinds"`
	Refused    []content.RefusedScript `json:"refused"`
}

// A smartaiKind has the rows whose event, action or target is of a kind.
type smartaiKind struct {
	Part       string `json:"part"`
	Kind       int64  `json:"kind"`
	Loaded     int64  `json:"loaded"`
	Executable int64  `json:"executable"`
}

// Run lists the rows that are refused, and fails if there are any.
func (v *smartaiLint) Run(ctx context.Context, env *flags.Environment) error {
	made, err := worldspec.OpenWorld(ctx, cmp.Or(v.Into, v.Data), 0)
	if err != nil && (made == nil || !errors.Is(err, content.ErrEmpty)) {
		return storage.OneLine(err)
	}
	use := made.Scripts
	r := smartaiReport{Table: use.Table, Loaded: use.Loaded, Executable: use.Executed, Kinds: []smartaiKind{}, Refused: append([]content.RefusedScript{}, use.Refused...)}
	for _, part := range slices.Sorted(maps.Keys(use.Kinds)) {
		for _, kind := range slices.Sorted(maps.Keys(use.Kinds[part])) {
			n := use.Kinds[part][kind]
			r.Kinds = append(r.Kinds, smartaiKind{part, kind, n.Loaded, n.Executed})
		}
	}
	if v.JSON {
		err = printJSON(env.Stdout, &r)
	} else {
		err = r.writeText(env)
	}
	if err != nil || len(r.Refused) == 0 {
		return err
	}
	return fmt.Errorf("%d of %d rows of %s are not executed", len(r.Refused), r.Loaded, r.Table)
}

// writeText prints it for people: a line for each row, then the kinds.
func (r *smartaiReport) writeText(env *flags.Environment) error {
	out := bufio.NewWriter(env.Stdout)
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
