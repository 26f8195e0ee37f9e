package main

import (
	"strings"
	"testing"
	"time"

	"muster/net/protocol/msg"
)

// A new character is listed in the zone that it will stand in, and as one that has not entered a world yet; once it has,
// it is listed without that. The clock beside the times of caches is the same on the character screen and in the world.
//
// Source: Player::BuildEnumData and WorldSession::SendAccountDataTimes, AzerothCore.
func TestFirstLogin(t *testing.T) {
	s := serve(t, "--ephemeral", "--open-level", "1") // whose accounts log out at once
	v := visit(t, s, "NEWCOMER")
	v.say(msg.OpReadyForAccountDataTimes, &msg.Empty{})
	var outside, inside msg.AccountDataTimes
	v.await(msg.OpAccountDataTimes, &outside)
	v.create("Newcomer")
	first := v.list()[0]
	if !first.FirstLogin || first.Zone == 0 {
		t.Errorf("a new character is listed as %+v", first)
	}
	v.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: first.GUID})
	v.await(msg.OpAccountDataTimes, &inside)
	var calendar msg.LoginSetTimeSpeed
	v.await(msg.OpLoginSetTimeSpeed, &calendar)
	var states msg.InitWorldStates
	if v.await(msg.OpInitWorldStates, &states); states.Zone != first.Zone || states.Map != first.Map {
		t.Errorf("it stands in zone %d of map %d, and was listed in %d of %d", states.Zone, states.Map, first.Zone, first.Map)
	}
	// The calendar of the world begins at noon on the first of January 2000, and the server has not run for long.
	if start := msg.PackTime(time.Date(2000, time.January, 1, 12, 0, 0, 0, time.UTC)); calendar.Time-start > 10 {
		t.Errorf("its calendar says %#x, want a few minutes after %#x", calendar.Time, start)
	}
	now := uint32(time.Now().Unix())
	for name, m := range map[string]msg.AccountDataTimes{"on the character screen": outside, "in the world": inside} {
		if ago := now - m.Now; ago > uint32(patience/time.Second) {
			t.Errorf("%s it is %d, %d s ago", name, m.Now, ago)
		}
	}
	s.outfitted("Newcomer") // without which it is new when it comes back
	v.say(msg.OpLogoutRequest, &msg.Empty{})
	v.await(msg.OpLogoutComplete, &msg.Empty{})
	eventually(t, "it is listed as one that has been in the world, in its zone", func() bool { // once it is stored
		again := v.list()[0]
		return !again.FirstLogin && again.Zone == first.Zone
	})
}

// outfitted returns when a new character has the outfit of its class: its world waits for GUIDs before it gives that.
func (s *served) outfitted(name string) {
	s.t.Helper()
	eventually(s.t, name+" has the outfit of its class", func() bool {
		return strings.Contains(s.must("GET", "/api/characters/"+name, ""), `"slot"`)
	})
}
