package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"muster/cmd/internal/credentials"
	"muster/cmd/internal/membership"
	"muster/cmd/internal/orchestrator"
	"muster/cmd/internal/process"
	"muster/cmd/internal/realmlist"
	"muster/cmd/internal/storage"
	"muster/loaders/registry"
	"muster/net/replication/natsbus"
)

// A group is processes of one role that end together.
type group struct {
	end     context.CancelFunc
	running sync.WaitGroup
}

// begin begins a group, whose processes run until ctx ends.
func (f *fleet) begin() (ctx context.Context, g *group) {
	g = new(group)
	ctx, g.end = context.WithCancel(context.Background())
	f.groups = append(f.groups, g)
	return ctx, g
}

// A fleet is the processes of a cluster with a registry. Each is started again when it ends, once all have been ready.
type fleet struct {
	log    *slog.Logger
	stderr io.Writer
	ready  atomic.Bool
	failed chan error // has what the first of them that was not ready ended with
	groups []*group   // in the order of their start

	mu      sync.Mutex
	names   []string // in the order of their start
	first   map[string]*process.Child
	stopped []error // of each that has been stopped, nil if it ended in order
}

// start starts the processes of a role.
func (f *fleet) start(role string, lines [][]string) {
	ctx, g := f.begin()
	for i, args := range lines {
		name := fmt.Sprintf("%s %d", role, i+1)
		f.names = append(f.names, name)
		g.running.Go(func() { f.stops(f.supervise(ctx, name, args, func(*process.Child) {}, func(int) {})) })
	}
}

// startWorkers starts so many workers, and once all are ready has so many run as an operator says. Ended is called with the number of one that has ended by itself.
func (f *fleet) startWorkers(n int, args []string, known *registry.Registry, ended func(pid int)) {
	ctx, g := f.begin()
	name := func(i int) string { return fmt.Sprintf("worker %d", i) }
	for i := range n {
		f.names = append(f.names, name(i+1))
	}
	s := &orchestrator.Scaling{Registry: known, Realm: ClusterRealm, Log: f.log, Run: func(ctx context.Context, i int, started func(*process.Child)) error {
		return f.supervise(ctx, name(i), args, started, ended)
	}}
	s.Spawn(ctx, n)
	g.running.Go(func() {
		look := time.NewTicker(membership.ReportEvery)
		defer look.Stop()
		for ctx.Err() == nil {
			select {
			case <-look.C:
			case <-ctx.Done():
			}
			if f.ready.Load() {
				s.Follow(ctx)
			}
		}
		f.stops(s.Wait())
	})
}

// supervise has a process run until ctx ends. Started is called with it whenever it is started, and ended with its number when it has ended by itself.
func (f *fleet) supervise(ctx context.Context, name string, args []string, started func(*process.Child), ended func(pid int)) error {
	return process.Supervise(ctx, name, args, f.log, f, func(p *process.Child) {
		started(p)
		f.mu.Lock()
		again := f.first[name] != nil
		if !again {
			f.first[name] = p
		}
		f.mu.Unlock()
		if again {
			f.log.Info("is started again", "process", name, "pid", p.PID())
		}
	}, func(pid int, err error) {
		ended(pid)
		if !f.ready.Load() {
			select {
			case f.failed <- fmt.Errorf("%s: %w", name, err):
			default:
			}
		}
	})
}

// stops notes how processes have ended that were stopped.
func (f *fleet) stops(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stopped = append(f.stopped, err)
}

// Write writes lines of several processes, one after another.
func (f *fleet) Write(b []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.stderr.Write(b)
}

// wait waits until all are ready, and returns where each is reached.
func (f *fleet) wait(ctx context.Context) (at map[string]string, err error) {
	at = make(map[string]string)
	poll := time.NewTicker(10 * time.Millisecond)
	defer poll.Stop()
	for len(at) < len(f.names) {
		for _, name := range f.names {
			f.mu.Lock()
			p := f.first[name]
			f.mu.Unlock()
			if p == nil {
				continue
			}
			select {
			case at[name] = <-p.Ready:
				f.log.Info("runs", "process", name, "pid", p.PID(), "at", at[name])
			default:
			}
		}
		select {
		case <-poll.C:
		case err := <-f.failed:
			return nil, err
		case <-ctx.Done():
			return nil, nil
		}
	}
	f.ready.Store(true)
	return at, nil
}

// listed waits until the realm lists that clients are sent have the gateways of a realm: what a client is told may be realmlist.AskAgain old.
// A registry that cannot be asked is asked again, as all processes do that are ready.
func (f *fleet) listed(ctx context.Context, database, realm string, gateways int) error {
	r, err := storage.Await(ctx, f.log, func(ctx context.Context) (*registry.Registry, error) {
		return registry.Open(ctx, registry.Config{URL: database})
	})
	if err != nil {
		return storage.OneLine(err)
	}
	defer r.Close()
	var away membership.Outage
	for {
		live, err := gatewaysOf(ctx, r, realm)
		select {
		case <-time.After(realmlist.AskAgain):
		case err := <-f.failed:
			return err
		case <-ctx.Done():
			return nil
		}
		if away.Note(f.log, err); err == nil && live >= gateways {
			return nil
		}
	}
}

// gatewaysOf is how many gateways of a realm accept players.
func gatewaysOf(ctx context.Context, r *registry.Registry, realm string) (n int, err error) {
	realms, err := r.Realms(ctx)
	if err != nil {
		return 0, err
	}
	live, err := r.Gateways(ctx)
	for _, g := range live {
		if slices.ContainsFunc(realms, func(of registry.Realm) bool { return of.Number == g.Realm && of.Name == realm }) {
			n++
		}
	}
	return n, err
}

// stop ends all, those that were started last first. The error says which have not ended in order.
func (f *fleet) stop() error {
	for i := len(f.groups) - 1; i >= 0; i-- {
		f.groups[i].end()
		f.groups[i].running.Wait()
	}
	return errors.Join(f.stopped...)
}

// ClusterRealm is the name of the realm of a cluster: the default of the verbs that it starts.
const ClusterRealm = "muster"

// runScaled runs a cluster with a registry until ctx ends.
func (v *Config) runScaled(ctx context.Context, stderr io.Writer, bus, folder string, began time.Time, log *slog.Logger) (err error) {
	f := &fleet{log: log, stderr: stderr, failed: make(chan error, 1), first: make(map[string]*process.Child)}
	common := []string{"--database", v.Database, "--log-level", "info", "--log-format", "text"}
	known, err := storage.Await(ctx, log, func(ctx context.Context) (*registry.Registry, error) {
		return registry.Open(ctx, registry.Config{URL: v.Database})
	})
	if err != nil {
		return storage.OneLine(err)
	}
	defer known.Close()
	hold, err := holdRealm(ctx, known)
	if err != nil {
		if ctx.Err() != nil {
			err = nil
		}
		return err
	}
	var holding sync.WaitGroup
	defer holding.Wait()
	keeping, letGo := context.WithCancel(context.Background()) // its processes end before
	defer letGo()
	holding.Go(func() { keepHold(keeping, hold, log) })
	workers, err := v.workersOf(ctx, known)
	if err != nil {
		return storage.OneLine(err)
	}
	told, err := natsbus.Connect(natsbus.Config{
		URL: bus, Name: "muster cluster", Role: natsbus.Cluster, Credentials: credentials.File(folder, natsbus.Cluster, ClusterRealm), Log: log,
	})
	if err != nil {
		return fmt.Errorf("NATS: %w", err)
	}
	defer told.Close()
	defer func() { err = errors.Join(err, f.stop()) }() // before those are closed that its processes end with
	repeat := func(n int, args ...string) (lines [][]string) {
		for range n {
			lines = append(lines, args)
		}
		return lines
	}
	orchestrate := append(append([]string{"orchestrate", "--spawned", "--wait", strconv.Itoa(workers)}, busOf(bus, folder, natsbus.Orchestrate)...), v.InstanceBounds.Args()...)
	orchestrate = append(append(orchestrate, "--standbys", strconv.Itoa(v.Standbys)), v.Rebalancing.Args()...)
	f.start("orchestrator", repeat(2, append(orchestrate, common...)...))
	worker := slices.Concat([]string{"worker", "--database", v.Database}, busOf(bus, folder, natsbus.Worker), v.world(), v.rules(), v.TraceSettings.Args())
	if v.Durable == "world" {
		worker = append(worker, v.durable()...)
	}
	f.startWorkers(workers, worker, known, func(pid int) { orchestrator.SayWorkerEnded(ctx, known, told, ClusterRealm, pid, log) })
	var logins, gateways [][]string
	all := v.gateways()
	for _, at := range []netip.AddrPort{all[0].auth, v.nextAuth(all)} {
		logins = append(logins, append(append([]string{"login", "--auth", at.String()}, common...), v.openFlags()...))
	}
	f.start("login", logins)
	for i, at := range all {
		args := append([]string{"gateway", "--gateway", strconv.Itoa(i + 1), "--world", at.world.String(), "--admin", at.admin.String()}, busOf(bus, folder, natsbus.Gateway)...)
		args = append(append(args, v.world()...), "--instances", strconv.Itoa(v.Instances))
		args = append(args, v.TraceSettings.Args()...)
		gateways = append(gateways, append(args, v.kept(i)...))
	}
	f.start("gateway", gateways)
	at, err := f.wait(ctx)
	if err == nil && ctx.Err() == nil {
		err = f.listed(ctx, v.Database, ClusterRealm, v.Gateways)
	}
	if err != nil || ctx.Err() != nil {
		return err
	}
	log.Info("ready", "auth", field(at["login 1"], "auth"), "world", field(at["gateway 1"], "world"), "admin", field(at["gateway 1"], "admin"),
		"took", time.Since(began).Round(time.Millisecond), "workers", workers, "gateways", v.Gateways, "logins", len(logins))
	<-ctx.Done()
	return nil
}

const (
	holdTime  = 3 * time.Second // for a cluster that was killed to be noticed by the database
	holdAgain = 100 * time.Millisecond
	keepEvery = time.Second
)

// holdRealm holds the realm for this cluster: two would each count the workers of the other as those of their own scale.
func holdRealm(ctx context.Context, known *registry.Registry) (*registry.Hold, error) {
	again := time.NewTicker(holdAgain)
	defer again.Stop()
	for began := time.Now(); ; {
		hold, err := known.Hold(ctx, ClusterRealm)
		switch {
		case err == nil:
			return hold, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case !errors.Is(err, registry.ErrTaken):
			return nil, storage.OneLine(err)
		case time.Since(began) >= holdTime:
			return nil, errors.New("another muster cluster runs with this database: two of them would end each other's workers. Give this one another database")
		}
		select {
		case <-again.C:
		case <-ctx.Done():
		}
	}
}

// keepHold keeps the realm until ctx ends, also when the database has been away.
func keepHold(ctx context.Context, hold *registry.Hold, log *slog.Logger) {
	defer hold.Close()
	look := time.NewTicker(keepEvery)
	defer look.Stop()
	said := false
	for {
		select {
		case <-look.C:
		case <-ctx.Done():
			return
		}
		taken := errors.Is(hold.Keep(ctx), registry.ErrTaken) // another error is of a database that is away, which all others say
		if taken && !said {
			log.Error("another muster cluster has begun with this database while it was away: end one of them")
		}
		said = taken
	}
}

// workersOf is how many workers a cluster begins with: those of the flag, which is then what an operator has said last, or as many as one has said before, or three.
func (v *Config) workersOf(ctx context.Context, known *registry.Registry) (int, error) {
	said, ok, err := known.Scale(ctx, ClusterRealm)
	switch {
	case err != nil || !ok:
		return cmp.Or(v.Workers, 3), err
	case v.Workers != 0 && v.Workers != said:
		return v.Workers, known.SetScale(ctx, ClusterRealm, v.Workers)
	}
	return min(said, orchestrator.MaxSpawn), nil
}

// field is a field of where a process is reached.
func field(at, key string) string {
	for _, f := range strings.Fields(at) {
		if value, ok := strings.CutPrefix(f, key+"="); ok {
			return value
		}
	}
	return ""
}

// nextAuth is where the second process for logins listens: at the next port that nothing else has.
func (v *Config) nextAuth(gateways []listening) netip.AddrPort {
	if len(gateways) > 1 {
		return gateways[1].auth
	}
	port := v.Auth.Port()
	for port != 0 && (port == v.Auth.Port() || port == v.World.Port() || port == v.Admin.Port()) {
		port++
	}
	return netip.AddrPortFrom(v.Auth.Addr(), port)
}

// openFlags are the flags of open accounts.
func (v *Config) openFlags() (args []string) {
	args = append(args, "--open-level", strconv.Itoa(int(v.OpenLevel)))
	if v.OpenAccounts != nil {
		args = append(args, "--open-accounts", *v.OpenAccounts)
	}
	return args
}
