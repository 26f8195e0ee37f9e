package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/storage"
	"muster/cmd/internal/terminal"
	"muster/cmd/internal/worldspec"
	"muster/internal/config"
	"muster/loaders/worlddb"
	"muster/loaders/worlddb/content"
)

// worldVerbs work on world databases of other servers.
type worldVerbs struct {
	Import worldImport `cmd:"" help:"Read SQL dumps of AzerothCore, TrinityCore or CMaNGOS into a database of muster's."`
	Report worldReport `cmd:"" help:"Print what has been imported, what of it is not used, and which references dangle; exit 1 if any."`
	Export worldExport `cmd:"" help:"Write what has been imported back as SQL of its family: tables by name, rows by key."`
	Diff   worldDiff   `cmd:"" help:"Compare two imported worlds by table and key; exit 1 if they differ."`
	Synth  worldSynth  `cmd:"" help:"Write the synthetic world as a dump, from which an import makes the same world."`
}

// Help is printed below the flags' own.
func (*worldVerbs) Help() string {
	return `muster serve --world-db serves what has been imported: docs/worlds.md says what of it is kept, and what is executed.`
}

// A worldAt selects a world.
type worldAt struct {
	Data string `placeholder:"DIR" help:"The folder with world.db; default: as of serve."`
	Into string `placeholder:"URL" help:"Instead the schema world of a PostgreSQL database: postgres://USER@HOST/NAME."`
}

// AfterApply finds out where serve keeps its data.
func (w *worldAt) AfterApply(env *flags.Environment) error {
	switch {
	case w.Data != "" && w.Into != "":
		return errors.New("--data and --into exclude each other")
	case w.Into != "" && !flags.IsDatabase(w.Into):
		return errors.New("--into is a URL, postgres://USER@HOST/NAME")
	case w.Into == "" && w.Data == "":
		if w.Data = storage.Variable(env.Variables, config.Variable("Data")); w.Data == "" {
			w.Data = storage.DataFolder(env.Variables)
		}
		if w.Data == "" {
			return errors.New("nothing says where the world is: name a folder with --data, or a database with --into")
		}
	}
	return nil
}

func (w *worldAt) config() worlddb.Config { return worlddb.Config{Dir: w.Data, URL: w.Into} }

// run adds to a report what becomes of the rows when the world runs.
func (w *worldAt) run(ctx context.Context, r *worlddb.Report, files string) error {
	made, err := worldspec.OpenWorld(ctx, cmp.Or(w.Into, w.Data), 0, files)
	if err != nil && !errors.Is(err, content.ErrEmpty) {
		return err
	}
	r.Runs(made.Use)
	r.RunsScripts(made.Scripts.Table, func(part string, kind int64) int64 { return made.Scripts.Kinds[part][kind].Executed })
	return nil
}

type worldImport struct {
	worldAt
	Paths  []string `arg:"" name:"path" help:"Folders, and files that may be compressed with gzip or zstd; - is standard input. Of a folder the base is read before its updates."`
	Update bool     `help:"Apply them to the world that is there, instead of making another one."`
	Strict bool     `help:"Give up at the first row or statement that cannot be used."`
	JSON   bool     `name:"json" help:"Print all that world report prints, as JSON."`
}

// Run imports, and says how much and how fast.
func (v *worldImport) Run(ctx context.Context, env *flags.Environment) error {
	c := v.config()
	c.Paths, c.Update, c.Strict, c.Stdin = v.Paths, v.Update, v.Strict, os.Stdin
	bar := terminal.NewBar(env.Stderr, -1, "importing")
	total := int64(0)
	c.Progress = func(p worlddb.Progress) {
		if p.Total != total && !slices.Contains(v.Paths, "-") {
			total = p.Total
			bar.ChangeMax64(total)
		}
		bar.Set64(p.Bytes)
	}
	r, err := worlddb.Import(ctx, c)
	bar.Finish()
	if err != nil {
		return storage.OneLine(err)
	}
	if v.JSON {
		if err := v.run(ctx, r.Report, ""); err != nil {
			return storage.OneLine(err)
		}
		return printJSON(env.Stdout, r)
	}
	if r.Unchanged {
		_, err := fmt.Fprintln(env.Stdout, "all of these files are in the world already")
		return err
	}
	used := int64(0)
	for _, t := range r.Report.Tables {
		used += t.Used
	}
	_, err = fmt.Fprintf(env.Stdout, "%s: %d files, %.1f MB of SQL, %d rows in %v, %.1f MB/s; the world has %d rows\n"+
		"%d rows and statements are not used, %d kinds of references dangle: muster world report\n",
		r.Report.Family, r.Files, float64(r.Text)/1e6, r.Rows, r.Took.Round(time.Millisecond), float64(r.Text)/1e6/r.Took.Seconds(), used,
		r.Report.Bad, len(r.Report.Dangling))
	return err
}

type worldReport struct {
	worldAt
	DBC  string `name:"dbc" placeholder:"DIR" help:"As of serve."`
	JSON bool   `name:"json" help:"Print it as JSON."`
}

// Run prints a report, and fails if anything in it is wrong.
func (v *worldReport) Run(ctx context.Context, env *flags.Environment) error {
	r, err := worlddb.Of(ctx, v.config())
	if err == nil {
		err = v.run(ctx, r, v.DBC)
	}
	if err != nil {
		return storage.OneLine(err)
	}
	if v.JSON {
		err = printJSON(env.Stdout, r)
	} else {
		err = r.WriteText(env.Stdout)
	}
	if err != nil || r.Clean() {
		return err
	}
	return fmt.Errorf("%d rows and statements are not used, %d kinds of references dangle", r.Bad, len(r.Dangling))
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
