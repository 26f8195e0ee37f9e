package main

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"muster/cmd/internal/clusterview"
	"muster/internal/pgtest"
	"muster/loaders/registry"
)

// loaded has the world of map 0 count 0.4 of a core, each other one 0.1, and workers what their worlds do, whatever they say.
const loaded = `
	CREATE FUNCTION cluster.world_load() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		NEW.load := CASE NEW.map WHEN 0 THEN 0.4 ELSE 0.1 END; RETURN NEW; END $$;
	CREATE FUNCTION cluster.worker_load() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		NEW.load := coalesce((SELECT sum(load) FROM cluster.shards WHERE worker = NEW.id AND state = 'runs'), 0); RETURN NEW; END $$;
	CREATE TRIGGER world_load BEFORE UPDATE ON cluster.shards FOR EACH ROW EXECUTE FUNCTION cluster.world_load();
	CREATE TRIGGER worker_load BEFORE UPDATE ON cluster.processes FOR EACH ROW EXECUTE FUNCTION cluster.worker_load()`

// A worker that joins has the world with the most load moved to it, of the three of the other one, while clients play there: none of them is lost, and no rule is broken.
func TestJoiningWorkerIsGivenAWorld(t *testing.T) {
	waits(t)
	database := pgtest.New(t)
	url := database.URL(t)
	world := []string{"--bus", startStreams(t).ClientURL(), "--creatures", "200", "--start", "one", "--database", url}
	ready := make(chan *served)
	go func() { // it waits for the worlds
		defer close(ready)
		ready <- serve(t, append(world, "--data", t.TempDir())...)
	}()
	durable := append(slices.Clone(world), "--durable", "world", "--snapshot-every", "2s")
	work(t, durable...)
	o := begin(t, "orchestrate", "--database", url, "--rebalance-after", "2s")
	s := <-ready
	if s == nil {
		t.FailNow()
	}
	r, err := registry.Open(t.Context(), registry.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	eventually(t, "the load of the worker is that of its worlds", func() bool {
		processes, err := r.Processes(t.Context(), "muster")
		shards, others := r.Shards(t.Context(), "muster")
		var of, sum float64
		for _, p := range processes {
			of += float64(p.Load)
		}
		for _, s := range shards {
			sum += float64(s.Load)
		}
		return err == nil && others == nil && sum > 0 && math.Abs(of-sum) < 1e-4
	})
	if err := database.Do(url, loaded); err != nil {
		t.Fatal(err)
	}
	k := &keptCluster{&gatewayPair{served: s}}
	inTheMiddle(t, s, func() {
		was := k.runs(clusterview.Shard{Map: 0}, false)
		joined := work(t, durable...)
		now := k.runs(was, false)
		if pid := k.pid(now.Worker); pid != joined.cmd.Process.Pid {
			t.Errorf("the world is at process %d, and %d has joined", pid, joined.cmd.Process.Pid)
		}
	})
	if !o.logged(`msg="a world is moved to a worker with less load" map=0 instance=0`) {
		t.Error("the orchestrator does not say that it has moved the world")
	}
	if strings.Contains(s.stderr(), "a world is lost") {
		t.Error("the gateway has lost a world")
	}
	s.stop(os.Interrupt, 1)
}
