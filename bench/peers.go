package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"time"

	"muster/bench/peer"
	"muster/bench/swarm"
)

// PeerConfig says which server muster is compared with, and how. All of it has to be given but Name and Serve.
type PeerConfig struct {
	Muster string // the binary whose verbs serve and swarm are started
	Commit string // what it was built from

	Name     string // of the peer, not muster; default that of its first process
	Auth     string // host:port of its login server
	PIDs     []int  // its processes, whose processor time and memory count
	Prefix   string // accounts there are Prefix1 … PrefixN, for as many clients as there are at most
	Password string // of all of them

	Clients     []int
	Repetitions int
	Behaviour   swarm.Behaviour
	Ramp        float64       // logins begun per second
	Duration    time.Duration // that is measured, after the ramp

	Serve []string  // further flags of muster serve
	Out   string    // folder of the report
	Log   io.Writer // gets a line for each run, and the report
}

// ErrPeer is wrapped by what Peer returns if the comparison could not begin.
var ErrPeer = errors.New("bench: peer")

// Peer loads a running server and a muster of its own in turn with the same clients, and reports how they compare. The
// muster is started for each of its runs and stopped after it, so that one server runs at a time, beside a peer without
// clients. The report is written whenever all runs with so many clients are made; what was complete stays if ctx ends.
//
// The error wraps ErrPeer before the first run, and peer.ErrVoid if all runs were made and some compare nothing.
func Peer(ctx context.Context, c PeerConfig) error {
	processes, err := c.processes()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrPeer, err)
	}
	if c.Name = cmp.Or(c.Name, processes[0].Name); c.Name == "muster" {
		c.Name = "peer"
	}
	idle, err := c.check(ctx)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrPeer, err)
	}
	host := thisHost(c.Commit)
	report := peer.Report{Conditions: peer.Conditions{
		Date: time.Now().UTC().Truncate(time.Second), Commit: host.Commit, CPU: host.CPU, Cores: host.Cores, Kernel: host.Kernel, Go: host.Go,
		Peer: c.Name, Auth: c.Auth, Processes: processes, Serve: append(ownServe(), c.Serve...),
		Behaviour: c.Behaviour, Ramp: c.Ramp, Seconds: c.Duration.Seconds(), Repetitions: c.Repetitions,
	}}
	for _, turn := range peer.Turns(c.Clients, c.Repetitions) {
		if err := c.quiet(ctx, idle); err != nil {
			return err
		}
		run, err := c.run(ctx, turn, c.Duration)
		if err != nil {
			return fmt.Errorf("bench: peer: %d clients, repetition %d, %s: %w", turn.Clients, turn.Repetition, turn.Side, err)
		}
		report.Add(run)
		c.log(&run)
		if turn.Side == peer.Muster && turn.Repetition == c.Repetitions {
			if err := report.Save(c.Out); err != nil {
				return err
			}
		}
	}
	if _, err := fmt.Fprintf(c.Log, "\n%s\nwritten to %s\n", report.Markdown(), c.Out); err != nil {
		return err
	}
	return report.Err()
}

// log prints a line of what a run has come to.
func (c *PeerConfig) log(run *peer.Run) {
	name := c.Name
	if run.Side == peer.Muster {
		name = "muster"
	}
	fmt.Fprintf(c.Log, "%s, %d of %d, %s: %s packets/s, %s %% of a core, movement p50 %s p99 %s ms, %s, %d failed\n",
		count(run.Clients, "client"), run.Repetition, c.Repetitions, name, number(run.Packets), number(run.Processor),
		number(run.MovementP50), number(run.MovementP99), count(int(run.Violations), "violation"), run.Failures)
}

// ownServe is the verb that is the muster, without addresses.
func ownServe() []string { return []string{"serve", "--ephemeral", "--start", "one"} }

// run makes one run.
func (c *PeerConfig) run(ctx context.Context, turn peer.Turn, duration time.Duration) (run peer.Run, err error) {
	auth, prefix, password, pids := c.Auth, c.Prefix, []string{"--password", c.Password}, c.PIDs
	if turn.Side == peer.Muster {
		flags := append(ownServe(), "--auth", "127.0.0.1:0", "--world", "127.0.0.1:0", "--admin", "127.0.0.1:0")
		server, said, err := start(ctx, c.Muster, serveReady, append(flags, c.Serve...)...)
		if err != nil {
			return run, err
		}
		defer func() { err = errors.Join(err, server.stop()) }()
		auth, password, pids = said[0], nil, []int{server.cmd.Process.Pid}
	}
	var list []string
	for _, pid := range pids {
		list = append(list, "--pid", strconv.Itoa(pid))
	}
	flags := slices.Concat(list, password, []string{
		"--auth", auth, "--accounts", prefix, "--fresh", "--clients", strconv.Itoa(turn.Clients),
		"--behaviour", string(c.Behaviour), "--ramp", strconv.FormatFloat(c.Ramp, 'g', -1, 64),
		"--duration", duration.String(), "--seed", strconv.Itoa(turn.Repetition),
	})
	before, err := c.taken()
	if err != nil {
		return run, err
	}
	began := time.Now()
	var report swarm.Report
	if _, err := runSwarm(ctx, anywhere, c.Muster, &report, flags...); err != nil || ctx.Err() != nil {
		return run, errors.Join(err, ctx.Err())
	}
	after, err := c.taken() // a peer that has ended is an error
	if err != nil {
		return run, err
	}
	run = turn.Measured(&report)
	if turn.Side == peer.Muster {
		run.PeerIdle = 100 * (after - before).Seconds() / time.Since(began).Seconds()
	}
	return run, nil
}

// taken is the processor time that the peer has taken so far.
func (c *PeerConfig) taken() (sum time.Duration, err error) {
	for _, pid := range c.PIDs {
		t, err := swarm.ProcessorTime(pid)
		if err != nil {
			return 0, fmt.Errorf("process %d has ended: %w", pid, err)
		}
		sum += t
	}
	return sum, nil
}

const (
	// quietWindow is how long the peer is looked at to say that it is quiet.
	quietWindow = 250 * time.Millisecond
	// quietAbove is how much of a core it may take more than at the beginning, when it had no clients.
	quietAbove = 0.05
	// quietPatience is how long it may take to be quiet: servers keep characters in the world for a minute after their
	// clients have left.
	//
	// Source: WorldSessionMgr::UpdateSessions, AzerothCore.
	quietPatience = 90 * time.Second
)

// load is the share of a core that the peer takes now.
func (c *PeerConfig) load(ctx context.Context) (float64, error) {
	before, err := c.taken()
	if err != nil {
		return 0, err
	}
	began := time.Now()
	if err := sleep(ctx, quietWindow); err != nil {
		return 0, err
	}
	after, err := c.taken()
	return (after - before).Seconds() / time.Since(began).Seconds(), err
}

// quiet waits until the peer is done with the clients of the run before, or patience is over.
func (c *PeerConfig) quiet(ctx context.Context, idle float64) error {
	for began := time.Now(); time.Since(began) < quietPatience; {
		load, err := c.load(ctx)
		if err != nil || load <= idle+quietAbove {
			return err
		}
	}
	return nil
}

// processes are the peer's, with their names.
//
// Source: proc_pid_comm(5).
func (c *PeerConfig) processes() (all []peer.Process, err error) {
	for _, pid := range c.PIDs {
		if slices.ContainsFunc(all, func(p peer.Process) bool { return p.PID == pid }) {
			return nil, fmt.Errorf("process %d is given twice", pid)
		}
		if _, err := swarm.ProcessorTime(pid); err != nil {
			return nil, fmt.Errorf("process %d is not there: %w", pid, err)
		}
		name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
		if err != nil {
			return nil, fmt.Errorf("process %d is not there: %w", pid, err)
		}
		all = append(all, peer.Process{PID: pid, Name: string(name[:max(0, len(name)-1)])})
	}
	if len(all) == 0 {
		return nil, errors.New("no process is given")
	}
	return all, nil
}
