// Package cluster runs the processes of a realm on one machine, as muster cluster does: NATS in this process, and workers, gateways and what else
// there is as children of it.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	nats "github.com/nats-io/nats-server/v2/server"

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
	Ephemeral    bool    `help:"Keep accounts and characters in memory only; they end with the gateway."`
	Data         string  `placeholder:"DIR" help:"As of serve."`
	Database     string  `placeholder:"URL" help:"As of serve."`

	Seed      uint64 `default:"1" placeholder:"N" help:"Of the synthetic world and of all chance in it (${default})."`
	Creatures int    `default:"20000" placeholder:"N" help:"How many creatures live in it, besides those around the hubs (${default})."`
	WorldDB   string `name:"world-db" placeholder:"FILE|URL" help:"As of serve."`
	Start     string `default:"spread" enum:"spread,one" placeholder:"HOW" help:"New characters begin spread over many places, or all in one: spread or one (${default})."`
	Workers   int    `default:"0" placeholder:"N" help:"Processes that step worlds, with the maps divided among them; 0: one for each map, and three with --database."`
	Gateways  int    `default:"0" placeholder:"N" help:"Processes that have the sockets of players; those after the first listen at the next free ports. 0: two with --database, and else one."`

	Durable       string        `default:"characters" enum:"characters,world" placeholder:"WHAT" help:"What goes on after a kill -9 of a worker: characters, or the world too, from a log in JetStream. A worker that ends is then started again, and players notice a pause: characters or world (${default})."`
	Standbys      int           `default:"0" placeholder:"N" help:"With --durable world: so many more workers for each, which follow its worlds and go on with them when it ends; with --database so many of the other workers for each world (${default})."`
	SnapshotEvery time.Duration `default:"30s" placeholder:"D" help:"As of worker."`
	LogSync       string        `default:"interval" enum:"interval,always" placeholder:"WHEN" help:"With --durable world: when the log is safe from an end of the machine: interval, within two minutes, or always, before clients are sent what follows from it (${default})."`
	Anew          bool          `help:"With --durable world: remove the logs of a cluster before, and begin all worlds anew."`

	flags.InstanceBounds
	worldset.TraceSettings

	flags.Logging
}

// Check refuses what cannot be run. What the children refuse, they do.
func (v *Config) Check() error {
	if v.Workers < 0 || v.Workers > 64 {
		return fmt.Errorf("--workers is from 0 to 64, not %d", v.Workers)
	}
	if v.Gateways < 0 || v.Gateways > 16 {
		return fmt.Errorf("--gateways is from 0 to 16, not %d", v.Gateways)
	}
	if v.Standbys < 0 || v.Standbys > orchestrator.MaxStandbys {
		return fmt.Errorf("--standbys is from 0 to %d, not %d", orchestrator.MaxStandbys, v.Standbys)
	}
	if err := errors.Join(v.InstanceBounds.Check(), v.TraceSettings.Check()); err != nil {
		return err
	}
	if v.Durable != "world" && (v.Standbys > 0 || v.Anew) {
		return errors.New("--standbys and --anew need --durable world")
	}
	if v.Gateways > 1 && v.Database == "" {
		return fmt.Errorf("--gateways %d needs --database: SQLite and memory are for one process", v.Gateways)
	}
	return nil
}

// Complete finds out how many gateways there are, and where serve keeps its data with such an environment.
func (v *Config) Complete(variables []string) {
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

// busTime is how long NATS may take to be ready.
const busTime = 10 * time.Second

// Run runs a cluster until ctx ends. What its processes log goes to stderr, with their names.
func Run(ctx context.Context, v *Config, stderr io.Writer, log *slog.Logger) (err error) {
	began := time.Now()
	defer v.divideProcessors()()
	worlds := worldspec.Settings{Seed: v.Seed, WorldDB: v.WorldDB}
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
	bus, err := nats.NewServer(options)
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
	log.Info("NATS", "at", bus.ClientURL(), "credentials", folder)
	if v.Database != "" {
		return v.runScaled(ctx, stderr, bus.ClientURL(), folder, began, log)
	}

	c := process.NewChildren(log, stderr, 64+16)
	if v.Standbys > 0 {
		told, err := natsbus.Connect(natsbus.Config{
			URL: bus.ClientURL(), Name: "muster cluster", Role: natsbus.Cluster, Credentials: credentials.File(folder, natsbus.Cluster, "muster"), Log: log,
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
		args := append(append([]string{"worker"}, busOf(bus.ClientURL(), folder, natsbus.Worker)...), v.world()...)
		for _, id := range share {
			args = append(args, "--map", strconv.FormatUint(uint64(id), 10))
		}
		if v.Durable == "world" {
			if err := v.keepWorlds(c, i, args); err != nil {
				return err
			}
			continue
		}
		if err := c.Start(fmt.Sprintf("worker %d", i+1), append(args, v.TraceSettings.Args()...)); err != nil {
			return err
		}
	}
	for i, at := range v.gateways() {
		args := append(append([]string{"serve", "--gateway", strconv.Itoa(i + 1)}, busOf(bus.ClientURL(), folder, natsbus.Gateway)...), at.flags()...)
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

// divideProcessors has this process and its children, which inherit it, each use so many processors as there are for each worker and gateway,
// of those that this process may use, which a container may have fewer of than its machine, unless GOMAXPROCS says otherwise: an idle thread that looks for work in each of nine processes is work that the others do not get done.
func (v *Config) divideProcessors() (restore func()) {
	if os.Getenv(processors) != "" {
		return func() {}
	}
	workers := v.Workers
	if workers == 0 {
		workers = 3
	}
	before := runtime.GOMAXPROCS(0)
	if v.Database == "" { // else they are among the workers
		workers *= 1 + v.Standbys
	}
	share := max(1, before/(workers+v.Gateways))
	os.Setenv(processors, strconv.Itoa(share))
	runtime.GOMAXPROCS(share)
	return func() {
		os.Unsetenv(processors)
		runtime.GOMAXPROCS(before)
	}
}

// processors is what the runtime of Go reads.
const processors = "GOMAXPROCS"

// natsOptions are those of NATS. remove removes what it has kept, if that is of no use afterwards.
func (v *Config) natsOptions() (o *nats.Options, remove func(), err error) {
	o = &nats.Options{Host: "127.0.0.1", Port: nats.RANDOM_PORT, NoSigs: true, NoLog: true}
	remove = func() {}
	if v.Durable != "world" {
		return o, remove, nil
	}
	o.JetStream, o.SyncAlways = true, v.LogSync == "always"
	if v.Ephemeral {
		if o.StoreDir, err = os.MkdirTemp("", "muster-nats-"); err != nil {
			return nil, nil, err
		}
		return o, func() { os.RemoveAll(o.StoreDir) }, nil
	}
	o.StoreDir = filepath.Join(v.Data, "nats")
	if v.Anew {
		if err := os.RemoveAll(o.StoreDir); err != nil {
			return nil, nil, err
		}
	}
	return o, remove, os.MkdirAll(o.StoreDir, 0o700)
}

// guardNATS has a server allow the roles of a realm what they need, and no one else anything. The credentials are in a new folder.
func guardNATS(o *nats.Options, realm string) (folder string, err error) {
	if folder, err = os.MkdirTemp("", "muster-credentials-"); err != nil {
		return "", err
	}
	read := new(nats.Options)
	if _, err = credentials.Make(folder, []string{realm}); err == nil {
		read, err = nats.ProcessConfigFile(filepath.Join(folder, credentials.ConfigFile))
	}
	if err != nil {
		os.RemoveAll(folder)
		return "", err
	}
	o.Nkeys, o.AuthTimeout = read.Nkeys, read.AuthTimeout
	return folder, nil
}

// busOf are the flags of a process that reaches NATS in a role.
func busOf(url, folder string, role natsbus.Role) []string {
	return []string{"--bus", url, "--bus-creds", credentials.File(folder, role, "muster")}
}

// keepWorlds starts a worker whose worlds go on when it ends, and its standbys.
func (v *Config) keepWorlds(c *process.Children, i int, args []string) error {
	args = append(args, v.durable()...)
	if err := c.Keep(fmt.Sprintf("worker %d", i+1), args); err != nil {
		return err
	}
	for n := range v.Standbys {
		name := fmt.Sprintf("standby %d", i+1)
		if n > 0 {
			name = fmt.Sprintf("standby %d.%d", i+1, n+1)
		}
		if err := c.Keep(name, append(slices.Clone(args), "--standby")); err != nil {
			return err
		}
	}
	return nil
}

// durable are the flags of workers that keep their worlds.
func (v *Config) durable() []string {
	return []string{"--durable", "world", "--snapshot-every", v.SnapshotEvery.String()}
}

// world are the flags that workers and gateways must agree on.
func (v *Config) world() []string {
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
func (v *Config) gateways() (all []listening) {
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
func (v *Config) dataOf(i int) string {
	if i == 0 || v.Data == "" {
		return v.Data
	}
	return filepath.Join(v.Data, fmt.Sprintf("gateway-%d", i+1))
}

// accounts are the flags of accounts, and of where the i-th gateway keeps them.
func (v *Config) accounts(i int) (args []string) {
	args = append(args, "--open-level", strconv.Itoa(int(v.OpenLevel)))
	if v.OpenAccounts != nil {
		args = append(args, "--open-accounts", *v.OpenAccounts)
	}
	if v.Ephemeral {
		args = append(args, "--ephemeral")
	}
	return append(args, v.kept(i)...)
}

// kept are the flags of where the i-th gateway keeps accounts, and its journal.
func (v *Config) kept(i int) (args []string) {
	for flag, value := range map[string]string{"--data": v.dataOf(i), "--database": v.Database} {
		if value != "" {
			args = append(args, flag, value)
		}
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
