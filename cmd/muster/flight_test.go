package main

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"muster/cmd/internal/realm"
	"muster/loaders/store"
	"muster/sched"
	"muster/systems"
)

// fly runs a realm in this process, of whose first map a system can be made slow.
func fly(t *testing.T, system string, around func(n uint64, run func()), done func(folder string, r *realm.Realm)) {
	t.Helper()
	folder := t.TempDir()
	v, err := parse(t, strings.Fields("serve --auth 127.0.0.1:0 --world 127.0.0.1:0 --admin 127.0.0.1:0 --creatures 100 --flight-every 1ms --flight-keep 1000 --data "+folder), nil)
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	r, err := realm.New(&v.Serve.Config, store.NewMemory(store.MemoryConfig{}), slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range r.Worlds {
		if i == 0 {
			w.Map.(*systems.Live).World.Plan().Around(system, func(t sched.Tick, run func(sched.Tick)) {
				around(t.N, func() { run(t) })
			})
		}
		w.Map = awakeMap{w.Map}
	}
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	if err = r.Serve(ctx, func(realm.Open) error { done(filepath.Join(folder, "flight"), r); stop(); return nil }); err != nil {
		t.Fatal(err)
	}
	if t.Failed() {
		t.Log(log.String())
	}
}

// bundleIn waits for a bundle that says something, and returns what muster flight prints of it. On a busy machine there
// may be others before it.
func bundleIn(t *testing.T, folder, says string) (out string) {
	t.Helper()
	read := make(map[string]bool)
	eventually(t, "there is a bundle", func() bool {
		files, _ := filepath.Glob(filepath.Join(folder, "*.zip"))
		for _, file := range files {
			if read[file] {
				continue
			}
			read[file] = true
			code, printed, stderr := execute(t, nil, "flight", file)
			if code != exitOK {
				t.Fatalf("exit code %d: %s", code, stderr)
			}
			if out = printed; strings.Contains(out, says) {
				return true
			}
		}
		return false
	})
	return out
}

// A system of a real world that takes 300 ms of the processor is named by a bundle that is written of it, unless the machine
// had something else to do each time.
func TestSlowSystemIsNamed(t *testing.T) {
	slow := uint64(0)
	fly(t, "falldamage", func(n uint64, run func()) {
		run()
		if slow++; slow%20 == 0 {
			for began := time.Now(); time.Since(began) < 300*time.Millisecond; {
			}
		}
	}, func(folder string, r *realm.Realm) {
		out := bundleIn(t, folder, "falldamage is to blame: it took ")
		_, text, _ := strings.Cut(out, "falldamage is to blame: it took ")
		text, _, _ = strings.Cut(text, ",")
		if took, err := time.ParseDuration(text); err != nil || took < 300*time.Millisecond { // or more, if the machine is busy
			t.Errorf("it took %v, %v, in\n%s", took, err, out)
		}
		for _, want := range []string{"of map 0 (", "where 100ms are allowed", "movement", "inboxes"} {
			if !strings.Contains(out, want) {
				t.Errorf("no %q in\n%s", want, out)
			}
		}
	})
}

// A server whose processor is taken away in the middle of ticks blames none of its systems.
func TestPreemptedTickIsNoSystemsFault(t *testing.T) {
	waits(t)
	s := serve(t, "--ephemeral", "--creatures", "1000", "--flight-budget", "5ms", "--flight-every", "50ms")
	letIn(t, s, 20, "walk")
	eventually(t, "20 are in the world", func() bool { return s.stats().World == 20 })
	q := newQuota(s.cmd.Process.Pid, quotaPeriod/4)
	defer q.stop()
	eventually(t, "a tick was preempted", func() bool {
		return regexp.MustCompile(`where 5ms are allowed. It was preempted: its thread ran for [0-9.]+(µs|ms), and did not for [0-9.]+ms,`).MatchString(s.stderr())
	})
}

// A tick that does not end is reported while it runs, and the other maps go on meanwhile.
func TestStuckSystemIsNamed(t *testing.T) {
	held, hold := make(chan uint64, 1), make(chan struct{})
	fly(t, "aidispatch", func(n uint64, run func()) {
		select {
		case held <- n:
			if n > 0 {
				<-hold
			}
		default:
		}
		run()
	}, func(folder string, r *realm.Realm) {
		defer close(hold)
		<-held
		out := bundleIn(t, folder, "has not ended. It is in aidispatch.")
		if !strings.Contains(out, "of map 0 (") {
			t.Errorf("the bundle says\n%s", out)
		}
		eventually(t, "the other map goes on meanwhile", func() bool {
			last, ok := r.Console.TickStats[1].Latest()
			return ok && last.N >= 5
		})
	})
}

// What the recorder remembers can be had at any time, with an execution trace if it is to have one.
func TestFlightOnDemand(t *testing.T) {
	s := serve(t, "--creatures", "100", "--ephemeral")
	_, zip := s.ask("/debug/flight", "")
	file := filepath.Join(t.TempDir(), "flight.zip")
	if err := os.WriteFile(file, []byte(zip), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, stderr := execute(t, nil, "flight", file); code != exitOK || !strings.Contains(out, "No tick of map ") {
		t.Errorf("exit code %d: %s%s", code, out, stderr)
	}
	if code, _, stderr := execute(t, nil, "flight", os.Args[0]); code != exitFailure || !strings.Contains(stderr, "not a bundle") {
		t.Errorf("another file: exit code %d, %s", code, stderr)
	}
	const trace = "trace.out" // as the directory of an archive has it
	if strings.Contains(zip, trace) {
		t.Error("there is an execution trace")
	}
	traced := serve(t, "--creatures", "0", "--ephemeral", "--flight-trace")
	eventually(t, "there is an execution trace", func() bool {
		_, zip := traced.ask("/debug/flight", "")
		return strings.Contains(zip, trace)
	})
	off := serve(t, "--creatures", "0", "--flight-off")
	if status, why := off.ask("/debug/flight", ""); status != 503 || why != "the flight recorder is off\n" {
		t.Errorf("%d %s", status, why)
	}
}
