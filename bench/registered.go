package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"sync"
	"time"

	"muster/bench/swarm"
	"muster/internal/pgtest"
	"muster/loaders/registry"
	"muster/loaders/store/postgres"
)

const (
	// reportEvery is how often a worker reports.
	//
	// Source: ReportEvery, cmd/internal/membership.
	reportEvery = 250 * time.Millisecond
	// enlistedWorlds and enlistedWorkers are what a registry has in which an orchestrator leads: those of a million players, 10,000 to a map.
	enlistedWorlds, enlistedWorkers = 100, 20
	// settledTime is how long it may take until each world has a worker that says that it runs it.
	settledTime = time.Minute
)

// Figures of logins and orchestrators.
const (
	loginMs        = "a login: processes for logins"
	loginGatewayMs = "a login: the gateway, up to the list of characters"
	loginStoreMs   = "a login: PostgreSQL"
	leaderCore     = "an orchestrator that leads"
	reportsCore    = "PostgreSQL, for reports and the orchestrator"
)

// registered measures what needs PostgreSQL: what a login takes, and what an orchestrator takes.
func (z *scaleSize) registered(ctx context.Context, muster string, s *sheet) (err error) {
	database, err := pgtest.Start()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, database.Stop()) }()
	if err := z.logIn(ctx, muster, database, s); err != nil {
		return fmt.Errorf("logins: %w", err)
	}
	for range z.repetitions {
		for _, of := range [][2]int{{1, 1}, {enlistedWorlds, enlistedWorkers}} {
			if err := orchestrated(ctx, muster, database, s, of[0], of[1], z.enlisted); err != nil {
				return fmt.Errorf("an orchestrator: %w", err)
			}
		}
	}
	return nil
}

// logIn has clients log in to a cluster, again and again.
func (z *scaleSize) logIn(ctx context.Context, muster string, database *pgtest.Cluster, s *sheet) (err error) {
	url, err := database.Database(ctx)
	if err != nil {
		return err
	}
	if err := fillAccounts(ctx, url, z.logins); err != nil {
		return err
	}
	data, err := os.MkdirTemp("", "muster-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(data)
	server, said, err := start(ctx, muster, clusterReady, "cluster", "--auth", "127.0.0.1:0", "--world", "127.0.0.1:0", "--admin", "127.0.0.1:0",
		"--database", url, "--data", data, "--creatures", "0", "--workers", "1", "--gateways", "1")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	if err := callAll(ctx, said[0], min(z.logins, 500)); err != nil { // until every statement is prepared
		return err
	}
	roles, err := rolesOf(server.cmd.Process.Pid)
	if err != nil {
		return err
	}
	for range z.repetitions {
		before, err := spentBy(roles, database)
		if err != nil {
			return err
		}
		if err := callAll(ctx, said[0], z.logins); err != nil {
			return err
		}
		after, err := spentBy(roles, database)
		if err != nil {
			return err
		}
		for _, of := range [][2]string{{"login", loginMs}, {"gateway", loginGatewayMs}, {storeRole, loginStoreMs}} {
			s.put(of[1], "ms", (after[of[0]]-before[of[0]]).Seconds()*1e3/float64(z.logins))
		}
	}
	return nil
}

// storeRole is PostgreSQL among roles.
const storeRole = "PostgreSQL"

// spentBy is the processor time of processes and a database so far, by role.
func spentBy(roles map[int]string, database *pgtest.Cluster) (map[string]time.Duration, error) {
	spent := make(map[string]time.Duration)
	for pid, role := range roles {
		t, err := swarm.ProcessorTime(pid)
		if err != nil {
			return nil, err
		}
		spent[role] += t
	}
	var err error
	spent[storeRole], err = databaseTime(database)
	return spent, err
}

// databaseTime is the processor time of all processes of a server of PostgreSQL that there are.
func databaseTime(database *pgtest.Cluster) (sum time.Duration, err error) {
	pid, err := database.PID()
	if err != nil {
		return 0, err
	}
	children, err := childrenOf(pid)
	if err != nil {
		return 0, err
	}
	for _, p := range append(children, pid) {
		t, err := swarm.ProcessorTime(p)
		if errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrProcessDone) {
			continue // a connection has ended
		}
		if err != nil {
			return 0, err
		}
		sum += t
	}
	return sum, nil
}

// fillAccounts fills a database with accounts that have a character each, as those of a folder have.
func fillAccounts(ctx context.Context, url string, accounts int) error {
	s, err := postgres.Open(ctx, postgres.Config{URL: url})
	if err != nil {
		return err
	}
	return errors.Join(s.Import(ctx, accountRecords(accounts)), s.Close())
}

// orchestratorReady is what an orchestrator logs.
var orchestratorReady = regexp.MustCompile(`level=INFO msg=ready admin=(\S+)`)

// orchestrated measures an orchestrator of a realm with so many worlds and workers, of which each has as many as the others and reports as a worker does, for a time.
func orchestrated(ctx context.Context, muster string, database *pgtest.Cluster, s *sheet, worlds, workers int, watched time.Duration) (err error) {
	url, err := database.Database(ctx)
	if err != nil {
		return err
	}
	below, err := postgres.Open(ctx, postgres.Config{URL: url}) // the registry's tables stand beside those of the store
	if err != nil {
		return err
	}
	if err := below.Close(); err != nil {
		return err
	}
	r, err := registry.Open(ctx, registry.Config{URL: url})
	if err != nil {
		return err
	}
	defer r.Close()
	const realm = "muster"
	maps := make([]uint32, worlds)
	for i := range maps {
		maps[i] = uint32(i)
	}
	if err := r.Declare(ctx, realm, maps); err != nil {
		return err
	}
	server, _, err := start(ctx, muster, orchestratorReady, "orchestrate", "--database", url, "--realm-name", realm, "--wait", strconv.Itoa(workers))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.stop()) }()

	ctx, cancel := context.WithCancelCause(ctx)
	var reporting sync.WaitGroup
	defer reporting.Wait()
	defer cancel(nil)
	settled := make(chan int, workers)
	for i := range workers {
		reporting.Go(func() {
			if err := reportAs(ctx, r, realm, worlds/workers, i, settled); err != nil && ctx.Err() == nil {
				cancel(err)
			}
		})
	}
	for range workers {
		select {
		case <-settled:
		case <-time.After(settledTime):
			return errors.New("a worker is not given its worlds")
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	read := func() (leader, store time.Duration, err error) {
		leader, err = server.cpu()
		if err == nil {
			store, err = databaseTime(database)
		}
		return leader, store, err
	}
	leader, stored, err := read()
	if err != nil {
		return err
	}
	began := time.Now()
	if err := sleep(ctx, watched); err != nil {
		return err
	}
	took := time.Since(began).Seconds()
	leaderNow, storedNow, err := read()
	if err != nil {
		return err
	}
	name := registryOf(worlds, workers)
	s.put(leaderCore+name, "% of a core", 100*(leaderNow-leader).Seconds()/took)
	s.put(reportsCore+name, "% of a core", 100*(storedNow-stored).Seconds()/took)
	return context.Cause(ctx)
}

// registryOf names what a registry has.
func registryOf(worlds, workers int) string {
	return fmt.Sprintf(", %s of %s", count(worlds, "world"), count(workers, "worker"))
}

// reportAs is a worker that has room for so many worlds, and runs what it is given. It is settled once it has reported as many.
func reportAs(ctx context.Context, r *registry.Registry, realm string, room, number int, settled chan<- int) error {
	place, err := r.Enlist(ctx, realm, registry.Process{Role: registry.RoleWorker, Host: "bench", PID: number + 1, Capacity: room})
	if err != nil {
		return err
	}
	report := time.NewTicker(reportEvery)
	defer report.Stop()
	var work registry.Work
	for n := uint64(1); ; n++ {
		orders, err := place.Report(ctx, work)
		if err != nil {
			return err
		}
		if len(work.Runs) == room && settled != nil {
			settled <- number
			settled = nil
		}
		work = registry.Work{Load: 0.1, Runs: orders.Own}
		for i := range work.Runs {
			work.Runs[i].Tick, work.Runs[i].Players = n, 10_000
		}
		select {
		case <-report.C:
		case <-ctx.Done():
			return nil
		}
	}
}
