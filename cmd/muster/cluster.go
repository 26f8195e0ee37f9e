package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	nats "github.com/nats-io/nats-server/v2/server"
)

type clusterVerb struct {
	Auth  address `default:"127.0.0.1:3724" placeholder:"ADDR" help:"Where to listen for logins (${default})."`
	World address `default:"127.0.0.1:8085" placeholder:"ADDR" help:"Where to listen for players (${default})."`
	Admin address `default:"127.0.0.1:8086" placeholder:"ADDR" help:"Where the gateway listens for operators, HTTP (${default})."`

	OpenAccounts *string `placeholder:"PASSWORD" help:"As of serve."`
	OpenLevel    uint8   `default:"0" placeholder:"N" help:"As of serve."`
	Ephemeral    bool    `help:"Keep accounts and characters in memory only; they end with the gateway."`
	Data         string  `placeholder:"DIR" help:"As of serve."`
	Database     string  `placeholder:"URL" help:"As of serve."`

	Seed      uint64 `default:"1" placeholder:"N" help:"Of the synthetic world and of all chance in it (${default})."`
	Creatures int    `default:"20000" placeholder:"N" help:"How many creatures live in it, besides those around the hubs (${default})."`
	Start     string `default:"spread" enum:"spread,one" placeholder:"HOW" help:"New characters begin spread over many places, or all in one: spread or one (${default})."`
	Workers   int    `default:"0" placeholder:"N" help:"Processes that step worlds, with the maps divided among them; 0: one for each map."`

	logFlags
}

// Help is printed below the flags' own.
func (*clusterVerb) Help() string {
	return `NATS runs in this process. The others are muster worker and muster serve --bus; what they log is repeated with their name before it.
When one of them ends, all do.`
}

// Validate refuses what cannot be run. What the children refuse, they do.
func (v *clusterVerb) Validate() error {
	if v.Workers < 0 || v.Workers > 64 {
		return fmt.Errorf("--workers is from 0 to 64, not %d", v.Workers)
	}
	return nil
}

// busTime is how long NATS may take to be ready.
const busTime = 10 * time.Second

// Run runs a cluster until ctx ends.
func (v *clusterVerb) Run(ctx context.Context, env *environment) (err error) {
	began := time.Now()
	log := v.logger(env.stderr)
	d, err := newDefs(v.Seed, v.Creatures, v.Start)
	if err != nil {
		return err
	}
	var maps []uint32
	for i := range d.Maps {
		maps = append(maps, d.Maps[i].ID)
	}
	bus, err := nats.NewServer(&nats.Options{Host: "127.0.0.1", Port: nats.RANDOM_PORT, NoSigs: true, NoLog: true})
	if err != nil {
		return fmt.Errorf("NATS: %w", err)
	}
	bus.Start()
	defer func() {
		bus.Shutdown()
		bus.WaitForShutdown()
	}()
	if !bus.ReadyForConnections(busTime) {
		return fmt.Errorf("NATS is not ready after %v", busTime)
	}
	log.Info("NATS", "at", bus.ClientURL())

	c := &children{log: log, stderr: env.stderr, ended: make(chan error, 65)}
	defer func() { err = errors.Join(err, c.stop()) }()
	for i, share := range divide(maps, v.Workers) {
		args := append([]string{"worker", "--bus", bus.ClientURL()}, v.world()...)
		for _, id := range share {
			args = append(args, "--map", strconv.FormatUint(uint64(id), 10))
		}
		if err := c.start(fmt.Sprintf("worker %d", i+1), args); err != nil {
			return err
		}
	}
	args := append([]string{"serve", "--bus", bus.ClientURL(), "--auth", v.Auth.String(), "--world", v.World.String(), "--admin", v.Admin.String()}, v.world()...)
	if err := c.start("gateway 1", append(args, v.accounts()...)); err != nil {
		return err
	}
	at, err := c.ready(ctx)
	if err != nil || ctx.Err() != nil {
		return err
	}
	for _, p := range c.all {
		log.Info("runs", "process", p.name, "pid", p.cmd.Process.Pid, "at", p.at)
	}
	ready := []any{}
	for _, field := range strings.Fields(at) {
		key, value, _ := strings.Cut(field, "=")
		ready = append(ready, key, value)
	}
	log.Info("ready", append(ready, "took", time.Since(began).Round(time.Millisecond), "workers", len(c.all)-1)...)
	select {
	case <-ctx.Done():
		return nil
	case err := <-c.ended:
		return err
	}
}

// world are the flags that workers and gateways must agree on.
func (v *clusterVerb) world() []string {
	return []string{
		"--seed", strconv.FormatUint(v.Seed, 10), "--creatures", strconv.Itoa(v.Creatures), "--start", v.Start,
		"--log-level", "info", "--log-format", "text", // in which they are found to be ready
	}
}

// accounts are the flags of accounts and where they are kept.
func (v *clusterVerb) accounts() (args []string) {
	args = append(args, "--open-level", strconv.Itoa(int(v.OpenLevel)))
	if v.OpenAccounts != nil {
		args = append(args, "--open-accounts", *v.OpenAccounts)
	}
	for flag, value := range map[string]string{"--data": v.Data, "--database": v.Database} {
		if value != "" {
			args = append(args, flag, value)
		}
	}
	if v.Ephemeral {
		args = append(args, "--ephemeral")
	}
	return args
}

// divide divides maps among some workers, in turn; 0 is one for each.
func divide(maps []uint32, workers int) (shares [][]uint32) {
	if workers == 0 || workers > len(maps) {
		workers = len(maps)
	}
	shares = make([][]uint32, workers)
	for i, id := range maps {
		shares[i%workers] = append(shares[i%workers], id)
	}
	return shares
}
