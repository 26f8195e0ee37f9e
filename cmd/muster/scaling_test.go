package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"muster/cmd/internal/clusterview"
	"muster/internal/pgtest"
	"muster/loaders/registry"
)

// A realm has as many workers as an operator says, more and fewer; a process that is told to end does, in order, and is not started again.
func TestScale(t *testing.T) {
	waits(t)
	url := pgtest.New(t).URL(t)
	r, err := registry.Open(t.Context(), registry.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	view := &clusterview.View{Registry: r, Realm: "muster"}
	bus := startStreams(t).ClientURL()
	begin(t, "orchestrate", "--database", url, "--spawn", "1", "--spares", "1", "--", "--bus", bus, "--creatures", "0")
	of := func(role string) (ids []uint64) {
		processes, err := r.Processes(t.Context(), "muster")
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range processes {
			if p.Role == role {
				ids = append(ids, p.ID)
			}
		}
		return ids
	}
	settled := func(what string, workers int) {
		t.Helper()
		eventually(t, what, func() bool {
			live := of(registry.RoleWorker)
			shards, err := r.Shards(t.Context(), "muster")
			runs := 0
			for _, s := range shards {
				for _, id := range live {
					if s.Worker == id && s.State == registry.Runs {
						runs++
					}
				}
			}
			return err == nil && len(live) == workers && len(shards) > 0 && runs == len(shards)
		})
	}
	settled("one worker has all", 1)
	if err := view.Scale(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	settled("two workers, and one spare", 3)
	if err := view.Scale(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	settled("one worker, and one spare", 2)

	first := of(registry.RoleWorker)[0]
	if before, err := view.Stop(t.Context(), first); before != "its worlds are given to others" || err != nil {
		t.Fatalf("a worker ends after %q: %v", before, err)
	}
	eventually(t, "another one is in the place of the one that has ended", func() bool {
		live := of(registry.RoleWorker)
		return len(live) == 2 && live[0] != first && live[1] != first
	})
	if _, err := view.Stop(t.Context(), first); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("There is no process %d", first)) {
		t.Errorf("a process that has ended: %v", err)
	}
	if before, err := view.Stop(t.Context(), of(registry.RoleOrchestrate)[0]); before != "" || err != nil {
		t.Fatalf("an orchestrator ends after %q: %v", before, err)
	}
	eventually(t, "all have ended", func() bool { return len(of(registry.RoleOrchestrate))+len(of(registry.RoleWorker)) == 0 })
}

// muster cluster has so many workers run as an operator says. One that drains is none of them, and another one begins in its place; when it is given worlds again, one is too many.
// More than there can be are refused.
func TestClusterScales(t *testing.T) {
	waits(t)
	p := startGateways(t)
	workers := func() (usable, draining []uint64) {
		for _, q := range p.list().Processes {
			switch {
			case q.Role != registry.RoleWorker:
			case q.Draining:
				draining = append(draining, q.ID)
			default:
				usable = append(usable, q.ID)
			}
		}
		return usable, draining
	}
	say := func(want string, words ...string) {
		t.Helper()
		if out, errs := p.ctl(append([]string{"cluster"}, words...)...); !strings.Contains(out+errs, want) {
			t.Fatalf("%v is answered with %s%s, want %q", words, out, errs, want)
		}
	}
	settled := func(what string, want, drain int) {
		t.Helper()
		eventually(t, what, func() bool {
			usable, draining := workers()
			if len(usable) != want || len(draining) != drain {
				return false
			}
			for _, s := range p.list().Shards {
				if s.State != registry.Runs || s.Worker == nil || !slices.Contains(usable, *s.Worker) {
					return false
				}
			}
			return true
		})
	}
	settled("two workers, as it has begun with", 2, 0)
	say("The realm can have 64 workers at most.", "scale", "65")
	say("So many workers are had to run", "scale", "3")
	settled("a third one", 3, 0)
	usable, _ := workers()
	drained := usable[0]
	say("that drains", "undrain", fmt.Sprint(drained))
	say("given to other workers", "drain", fmt.Sprint(drained))
	settled("another one in the place of the one that drains", 3, 1)
	say("given worlds again", "undrain", fmt.Sprint(drained))
	settled("three again", 3, 0)
	if usable, _ = workers(); !slices.Contains(usable, drained) {
		t.Errorf("of %v worker %d is none, which was drained and given worlds again", usable, drained)
	}
	say("So many workers are had to run", "scale", "1")
	settled("one has all worlds", 1, 0)
	p.stop(os.Interrupt, 1)
}

// A command is called with the number of workers that there are to be, by the orchestrator that leads.
func TestScaleExec(t *testing.T) {
	waits(t)
	url := pgtest.New(t).URL(t)
	r, err := registry.Open(t.Context(), registry.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	file := filepath.Join(t.TempDir(), "called")
	script := filepath.Join(t.TempDir(), "scale")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho \"$@\" >>"+file+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	begin(t, "orchestrate", "--database", url, "--scale-exec", script+" workers", "--spares", "2")
	for _, c := range []struct {
		workers int
		want    string
	}{{3, "workers 5\n"}, {1, "workers 5\nworkers 3\n"}} {
		if err := r.SetScale(t.Context(), "muster", c.workers); err != nil {
			t.Fatal(err)
		}
		eventually(t, "it is called", func() bool {
			text, _ := os.ReadFile(file)
			return string(text) == c.want
		})
	}
}

func TestScaleFlags(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"--spawn 1 --scale-exec x":                "exclude each other",
		"--scale-exec x --scale-kubernetes a/b/c": "exclude each other",
		"--spares 1":                                  "--spares needs --spawn",
		"--spawn 1 --spares 65":                       "--spares is from 0 to 64, not 65",
		"--scale-kubernetes workers":                  "want NAMESPACE/deployments/NAME",
		"--scale-kubernetes games/deployments/worker": "",
	} {
		_, err := parse(t, append([]string{"orchestrate", "--database", gatewayDatabase}, strings.Fields(args)...), nil)
		if (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}
