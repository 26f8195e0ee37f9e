// Command muster runs a world that 3.3.5a clients can enter, and a swarm of clients to load it with.
package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"muster/bench"
	"muster/cmd/internal/flags"
	"muster/cmd/internal/loginpolicy"
	"muster/cmd/internal/process"
)

// defaultPassword is that of open accounts, and of a swarm.
const defaultPassword = loginpolicy.DefaultPassword

// Exit codes.
const (
	exitOK      = process.ExitOK
	exitFailure = process.ExitFailure
	exitUsage   = process.ExitUsage
)

type verbs struct {
	Serve       serveVerb       `cmd:"" help:"Run login server and world in one process."`
	Gateway     gatewayVerb     `cmd:"" help:"Let players into worlds of other processes: serve without logins, worlds and a store of its own."`
	Worker      workerVerb      `cmd:"" help:"Step worlds for gateways in other processes, muster gateway and muster serve --bus."`
	Orchestrate orchestrateVerb `cmd:"" help:"Give the worlds of a realm to its workers, and start workers."`
	Login       loginVerb       `cmd:"" help:"Serve logins alone, for the gateways of a database."`
	Cluster     clusterVerbs    `cmd:"" help:"Run workers, a gateway and what connects them as processes on this machine."`
	Ctl         ctlVerb         `cmd:"" help:"Say a verb to a running server: kick, announce, server info, and many more."`
	Account     accountVerbs    `cmd:"" help:"Make, change, ban, list and delete accounts."`
	Store       storeVerbs      `cmd:"" help:"Check all that is kept, dump it, and load it elsewhere."`
	Snapshot    snapshotVerbs   `cmd:"" help:"Save, list, check, restore and fork worlds that are kept with --durable world."`
	Smartai     smartaiVerbs    `cmd:"" help:"Check the scripts of an imported world."`
	World       worldVerbs      `cmd:"" help:"Import the world databases of other servers, and report on them."`
	Swarm       swarmVerb       `cmd:"" help:"Log many simulated clients in, and measure and verify what they get."`
	Replay      replayVerb      `cmd:"" help:"Run again what serve --record has recorded, and say whether it went the same way."`
	Spells      spellsVerb      `cmd:"" help:"Print which effects and auras of spells are executed, and which are refused and why."`
	Top         topVerb         `cmd:"" help:"Show how the worlds and the players of a running server do, again and again."`
	Ready       readyVerb       `cmd:"" help:"Say whether a process is ready."`
	Trace       traceVerb       `cmd:"" help:"Follow the packets of a session, or those that a recording or a file has."`
	Flight      flightVerb      `cmd:"" help:"Print why a tick was slow, from a bundle that a server has written."`
	Plan        planVerb        `cmd:"" help:"Print the systems of a tick in their order, with what each reads and writes, what emits and reads each event, and which systems conflict."`
	Limits      limitsVerb      `cmd:"" help:"Print what is bounded, by what, and what becomes of more."`
	Bench       benchVerbs      `cmd:"" help:"Measure worlds and servers beside their baselines, and write BENCHMARKS.md and docs/bench."`
	Version     versionVerb     `cmd:"" help:"Print version, commit and toolchain."`
	Completion  completionVerb  `cmd:"" help:"Print the completion script of a shell."`
	Man         manVerb         `cmd:"" help:"Print a manual page, or write all of them."`
	Complete    completeVerb    `cmd:"" hidden:"" passthrough:"" help:"What can stand next, for the scripts of completion."`
	Floor       floorVerb       `cmd:"" hidden:"" help:"The baseline of serve: what no server can do without."`
	NATS        natsVerb        `cmd:"" name:"nats" hidden:"" help:"A server of NATS by itself, as muster cluster has one."`
}

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		cancel()
		<-signals
		os.Exit(exitOK) // asked twice: stop at once, saving nothing more
	}()
	os.Exit(run(ctx, os.Args[1:], &flags.Environment{Stdout: os.Stdout, Stderr: os.Stderr, Variables: os.Environ()}))
}

// run is the program: it parses args, runs a command until it is done or ctx is, and returns the exit
// code.
func run(ctx context.Context, args []string, env *flags.Environment) (code int) {
	defer func() {
		if p := recover(); p != nil {
			helped, ok := p.(exit)
			if !ok {
				panic(p)
			}
			code = int(helped)
		}
	}()
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parser := newParser(new(verbs), env)
	command, err := parser.Parse(args)
	if err != nil {
		parser.Errorf("%s", err)
		return exitUsage
	}
	command.BindTo(ctx, (*context.Context)(nil))
	if err := command.Run(); err != nil {
		if status := process.ExitStatus(0); errors.As(err, &status) {
			return int(status)
		}
		parser.Errorf("%s", err)
		return exitFailure
	}
	return exitOK
}

// An exit is what --help panics with, instead of ending the process.
type exit int

func newParser(v *verbs, env *flags.Environment) *kong.Kong {
	parser := kong.Must(v,
		kong.Name("muster"),
		kong.Description("A world server for 3.3.5a clients, made to be loaded, profiled and read."),
		kong.Vars{"password": defaultPassword, "scenarios": strings.Join(bench.Names(), ", ")},
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Writers(env.Stdout, env.Stderr),
		kong.Exit(func(code int) { panic(exit(code)) }),
		kong.Bind(env),
	)
	v.Gateway.narrow(flags.Child(parser.Model.Node, "gateway"))
	return parser
}
