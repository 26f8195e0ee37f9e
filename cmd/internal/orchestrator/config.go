package orchestrator

import (
	"errors"
	"fmt"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/link"
	"muster/net/ops/console"
)

// An Config is which realm an orchestrator is of, and how. Its tags say how that is spelled on a command line.
type Config struct {
	Database  string        `required:"" placeholder:"URL" help:"Where the registry is: PostgreSQL, as of serve."`
	RealmName string        `default:"muster" placeholder:"NAME" help:"Name of the realm, as workers and gateways have it (${default})."`
	Admin     flags.Address `default:"127.0.0.1:0" placeholder:"ADDR" help:"Where to listen for operators, HTTP; port 0 takes a free one (${default})."`
	Wait      int           `default:"1" placeholder:"N" help:"Give no maps before so many workers are there, or the first has been there for 5s (${default})."`
	Standbys  int           `default:"0" placeholder:"N" help:"Have so many other workers follow each world, where workers have --durable world, and go on with it when its own ends (${default})."`
	Spawn     int           `default:"0" placeholder:"N" help:"Start so many workers on this machine, and start each again that ends, after a pause (${default})."`

	scaleFlags
	Rebalancing

	Bus string `placeholder:"URL" help:"NATS, over which gateways ask which instances of dungeons their players enter: nats://HOST:PORT. Default: this one answers none."`
	link.Access
	flags.InstanceBounds

	flags.TokenSource
	flags.Logging
}

// Check refuses what cannot be run with such flags of workers.
func (v *Config) Check(workers []string) error {
	switch {
	case !flags.IsDatabase(v.Database):
		return errors.New("--database is a URL, postgres://USER@HOST/NAME")
	case v.Spawn < 0 || v.Spawn > MaxSpawn:
		return fmt.Errorf("--spawn is from 0 to %d, not %d", MaxSpawn, v.Spawn)
	case v.Standbys < 0 || v.Standbys > MaxStandbys:
		return fmt.Errorf("--standbys is from 0 to %d, not %d", MaxStandbys, v.Standbys)
	case v.Spawn == 0 && len(workers) > 0:
		return errors.New("flags of workers need --spawn")
	}
	flags := flags.AdminAccess{TokenSource: v.TokenSource}
	errs := []error{flags.Check(v.Admin.Addr().IsLoopback()), v.Access.Check(), v.InstanceBounds.Check(), v.scaleFlags.check(v.Spawn), v.Rebalancing.Check()}
	if v.Bus != "" {
		errs = append(errs, link.CheckURL(v.Bus))
	}
	return errors.Join(errs...)
}

// MaxStandbys is how many workers may follow a world: what takes more ends at once takes its log, too.
const MaxStandbys = 3

// scales reports whether this process can start workers, or have them started.
func (v *Config) scales() bool {
	return v.Spawn > 0 || v.ScaleExec != "" || v.ScaleKubernetes != ""
}

// mostWorkers is how many workers an operator can want of this process, 0 if it can start none.
func (v *Config) mostWorkers() int {
	switch {
	case v.Spawn > 0 || v.Spawned:
		return MaxSpawn - v.Spares
	case v.scales():
		return console.MaxWorkers
	}
	return 0
}

// worker is the command line of a worker with such flags.
func (v *Config) worker(flags []string) []string {
	if len(flags) > 0 && flags[0] == "--" {
		flags = flags[1:]
	}
	return append([]string{"worker", "--database", v.Database, "--realm-name", v.RealmName}, flags...)
}
