package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/realmstore"
	"muster/cmd/internal/terminal"
	"muster/cmd/internal/wholefile"
	"muster/loaders/store"
	"muster/loaders/store/portable"
)

// storeVerbs work on a whole store.
type storeVerbs struct {
	Check storeCheck `cmd:"" help:"Look for what should not be so; exit 1 if there is any."`
	Dump  storeDump  `cmd:"" help:"Write all that is kept to a file, which can be loaded into a store of another kind."`
	Load  storeLoad  `cmd:"" help:"Fill an empty store with a dump."`
}

// Help is printed below the flags' own.
func (*storeVerbs) Help() string {
	return `A server may run meanwhile: what is checked and dumped is how all was at one moment, up to a second ago.`
}

type storeCheck struct{ realmstore.Selection }

// Run prints a line for each problem, and fails if there was one.
func (v *storeCheck) Run(ctx context.Context, env *flags.Environment) error {
	found := 0
	out := bufio.NewWriter(env.Stdout)
	err := v.With(ctx, true, func(s store.Store) error {
		return s.Check(ctx, func(p store.Problem) {
			found++
			fmt.Fprintln(out, p)
		})
	})
	if err == nil && found == 0 {
		fmt.Fprintln(out, "nothing is wrong")
	}
	if failed := out.Flush(); err == nil {
		err = failed
	}
	if err != nil || found == 0 {
		return err
	}
	return fmt.Errorf("%d problems", found)
}

type storeDump struct {
	realmstore.Selection
	File string `arg:"" help:"Replaced when the dump is whole; - is standard output. It has what passwords are checked against: keep it safe."`
}

func (v *storeDump) Run(ctx context.Context, env *flags.Environment) error {
	return v.With(ctx, true, func(s store.Store) error {
		total, err := s.CountCharacters(ctx, 0)
		if err != nil {
			return err
		}
		bar := terminal.NewBar(env.Stderr, int64(total), "dumping")
		defer bar.Finish()
		write := func(w io.Writer) error {
			return portable.Dump(ctx, w, s, func(p portable.Progress) { bar.Set(p.Characters) })
		}
		if v.File == "-" {
			return write(env.Stdout)
		}
		return wholefile.Write(v.File, 0o600, write)
	})
}

type storeLoad struct {
	realmstore.Selection
	File string `arg:"" help:"A dump; - is standard input."`
}

func (v *storeLoad) Run(ctx context.Context, env *flags.Environment) error {
	from, total := os.Stdin, int64(-1)
	if v.File != "-" {
		f, err := os.Open(v.File)
		if err != nil {
			return err
		}
		defer f.Close()
		from = f
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			total = info.Size()
		}
	}
	return v.With(ctx, false, func(s store.Store) error {
		bar := terminal.NewBar(env.Stderr, total, "loading")
		defer bar.Finish()
		var last portable.Progress
		err := portable.Load(ctx, from, s, func(p portable.Progress) {
			last = p
			bar.Set64(p.Bytes)
		})
		return say(env, err, "%d accounts and %d characters are loaded\n", last.Accounts, last.Characters)
	})
}
