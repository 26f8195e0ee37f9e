// Package cluster runs the processes of a realm on one machine, as muster cluster does: NATS in this process, and workers, gateways and what else
// there is as children of it.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"muster/cmd/internal/credentials"
	"muster/cmd/internal/flags"
	"muster/cmd/internal/link"
	"muster/cmd/internal/orchestrator"
	"muster/cmd/internal/process"
	"muster/cmd/internal/storage"
	"muster/cmd/internal/worldset"
	"muster/cmd/internal/worldspec"
	"muster/net/replication/natsbus"
	"muster/net/replication/remote"
)

// A Config is what a cluster on this machine is made of. Its tags say how that is spelled on a command line.
type Config struct {
	Auth  flags.Address `default:"127.0.0.1:3724" placeholder:"ADDR" help:"Where to listen for logins (${default})."`
	World flags.Address `default:"127.0.0.1:8085" placeholder:"ADDR" help:"Where to listen for players (${default})."`
	Admin flags.Address `default:"127.0.0.1:8086" placeholder:"ADDR" help:"Where the first gateway listens for operators, HTTP (${default})."`

	OpenAccounts *string `placeholder:"PASSWORD" help:"As of serve."`
	OpenLevel    uint8   `default:"0" placeholder:"N" help:"As of serve."`
	Ephemeral    bool    `help:"Keep nothing. Without --database there are workers and one gateway alone, which has accounts and characters in memory."`
	Data         string  `placeholder:"DIR" help:"As of serve."`
	Database     string  `placeholder:"URL" help:"postgres://USER@HOST/NAME, or local: PostgreSQL as it is installed on this machine, with its data in --data, or with --ephemeral in a folder that ends with the cluster. Default: local, and none with --ephemeral."`

	Seed      uint64        `default:"1" placeholder:"N" help:"Of the synthetic world and of all chance in it (${default})."`
	Creatures int           `default:"20000" placeholder:"N" help:"How many creatures live in it, besides those around the hubs (${default})."`
	DBC       string        `name:"dbc" placeholder:"DIR" help:"As of serve."`
	WorldDB   string        `name:"world-db" placeholder:"FILE|URL" help:"As of serve."`
	Start     string        `default:"spread" enum:"spread,one" placeholder:"HOW" help:"New characters begin spread over many places, or all in one: spread or one (${default})."`
	Tick      time.Duration `default:"0" placeholder:"D" help:"As of worker."`
	Phases    int           `default:"0" placeholder:"K" help:"As of serve."`
	CPUBudget float64       `name:"cpu-budget" default:"0.5" placeholder:"CORES" help:"As of serve, of each worker and gateway (${default})."`

	DeathReclaim string  `default:"anywhere" enum:"anywhere,corpse" placeholder:"HOW" help:"As of serve (${default})."`
	RateXP       float32 `name:"rate-xp" default:"1" placeholder:"X" help:"As of serve (${default})."`
	Strikes      uint32  `default:"10" placeholder:"N" help:"As of serve (${default})."`

	Workers  int `default:"0" placeholder:"N" help:"Processes that step worlds, with the maps divided among them; 0: as many as muster ctl cluster scale has said, or three; with --ephemeral alone one for each map."`
	Gateways int `default:"0" placeholder:"N" help:"Processes that have the sockets of players; those after the first listen at the next free ports. 0: two, and with --ephemeral alone one."`

	Durable       string        `default:"characters" enum:"characters,world" placeholder:"WHAT" help:"What goes on after a kill -9 of a worker: characters, or the world too, from a log in JetStream. A worker that ends is then started again, and players notice a pause: characters or world (${default})."`
	Standbys      int           `default:"0" placeholder:"N" help:"With --durable world: so many more workers for each, which follow its worlds and go on with them when it ends; with a database so many of the other workers for each world (${default})."`
	SnapshotEvery time.Duration `default:"30s" placeholder:"D" help:"As of worker."`
	Replicas      int           `default:"1" enum:"1,3" placeholder:"N" help:"With --durable world: how many servers of NATS this process has, each with the log, 1 or 3. It is for measuring what the log costs with three, as all end with this process (${default})."`
	LogSync       string        `default:"interval" enum:"interval,always" placeholder:"WHEN" help:"With --durable world: when the log is safe from an end of the machine: interval, within two minutes, or always, before clients are sent what follows from it (${default})."`
	Anew          bool          `help:"With --durable world: remove the logs of a cluster before, and begin all worlds anew."`

	flags.InstanceBounds
	orchestrator.Rebalancing
	worldset.TraceSettings

	flags.Logging
}

// Check refuses what cannot be run. What the children refuse, they do.
func (v *Config) Check() error {
	if v.Workers < 0 || v.Workers > orchestrator.MaxSpawn {
		return fmt.Errorf("--workers is from 0 to %d, not %d", orchestrator.MaxSpawn, v.Workers)
	}
	if v.Gateways < 0 || v.Gateways > 16 {
		return fmt.Errorf("--gateways is from 0 to 16, not %d", v.Gateways)
	}
	if v.Standbys < 0 || v.Standbys > orchestrator.MaxStandbys {
		return fmt.Errorf("--standbys is from 0 to %d, not %d", orchestrator.MaxStandbys, v.Standbys)
	}
	worlds := worldspec.Settings{Creatures: v.Creatures, Tick: v.Tick, Phases: v.Phases, CPUBudget: v.CPUBudget, RateXP: v.RateXP, RecordLimit: 1}
	if err := errors.Join(worlds.Check(), worlds.CheckStep(), v.InstanceBounds.Check(), v.Rebalancing.Check(), v.TraceSettings.Check()); err != nil {
		return err
	}
	if v.Durable != "world" && (v.Standbys > 0 || v.Anew) {
		return errors.New("--standbys and --anew need --durable world")
	}
	if v.Durable != "world" && v.Replicas > 1 {
		return errors.New("--replicas needs --durable world")
	}
	if v.Gateways > 1 && v.Database == "" && v.Ephemeral {
		return fmt.Errorf("--gateways %d needs PostgreSQL, as memory is for one process: --ephemeral is given with --database local, or not at all", v.Gateways)
	}
	return nil
}

// Complete finds out what has the accounts, how many gateways there are, and where serve keeps its data with such an environment.
func (v *Config) Complete(variables []string) {
	if v.Database == "" && !v.Ephemeral {
		v.Database = localDatabase
	}
	if v.Gateways == 0 {
		v.Gateways = 1
		if v.Database != "" {
			v.Gateways = 2
		}
	}
	if v.Data == "" && !v.Ephemeral {
		v.Data = storage.DataFolder(variables)
	}
}

// Run runs a cluster until ctx ends. What its processes log goes to stderr, with their names.
func Run(ctx context.Context, v *Config, stderr io.Writer, log *slog.Logger) (err error) {
	began := time.Now()
	defer v.divideProcessors()()
	worlds := worldspec.Settings{Seed: v.Seed, WorldDB: v.WorldDB, DBC: v.DBC}
	d, err := worlds.LoadWorld(ctx, log)
	if err == nil && d == nil {
		d, err = worldspec.NewDefs(v.Seed, v.Creatures, v.Start)
	}
	if err != nil {
		return err
	}
	var maps []uint32
	for _, m := range worldspec.FixedMaps(d) {
		maps = append(maps, m.ID)
	}
	if v.Database == localDatabase {
		end, failed := v.startDatabase(ctx, log)
		if failed != nil {
			return failed
		}
		defer func() { err = errors.Join(err, end()) }()
	}
	options, remove, err := v.natsOptions()
	if err != nil {
		return err
	}
	defer remove()
	folder, err := guardNATS(options, "muster")
	if err != nil {
		return fmt.Errorf("credentials for NATS: %w", err)
	}
	defer os.RemoveAll(folder)
	bus, stop, err := startNATS(ctx, options, max(v.Replicas, 1))
	if err != nil {
		return fmt.Errorf("NATS: %w", err)
	}
	defer stop()
	log.Info("NATS", "at", bus, "credentials", folder)
	if v.Database != "" {
		return v.runScaled(ctx, stderr, bus, folder, began, log)
	}

	c := process.NewChildren(log, stderr, 64+16)
	if v.Standbys > 0 {
		told, err := natsbus.Connect(natsbus.Config{
			URL: bus, Name: "muster cluster", Role: natsbus.Cluster, Credentials: credentials.File(folder, natsbus.Cluster, "muster"), Log: log,
		})
		if err != nil {
			return fmt.Errorf("NATS: %w", err)
		}
		defer told.Close()
		c.Died = func(pid int) { // a standby need not wait until the silence is long enough
			told.Publish(remote.Ended(link.Subject(ClusterRealm)), []byte(process.Ended+process.NameOf(pid)))
		}
	}
	defer func() { err = errors.Join(err, c.Stop()) }()
	for i, share := range divide(maps, v.Workers) {
		args := slices.Concat([]string{"worker"}, busOf(bus, folder, natsbus.Worker), v.world(), v.rules(), v.TraceSettings.Args())
		for _, id := range share {
			args = append(args, "--map", strconv.FormatUint(uint64(id), 10))
		}
		if v.Durable == "world" {
			if err := v.keepWorlds(c, i, args); err != nil {
				return err
			}
			continue
		}
		if err := c.Start(fmt.Sprintf("worker %d", i+1), args); err != nil {
			return err
		}
	}
	for i, at := range v.gateways() {
		args := append(append([]string{"serve", "--gateway", strconv.Itoa(i + 1)}, busOf(bus, folder, natsbus.Gateway)...), at.flags()...)
		args = append(append(args, v.TraceSettings.Args()...), "--instances", "0") // there is no orchestrator to make any
		if err := c.Start(fmt.Sprintf("gateway %d", i+1), append(append(args, v.world()...), v.accounts(i)...)); err != nil {
			return err
		}
	}
	at, err := c.Ready(ctx, "gateway 1")
	if err != nil || ctx.Err() != nil {
		return err
	}
	c.LogAll()
	ready := []any{}
	for _, field := range strings.Fields(at) {
		key, value, _ := strings.Cut(field, "=")
		ready = append(ready, key, value)
	}
	log.Info("ready", append(ready, "took", time.Since(began).Round(time.Millisecond), "workers", c.Count()-v.Gateways, "gateways", v.Gateways)...)
	select {
	case <-ctx.Done():
		return nil
	case err := <-c.Ended:
		return err
	}
}
