package main

import (
	"cmp"
	"context"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"muster/bench"
)

type benchVerb struct {
	Quick bool   `help:"Small worlds and few repetitions, in under two minutes: fails where any machine must not, and its times say nothing."`
	Only  string `placeholder:"NAME" help:"Run one scenario: ${scenarios}. A quick run leaves roam out otherwise."`
	Out   string `placeholder:"DIR" help:"Folder for the results and a report of them; default bench/results and BENCHMARKS.md, or bench/out if quick."`
}

// Validate refuses a scenario that does not exist.
func (v *benchVerb) Validate() error {
	if names := bench.Names(); v.Only != "" && !slices.Contains(names, v.Only) {
		return fmt.Errorf("--only is one of %s, not %q", strings.Join(names, ", "), v.Only)
	}
	return nil
}

// Run measures. It fails if a target is missed that holds on any machine.
func (v *benchVerb) Run(ctx context.Context, env *environment) error {
	binary, err := os.Executable()
	if err != nil {
		return err
	}
	config := bench.Config{Muster: binary, Commit: release(), Quick: v.Quick, Only: v.Only, Log: env.stdout}
	if v.Out != "" || v.Quick {
		config.Results = cmp.Or(v.Out, filepath.Join("bench", "out"))
		config.Report = filepath.Join(config.Results, "BENCHMARKS.md")
	}
	return bench.Run(ctx, config)
}

// A floorVerb is what bench holds serve against.
type floorVerb struct {
	Clients int     `required:""`
	Flushes float64 `required:""`
	Bytes   int     `required:""`
}

// Run serves until its clients leave.
func (v *floorVerb) Run(ctx context.Context, env *environment) error {
	return bench.Floor{Clients: v.Clients, Flushes: v.Flushes, Bytes: v.Bytes}.Serve(ctx, func(at netip.AddrPort) {
		fmt.Fprintf(env.stdout, "ready %s\n", at)
	})
}
