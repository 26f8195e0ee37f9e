package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"muster/cmd/internal/storage"
	"muster/internal/pgtest"
	"muster/loaders/store"
	"muster/loaders/store/journal"
	"muster/loaders/store/postgres"
	"muster/loaders/store/sqlite"
	"muster/net/gateway"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// walkers is how many simulated clients are there while a server is stopped or killed.
const walkers = 50

// A keep is where a server keeps accounts and characters.
type keep struct {
	t       *testing.T
	flags   []string
	open    func() (store.Store, error) // beside a server
	journal string                      // the folder of the server's journal
}

// take opens the store as the next server would: with what the last one has left in its journal.
func (k *keep) take() store.Store {
	k.t.Helper()
	below, err := k.open()
	if err != nil {
		k.t.Fatal(err)
	}
	j, found, err := journal.Open(k.t.Context(), below, journal.Config{Dir: k.journal})
	if err != nil {
		k.t.Fatal(err)
	}
	if len(found.Damage) > 0 || found.Orphans > 0 {
		k.t.Errorf("the journal is damaged: %+v", found)
	}
	return j
}

// keeps are one of each kind, both empty.
func keeps(t *testing.T, cluster *pgtest.Cluster) map[string]*keep {
	t.Helper()
	dir, beside := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "data")
	url := cluster.URL(t)
	return map[string]*keep{
		"sqlite": {flags: []string{"--data", dir}, open: func() (store.Store, error) {
			return sqlite.Open(context.Background(), sqlite.Config{Dir: dir})
		}, journal: storage.JournalFolder(dir, "")},
		"postgres": {flags: []string{"--database", url, "--data", beside}, open: func() (store.Store, error) {
			return postgres.Open(context.Background(), postgres.Config{URL: url})
		}, journal: storage.JournalFolder(beside, url)},
	}
}

func (k *keep) serve() *served { return serve(k.t, append(k.flags, "--creatures", "200")...) }

// characters are those of the visitor and of all walkers, by account. Each must have one, and no other account any.
func (k *keep) characters() map[string]store.Character {
	k.t.Helper()
	s := k.take()
	defer s.Close()
	all := make(map[string]store.Character)
	guids := make(map[uint64]bool)
	for i := range walkers + 1 {
		name := "VISITOR"
		if i > 0 {
			name = fmt.Sprint("WALKER", i)
		}
		account, err := s.Account(k.t.Context(), name)
		if err != nil {
			k.t.Fatalf("account %s: %v", name, err)
		}
		list, err := s.Characters(k.t.Context(), account.ID)
		if err != nil || len(list) != 1 || guids[list[0].GUID] {
			k.t.Fatalf("%s has %+v, %v, want one of its own", name, list, err)
		}
		guids[list[0].GUID] = true
		all[name] = list[0]
	}
	if n, err := s.CountCharacters(k.t.Context(), 0); n != len(all) || err != nil {
		k.t.Errorf("there are %d characters, %v, want %d", n, err, len(all))
	}
	return all
}

// walk brings walkers into the world, and returns when each has made some steps. They go on until the server ends.
func (k *keep) walk(s *served) {
	k.t.Helper()
	cmd := exec.Command(binary, "swarm", "--auth", s.auth, "--accounts", "WALKER", "--clients", fmt.Sprint(walkers),
		"--ramp", "100/s", "--duration", "10m")
	if err := cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	k.t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	eventually(k.t, "the walkers walk", func() bool {
		now := s.stats()
		return now.World >= walkers && now.Packets > walkers*16 // of which ten are the login
	})
}

// stats are the gateway's.
func (s *served) stats() gateway.Stats {
	client := &http.Client{Timeout: patience}
	r, err := client.Get("http://" + s.admin + "/stats")
	if err != nil {
		s.t.Fatal(err)
	}
	defer r.Body.Close()
	var stats struct{ Gate gateway.Stats }
	if err := json.NewDecoder(r.Body).Decode(&stats); err != nil {
		s.t.Fatal(err)
	}
	return stats.Gate
}

// comeBack has all come back, stand a while, and go.
func (k *keep) comeBack(s *served) {
	k.t.Helper()
	code, stdout, stderr := execute(k.t, nil, "swarm", "--auth", s.auth, "--accounts", "WALKER",
		"--clients", fmt.Sprint(walkers), "--behaviour", "idle", "--duration", "500ms")
	if code != exitOK {
		k.t.Errorf("they cannot come back: exit code %d\n%s%s", code, stdout, stderr)
	}
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	poll := time.NewTicker(10 * time.Millisecond)
	defer poll.Stop()
	for deadline := time.Now().Add(patience); !ok(); <-poll.C {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}

// beside is a place some steps away.
func beside(at msg.Place, steps float32) msg.Place {
	at.Position = wire.Vec3{X: at.Position.X + steps, Y: at.Position.Y - 2*steps, Z: at.Position.Z + 0.25}
	at.Orientation = 1.25
	return at
}

func placeOf(c store.Character) msg.Place {
	return msg.Place{Map: c.Map, Position: wire.Vec3{X: c.X, Y: c.Y, Z: c.Z}, Orientation: c.O}
}

// TestStopAndServeAgain stops a server that is full of walkers. They are all where they were when it is back.
func TestStopAndServeAgain(t *testing.T) {
	waits(t)
	for name, k := range keeps(t, pgtest.New(t)) {
		t.Run(name, func(t *testing.T) {
			k.t = t
			s := k.serve()
			k.walk(s)
			v := visit(t, s, "VISITOR")
			v.create("Visitor")
			begin := v.enter()
			stood := beside(begin, 3)
			v.move(stood)
			v.saveSettings()
			s.stop(syscall.SIGTERM, 1)

			left := k.characters()
			if got := placeOf(left["VISITOR"]); got != stood {
				t.Errorf("the visitor left from %+v, and %+v was stored", stood, got)
			}
			for name, c := range left {
				if c.Version < 2 {
					t.Errorf("%s was not saved: %+v", name, c)
				}
			}

			s = k.serve()
			k.comeBack(s)
			v = visit(t, s, "VISITOR")
			if got := v.enter(); got != stood {
				t.Errorf("the visitor is back at %+v, want %+v", got, stood)
			}
			v.findSettings()
			s.stop(syscall.SIGTERM, 1)
			if strings.Contains(s.stderr(), "auth.created") {
				t.Error("accounts were made anew")
			}
			for name, c := range k.characters() {
				want := left[name]
				if c.Version <= want.Version {
					t.Errorf("%s was not saved again: version %d after %d", name, c.Version, want.Version)
				}
				want.PlayedSec, want.LevelPlayedSec, want.SavedUnix = c.PlayedSec, c.LevelPlayedSec, c.SavedUnix
				if want.Version = c.Version; !reflect.DeepEqual(c, want) {
					t.Errorf("%s\n  left as      %+v\n  and is back as %+v", name, want, c)
				}
			}
		})
	}
}

// TestStoreThatDoesNotOpen has exit code 1 and one line that says why, without the password.
func TestStoreThatDoesNotOpen(t *testing.T) {
	cluster := pgtest.New(t)
	newer := keeps(t, cluster)["postgres"]
	made, err := newer.open()
	if err != nil {
		t.Fatal(err)
	}
	made.Close()
	url := newer.flags[1]
	if err := cluster.Do(url, "INSERT INTO auth.goose_db_version (version_id, is_applied) VALUES (999, true)"); err != nil {
		t.Fatal(err)
	}
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { silent.Close() })

	dir := t.TempDir()
	inTheWay := filepath.Join(dir, "file")
	if err := os.WriteFile(inTheWay, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	locked := filepath.Join(dir, "locked")
	lock(t, locked)
	const closed = "/proc/muster" // where not even root may make a folder

	const server = "postgres://ada:secret@127.0.0.1:1/muster"
	for _, c := range []struct{ name, flag, value, want string }{
		{"no folder", "--data", inTheWay, "sqlite: open " + inTheWay + "/muster.db: mkdir " + inTheWay + ": not a directory"},
		{"closed folder", "--data", closed, "mkdir " + closed + ": no such file or directory"},
		{"locked file", "--data", locked, "database is locked"},
		{"newer schema", "--database", url, "the schema is of a newer muster: its version is 999, and this one knows"},
		{"no server", "--database", server, "failed to connect to `user=ada database=muster`: 127.0.0.1:1"},
		{"silent server", "--database", strings.Replace(server, "127.0.0.1:1", silent.Addr().String(), 1), "timeout"},
		{"bad option", "--database", server + "?sslmode=odd", "sslmode is invalid"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			code, stdout, stderr := execute(t, nil, "serve", "--creatures", "0", "--auth", "127.0.0.1:0",
				"--world", "127.0.0.1:0", "--admin", "127.0.0.1:0", c.flag, c.value)
			_, said, _ := strings.Cut(stderr, "muster: error: ")
			if code != exitFailure || stdout != "" || !strings.Contains(said, c.want) || strings.Count(said, "\n") != 1 {
				t.Errorf("exit code %d, %q, want %q in one line", code, stderr, c.want)
			}
			if strings.Contains(stderr, "secret") {
				t.Errorf("the password is in %q", stderr)
			}
		})
	}
}

// lock makes a database in a folder and holds it, as a process that writes does.
//
// Source: SQLite's os.h, PENDING_BYTE and what follows it.
func lock(t *testing.T, dir string) {
	t.Helper()
	s, err := sqlite.Open(t.Context(), sqlite.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(dir, sqlite.File), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	err = syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, &syscall.Flock_t{
		Type: syscall.F_WRLCK, Whence: io.SeekStart, Start: 0x40000000, Len: 512,
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestWelcomeSaysWhereThingsAreKept, and not with which password.
func TestWelcomeSaysWhereThingsAreKept(t *testing.T) {
	all := keeps(t, pgtest.New(t))
	dir, url := all["sqlite"].flags[1], all["postgres"].flags[1]
	for _, c := range []struct {
		variable, value, want string
	}{
		{"MUSTER_DATA", dir, dir + "/muster.db"},
		{"MUSTER_DATABASE", strings.Replace(url, "postgres://", "postgres://muster:secret@", 1) + "&password=secret",
			strings.Replace(url, "postgres://", "postgres://muster@", 1)},
		{"MUSTER_EPHEMERAL", "true", "memory, until this process ends"},
	} {
		t.Run(c.variable, func(t *testing.T) {
			t.Setenv(c.variable, c.value)
			s := serve(t, "--creatures", "0")
			s.stop(syscall.SIGTERM, 1)
			if want := "  kept in   " + c.want + "\n"; !strings.Contains(s.out.String(), want) {
				t.Errorf("the welcome does not say %q:\n%s", want, &s.out)
			}
			if all := s.out.String() + s.stderr(); strings.Contains(all, "secret") {
				t.Errorf("the password is shown:\n%s", all)
			}
		})
	}
}
