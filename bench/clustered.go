package bench

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"muster/bench/swarm"
	"muster/internal/pgtest"
)

// A clustered test is a swarm in a cluster of processes, and in something else, in turn: each with a database of PostgreSQL of its own, or with
// accounts in memory.
type clustered struct {
	muster   string
	clients  int
	duration time.Duration
	follow   time.Duration   // for the steps to have followed the load, once all clients are in the world, before processor time is measured
	more     time.Duration   // for the ramp, on a machine that is slow
	store    *pgtest.Cluster // nil: accounts are in memory
}

// clusterRoles are those whose processor time is counted. The first is that of muster cluster itself, which has NATS.
var clusterRoles = []string{"cluster", "login", "gateway", "worker", "orchestrate"}

// cluster measures what the division into processes costs.
func cluster(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	t := clustered{muster: c.Muster, clients: 1_000, duration: time.Minute, follow: 30 * time.Second}
	repetitions = 3
	if c.Quick {
		t.clients, t.duration, t.follow, repetitions = 100, 10*time.Second, 0, 1
	}
	if t.store, err = pgtest.Start(); err != nil {
		return "", 0, err
	}
	defer func() { err = errors.Join(err, t.store.Stop()) }()
	for range repetitions {
		one, err := t.run(ctx, serveReady, "serve")
		if err != nil {
			return "", 0, fmt.Errorf("one process: %w", err)
		}
		many, err := t.run(ctx, clusterReady, "cluster", "--workers", "2", "--gateways", "2")
		if err != nil {
			return "", 0, fmt.Errorf("a cluster: %w", err)
		}
		many.put(s, one)
	}
	return fmt.Sprintf("`muster cluster --database URL --workers 2 --gateways 2`, which has NATS in its own process, and `muster serve`, each with a fresh database of PostgreSQL, and "+
		"`muster swarm --clients %d --behaviour walk --duration %v` beside it on the same machine, over loopback. The baseline is `muster serve`; the two take turns. Of the cluster's "+
		"two processes for logins the swarm uses one. Processor time is that of the processes of muster, user and system, without PostgreSQL and the swarm, over a time that begins %v after all clients are in "+
		"the world: after logins at once, the steps of both take some seconds to follow the load. NATS is in that of `muster cluster` itself. The time of a start is from that of the process until it logs that it is ready, when players can come in through all gateways. What the roles take by size, and the way to a million players, is below.", t.clients, t.duration, t.follow), repetitions, nil
}

// clusterStart is how long a cluster may take until players can come in.
const clusterStart = 3 * time.Second

// clusterReady is what muster cluster logs itself; what its children log has their names before it.
var clusterReady = regexp.MustCompile(`^time=\S+ level=INFO msg=ready auth=(\S+)`)

// A clusterFigures is what one run gave: processor time in cores, by role.
type clusterFigures struct {
	report  swarm.Report
	ready   time.Duration // from its start until it says that it is ready
	cores   map[string]float64
	systems float64 // how long the systems of the workers' worlds ran, in cores
}

// all is the processor time of all roles.
func (f *clusterFigures) all() (cores float64) {
	for _, c := range f.cores {
		cores += c
	}
	return cores
}

// workerOfSystems is what the workers took for each second that the systems of their worlds ran.
func (f *clusterFigures) workerOfSystems() float64 { return f.cores["worker"] / f.systems }

// put notes a cluster beside one process. What the division adds to a latency is not a ratio: the targets are in ms.
func (f *clusterFigures) put(s *sheet, one *clusterFigures) {
	r := &f.report
	s.put("start, time until it is ready", "s", f.ready.Seconds()).beside("muster serve", one.ready.Seconds()).atMost(clusterStart.Seconds(), OfMedian)
	s.put("violations", "", float64(r.Violations.Total)).gate(0, OfWorst)
	s.put("clients verified throughout", "", float64(r.Verified)).atLeast(float64(r.Clients)/10, OfLeast).always()
	s.put("clients not let in", "", float64(r.Logins.Failed.Total)).gate(0, OfWorst)
	s.put("sessions lost", "", float64(r.Lost.Total)).gate(0, OfWorst)
	s.put("processor, all roles", "% of a core", 100*f.all()).beside("muster serve", 100*one.all()).atMost(1.5, OfRatio)
	for _, role := range clusterRoles {
		s.put("processor, "+role, "% of a core", 100*f.cores[role])
	}
	s.put(latencyP50, "ms", r.Movement.P50).beside("muster serve", one.report.Movement.P50)
	s.put(latencyP99, "ms", r.Movement.P99).beside("muster serve", one.report.Movement.P99)
	s.put("movement latency above muster serve, p50", "ms", r.Movement.P50-one.report.Movement.P50).atMost(3, OfMedian)
	s.put("movement latency above muster serve, p99", "ms", r.Movement.P99-one.report.Movement.P99).atMost(15, OfMedian)
	s.put("login, p99", "ms", r.Login.P99).beside("muster serve", one.report.Login.P99)
}

// rampRate is how many clients log in a second.
const rampRate = 200

// errRamp is of a ramp that was not over when it should have been.
var errRamp = errors.New("the ramp took too long")

// run has the swarm walk in one of the two. Where the machine is so slow that the ramp is not over in time, it is given more.
func (t *clustered) run(ctx context.Context, ready *regexp.Regexp, verb string, flags ...string) (f *clusterFigures, err error) {
	for range 3 {
		if f, err = t.once(ctx, ready, verb, flags...); !errors.Is(err, errRamp) {
			break
		}
		t.more = 2*t.more + 5*time.Second
	}
	return f, err
}

// once has the swarm walk in one of the two, and measures its processes once the ramp is over.
func (t *clustered) once(ctx context.Context, ready *regexp.Regexp, verb string, flags ...string) (f *clusterFigures, err error) {
	data, err := os.MkdirTemp("", "muster-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(data)
	accounts := []string{"--ephemeral"}
	if t.store != nil {
		url, err := t.store.Database(ctx)
		if err != nil {
			return nil, err
		}
		accounts = []string{"--database", url, "--data", data}
	}
	args := slices.Concat([]string{verb, "--auth", "127.0.0.1:0", "--world", "127.0.0.1:0", "--admin", "127.0.0.1:0"}, accounts, flags)
	started := time.Now()
	server, said, err := start(ctx, t.muster, ready, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	f = &clusterFigures{ready: time.Since(started)}
	ended := make(chan error, 1)
	began := time.Now()
	go func() {
		_, err := runSwarm(ctx, anywhere, t.muster, &f.report, "--auth", said[0], "--clients", strconv.Itoa(t.clients), "--behaviour", string(swarm.Walk),
			"--duration", (t.duration + t.more).String(), "--strict", "--ramp", strconv.Itoa(rampRate))
		ended <- err
	}()
	ramp := time.Duration(t.clients)*time.Second/rampRate + 3*settle + t.more
	measured := t.measure(ctx, server, f, ramp+t.follow)
	if err := cmp.Or(<-ended, measured); err != nil {
		return nil, err
	}
	if over := f.report.Start.Add(time.Duration(f.report.RampMs * 1e6)); over.After(began.Add(ramp)) {
		return nil, fmt.Errorf("%w: %.1f s, and processor time was measured from %v on", errRamp, f.report.RampMs/1e3, ramp)
	}
	return f, nil
}

// window is for how long processor time is measured.
func (t *clustered) window() time.Duration { return t.duration - margin - 3*settle - t.follow }

// measure notes the processor time of a process and its children after a time, by role, and how long systems ran meanwhile.
func (t *clustered) measure(ctx context.Context, server *process, f *clusterFigures, after time.Duration) error {
	if err := sleep(ctx, after); err != nil {
		return err
	}
	ran, err := systemsRan(ctx, server.text())
	if err != nil {
		return err
	}
	before, began := make(map[int]time.Duration), time.Now()
	roles, err := rolesOf(server.cmd.Process.Pid)
	if err != nil {
		return err
	}
	for pid := range roles {
		if before[pid], err = swarm.ProcessorTime(pid); err != nil {
			return err
		}
	}
	if err := sleep(ctx, t.window()); err != nil {
		return err
	}
	f.cores = make(map[string]float64)
	took := time.Since(began).Seconds()
	for pid, role := range roles {
		now, err := swarm.ProcessorTime(pid)
		if err != nil {
			return fmt.Errorf("a process of the cluster has ended: %w", err)
		}
		f.cores[role] += (now - before[pid]).Seconds() / took
	}
	by, err := systemsRan(ctx, server.text())
	f.systems = (by - ran) / took
	return err
}

// workersReady are what muster cluster logs of its workers.
var workersReady = regexp.MustCompile(`(?m)^worker \d+: .* msg=ready .*admin=(\S+)`)

// systemsRan is for how many seconds the systems of all worlds of workers have run, by the workers' metrics. The log of their cluster says where those are.
func systemsRan(ctx context.Context, said string) (seconds float64, err error) {
	for _, ready := range workersReady.FindAllStringSubmatch(said, -1) {
		more, err := systemsOf(ctx, ready[1])
		if err != nil {
			return 0, err
		}
		seconds += more
	}
	return seconds, nil
}

// systemsOf is systemsRan of one worker.
func systemsOf(ctx context.Context, admin string) (seconds float64, err error) {
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+admin+"/metrics", nil)
	if err != nil {
		return 0, err
	}
	answer, err := http.DefaultClient.Do(ask)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("the metrics of a worker: %s", answer.Status)
	}
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() {
		line := lines.Text()
		if !strings.HasPrefix(line, "muster_tick_system_seconds_sum{") {
			continue
		}
		s, err := strconv.ParseFloat(line[strings.LastIndexByte(line, ' ')+1:], 64)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", line, err)
		}
		seconds += s
	}
	return seconds, lines.Err()
}

// rolesOf are a process and its children, by what they are: the verb of their command line, where serve beside others is a gateway.
func rolesOf(pid int) (map[int]string, error) {
	roles := make(map[int]string)
	pids, err := childrenOf(pid)
	if err != nil {
		return nil, err
	}
	for _, p := range append(pids, pid) {
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", p))
		if err != nil {
			return nil, err
		}
		words := strings.Split(string(line), "\x00")
		if len(words) < 2 {
			return nil, fmt.Errorf("process %d has no verb", p)
		}
		if roles[p] = words[1]; words[1] == "serve" {
			roles[p] = "gateway"
		}
	}
	return roles, nil
}

// childrenOf are the processes that a process has started, and that run.
func childrenOf(pid int) (pids []int, err error) {
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil || len(lists) == 0 {
		return nil, errors.Join(err, fmt.Errorf("the kernel lists no children of process %d", pid))
	}
	for _, name := range lists {
		text, err := os.ReadFile(name)
		if errors.Is(err, os.ErrNotExist) {
			continue // the thread has ended
		}
		if err != nil {
			return nil, err
		}
		for _, word := range strings.Fields(string(text)) {
			child, err := strconv.Atoi(word)
			if err != nil {
				return nil, err
			}
			pids = append(pids, child)
		}
	}
	return pids, nil
}
