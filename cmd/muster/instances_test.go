package main

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/cmd/internal/flags"
	"muster/net/protocol/msg"
)

// dungeonMap is the instanced map of the synthetic world, and gateIn the trigger that leads into it.
const (
	dungeonMap = 3
	gateIn     = 1
)

// goes follows a client to another map.
func (v *visitor) goes(want uint32) (at msg.Place) {
	v.t.Helper()
	if v.await(msg.OpNewWorld, &at); at.Map != want {
		v.t.Fatalf("%s is sent to %+v, want map %d", v.name, at, want)
	}
	v.say(msg.OpMoveWorldportAck, &msg.Empty{})
	return at
}

// arrives is goes up to the other map's world.
func (v *visitor) arrives(want uint32) (at msg.Place) {
	v.t.Helper()
	at = v.goes(want)
	v.await(msg.OpTimeSyncReq, new(msg.TimeSyncReq))
	return at
}

// listed waits for a line of instance list.
func (s *served) listed(want string) {
	s.t.Helper()
	var said string
	eventually(s.t, want, func() bool {
		_, said, _ = execute(s.t, nil, "ctl", "--socket", s.socket, "instance", "list")
		return strings.Contains(said, want)
	})
}

// shows waits until the live page can show some instances.
func (s *served) shows(want ...uint32) {
	s.t.Helper()
	eventually(s.t, fmt.Sprintf("the page shows the instances %d", want), func() bool {
		var world struct {
			Maps []struct {
				ID        uint32
				Instances []uint32
			}
		}
		if _, body := s.ask("/api/world", ""); json.Unmarshal([]byte(body), &world) != nil {
			return false
		}
		for _, m := range world.Maps {
			if m.ID == dungeonMap {
				return slices.Equal(m.Instances, want)
			}
		}
		return false
	})
}

// hasInboxes waits until a bundle of the flight recorder has the inboxes of some instances, and of no others.
func (s *served) hasInboxes(want ...string) {
	s.t.Helper()
	eventually(s.t, fmt.Sprintf("a bundle has %q", want), func() bool {
		status, bundle := s.ask("/debug/flight", "")
		if status != http.StatusOK {
			s.t.Fatalf("there is no bundle: %d %s", status, bundle)
		}
		z, err := zip.NewReader(strings.NewReader(bundle), int64(len(bundle)))
		if err != nil {
			s.t.Fatal(err)
		}
		var has []string
		for _, f := range z.File {
			if strings.Contains(f.Name, "instance") {
				has = append(has, f.Name)
			}
		}
		return slices.Equal(has, want)
	})
}

// More instances than a process can have are refused.
func TestInstanceFlags(t *testing.T) {
	for n, refused := range map[int]bool{-1: true, 0: false, 1000: false, 1001: true} {
		f := flags.InstanceBounds{Instances: n, InstancesPerHour: 5, InstanceEmpty: time.Second}
		if err := f.Check(); (err != nil) != refused {
			t.Errorf("%d: %v", n, err)
		}
	}
}

// Players walk through a portal into instances of their own, share one when they are bound to it, and find their own again. Empty ones end. A player that
// enters too many, or logs in when its own has ended, is at the portal.
func TestInstances(t *testing.T) {
	waits(t)
	s := serve(t, "--creatures", "0", "--start", "one", "--open-level", "3", "--data", t.TempDir(), "--instance-empty", "1s", "--instances-per-hour", "2")
	a, b := visit(t, s, "ANNA"), visit(t, s, "BERTA")
	for _, v := range []*visitor{a, b} {
		v.create(strings.ToUpper(v.name[:1]) + strings.ToLower(v.name[1:]))
		v.enter()
		v.say(msg.OpAreaTrigger, &msg.AreaTrigger{ID: gateIn}) // from afar: refused
		v.command(".teleport DungeonGate")
		var to msg.Teleport
		v.await(msg.OpMoveTeleportAck, &to)
		v.say(msg.OpMoveTeleportAck, &msg.TeleportAck{Mover: v.guid, Counter: to.Counter})
	}
	s.counted("move.far_trigger", 2)
	// The gate is 20 yards from where DungeonGate is: a player that says so is there.
	walkIn := func(v *visitor) {
		v.command(".go 40 40")
		var to msg.Teleport
		v.await(msg.OpMoveTeleportAck, &to)
		v.say(msg.OpMoveTeleportAck, &msg.TeleportAck{Mover: v.guid, Counter: to.Counter})
		v.say(msg.OpAreaTrigger, &msg.AreaTrigger{ID: gateIn})
	}
	walkIn(a)
	if at := a.arrives(dungeonMap); at.Position.X != 20 || at.Position.Y != 0 {
		t.Errorf("came in at %+v", at)
	}
	walkIn(b)
	b.arrives(dungeonMap)
	s.listed("Instance 1 of map 3: 1 players inside, 1 bound.")
	s.listed("Instance 2 of map 3: 1 players inside, 1 bound.")
	s.shows(1, 2)
	s.hasInboxes("map3-instance1.rec", "map3-instance2.rec")
	for instance, v := range map[int]*visitor{1: a, 2: b} {
		path := fmt.Sprintf("/api/maps/%d/entities?instance=%d&x=20&y=0&r=10", dungeonMap, instance)
		want := fmt.Sprintf(`"entities":[{"guid":"%#x","x":20,"y":0,"kind":"player","state":[]}]}`, v.guid)
		if status, there := s.ask(path, ""); status != http.StatusOK || !strings.Contains(there, want) {
			t.Errorf("instance %d has not %s alone: %d %s", instance, v.name, status, there)
		}
	}

	b.command(".instance enter 1")
	b.command(".teleport DungeonGate")
	b.arrives(0)
	s.listed("1 of 16 instances.") // the second has been empty for a second
	s.shows(1)
	s.hasInboxes("map3-instance1.rec")
	b.command(".teleport Dungeon")
	b.arrives(dungeonMap)
	s.listed("Instance 1 of map 3: 2 players inside, 2 bound.")
	a.command("hello")
	if m := b.chat(msg.ChatSay); m.Sender != a.guid || m.Text != "hello" { // they are in one world
		t.Errorf("heard %+v", m)
	}

	b.command(".teleport DungeonGate")
	b.arrives(0)
	b.command(".instance unbind 3")
	b.command(".teleport Dungeon") // a third one in an hour
	b.goes(dungeonMap)
	var why msg.TransferAborted
	if b.await(msg.OpTransferAborted, &why); why.Map != dungeonMap || why.Reason != 4 {
		t.Errorf("aborted with %+v, want reason 4", why)
	}
	if at := b.arrives(0); at.Position.X != 60 || at.Position.Y != 40 {
		t.Errorf("turned back to %+v", at)
	}

	a.socket.Close()
	s.listed("0 of 16 instances.")
	s.shows()
	a = visit(t, s, "ANNA")
	if list := a.list(); len(list) != 1 || list[0].Map != dungeonMap {
		t.Errorf("the character screen has %+v", list)
	}
	a.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: a.list()[0].GUID})
	var at msg.Place
	if a.await(msg.OpLoginVerifyWorld, &at); at.Map != 0 || at.Position.X != 60 {
		t.Errorf("logged in at %+v, want the exit", at)
	}
	s.stop(os.Interrupt, 1)
}
