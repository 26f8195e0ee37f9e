package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/storage"
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
	if err := writeWhole(v.Out, func(w io.Writer) (err error) {
		done, err = src.Export(ctx, w)
		return err
	}); err != nil {
		return storage.OneLine(err)
	}
	_, err = fmt.Fprintf(env.Stdout, "%s: %d tables, %d rows, %.1f MB of SQL in %s\n", src.Family, done.Tables, done.Rows, float64(done.Bytes)/1e6, v.Out)
	return err
}

// writeWhole has f write a file, which takes its place when it is whole. A path that ends with .gz is compressed. If not all of it
// can be imported again it is written nevertheless.
func writeWhole(path string, f func(io.Writer) error) (err error) {
	to, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.part")
	if err != nil {
		return err
	}
	defer os.Remove(to.Name())
	w := io.Writer(to)
	finish := func() error { return nil }
	if strings.HasSuffix(strings.ToLower(path), ".gz") {
		z := gzip.NewWriter(to)
		w, finish = z, z.Close
	}
	written := f(w)
	unfit := new(worlddb.UnfitError)
	if written != nil && !errors.As(written, &unfit) {
		return errors.Join(written, to.Close())
	}
	if err := errors.Join(finish(), to.Chmod(0o644), to.Sync(), to.Close()); err != nil {
		return err
	}
	return errors.Join(os.Rename(to.Name(), path), written)
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
