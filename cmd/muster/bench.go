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
	"muster/cmd/internal/cluster"
	"muster/cmd/internal/credentials"
	"muster/cmd/internal/flags"
	"muster/cmd/internal/release"
	"muster/net/replication/natsbus"
)

type benchVerb struct {
	Quick   bool          `help:"Small worlds and few repetitions, in under three minutes: fails where any machine must not, and its times say nothing."`
	Machine bool          `help:"Print what this machine is, what it can count and what a send costs on it, and measure nothing else."`
	Report  bool          `help:"Write the report from the results that are there, and measure nothing."`
	Only    []string      `placeholder:"NAME" help:"Run these scenarios: ${scenarios}. A quick run leaves long ones out otherwise."`
	Out     string        `placeholder:"DIR" help:"Folder for the results and a report of them; default bench/results, BENCHMARKS.md and docs/bench, or bench/out if quick."`
	JSON    string        `name:"json" placeholder:"FILE" help:"Write all figures of this run as one list to a file."`
	Profile flags.Profile `enum:",cpu,mem,mutex,block,trace" default:"" placeholder:"KIND" help:"Profile the scenarios: cpu, mem, mutex, block or trace."`
}

// Validate refuses a scenario that does not exist.
func (v *benchVerb) Validate() error {
	names := bench.Names()
	for _, name := range v.Only {
		if !slices.Contains(names, name) {
			return fmt.Errorf("--only is some of %s, not %q", strings.Join(names, ", "), name)
		}
	}
	return nil
}

// Run measures. It fails if a target is missed that holds on any machine.
func (v *benchVerb) Run(ctx context.Context, env *flags.Environment) error {
	binary, err := os.Executable()
	if err != nil {
		return err
	}
	defer v.Profile.Start()()
	config := bench.Config{
		Muster: binary, Commit: release.Name(), Quick: v.Quick, Only: v.Only, List: v.JSON, Log: env.Stdout,
	}
	if v.Machine {
		return bench.WriteMachine(ctx, env.Stdout, config)
	}
	if v.Out != "" || v.Quick {
		config.Results = cmp.Or(v.Out, filepath.Join("bench", "out"))
		config.Report = filepath.Join(config.Results, "BENCHMARKS.md")
	}
	if v.Report {
		return bench.Report(config)
	}
	return bench.Run(ctx, config)
}

// A floorVerb is what bench holds serve against.
type floorVerb struct {
	Clients int     `required:""`
	Flushes float64 `required:""`
	Bytes   int     `required:""`
	How     string  `default:"send" enum:"send,gate,gnet"`
}

// Run serves until its clients leave.
func (v *floorVerb) Run(ctx context.Context, env *flags.Environment) error {
	f := bench.Floor{Clients: v.Clients, Flushes: v.Flushes, Bytes: v.Bytes}
	serve := map[string]func(context.Context, func(netip.AddrPort)) error{"send": f.Serve, "gate": f.ServeGate, "gnet": f.ServeGnet}
	return serve[v.How](ctx, func(at netip.AddrPort) {
		fmt.Fprintf(env.Stdout, "ready %s\n", at)
	})
}

// A natsVerb is a server of NATS that bench measures.
type natsVerb struct {
	Realm string `required:"" help:"Name of the realm that it lets in."`
}

// Run serves until ctx ends.
func (v *natsVerb) Run(ctx context.Context, env *flags.Environment) error {
	return cluster.ServeNATS(ctx, v.Realm, func(url, folder string) {
		fmt.Fprintf(env.Stdout, "ready %s %s %s\n", url, credentials.File(folder, natsbus.Worker, v.Realm), credentials.File(folder, natsbus.Gateway, v.Realm))
	})
}
