package main

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/storage"
	"muster/cmd/internal/wholefile"
	"muster/loaders/worlddb"
)

type worldExport struct {
	worldAt
	Out string `arg:"" optional:"" name:"file" default:"-" help:"Where to write it, compressed if that ends with .gz; - is standard output (${default})."`
}

// Run writes the world, and says how much that is.
func (v *worldExport) Run(ctx context.Context, env *flags.Environment) (err error) {
	src, err := worlddb.OpenSource(ctx, v.Data+v.Into)
	if err != nil {
		return storage.OneLine(err)
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	if v.Out == "-" {
		_, err := src.Export(ctx, env.Stdout)
		return storage.OneLine(err)
	}
	var done worlddb.Exported
	var unfit error // what an import of it will refuse: it is written nevertheless
	if err := wholefile.Write(v.Out, 0o644, func(w io.Writer) (err error) {
		finish := func() error { return nil }
		if strings.HasSuffix(strings.ToLower(v.Out), ".gz") {
			z := gzip.NewWriter(w)
			w, finish = z, z.Close
		}
		if done, err = src.Export(ctx, w); err != nil && !errors.As(err, new(*worlddb.UnfitError)) {
			return err
		}
		unfit = err
		return finish()
	}); err != nil || unfit != nil {
		return storage.OneLine(cmp.Or(err, unfit))
	}
	_, err = fmt.Fprintf(env.Stdout, "%s: %d tables, %d rows, %.1f MB of SQL in %s\n", src.Family, done.Tables, done.Rows, float64(done.Bytes)/1e6, v.Out)
	return err
}

type worldDiff struct {
	A    string `arg:"" name:"a" help:"A world: its file, the folder of its file, or the URL of its PostgreSQL database."`
	B    string `arg:"" name:"b" help:"Another one."`
	SQL  bool   `name:"sql" help:"Print SQL that makes the first the second, for muster world import --update."`
	JSON bool   `name:"json" help:"Print what differs as JSON."`
}

// Run prints in what the worlds differ, and fails if they do.
func (v *worldDiff) Run(ctx context.Context, env *flags.Environment) (err error) {
	if v.SQL && v.JSON {
		return errors.New("--sql and --json exclude each other")
	}
	a, err := worlddb.OpenSource(ctx, v.A)
	if err != nil {
		return storage.OneLine(err)
	}
	defer func() { err = errors.Join(err, a.Close()) }()
	b, err := worlddb.OpenSource(ctx, v.B)
	if err != nil {
		return storage.OneLine(err)
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	var sql io.Writer
	if v.SQL {
		sql = env.Stdout
	}
	all, err := worlddb.Diff(ctx, a, b, sql)
	if err != nil {
		return storage.OneLine(err)
	}
	switch {
	case v.JSON:
		err = printJSON(env.Stdout, append([]worlddb.TableDiff{}, all...))
	case !v.SQL:
		err = writeDiff(env.Stdout, all)
	}
	if err != nil || len(all) == 0 {
		return err
	}
	rows := int64(0)
	for _, t := range all {
		rows += t.Added + t.Removed + t.Changed
	}
	return fmt.Errorf("the worlds differ in %d rows of %d tables", rows, len(all))
}

// writeDiff prints a line for each table that differs.
func writeDiff(w io.Writer, all []worlddb.TableDiff) error {
	out := bufio.NewWriter(w)
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	if len(all) > 0 {
		fmt.Fprintln(t, "added\tremoved\tchanged\t  table")
	}
	for _, d := range all {
		var notes []string
		if d.Shape != "" {
			notes = append(notes, d.Shape)
		}
		for _, name := range slices.Sorted(maps.Keys(d.Columns)) {
			notes = append(notes, fmt.Sprintf("%s %d", name, d.Columns[name]))
		}
		line := fmt.Sprintf("%d\t%d\t%d\t  %s", d.Added, d.Removed, d.Changed, d.Table)
		if len(notes) > 0 {
			line += ": " + strings.Join(notes, ", ")
		}
		fmt.Fprintln(t, line)
	}
	return errors.Join(t.Flush(), out.Flush())
}
