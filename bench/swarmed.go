package bench

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"syscall"
	"time"

	"muster/bench/swarm"
	"muster/net/gateway"
)

// walk measures a server under clients that stay where they began.
func walk(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	t := swarmed{muster: c.Muster, clients: 1_000, behaviour: swarm.Walk, duration: 20 * time.Second, flags: pinned}
	repetitions = 5
	if c.Quick {
		t.clients, t.duration, repetitions = 200, 5*time.Second, 1
	}
	for range repetitions {
		f, err := t.run(ctx)
		if err != nil {
			return "", 0, err
		}
		f.put(s)
		s.put(latencyP50, "ms", f.report.Movement.P50).atMost(100, OfMedian)
		s.put(latencyP99, "ms", f.report.Movement.P99).atMost(200, OfMedian)
		f.putCost(s).atMost(1.6, OfRatio)
	}
	return t.text() + " Movement latency is from the moment a client is to send a step until another has read it.", repetitions, nil
}

// roam measures a server under clients that go far, and meet new ones all the time.
func roam(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	t := swarmed{muster: c.Muster, clients: 5_000, behaviour: swarm.Roam, duration: 15 * time.Second, flags: pinned}
	repetitions = 5
	if c.Quick {
		t.clients, t.duration, repetitions = 500, 5*time.Second, 1
	}
	for range repetitions {
		f, err := t.run(ctx)
		if err != nil {
			return "", 0, err
		}
		f.put(s)
		s.put(latencyP50, "ms", f.report.Movement.P50)
		s.put(latencyP99, "ms", f.report.Movement.P99)
		f.putCost(s)
	}
	return t.text(), repetitions, nil
}

const (
	latencyP50 = "movement latency, p50"
	latencyP99 = "movement latency, p99"
)

// A swarmed test is a server in one process and its clients in another, on one machine.
type swarmed struct {
	muster    string
	clients   int
	behaviour swarm.Behaviour
	duration  time.Duration

	apart   bool          // the server has one processor, and the swarm another
	ramp    int           // logins per second; default 200
	flags   []string      // of the server
	floored time.Duration // how long the floor is measured; default as long as the server
}

// places are the processors of the server, or of the floor, and of the swarm.
func (t *swarmed) places() (server, clients int) {
	if t.apart {
		return 0, 1
	}
	return anywhere, anywhere
}

// text says what was measured.
func (t *swarmed) text() string {
	return fmt.Sprintf("`muster serve` with its default world, and `muster swarm --clients %d --behaviour %s --duration %v` "+
		"beside it on the same machine, over loopback. The baseline is a process of one goroutine with raw epoll: it reads "+
		"as many packets of the same size from as many sockets, once in %v, and sends as many flushes of the same mean "+
		"size by direct calls. The two take turns. Processor time is that of the server's process, user and "+
		"system, while all clients are in the world. A client that is verified throughout decodes all that it is sent, and counts "+
		"the violations; of the others, where there are too many relays for that, packets are framed and counted.", t.clients, t.behaviour, t.duration, step)
}

// figures are what one repetition gave.
type figures struct {
	report       swarm.Report
	server, base pace
	from, to     gateway.Stats // of the window in which the pace was measured
	dropped      float64       // ticks that were skipped in it
	late         float64       // ticks that took longer than a step, since the server started
	clients      float64       // processor time of the swarm per second, from its start to its end
}

// put notes what does not depend on the behaviour.
func (f *figures) put(s *sheet) {
	f.putViolations(s, "")
	s.put("clients not let in", "", float64(f.report.Logins.Failed.Total)).gate(0, OfWorst)
	s.put("sessions lost", "", float64(f.report.Lost.Total)).gate(0, OfWorst)
	s.put("ticks longer than a step, ramp included", "", f.late)
	s.put("login, p99", "ms", f.report.Login.P99)
	s.put("packets to clients", "per second", f.report.In.PacketsPerSecond)
	s.put("bytes to clients", "MB/s", f.report.In.BytesPerSecond/1e6)
	s.put("packets from clients", "per second", f.server.packets)
	s.put("bytes per flush", "", f.server.bytes/f.server.flushes)
	s.put("flushes", "per second", f.server.flushes).beside(rawEpoll, f.base.flushes)
	s.put("processor", "% of a core", 100*f.server.cpu).beside(rawEpoll, 100*f.base.cpu)
	s.put("user mode, of the processor time", "%", 100*f.server.user)
	s.put("processor of the swarm, ramp included", "% of a core", 100*f.clients)
}

// putViolations notes how often the server broke the protocol, and how many clients verified that. Zero of them means
// something only if enough did: at least a tenth, on any machine.
func (f *figures) putViolations(s *sheet, name string) {
	s.put(name+"violations", "", float64(f.report.Violations.Total)).gate(0, OfWorst)
	s.put(name+"clients verified throughout", "", float64(f.report.Verified)).atLeast(float64(f.report.Clients)/10, OfLeast).always()
}

const rawEpoll = "raw epoll"

// putCost notes what a flush costs.
func (f *figures) putCost(s *sheet) *column {
	return s.put("processor time per flush", "µs", 1e6*f.server.cpu/f.server.flushes).
		beside(rawEpoll, 1e6*f.base.cpu/f.base.flushes)
}

// run is one repetition: the server, and then the floor at the same pace. Where a machine is so slow that the clients
// were not there for long enough, they stay twice as long; where one of them was not let in, or lost, that is an error.
func (t *swarmed) run(ctx context.Context) (*figures, error) {
	defer func(usual time.Duration) { t.duration = usual }(t.duration)
	f, err := t.serve(ctx)
	for range 3 {
		if !errors.Is(err, errSwarmEnded) {
			break
		}
		if broken := f.broken(); broken != nil {
			return nil, fmt.Errorf("%w: %w", err, broken)
		}
		t.duration *= 2
		f, err = t.serve(ctx)
	}
	if err != nil {
		return nil, err
	}
	f.base, err = t.floor(ctx, &f.report, f.server)
	return f, err
}

// broken is what went wrong for clients, nil if nothing did.
func (f *figures) broken() error {
	r := &f.report
	if r.Logins.Failed.Total+r.Lost.Total == 0 && r.Violations.Total == 0 {
		return nil
	}
	return fmt.Errorf("clients not let in: %v, lost: %v, violations: %d", r.Logins.Failed, r.Lost, r.Violations.Total)
}

var serveReady = regexp.MustCompile(`msg=ready auth=(\S+) world=\S+ admin=(\S+)`)

func (t *swarmed) serve(ctx context.Context) (f *figures, err error) {
	place, _ := t.places()
	args := append([]string{"serve", "--ephemeral", "--auth", "127.0.0.1:0", "--world", "127.0.0.1:0", "--admin", "127.0.0.1:0"}, t.flags...)
	server, said, err := startAt(ctx, place, t.muster, serveReady, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	m := &meter{process: server, url: "http://" + said[1] + "/stats"}

	f = new(figures)
	swarming, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ended := make(chan error, 1)
	go func() {
		err := t.swarm(swarming, said[0], f)
		cancel(cmp.Or(err, errSwarmEnded)) // no process is to be waited for any more
		ended <- err
	}()
	pace, measured := t.watch(swarming, m)
	if err := <-ended; err != nil {
		return nil, err
	}
	if measured != nil {
		return f, measured
	}
	f.server, f.late = pace, m.late
	f.from, f.to, f.dropped = m.before, m.stats, m.dropped-m.droppedBefore
	return f, nil
}

var errSwarmEnded = errors.New("the swarm ended before all its clients were in the world long enough")

// watch measures the server's pace while all clients are in the world.
func (t *swarmed) watch(ctx context.Context, m *meter) (pace, error) {
	for m.inWorld < t.clients {
		if _, err := m.read(); err != nil {
			return pace{}, err
		}
		if err := sleep(ctx, 100*time.Millisecond); err != nil {
			return pace{}, err
		}
	}
	return measurePace(ctx, m.read, t.window(t.duration))
}

// window is how long a pace is measured. It leaves some of the swarm's measured time at both ends.
func (t *swarmed) window(of time.Duration) time.Duration { return of - margin - settle }

const (
	settle = time.Second     // from a beginning until a pace is steady
	margin = 2 * time.Second // before an end
)

// swarm lets the clients in and out. That they do not like what they see is in the report, and no error.
func (t *swarmed) swarm(ctx context.Context, auth string, f *figures) error {
	_, place := t.places()
	began := time.Now()
	ended, err := runSwarm(ctx, place, t.muster, &f.report, "--auth", auth, "--clients", strconv.Itoa(t.clients),
		"--behaviour", string(t.behaviour), "--duration", t.duration.String(), "--strict",
		"--ramp", strconv.Itoa(cmp.Or(t.ramp, 200)))
	if err != nil {
		return err
	}
	f.clients = (ended.UserTime() + ended.SystemTime()).Seconds() / time.Since(began).Seconds()
	return nil
}

// runSwarm runs a swarm in a process of its own, to its end, and reads its report. That the swarm failed is no error if
// there is one.
func runSwarm(ctx context.Context, processor int, muster string, report *swarm.Report, flags ...string) (*os.ProcessState, error) {
	cmd := exec.CommandContext(ctx, muster, append([]string{"swarm", "--json", "-"}, flags...)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := startOn(cmd, processor); err != nil {
		return nil, err
	}
	err := cmd.Wait()
	if json.Unmarshal(out.Bytes(), report) == nil && !report.Start.IsZero() {
		return cmd.ProcessState, nil
	}
	if failed := new(exec.ExitError); errors.As(err, &failed) {
		return nil, fmt.Errorf("swarm: %w\n%s", err, &said)
	}
	return nil, cmp.Or(err, errors.New("swarm: it reported nothing"))
}

var floorReady = regexp.MustCompile(`^ready (\S+)$`)

// floor measures what a server's pace costs if there is nothing behind it.
func (t *swarmed) floor(ctx context.Context, report *swarm.Report, like pace) (p pace, err error) {
	flushBytes := max(1, int(like.bytes/like.flushes))
	place, _ := t.places()
	server, said, err := startAt(ctx, place, t.muster, floorReady, "floor", "--clients", strconv.Itoa(t.clients),
		"--flushes", strconv.FormatFloat(like.flushes, 'f', 1, 64), "--bytes", strconv.Itoa(flushBytes))
	if err != nil {
		return pace{}, err
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	packetBytes := max(1, int(float64(report.Out.Bytes)/float64(report.Out.Packets)))
	clients, err := startLoad(ctx, said[0], t.clients, like.packets, packetBytes)
	if err != nil {
		return pace{}, err
	}
	defer clients.close()
	return measurePace(ctx, func() (reading, error) {
		cpu, err := server.cpu()
		bytes := float64(clients.received.Load())
		return reading{at: time.Now(), cpu: cpu, bytes: bytes, flushes: bytes / float64(flushBytes)}, err
	}, t.window(cmp.Or(t.floored, t.duration)))
}
