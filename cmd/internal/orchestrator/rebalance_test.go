package orchestrator

import (
	"bytes"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/internal/pgtest"
	"muster/loaders/registry"
)

// A worker that joins is given one of two busy worlds when it has been there for 30 s: if the worlds are in logs, or an operator wants all to be moved, and never if none is to be.
func TestRebalance(t *testing.T) {
	ctx := t.Context()
	r, err := registry.Open(ctx, registry.Config{URL: pgtest.New(t).URL(t), ProcessLease: time.Minute, Silence: 30 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	for _, test := range []struct {
		which  string
		inLogs bool
		moved  uint64
	}{{"logs", true, 1}, {"logs", false, 0}, {"all", false, 1}, {"off", true, 0}, {"", false, 0}} {
		t.Run(test.which, func(t *testing.T) {
			must := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			realm := t.Name()
			enlist := func(role string) *registry.Enlisted {
				t.Helper()
				e, err := r.Enlist(ctx, realm, registry.Process{Role: role, Capacity: 9, Durable: role == registry.RoleWorker && test.inLogs})
				must(err)
				return e
			}
			var said bytes.Buffer
			o := &orchestrator{
				config: &Config{Rebalancing: Rebalancing{Rebalance: test.which, RebalanceAfter: registry.HoldTime}},
				log:    slog.New(slog.NewTextHandler(&said, nil)), place: enlist(registry.RoleOrchestrate),
			}
			defer o.resign()
			must(r.Declare(ctx, realm, []uint32{0, 1}))
			now := time.Unix(1e9, 0)
			loads := []float32{0.375, 0.25}
			// second is one of the leader and of workers, which run what they are given
			second := func(workers ...*registry.Enlisted) {
				t.Helper()
				must(o.lead(ctx, now))
				shards, err := r.Shards(ctx, realm)
				must(err)
				for _, e := range workers {
					var work registry.Work
					for _, s := range shards {
						if s.Worker == e.ID() {
							s.Load = loads[s.Map]
							work.Load += s.Load
							work.Runs = append(work.Runs, s)
						}
					}
					_, err := e.Report(ctx, work)
					must(err)
				}
				now = now.Add(time.Second)
			}
			first := enlist(registry.RoleWorker)
			for range 60 {
				second(first)
			}
			joined := enlist(registry.RoleWorker)
			has := func() (ids []uint32) {
				t.Helper()
				shards, err := r.Shards(ctx, realm)
				must(err)
				for _, s := range shards {
					if s.Worker == joined.ID() {
						ids = append(ids, s.Map)
					}
				}
				return ids
			}
			for range 30 { // the last is when it has been there for 29 s
				second(first, joined)
			}
			if early := has(); len(early) > 0 {
				t.Errorf("after less than 30 s it has %v", early)
			}
			var want []uint32
			if test.moved > 0 {
				want = []uint32{1}
			}
			for range 90 {
				if second(first, joined); !slices.Equal(has(), want) {
					t.Fatalf("it has %v, want %v", has(), want)
				}
			}
			if o.assignment().Moved != test.moved {
				t.Errorf("%d moves are counted, want %d", o.assignment().Moved, test.moved)
			}
			const figures = `msg="a world is moved to a worker with less load" map=1 instance=0`
			const because = `because="the other worker has no world" cores=0.25 worker_cores=0 before_cores=0.62 players=0`
			if logged := said.String(); test.moved > 0 && (!strings.Contains(logged, figures) || !strings.Contains(logged, because)) {
				t.Errorf("logged is %s", logged)
			}
		})
	}
}
