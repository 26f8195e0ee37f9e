package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"muster/bench"
	"muster/bench/swarm"
	"muster/cmd/internal/flags"
	"muster/cmd/internal/release"
)

// benchVerbs are bench, and what it does if no further verb is named.
type benchVerbs struct {
	Run  benchVerb `cmd:"" default:"withargs" help:"Run scenarios beside their baselines: what bench does without a verb."`
	Peer peerVerb  `cmd:"" help:"Load another 3.3.5a server and muster in turn with the same clients, and compare them."`
}

// Help is printed below the verbs.
func (*benchVerbs) Help() string {
	return "bench --quick is bench run --quick: bench run --help has the flags."
}

type peerVerb struct {
	Auth     string `default:"127.0.0.1:3724" placeholder:"ADDR" help:"Login server of the other server, which runs on this machine, host:port."`
	PID      []int  `name:"pid" required:"" placeholder:"N" help:"Processes of the other server, separated by commas."`
	Name     string `placeholder:"NAME" help:"What to call it; default: as its first process."`
	Accounts string `default:"SWARM" placeholder:"PREFIX" help:"Accounts there are PREFIX1 to PREFIXn (${default}): as many as there are clients at most."`
	Password string `default:"${password}" placeholder:"P" help:"Password of all of them (${default})."`

	Clients     []int           `default:"50,200,500,1000" placeholder:"N" help:"How many clients to log in, one number after the other (${default})."`
	Repetitions int             `default:"3" placeholder:"N" help:"How often to load each server with so many clients (${default})."`
	Behaviour   swarm.Behaviour `default:"walk" placeholder:"B" help:"What they do: idle, walk, crowd or roam (${default})."`
	Ramp        rate            `default:"100/s" placeholder:"RATE" help:"Logins begun per second (${default})."`
	Duration    time.Duration   `default:"20s" placeholder:"D" help:"How long to measure, after the ramp (${default})."`

	ServeFlags serveFlags `placeholder:"FLAGS" help:"More flags of the muster, which is serve --ephemeral --start one, in one argument: '--tick 50ms --phases 2'."`
	Out        string     `default:"bench/out/peer" placeholder:"DIR" help:"Folder for the report: JSON, Markdown and charts (${default})."`
}

// Validate refuses what compares nothing.
func (v *peerVerb) Validate() error {
	seen := make(map[int]bool)
	for _, n := range v.Clients {
		if n < 1 || seen[n] {
			return fmt.Errorf("--clients are numbers from 1, each once, not %v", v.Clients)
		}
		seen[n] = true
	}
	switch {
	case len(v.Clients) == 0:
		return fmt.Errorf("--clients has no number")
	case v.Repetitions < 1:
		return fmt.Errorf("--repetitions is at least 1, not %d", v.Repetitions)
	case v.Duration <= 0:
		return fmt.Errorf("--duration is more than nothing, not %v", v.Duration)
	case v.Behaviour == swarm.Trade:
		return fmt.Errorf("--behaviour trade depends on what characters have, which is not the same in two servers")
	case v.Behaviour == swarm.Grind:
		return fmt.Errorf("--behaviour grind depends on the creatures of a world, which are not the same in two servers")
	}
	return nil
}

// Run compares. It fails if a row is void.
func (v *peerVerb) Run(ctx context.Context, env *flags.Environment) error {
	binary, err := os.Executable()
	if err != nil {
		return err
	}
	return bench.Peer(ctx, bench.PeerConfig{
		Muster: binary, Commit: release.Name(), Name: v.Name, Auth: v.Auth, PIDs: v.PID, Prefix: strings.ToUpper(v.Accounts),
		Password: v.Password, Clients: v.Clients, Repetitions: v.Repetitions, Behaviour: v.Behaviour, Ramp: float64(v.Ramp),
		Duration: v.Duration, Serve: v.ServeFlags, Out: v.Out, Log: env.Stdout,
	})
}

// serveFlags are flags in one argument, separated by spaces.
type serveFlags []string

// Decode takes the next argument as it is: one that begins with a dash is not a flag of ours.
func (f *serveFlags) Decode(ctx *kong.DecodeContext) error {
	token := ctx.Scan.Pop()
	if token.IsEOL() {
		return fmt.Errorf("--serve-flags wants flags in one argument, such as '--tick 50ms --phases 2'")
	}
	*f = strings.Fields(fmt.Sprint(token.Value))
	return nil
}
