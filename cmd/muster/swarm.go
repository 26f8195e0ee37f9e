package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"muster/bench/swarm"
	"muster/cmd/internal/flags"
	"muster/cmd/internal/terminal"
)

type swarmVerb struct {
	Auth      string          `default:"127.0.0.1:3724" placeholder:"ADDR" help:"Login server, host:port."`
	Accounts  string          `default:"SWARM" placeholder:"PREFIX" help:"Accounts are PREFIX1 to PREFIXn (${default})."`
	Password  string          `default:"${password}" placeholder:"P" help:"Password of all of them (${default})."`
	Clients   int             `default:"50" placeholder:"N" help:"How many clients to log in (${default})."`
	Behaviour swarm.Behaviour `default:"walk" placeholder:"B" help:"What they do: idle, walk, crowd, roam, grind or trade (${default})."`
	Ramp      rate            `default:"200/s" placeholder:"RATE" help:"Logins begun per second (${default})."`
	Duration  time.Duration   `default:"30s" placeholder:"D" help:"How long to measure, after the ramp (${default})."`
	Seed      uint64          `default:"1" placeholder:"N" help:"Of the clients' walks (${default})."`
	Fresh     bool            `help:"Make a new character for each client, also on an account that has some. Where ten are there, the oldest that was made so is deleted first."`
	JSON      string          `name:"json" placeholder:"FILE" help:"Write the report as JSON too; - writes it to standard output, instead of the text."`
	SLO       objectives      `name:"slo" placeholder:"LIST" help:"What must be met, such as p99=200ms or p50=100ms,login.p99=5s."`
	Strict    bool            `help:"Count what real clients bear, and a report else calls a note, as a violation."`
	PID       []int           `name:"pid" placeholder:"N" help:"Watch processor time and memory of these processes, the server's."`
	Profile   flags.Profile   `enum:",cpu,mem,mutex,block,trace" default:"" placeholder:"KIND" help:"Profile the swarm itself: cpu, mem, mutex, block or trace."`
}

// Validate refuses what measures nothing.
func (v *swarmVerb) Validate() error {
	switch {
	case v.Clients < 1:
		return fmt.Errorf("--clients is at least 1, not %d", v.Clients)
	case v.Duration <= 0:
		return fmt.Errorf("--duration is more than nothing, not %v", v.Duration)
	}
	return nil
}

// Run swarms until the clients are done. It fails on a violation, which with --strict a note is too, on a missed objective,
// on a client that could not log in, on one that lost its session, on pairs whose trades have made or lost something, and if clients moved and no client received a move.
func (v *swarmVerb) Run(ctx context.Context, env *flags.Environment) error {
	defer v.Profile.Start()()
	config := swarm.Config{
		Auth: v.Auth, Prefix: v.Accounts, Password: v.Password, Clients: v.Clients, Behaviour: v.Behaviour,
		Ramp: float64(v.Ramp), Duration: v.Duration, Seed: v.Seed, SLO: v.SLO, PIDs: v.PID, Strict: v.Strict, Fresh: v.Fresh, Alone: true,
	}
	if terminal.Is(env.Stderr) {
		config.Progress = env.Stderr
	}
	report, err := swarm.Run(ctx, config)
	if !report.Start.IsZero() { // it began
		if failed := v.write(&report, env); failed != nil {
			return failed
		}
	}
	return err
}

func (v *swarmVerb) write(report *swarm.Report, env *flags.Environment) error {
	if v.JSON == "" {
		return report.WriteText(env.Stdout)
	}
	if v.JSON == "-" {
		return report.WriteJSON(env.Stdout)
	}
	if err := report.WriteText(env.Stdout); err != nil {
		return err
	}
	var text bytes.Buffer
	if err := report.WriteJSON(&text); err != nil {
		return err
	}
	return os.WriteFile(v.JSON, text.Bytes(), 0o644)
}

// A rate is a number per second: 200/s, or 200.
type rate float64

// UnmarshalText reads a rate.
func (r *rate) UnmarshalText(text []byte) error {
	n, err := strconv.ParseFloat(strings.TrimSuffix(string(text), "/s"), 64)
	if err != nil || !(n > 0 && n <= 1e6) {
		return fmt.Errorf("want a rate such as 200/s, not %q", text)
	}
	*r = rate(n)
	return nil
}

// objectives are what swarm.ParseSLO reads.
type objectives []swarm.Objective

// UnmarshalText reads a list of objectives.
func (o *objectives) UnmarshalText(text []byte) (err error) {
	*o, err = swarm.ParseSLO(string(text))
	return err
}
