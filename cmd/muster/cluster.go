package main

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	nats "github.com/nats-io/nats-server/v2/server"
)

type clusterVerb struct {
	Auth  address `default:"127.0.0.1:3724" placeholder:"ADDR" help:"Where to listen for logins (${default})."`
	World address `default:"127.0.0.1:8085" placeholder:"ADDR" help:"Where to listen for players (${default})."`
	Admin address `default:"127.0.0.1:8086" placeholder:"ADDR" help:"Where the first gateway listens for operators, HTTP (${default})."`

	OpenAccounts *string `placeholder:"PASSWORD" help:"As of serve."`
	OpenLevel    uint8   `default:"0" placeholder:"N" help:"As of serve."`
	Ephemeral    bool    `help:"Keep accounts and characters in memory only; they end with the gateway."`
	Data         string  `placeholder:"DIR" help:"As of serve."`
	Database     string  `placeholder:"URL" help:"As of serve."`

	Seed      uint64 `default:"1" placeholder:"N" help:"Of the synthetic world and of all chance in it (${default})."`
	Creatures int    `default:"20000" placeholder:"N" help:"How many creatures live in it, besides those around the hubs (${default})."`
	WorldDB   string `name:"world-db" placeholder:"FILE|URL" help:"As of serve."`
	Start     string `default:"spread" enum:"spread,one" placeholder:"HOW" help:"New characters begin spread over many places, or all in one: spread or one (${default})."`
	Workers   int    `default:"0" placeholder:"N" help:"Processes that step worlds, with the maps divided among them; 0: one for each map."`
	Gateways  int    `default:"0" placeholder:"N" help:"Processes that have the sockets of players; those after the first listen at the next free ports. 0: two with --database, and else one."`

	logFlags
}

// Help is printed below the flags' own.
func (*clusterVerb) Help() string {
	return `NATS runs in this process. The others are muster worker and muster serve --bus; what they log is repeated with their name before it.
When one of them ends, all do. Several gateways need --database: they have their accounts in common there.`
}

// Validate refuses what cannot be run. What the children refuse, they do.
func (v *clusterVerb) Validate() error {
	if v.Workers < 0 || v.Workers > 64 {
		return fmt.Errorf("--workers is from 0 to 64, not %d", v.Workers)
	}
	if v.Gateways < 0 || v.Gateways > 16 {
		return fmt.Errorf("--gateways is from 0 to 16, not %d", v.Gateways)
	}
	if v.Gateways > 1 && v.Database == "" {
		return fmt.Errorf("--gateways %d needs --database: SQLite and memory are for one process", v.Gateways)
	}
	return nil
}

// AfterApply finds out how many gateways there are, and where serve keeps its data.
func (v *clusterVerb) AfterApply(env *environment) error {
	if v.Gateways == 0 {
		v.Gateways = 1
		if v.Database != "" {
			v.Gateways = 2
		}
	}
	if v.Data == "" && !v.Ephemeral {
		v.Data = dataFolder(env.variables)
	}
	return nil
}

// busTime is how long NATS may take to be ready.
const busTime = 10 * time.Second

// Run runs a cluster until ctx ends.
func (v *clusterVerb) Run(ctx context.Context, env *environment) (err error) {
	began := time.Now()
	log := v.logger(env.stderr)
	worlds := worldFlags{Seed: v.Seed, WorldDB: v.WorldDB}
	d, err := worlds.loadWorld(ctx, log)
	if err == nil && d == nil {
		d, err = newDefs(v.Seed, v.Creatures, v.Start)
	}
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

	c := &children{log: log, stderr: env.stderr, ended: make(chan error, 64+16)}
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
	for i, at := range v.gateways() {
		args := append([]string{"serve", "--bus", bus.ClientURL(), "--gateway", strconv.Itoa(i + 1)}, at.flags()...)
		if err := c.start(fmt.Sprintf("gateway %d", i+1), append(append(args, v.world()...), v.accounts(i)...)); err != nil {
			return err
		}
	}
	at, err := c.ready(ctx, "gateway 1")
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
	log.Info("ready", append(ready, "took", time.Since(began).Round(time.Millisecond), "workers", len(c.all)-v.Gateways, "gateways", v.Gateways)...)
	select {
	case <-ctx.Done():
		return nil
	case err := <-c.ended:
		return err
	}
}

// world are the flags that workers and gateways must agree on.
func (v *clusterVerb) world() []string {
	args := []string{
		"--seed", strconv.FormatUint(v.Seed, 10), "--creatures", strconv.Itoa(v.Creatures), "--start", v.Start,
		"--log-level", "info", "--log-format", "text", // in which they are found to be ready
	}
	if v.WorldDB != "" {
		args = append(args, "--world-db", v.WorldDB)
	}
	return args
}

// A listening is where a gateway listens.
type listening struct{ auth, world, admin netip.AddrPort }

func (l *listening) flags() []string {
	return []string{"--auth", l.auth.String(), "--world", l.world.String(), "--admin", l.admin.String()}
}

// gateways are where each gateway listens: the first as the flags say, the others at the next ports that no gateway has. Port 0 is
// one that is free.
func (v *clusterVerb) gateways() (all []listening) {
	taken := map[uint16]bool{v.Auth.Port(): true, v.World.Port(): true, v.Admin.Port(): true}
	next := func(after netip.AddrPort) netip.AddrPort {
		port := after.Port()
		for port != 0 && taken[port] {
			port++
		}
		taken[port] = true
		return netip.AddrPortFrom(after.Addr(), port)
	}
	all = []listening{{v.Auth.AddrPort, v.World.AddrPort, v.Admin.AddrPort}}
	for range v.Gateways - 1 {
		all = append(all, listening{next(v.Auth.AddrPort), next(v.World.AddrPort), next(v.Admin.AddrPort)})
	}
	return all
}

// dataOf is the folder of the i-th gateway, from 0: each has a journal of its own.
func (v *clusterVerb) dataOf(i int) string {
	if i == 0 || v.Data == "" {
		return v.Data
	}
	return filepath.Join(v.Data, fmt.Sprintf("gateway-%d", i+1))
}

// accounts are the flags of accounts, and of where the i-th gateway keeps them.
func (v *clusterVerb) accounts(i int) (args []string) {
	args = append(args, "--open-level", strconv.Itoa(int(v.OpenLevel)))
	if v.OpenAccounts != nil {
		args = append(args, "--open-accounts", *v.OpenAccounts)
	}
	for flag, value := range map[string]string{"--data": v.dataOf(i), "--database": v.Database} {
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
