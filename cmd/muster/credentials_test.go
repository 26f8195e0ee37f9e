package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	nats "github.com/nats-io/nats-server/v2/server"

	"muster/cmd/internal/credentials"
	"muster/cmd/internal/link"
	"muster/net/replication/natsbus"
)

// guarded starts NATS as an operator does, from the configuration that muster cluster credentials has made for two realms.
func guarded(t *testing.T, change func(*nats.Options)) (s *nats.Server, folder string) {
	t.Helper()
	folder = t.TempDir()
	if code, stdout, stderr := execute(t, nil, "cluster", "credentials", folder, "--realm-name", "a", "--realm-name", "b c"); code != exitOK ||
		strings.Count(stdout, "\n") != 9 {
		t.Fatalf("exit code %d, wrote %q and %q", code, stdout, stderr)
	}
	o, err := nats.ProcessConfigFile(filepath.Join(folder, credentials.ConfigFile))
	if err != nil {
		t.Fatal(err)
	}
	o.Host, o.Port, o.NoSigs, o.NoLog = "127.0.0.1", nats.RANDOM_PORT, true, true
	if change != nil {
		change(o)
	}
	if s, err = nats.NewServer(o); err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(patience) {
		t.Fatal("NATS is not ready")
	}
	return s, folder
}

// as connects in a role of a realm.
func as(t *testing.T, s *nats.Server, folder string, role natsbus.Role, realm string) *natsbus.Bus {
	t.Helper()
	bus, err := natsbus.Connect(natsbus.Config{URL: s.ClientURL(), Name: "test", Role: role, Credentials: credentials.File(folder, role, realm)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(bus.Close)
	return bus
}

// The credentials of a role allow what it needs in its realm, and nothing else: a gateway cannot publish a frame.
func TestCredentials(t *testing.T) {
	t.Parallel()
	s, folder := guarded(t, nil)
	const gateway, worker, orchestrate, cluster = natsbus.Gateway, natsbus.Worker, natsbus.Orchestrate, natsbus.Cluster
	for _, c := range []struct {
		role    natsbus.Role
		realm   string
		publish bool
		subject string
		may     bool
	}{
		{gateway, "a", true, "muster.a.out.0.0", false}, // a frame
		{gateway, "a", true, "muster.a.out.0.0.1", false},
		{gateway, "a", true, "muster.a.lead.0.0", false},
		{gateway, "a", true, "muster.a.log.0.0", false},
		{gateway, "a", true, "muster.b_20c.in.0.0", false},
		{gateway, "a", true, "muster.b_20c.players", false},
		{gateway, "a", true, "$JS.API.STREAM.PURGE.muster-a", false},
		{gateway, "a", false, "muster.a.in.0.0", false},
		{gateway, "a", false, "muster.a.log.0.0", false},
		{gateway, "a", false, "muster.b_20c.out.0.0", false},
		{gateway, "a", false, ">", false},
		{gateway, "a", false, "_INBOX_worker.>", false},
		{gateway, "a", true, "muster.a.in.0.0", true},
		{gateway, "a", true, "muster.a.gateways", true},
		{gateway, "a", true, "muster.a.players.2", true},
		{gateway, "a", true, "muster-gateways.2", true},
		{gateway, "a", false, "muster.a.out.0.0", true},
		{gateway, "a", false, "muster.a.out.0.0.1", true},
		{gateway, "b c", true, "muster.b_20c.in.0.0", true},
		{gateway, "a", true, "muster.a.instances", true},
		{gateway, "a", false, "muster.a.instances.1", true},
		{gateway, "a", false, "muster.a.instances", false}, // what others ask
		{gateway, "a", true, "muster.a.instances.1", false},
		{gateway, "a", true, "muster.b_20c.instances", false},
		{worker, "a", true, "muster.a.instances", false},
		{orchestrate, "a", false, "muster.a.instances", true},
		{orchestrate, "a", true, "muster.a.instances.1", true},
		{orchestrate, "a", true, "muster.a.in.0.0", false},
		{orchestrate, "a", true, "muster.a.out.0.0", false},
		{orchestrate, "a", true, "muster.a.lead.0.0", false}, {orchestrate, "a", true, "muster.a.ended", true},
		{orchestrate, "a", false, "muster.a.players", false},
		{orchestrate, "a", false, "muster.b_20c.instances", false},
		{worker, "a", true, "muster.a.in.0.0", false},
		{worker, "a", true, "muster.a.players", false},
		{worker, "a", true, "muster-gateways", false},
		{worker, "a", true, "muster.b_20c.out.0.0", false},
		{worker, "a", true, "$JS.API.STREAM.DELETE.muster-b_20c", false},
		{worker, "a", true, "$JS.API.STREAM.DELETE.muster-a", false},
		{worker, "a", false, "muster.a.players", false},
		{worker, "a", true, "muster.a.out.0.0", true},
		{worker, "a", true, "muster.a.out.0.0.1", true},
		{worker, "a", true, "muster.a.lead.0.0", true},
		{worker, "a", true, "muster.a.log.0.0", true},
		{worker, "a", false, "muster.a.in.0.0", true},
		{gateway, "a", true, "muster.a.upgrade", true},
		{gateway, "a", true, "muster.a.upgraded", true},
		{gateway, "a", false, "muster.a.upgrade", true},
		{gateway, "a", false, "muster.a.upgraded", true},
		{gateway, "a", true, "muster.b_20c.upgrade", false},
		{worker, "a", true, "muster.a.upgrade", false},
		{worker, "a", true, "muster.a.upgraded", true},
		{worker, "a", false, "muster.a.upgrade", true},
		{worker, "a", false, "muster.a.upgraded", false},
		{cluster, "a", true, "muster.a.lead.0.0", false}, {cluster, "a", true, "muster.a.ended", true},
		{cluster, "a", true, "muster.a.out.0.0", false},
		{cluster, "a", false, "muster.a.out.0.0", false},
	} {
		bus := as(t, s, folder, c.role, c.realm)
		var err error
		what := "subscribe to"
		if c.publish {
			what, err = "publish to", bus.Publish(c.subject, []byte("x"))
		} else {
			_, err = bus.Subscribe(c.subject, func([]byte) {})
		}
		if err = errors.Join(err, bus.Flush()); err != nil {
			t.Fatal(err)
		}
		if refused := bus.LastError(); (refused == nil) != c.may || refused != nil && !strings.Contains(refused.Error(), c.subject) {
			t.Errorf("a %s of realm %q may %s %s: %t, with %v", c.role, c.realm, what, c.subject, refused == nil, refused)
		}
	}
}

// What a gateway publishes as a frame reaches no gateway, and what its world does, does.
func TestForgedFrameReachesNoGateway(t *testing.T) {
	t.Parallel()
	s, folder := guarded(t, nil)
	got := make(chan string, 2)
	reader := as(t, s, folder, natsbus.Gateway, "a")
	if _, err := reader.Subscribe("muster.a.out.0.0", func(b []byte) { got <- string(b) }); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		role natsbus.Role
		body string
	}{{natsbus.Gateway, "forged"}, {natsbus.Worker, "made"}} {
		bus := as(t, s, folder, c.role, "a")
		if err := errors.Join(reader.Flush(), bus.Publish("muster.a.out.0.0", []byte(c.body)), bus.Flush()); err != nil {
			t.Fatal(err)
		}
	}
	if body := <-got; body != "made" {
		t.Errorf("a gateway is given the frame %q", body)
	}
}

// The stream of logs and snapshots works with the credentials of workers, who read no answers but their own.
func TestCredentialsOfStreams(t *testing.T) {
	t.Parallel()
	s, folder := guarded(t, func(o *nats.Options) { o.JetStream, o.StoreDir = true, t.TempDir() })
	bus := as(t, s, folder, natsbus.Worker, "b c")
	stream, err := bus.Stream(t.Context(), natsbus.StreamConfig{Realm: link.Subject("b c"), Replicas: 1, Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	number, err := stream.Append(t.Context(), "muster.b_20c.log.1.0", []byte("entry"), 0)
	if err != nil {
		t.Fatal(err)
	}
	if m, err := stream.Last(t.Context(), "muster.b_20c.log.1.0"); err != nil || string(m.Body) != "entry" {
		t.Errorf("the last entry is %q, %v", m.Body, err)
	}
	if err := stream.Put(t.Context(), "1.0.1", strings.NewReader("snapshot")); err != nil {
		t.Fatal(err)
	}
	if b, err := stream.Get(t.Context(), "1.0.1"); err != nil || string(b) != "snapshot" {
		t.Errorf("the snapshot is %q, %v", b, err)
	}
	if names, err := stream.Names(t.Context(), "1."); err != nil || !slices.Equal(names, []string{"1.0.1"}) {
		t.Errorf("the snapshots are %v, %v", names, err)
	}
	if err := errors.Join(stream.Delete(t.Context(), "1.0.1"), stream.Purge(t.Context(), "muster.b_20c.log.1.0", number+1)); err != nil {
		t.Error(err)
	}
	if err := bus.LastError(); err != nil {
		t.Error(err)
	}
}

// Who has no credentials, or those of another folder, is not let in, and files that are there are kept.
func TestCredentialsAreNeeded(t *testing.T) {
	t.Parallel()
	s, folder := guarded(t, nil)
	if _, err := natsbus.Connect(natsbus.Config{URL: s.ClientURL()}); err == nil {
		t.Error("connected without credentials")
	}
	_, other := guarded(t, nil)
	if _, err := natsbus.Connect(natsbus.Config{URL: s.ClientURL(), Credentials: credentials.File(other, natsbus.Gateway, "a")}); err == nil {
		t.Error("connected with the credentials of another cluster")
	}
	file := credentials.File(folder, natsbus.Gateway, "a")
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode is %v, %v", info.Mode(), err)
	}
	if _, err := credentials.Make(folder, []string{"a", "d"}); err != nil {
		t.Fatal(err)
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
		t.Errorf("they were made anew, %v", err)
	}
}

// With --folders the folder of a role has the keys of that role alone, and none of them is where NATS reads what they may do.
func TestCredentialsInFolders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	said := func() string {
		t.Helper()
		code, stdout, stderr := execute(t, nil, "cluster", "credentials", dir, "--folders", "--realm-name", "a", "--realm-name", "b")
		if code != exitOK {
			t.Fatalf("exit code %d, wrote %q and %q", code, stdout, stderr)
		}
		return strings.ReplaceAll(stdout, dir+"/", "")
	}
	const want = "gateway/gateway-a.nk\nworker/worker-a.nk\norchestrate/orchestrate-a.nk\ncluster/cluster-a.nk\n" +
		"gateway/gateway-b.nk\nworker/worker-b.nk\norchestrate/orchestrate-b.nk\ncluster/cluster-b.nk\nnats/nats.conf\n"
	if got := said(); got != want {
		t.Errorf("the files are\n%s, want\n%s", got, want)
	}
	seed := func() string {
		t.Helper()
		b, err := os.ReadFile(credentials.File(filepath.Join(dir, "worker"), natsbus.Worker, "a"))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	before := seed()
	said()
	if seed() != before {
		t.Error("a key was made anew")
	}
	var all []string
	if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			path, err = filepath.Rel(dir, path)
			all = append(all, path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	made := strings.Fields(want)
	if slices.Sort(made); !slices.Equal(all, made) {
		t.Errorf("there are %q, want %q", all, made)
	}
	o, err := nats.ProcessConfigFile(filepath.Join(dir, credentials.ServerFolder, credentials.ConfigFile))
	if err != nil || len(o.Nkeys) != 8 {
		t.Errorf("NATS knows %d keys, %v", len(o.Nkeys), err)
	}
}
