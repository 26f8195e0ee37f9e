package bench

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// A Machine is what figures and failures depend on, beside the processor and the kernel: what can be counted, what a
// send costs, and what the process is allowed. Results before it have none.
type Machine struct {
	Instructions string  `json:"instructions,omitempty"` // "counted", or why they are not
	Send         float64 `json:"send_us,omitempty"`      // processor time of a send (sendMicros), microseconds
	Loop         float64 `json:"loop_us,omitempty"`      // that of the loop of a yardstick, likewise
	IOUring      string  `json:"io_uring,omitempty"`     // "yes", or why not
	IPv6         string  `json:"ipv6,omitempty"`         // likewise
	Files        uint64  `json:"files,omitempty"`        // how many the process may have open
	Quota        float64 `json:"quota,omitempty"`        // processors that control groups leave the process; 0 is all of them
}

// yes is what something is that works.
const yes = "yes"

// machineTime is how long looking at a machine may take.
const machineTime = 3 * time.Second

// look finds out what a machine is. It takes a fraction of a second; what it cannot find out within machineTime is left
// out, and the send is 0 then.
func (c *Config) look(ctx context.Context) Machine {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	ctx, cancel := context.WithTimeout(ctx, machineTime)
	defer cancel()
	m := Machine{Instructions: "counted", IOUring: yes, IPv6: yes, Files: openFiles(), Quota: quota(os.DirFS("/"))}
	counter := c.counter(new(sheet))
	if why := counter.missing(); why != "" {
		m.Instructions = why
	}
	counter.close()
	if err := tryRing(); err != nil {
		m.IOUring = err.Error()
	}
	if l, err := net.Listen("tcp6", "[::1]:0"); err != nil {
		m.IPv6 = err.Error()
	} else {
		l.Close()
	}
	y := c.yardstick()
	for range sendRounds {
		y.add(0)
	}
	m.Loop = y.turnNanos() * loopPasses * loopWords / 1000
	m.Send, _ = sendMicros(ctx)
	return m
}

// WriteMachine says what this machine is, what it can count, and what a send costs on it and on that of recorded results.
func WriteMachine(ctx context.Context, w io.Writer, c Config) error {
	c.Committed = cmp.Or(c.Committed, filepath.Join("bench", "results"))
	h := thisHost(c.Commit)
	h.Machine = c.look(ctx)
	_, err := io.WriteString(w, head(&h, recordedSend(c.Committed), os.Geteuid()))
	return err
}

// head is a machine in a few lines. recorded is what a send costs on another.
func head(h *Host, recorded recorded, user int) string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-10s"+format+"\n", append([]any{name}, args...)...)
	}
	line("machine", "%s, %s, %s, %s, GOMAXPROCS %d", h.Kernel, h.CPU, count(h.Cores, "core"), h.Go, h.GOMAXPROCS)
	allowed := "all of the processors"
	if h.Quota > 0 {
		allowed = fmt.Sprintf("%s of %s", number(h.Quota), count(h.Cores, "processor"))
	}
	name := "root"
	if user != 0 {
		name = "not root"
	}
	line("process", "%s, %s open files, control groups leave it %s", name, number(float64(h.Files)), allowed)
	line("kernel", "io_uring: %s; IPv6: %s", h.IOUring, h.IPv6)
	if h.Instructions == "counted" {
		line("counters", "instructions are counted")
	} else {
		line("counters", "none: %s; gates of instructions are judged by turns of a loop", h.Instructions)
	}
	line("loop", "%s µs for %s turns", number(h.Loop), number(loopPasses*loopWords))
	switch {
	case h.Send == 0:
		line("send", "not measured")
	case recorded.micros == 0:
		line("send", "%s µs of processor time for %s bytes over loopback; no recorded result says what it was there", number(h.Send), number(fanOutBytes))
	default:
		line("send", "%s µs of processor time for %s bytes over loopback: %s times the %s µs of the recorded results (%s)",
			number(h.Send), number(fanOutBytes), number(h.Send/recorded.micros), number(recorded.micros), recorded.source)
	}
	return b.String()
}

// A recorded is what a send costs on the machine of recorded results.
type recorded struct {
	micros float64 // 0 if none says so
	source string
}

// recordedSend is that of the result of S8 in a folder: as the head of its run has it, or else what a direct sendto of as
// many bytes took there, to each of its many clients in turn.
func recordedSend(dir string) recorded {
	results, err := Load(dir)
	if err != nil {
		return recorded{}
	}
	for _, r := range results {
		if r.Name != "s8" {
			continue
		}
		if r.Send > 0 {
			return recorded{r.Send, "as measured before S8"}
		}
		for i := range r.Metrics {
			if m := &r.Metrics[i]; m.Name == writeTime && m.Baseline != nil && m.Baseline.Name == senders[1].name {
				return recorded{m.Baseline.Median, "S8, " + senders[1].name}
			}
		}
	}
	return recorded{}
}

const (
	// sendClients is the number of clients to which a send is measured, one after the other; sendRounds is how often each is sent to.
	sendClients = 64
	sendRounds  = 100
)

// quota is how many processors the control groups of the process leave it, 0 if they leave it all.
//
// Source: cgroups(7); cpu.max of Linux's Documentation/admin-guide/cgroup-v2.rst, cpu.cfs_quota_us of
// Documentation/scheduler/sched-bwc.rst.
func quota(root fs.FS) (processors float64) {
	groups, _ := fs.ReadFile(root, "proc/self/cgroup")
	least := func(quota, period string) {
		q, err := strconv.ParseFloat(quota, 64) // "max" is none
		p, err2 := strconv.ParseFloat(period, 64)
		if err == nil && err2 == nil && q > 0 && p > 0 && (processors == 0 || q/p < processors) {
			processors = q / p
		}
	}
	for group := range strings.Lines(string(groups)) {
		fields := strings.SplitN(strings.TrimSpace(group), ":", 3)
		if len(fields) < 3 {
			continue
		}
		for dir := path.Clean("/" + fields[2]); ; dir = path.Dir(dir) {
			if fields[0] == "0" {
				text, _ := fs.ReadFile(root, path.Join("sys/fs/cgroup", dir, "cpu.max"))
				if quota, period, ok := strings.Cut(strings.TrimSpace(string(text)), " "); ok {
					least(quota, period)
				}
			} else if strings.Contains(","+fields[1]+",", ",cpu,") {
				quota, _ := fs.ReadFile(root, path.Join("sys/fs/cgroup/cpu", dir, "cpu.cfs_quota_us"))
				period, _ := fs.ReadFile(root, path.Join("sys/fs/cgroup/cpu", dir, "cpu.cfs_period_us"))
				least(strings.TrimSpace(string(quota)), strings.TrimSpace(string(period)))
			}
			if dir == "/" {
				break
			}
		}
	}
	return processors
}
