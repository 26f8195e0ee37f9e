package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"muster/bench/swarm"
	"muster/internal/pgtest"
	"muster/loaders/store"
	"muster/loaders/store/journal"
	"muster/net/login"
	"muster/net/protocol/msg"
)

// condition is what a server says of itself.
type condition struct {
	Journal  journal.Stats
	Counters map[string]uint64
}

func (s *served) condition() (c condition) {
	s.t.Helper()
	client := &http.Client{Timeout: patience}
	r, err := client.Get("http://" + s.admin + "/stats")
	if err != nil {
		s.t.Fatal(err)
	}
	defer r.Body.Close()
	if err := json.NewDecoder(r.Body).Decode(&c); err != nil {
		s.t.Fatal(err)
	}
	return c
}

// TestDatabaseAway is fault row 35: the database stops under a full server, and comes back, and is restarted in the
// middle of saves. Play goes on; a client that wants to enter is refused; all saves are kept, and given to it afterwards.
func TestDatabaseAway(t *testing.T) {
	waits(t)
	away := 3 * time.Second
	if os.Getenv("LONG_TESTS") != "" {
		away = 30 * time.Second
	}
	cluster := pgtest.New(t)
	k := keeps(t, cluster)["postgres"]
	k.t = t
	s := k.serve()
	early := visit(t, s, "EARLY")
	early.create("Early")
	v := visit(t, s, "VISITOR")
	v.create("Visitor")
	from := v.enter()

	type outcome struct {
		Report swarm.Report
		err    error
	}
	end := make(chan outcome, 1)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go func() {
		r, err := swarm.Run(ctx, swarm.Config{
			Auth: s.auth, Prefix: "WALKER", Password: defaultPassword, Strict: true, Clients: walkers, Ramp: 20, Behaviour: swarm.Walk,
			Duration: away + 6*time.Second, Seed: 1, PIDs: []int{s.cmd.Process.Pid}, Login: 2 * patience,
		})
		end <- outcome{r, err}
	}()
	eventually(t, "the walkers walk", func() bool {
		now := s.stats()
		return now.World >= walkers+1 && now.Packets > walkers*16
	})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}

	before := s.condition()
	must(cluster.Halt())
	gone := time.Now()
	stood := from
	var most int64
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for i := 1; time.Since(gone) < away || i <= 5; i++ {
		stood = beside(from, float32(i)/4)
		v.move(stood) // and is answered
		c := s.condition()
		if most = max(most, c.Journal.Bytes); c.Journal.Degraded {
			t.Fatal("the journal is not safe, and its disk is there")
		}
		if i == 5 {
			early.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: 1})
			var m msg.CharResult
			if early.await(msg.OpCharacterLoginFailed, &m); m.Result == 0 {
				t.Errorf("a client that wants to enter is sent %#x", m.Result)
			}
			late := &visitor{t: t, name: "LATE"}
			late.dial(s.auth)
			late.write(login.AppendChallenge(nil, "LATE"))
			if r := reply(late, login.ParseChallengeReply); r.Result != login.Busy {
				t.Errorf("a client that wants to log in is sent %#x, want %#x", r.Result, login.Busy)
			}
			late.socket.Close()
		}
		<-tick.C
	}
	var c condition
	eventually(t, "the journal keeps what the database does not take", func() bool {
		c = s.condition()
		return c.Journal.Pending > walkers && c.Journal.Lag >= away/2 && c.Counters["journal.retry"] > 0
	})
	if most = max(most, c.Journal.Bytes); most > 64<<20 {
		t.Errorf("while the database is away the journal has %+v, at most %d bytes", c.Journal, most)
	}
	must(cluster.Resume())
	drained := func() bool { return s.condition().Journal.Lag < time.Second }
	back := time.Now()
	eventually(t, "the journal is drained", drained)
	t.Logf("away for %v: at most %d kB of journal, drained %v after it was back, %d late ticks", away, most>>10,
		time.Since(back).Round(time.Millisecond), c.Counters["tick.overrun"]-before.Counters["tick.overrun"])
	must(cluster.Halt())
	must(cluster.Resume())
	eventually(t, "the journal is drained again", drained)

	eventually(t, "the log says that the store was away and is back", func() bool {
		log := s.stderr()
		return storeAway.MatchString(log) && storeBack.MatchString(log)
	})
	r := <-end
	if r.err != nil || r.Report.Logins.OK != walkers || r.Report.Lost.Total != 0 || r.Report.Violations.Total != 0 {
		t.Errorf("%v, logins %+v, lost %+v, violations %+v", r.err, r.Report.Logins, r.Report.Lost, r.Report.Violations)
	}
	s.stop(syscall.SIGTERM, 1)
	k.all(walkers)
	if at := placeOf(k.character("VISITOR")); at != stood {
		t.Errorf("the visitor stood at %+v, and is found at %+v", stood, at)
	}
}

// What the log says of an absence, with figures that are not 0.
var (
	storeAway = regexp.MustCompile(`level=WARN msg="store: away, its journal keeps what players do" err=.+ records=[1-9]\d* bytes=[1-9]\d*\n`)
	storeBack = regexp.MustCompile(`level=INFO msg="store: back, and has what waited" for=[1-9]\S*s records=[1-9]\d* bytes=\d+\n`)
)

// all wants walkers to be there, saved, and the store to be whole.
func (k *keep) all(clients int) {
	k.t.Helper()
	s := k.take()
	defer s.Close()
	if err := s.Check(k.t.Context(), func(p store.Problem) { k.t.Errorf("the store is torn: %v", p) }); err != nil {
		k.t.Error(err)
	}
	for i := range clients {
		account, err := s.Account(k.t.Context(), fmt.Sprint("WALKER", i+1))
		if err != nil {
			k.t.Fatal(err)
		}
		list, err := s.Characters(k.t.Context(), account.ID)
		if err != nil || len(list) != 1 || list[0].Version < 2 || !list[0].Begun {
			k.t.Errorf("%s has %+v, %v, want one that was saved", account.Name, list, err)
		}
	}
}

// character is the only one of an account.
func (k *keep) character(account string) store.Character {
	k.t.Helper()
	s := k.take()
	defer s.Close()
	a, err := s.Account(k.t.Context(), account)
	if err != nil {
		k.t.Fatal(err)
	}
	list, err := s.Characters(k.t.Context(), a.ID)
	if err != nil || len(list) != 1 {
		k.t.Fatalf("%s has %+v, %v", account, list, err)
	}
	return list[0]
}

// TestTermWithManyClients is fault row 41: a server that is asked to end saves all players and sends each a goodbye,
// and ends without a fault; asked twice, it ends at once. One with less memory than it needs is slower, and no more.
func TestTermWithManyClients(t *testing.T) {
	clients := 200
	if os.Getenv("LONG_TESTS") != "" {
		clients = 1000
	}
	all := keeps(t, pgtest.New(t))
	for _, c := range []struct {
		name   string
		times  int
		memory string
	}{{"sqlite", 1, ""}, {"postgres", 1, ""}, {"sqlite", 2, ""}, {"sqlite", 1, "8MiB"}} {
		t.Run(fmt.Sprint(c.name, c.times, c.memory), func(t *testing.T) {
			k := all[c.name]
			k.t = t
			if c.memory != "" {
				t.Setenv("GOMEMLIMIT", c.memory) // of the server, which has more without players
			}
			s := k.serve()
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			end := make(chan swarm.Report, 1)
			go func() {
				r, _ := swarm.Run(ctx, swarm.Config{
					Auth: s.auth, Prefix: "WALKER", Password: defaultPassword, Strict: true, Clients: clients, Ramp: 200,
					Behaviour: swarm.Walk, Duration: time.Hour, Seed: 1, PIDs: []int{s.cmd.Process.Pid}, Login: 2 * patience,
				})
				end <- r
			}()
			eventually(t, "the walkers walk", func() bool {
				now := s.stats()
				return now.World >= clients && now.Packets > uint64(clients)*16
			})
			v := visit(t, s, "VISITOR")
			if len(v.list()) == 0 {
				v.create("Visitor")
			}
			stood := beside(v.enter(), 3)
			v.move(stood)
			goodbye := make(chan struct{})
			go func() {
				defer close(goodbye)
				if c.times == 1 {
					v.await(msg.OpLogoutComplete, &msg.Empty{})
				}
			}()
			asked := time.Now()
			s.stop(syscall.SIGTERM, c.times)
			took := time.Since(asked)
			<-goodbye
			t.Logf("ended after %v", took.Round(time.Millisecond))
			stop()
			<-end
			if c.times == 1 && !strings.Contains(s.stderr(), "msg=stopped") {
				t.Error("the end is not logged")
			}
			k.all(clients)
			if at := placeOf(k.character("VISITOR")); c.times == 1 && at != stood {
				t.Errorf("the visitor stood at %+v, and is found at %+v", stood, at)
			}
		})
	}
}
