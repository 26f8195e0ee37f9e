package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"muster/cmd/internal/playback"
	"muster/cmd/internal/worldset"
	"muster/cmd/internal/worldspec"
	"muster/internal/metric"
	"muster/internal/testseed"
	"muster/net/ops/control"
	"muster/net/protocol/msg"
	"muster/net/replication/recording"
	"muster/net/replication/worldlog"
)

var continuedLine = regexp.MustCompile(`msg="the world is continued" map=0 tick=(\d+) ran=(\d+) players=(\d+)`)

// killWorlds ends a server with SIGKILL.
func killWorlds(s *served) {
	s.t.Helper()
	if err := s.cmd.Process.Kill(); err != nil {
		s.t.Fatal(err)
	}
	<-s.ended
}

// creatureAt is the state of a creature, nil if there is no such creature.
func (s *served) creatureAt(guid string) *control.CreatureState {
	s.t.Helper()
	status, text := s.call("GET", "/api/creatures/"+guid, "")
	c := new(control.CreatureState)
	if status == 404 {
		return nil
	}
	if err := json.Unmarshal([]byte(text), c); err != nil || status != 200 {
		s.t.Fatalf("creature %s: %d %s", guid, status, text)
	}
	return c
}

// What a server has told of its worlds is what the next one has, however it ended.
func TestWorldIsContinued(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	flags := []string{"--data", data, "--creatures", "0", "--start", "one", "--open-level", "3", "--durable", "world"}
	s := serve(t, flags...)
	v := visit(t, s, "ANNA")
	v.create("Anna")
	at := v.enter()
	anna := s.state("anna")
	far, near := anna, anna
	far.X, near.X = far.X+300, near.X+8
	alive, dead := spawnAt(s, far), spawnAt(s, near)
	guid, err := strconv.ParseUint(dead, 0, 64)
	if err != nil {
		t.Fatal(err)
	}
	v.say(msg.OpSetSelection, &msg.SetSelection{GUID: guid})
	v.orders(msg.ChatSay, ".die")
	eventually(t, "it is dead", func() bool { c := s.creatureAt(dead); return c != nil && !c.Alive })
	if c := s.creatureAt(alive); c == nil || !c.Alive || c.X != far.X {
		t.Fatalf("the other is %+v", c)
	}
	s.must("POST", "/api/characters/anna/level", `{"level":20}`)
	s.must("POST", "/api/characters/anna/money", `{"amount":70}`)
	to := at
	to.Position.X += 3
	v.move(to)
	eventually(t, "Anna has moved", func() bool { return s.state("anna").X == to.Position.X })
	killWorlds(s)

	check := func(s *served, players string) {
		t.Helper()
		m := continuedLine.FindStringSubmatch(s.stderr())
		if m == nil || players != "" && m[3] != players {
			t.Fatalf("continued as %q, want %s players", m, players)
		}
		if c := s.creatureAt(dead); c != nil && c.Alive { // a body that is gone is no failure of a slow machine
			t.Errorf("the dead creature is %+v", c)
		}
		if c := s.creatureAt(alive); c == nil || !c.Alive || c.X != far.X {
			t.Errorf("the other creature is %+v", c)
		}
		if c := s.state("anna"); c.Level != 20 || c.Money != 70 || c.X != to.Position.X || c.Online {
			t.Errorf("Anna is %+v", c)
		}
	}
	s = serve(t, flags...)
	check(s, "1")
	v = visit(t, s, "ANNA")
	if back := v.enter(); back != to {
		t.Errorf("Anna comes back at %+v, was at %+v", back, to)
	}
	s.must("POST", "/api/characters/anna/kick", "")
	eventually(t, "Anna is out", func() bool { return !s.state("anna").Online })
	killWorlds(s)
	if err := os.WriteFile(filepath.Join(data, "worlds", "attempts"), []byte("2"), 0o600); err != nil {
		t.Fatal(err)
	}
	s = serve(t, flags...)
	check(s, "") // its world may have had Anna still
	s.stop(syscall.SIGTERM, 1)
	s = serve(t, flags...)
	if check(s, "0"); !strings.Contains(s.stderr(), " ran=0 ") {
		t.Error("after an orderly end ticks are run again")
	}
	s.stop(syscall.SIGTERM, 1)

	// Anything else begins anew, with the characters as they are.
	for _, other := range []struct {
		name   string
		before func()
		flags  []string
		logs   string
	}{
		{"damage", func() {
			logs, err := filepath.Glob(filepath.Join(data, "worlds", "map0-*.snapshot"))
			if err != nil || len(logs) != 1 {
				t.Fatalf("snapshots are %q, %v", logs, err)
			}
			if err := os.Truncate(logs[0], 100); err != nil {
				t.Fatal(err)
			}
		}, nil, "torn off"},
		{"attempts", func() {
			if err := os.WriteFile(filepath.Join(data, "worlds", "attempts"), []byte("3"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, nil, "3 starts have tried to"},
		{"seed", func() {}, []string{"--seed", "2"}, "it was a world with another Seed"},
		{"characters", func() {}, []string{"--durable", "characters"}, "a world that was kept before is not continued"},
	} {
		other.before()
		s := serve(t, slices.Concat(flags, other.flags)...)
		if !strings.Contains(s.stderr(), other.logs) {
			t.Errorf("%s: %q is not logged", other.name, other.logs)
		}
		if c := s.creatureAt(dead); c != nil {
			t.Errorf("%s: there is still %+v", other.name, c)
		}
		if c := s.state("anna"); c.Level != 20 || c.Money != 70 {
			t.Errorf("%s: Anna is %+v", other.name, c)
		}
		v := visit(t, s, "ANNA") // so that there is a world to continue
		v.enter()
		dead = spawnAt(s, anna)
		s.stop(syscall.SIGTERM, 1)
	}
}

// spawnAt brings a creature, of whatever kind, to where a character is.
func spawnAt(s *served, at control.Character) (guid string) {
	s.t.Helper()
	var some control.Creatures
	eventually(s.t, "creatures are awake", func() bool { // around a player that has just come
		if err := json.Unmarshal([]byte(s.must("GET", fmt.Sprintf("/api/creatures?map=%d&limit=1", at.Map), "")), &some); err != nil {
			s.t.Fatal(err)
		}
		return len(some.Creatures) == 1
	})
	var c control.CreatureGUID
	body := fmt.Sprintf(`{"entry":%d,"map":%d,"x":%f,"y":%f,"z":%f}`, some.Creatures[0].Entry, at.Map, at.X, at.Y, at.Z)
	if err := json.Unmarshal([]byte(s.must("POST", "/api/creatures", body)), &c); err != nil {
		s.t.Fatal(err)
	}
	return c.GUID
}

// A world that is continued, after any tick, is the one that was there: it has the same hash.
func TestContinuedWorldIsTheSame(t *testing.T) {
	t.Parallel()
	recordings := recorded(t, stopped, "--clients", "20", "--behaviour", "grind", "--duration", "4s", "--seed", "5")
	p, err := playback.Open(t.Context(), recordings, 0, "", "")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Log.Close()
	h, folder := p.Header, t.TempDir()
	log, err := worldlog.Begin(worldlog.Config{Folder: folder, Header: h, State: p.World.CopySnapshot, Every: 500 / uint64(h.StepMs)}, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // a snapshot may still be being written into the folder
		if err := log.Discard(); err != nil {
			t.Error(err)
		}
	})
	d, err := worldspec.NewDefs(h.Seed, h.Creatures, h.Start)
	if err != nil {
		t.Fatal(err)
	}
	dice, checked, fewest := rand.New(rand.NewPCG(testseed.Of(t), 1)), 0, math.MaxInt
	for {
		record, err := p.Log.Next()
		if err != nil || record.End != "" {
			break
		}
		if record.Inbox == nil {
			continue
		}
		if err := p.World.Inbox().UnmarshalBinary(record.Inbox); err != nil {
			t.Fatal(err)
		}
		log.Append(record.N, p.World.Inbox())
		if err := p.Run(record.N, record.Inbox); err != nil {
			t.Fatal(err)
		}
		log.After()
		if dice.IntN(60) > 0 {
			continue
		}
		found, err := worldlog.Open(folder, 0)
		if err != nil {
			t.Fatal(err)
		}
		again, err := worldset.Rerun(found, &h, worldspec.NewWorld(&h, d, new(metric.Table)), make(map[uint64][]byte))
		if err != nil {
			t.Fatal(err)
		}
		if again.Tick != record.N || again.World.Hash() != p.World.Hash() {
			t.Errorf("after tick %d the world has the hash %016x; continued, after tick %d, %016x", record.N, p.World.Hash(), again.Tick, again.World.Hash())
		}
		fewest = min(fewest, again.Ticks)
		checked++
	}
	if checked < 3 || p.World.Players() == 0 && checked < 5 {
		t.Errorf("compared %d times", checked)
	}
	if fewest > 1000/int(h.StepMs)+10 { // the disk may be slow, but not always
		t.Errorf("at least %d ticks were run again", fewest)
	}
}

// A log that is older than what is stored of its players is not used.
func TestWorldBehindItsPlayers(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	flags := []string{"--data", data, "--creatures", "0", "--start", "one", "--open-level", "3", "--durable", "world"}
	s := serve(t, flags...)
	v := visit(t, s, "ANNA")
	v.create("Anna")
	v.enter()
	killWorlds(s)
	later := filepath.Join(t.TempDir(), "later")
	if err := os.CopyFS(later, os.DirFS(filepath.Join(data, "worlds"))); err != nil {
		t.Fatal(err)
	}
	s = serve(t, flags...)
	v = visit(t, s, "ANNA")
	v.enter()
	s.must("POST", "/api/characters/anna/level", `{"level":9}`)
	s.stop(syscall.SIGTERM, 1)
	if err := os.RemoveAll(filepath.Join(data, "worlds")); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(data, "worlds"), os.DirFS(later)); err != nil {
		t.Fatal(err)
	}
	s = serve(t, flags...)
	if !strings.Contains(s.stderr(), "what is stored of its players is newer") {
		t.Error("an older world is continued")
	}
	v = visit(t, s, "ANNA")
	v.enter()
	killWorlds(s)
	logs, err := filepath.Glob(filepath.Join(data, "worlds", "map0-*.log"))
	if err != nil || len(logs) == 0 {
		t.Fatal(logs, err)
	}
	for _, path := range logs {
		writeBoot(t, path, "another")
	}
	s = serve(t, flags...)
	if !strings.Contains(s.stderr(), "the machine was started anew since") {
		t.Error("a world of before the machine was started is continued")
	}
	if c := s.state("anna"); c.Level != 9 {
		t.Errorf("Anna is %+v", c)
	}
}

// writeBoot writes a log of a world anew, as of another run of the machine.
func writeBoot(t *testing.T, path, boot string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	log, err := recording.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if log.Header.Boot == "" || log.Header.Boot == boot {
		t.Errorf("%s is of the boot %q", path, log.Header.Boot)
	}
	log.Header.Boot = boot
	b = recording.AppendHeader(nil, &log.Header)
	record, err := log.Next()
	for ; err == nil; record, err = log.Next() {
		b = recording.AppendRecord(b, record)
	}
	if err != io.EOF && !errors.Is(err, recording.ErrTorn) {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}
