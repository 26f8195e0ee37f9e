package bench

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"
)

// The quota is that of the closest group, and of those above it.
//
// Source: cpu.max, Documentation/admin-guide/cgroup-v2.rst of Linux; cpu.cfs_quota_us, Documentation/scheduler/sched-bwc.rst.
func TestQuotaIsTheLeastOfTheGroups(t *testing.T) {
	for name, tt := range map[string]struct {
		files map[string]string
		want  float64
	}{
		"no groups": {nil, 0},
		"no limit":  {map[string]string{"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/cpu.max": "max 100000\n"}, 0},
		"of the group": {map[string]string{
			"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/cpu.max": "50000 100000\n", "sys/fs/cgroup/a/cpu.max": "max 100000\n",
		}, 0.5},
		"of one above": {map[string]string{
			"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/cpu.max": "200000 100000\n", "sys/fs/cgroup/a/cpu.max": "25000 20000\n",
		}, 1.25},
		"version 1": {map[string]string{
			"proc/self/cgroup": "5:memory:/m\n3:cpu,cpuacct:/a\n", "sys/fs/cgroup/cpu/a/cpu.cfs_quota_us": "150000\n",
			"sys/fs/cgroup/cpu/a/cpu.cfs_period_us": "100000\n", "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n",
			"sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
		}, 1.5},
	} {
		files := make(fstest.MapFS)
		for file, text := range tt.files {
			files[file] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := quota(files); got != tt.want {
			t.Errorf("%s: %v processors, want %v", name, got, tt.want)
		}
	}
}

// The head says what a machine has, and what it has not.
func TestHead(t *testing.T) {
	host := example().Host
	host.Machine = Machine{Instructions: "counted", Send: 7.5, Loop: 20.7, IOUring: "yes", IPv6: "yes", Files: 20_000}
	lacking := host
	lacking.Machine = Machine{
		Instructions: "no such file", Loop: 41.4, IOUring: "operation not permitted", IPv6: "no address", Files: 1024, Quota: 0.5,
	}
	for _, tt := range []struct {
		host     Host
		recorded recorded
		user     int
		want     string
	}{
		{host, recorded{3, "S8, direct sendto"}, 0, `
machine   Linux 6, a CPU, 2 cores, go1.26, GOMAXPROCS 2
process   root, 20,000 open files, control groups leave it all of the processors
kernel    io_uring: yes; IPv6: yes
counters  instructions are counted
loop      20.7 µs for 16,384 turns
send      7.50 µs of processor time for 1,024 bytes over loopback: 2.50 times the 3 µs of the recorded results (S8, direct sendto)
`},
		{host, recorded{}, 0, `
machine   Linux 6, a CPU, 2 cores, go1.26, GOMAXPROCS 2
process   root, 20,000 open files, control groups leave it all of the processors
kernel    io_uring: yes; IPv6: yes
counters  instructions are counted
loop      20.7 µs for 16,384 turns
send      7.50 µs of processor time for 1,024 bytes over loopback; no recorded result says what it was there
`},
		{lacking, recorded{3, "S8, direct sendto"}, 1000, `
machine   Linux 6, a CPU, 2 cores, go1.26, GOMAXPROCS 2
process   not root, 1,024 open files, control groups leave it 0.500 of 2 processors
kernel    io_uring: operation not permitted; IPv6: no address
counters  none: no such file; gates of instructions are judged by turns of a loop
loop      41.4 µs for 16,384 turns
send      not measured
`},
	} {
		if got := head(&tt.host, tt.recorded, tt.user); got != tt.want[1:] {
			t.Errorf("got\n%swant%s", got, tt.want)
		}
	}
}

// A machine is looked at in full, and a counter that it lacks is said to be lacking.
func TestLookAtThisMachine(t *testing.T) {
	for _, tt := range []struct {
		count func() (counter, error)
		want  string
	}{{counts, "counted"}, {countsNothing, "nothing counts here"}} {
		c := Config{count: tt.count}
		m := c.look(t.Context())
		if m.Instructions != tt.want || !(m.Loop > 0) || m.IOUring == "" || m.IPv6 == "" || m.Files == 0 {
			t.Errorf("%+v", m)
		}
	}
	if micros, err := sendMicros(t.Context()); err != nil || !(micros > 0) {
		t.Errorf("a send takes %v µs, %v", micros, err)
	}
}

// What a send costs on the machine of recorded results is what their head says, or else what S8 measured.
func TestRecordedSend(t *testing.T) {
	if got := recordedSend("results"); got.micros <= 0 || got.source == "" {
		t.Errorf("%+v of the committed results", got)
	}
	dir := t.TempDir()
	if got := recordedSend(dir); got != (recorded{}) {
		t.Errorf("%+v of none", got)
	}
	r := example()
	r.Name = "s8"
	r.Metrics = append(r.Metrics, Metric{Name: "processor time per write", Baseline: &Baseline{"direct sendto", Spread{Median: 3.5}}, Ratio: new(Spread)})
	for _, want := range []recorded{{3.5, "S8, direct sendto"}, {5.5, "as measured before S8"}} {
		if err := r.Save(dir); err != nil {
			t.Fatal(err)
		}
		if got := recordedSend(dir); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
		r.Send = 5.5
	}
	text, err := json.Marshal(r)
	if err != nil || !strings.Contains(string(text), `"send_us":5.5`) || !strings.Contains(section(r), ", a send 5.50 µs, 3 repetitions.") {
		t.Errorf("%s, %v\n%s", text, err, section(r))
	}
}
