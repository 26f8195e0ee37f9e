package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"muster/cmd/internal/worldspec"
	"muster/components/defs"
	"muster/net/ops/control"
	"muster/net/protocol/msg"
)

// told asks for happenings.
func (s *served) told(query string) (all control.Told) {
	s.t.Helper()
	if err := json.Unmarshal([]byte(s.must("GET", "/api/happenings?"+query, "")), &all); err != nil {
		s.t.Fatal(err)
	}
	return all
}

// first waits for the first happening of a type.
func (s *served) first(kind, name string) (h control.Happening) {
	s.t.Helper()
	all := s.told("after=0&wait=1m&type=" + kind + "&name=" + url.QueryEscape(name))
	if len(all.Happenings) == 0 || all.Gap {
		s.t.Fatalf("there is no %s of %s: %+v", kind, name, all)
	}
	return all.Happenings[0]
}

// What clients do on a real clock is told: to those that ask, that wait, and as a stream.
func TestHappenings(t *testing.T) {
	s := serve(t, "--ephemeral", "--creatures", "0", "--start", "one")
	if all := s.told("wait=1ms"); all.Next != 0 || all.Gap || len(all.Happenings) != 0 {
		t.Errorf("before anything happens: %+v", all)
	}
	streamed := make(chan []string, 1)
	go func() { streamed <- s.stream("close") }()

	v := visit(t, s, "ANNA")
	if h := s.first("login", "anna"); h.Account != "ANNA" || h.Session == 0 || h.Name != "" {
		t.Errorf("the login is %+v", h)
	}
	v.say(msg.OpSetSelection, &msg.Empty{}) // on the character screen
	if h := s.first("refusal", "ANNA"); h.Opcode != "CMSG_SET_SELECTION" || h.Reason == "" {
		t.Errorf("the refusal is %+v", h)
	}
	v.create("Anna")
	at := v.enter()
	guid := fmt.Sprintf("0x%x", v.guid)
	if h := s.first("enter", "anna"); h.Name != "Anna" || h.GUID != guid || h.Map == nil || *h.Map != at.Map {
		t.Errorf("the entry is %+v", h)
	}
	v.orders(msg.ChatSay, "hello")
	if h := s.first("chat", "Anna"); h.Text != "hello" || h.GUID != guid {
		t.Errorf("the speech is %+v", h)
	}
	v.say(msg.OpChatMessage, &msg.ChatMessage{Type: uint32(msg.ChatWhisper), Language: 7, To: "Anna", Text: "psst"})
	if h := s.first("whisper", "Anna"); h.Text != "psst" || h.OtherName != "Anna" {
		t.Errorf("the whisper is %+v", h)
	}
	s.must("POST", "/api/characters/anna/level", `{"level":7}`)
	if h := s.first("level", "Anna"); h.Amount != 7 {
		t.Errorf("the level is %+v", h)
	}
	s.must("POST", "/api/characters/anna/items", `{"entry":100045,"count":2}`)
	if h := s.first("item", "Anna"); h.Entry == 0 || h.Amount == 0 {
		t.Errorf("the items are %+v", h)
	}
	v.say(msg.OpCastSpell, &msg.CastSpell{Count: 1, Spell: 1 << 20})
	if h := s.first("cast_failed", "Anna"); h.Spell != 1<<20 {
		t.Errorf("the failed cast is %+v", h)
	}

	v.say(msg.OpJoinChannel, &msg.JoinChannel{Name: "World"})
	v.say(msg.OpChatMessage, &msg.ChatMessage{Type: uint32(msg.ChatChannel), Language: 7, To: "world", Text: "anybody?"})
	if h := s.first("channel", "Anna"); h.Text != "anybody?" || h.Channel != "World" || h.Account != "ANNA" {
		t.Errorf("the speech in a channel is %+v", h)
	}

	// A creature beside her dies by her hand, and she takes what it has.
	d, err := worldspec.NewDefs(1, 0, "one")
	if err != nil {
		t.Fatal(err)
	}
	entry := d.Creatures[slices.IndexFunc(d.Creatures, func(c defs.Creature) bool { return strings.HasSuffix(c.Name, " outlaw") })].Entry
	var wolf control.CreatureGUID
	body := fmt.Sprintf(`{"entry":%d,"map":%d,"x":%f,"y":%f,"z":%f}`, entry, at.Map, at.Position.X+3, at.Position.Y, at.Position.Z)
	if err := json.Unmarshal([]byte(s.must("POST", "/api/creatures", body)), &wolf); err != nil {
		t.Fatal(err)
	}
	number, err := strconv.ParseUint(wolf.GUID, 0, 64)
	if err != nil {
		t.Fatal(err)
	}
	v.say(msg.OpSetSelection, &msg.SetSelection{GUID: number})
	eventually(t, "Anna has selected it", func() bool { return s.state("anna").Target == number })
	s.must("POST", "/api/console", `{"line":"#Anna damage 10000"}`)
	if h := s.first("kill", "Anna"); h.Other != wolf.GUID || h.Entry != entry || h.GUID != guid {
		t.Errorf("the kill is %+v", h)
	}
	if h := s.first("death", ""); h.GUID != wolf.GUID || h.OtherName != "Anna" {
		t.Errorf("the death is %+v", h)
	}
	// Of level 6, by a player of level 7. Source: Acore::XP::BaseGain, AzerothCore.
	if h := s.first("experience", "Anna"); h.Other != wolf.GUID || h.Amount != 64 || h.GUID != guid {
		t.Errorf("the experience is %+v", h)
	}
	v.say(msg.OpLoot, &msg.Loot{GUID: number})
	var loot msg.LootResponse
	v.await(msg.OpLootResponse, &loot)
	v.say(msg.OpLootMoney, &msg.Empty{})
	if h := s.first("money", "Anna"); h.Other != wolf.GUID || h.Amount != loot.Copper || loot.Copper < 5 || h.GUID != guid {
		t.Errorf("the money is %+v, and the body had %d", h, loot.Copper)
	}
	// A run on a real clock waits, and counts what has happened since a number.
	if r := s.ran(`{"until":"event(\"kill\", \"Anna\") == 1 && creature(\"` + wolf.GUID + `\").alive == false","after":0}`); len(r.Values) != 2 {
		t.Errorf("the run is %+v", r)
	}
	s.must("POST", "/api/characters/anna/kick", "")
	if h := s.first("close", "Anna"); h.Reason != "closed.kicked" || h.Account != "ANNA" {
		t.Errorf("the end is %+v", h)
	}
	s.first("leave", "Anna")

	lines := <-streamed
	last, text := uint64(0), strings.Join(lines, "\n")
	for _, want := range []string{"\nevent: enter\n", "\nevent: chat\n", "\nevent: kill\n", `"text":"hello"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in the stream\n%s", want, text)
		}
	}
	for _, line := range lines {
		var n uint64
		if _, err := fmt.Sscanf(line, "id: %d", &n); err == nil {
			if n != last+1 {
				t.Errorf("%d follows %d in the stream", n, last)
			}
			last = n
		}
	}

	for _, query := range []string{"after=x", "after=99999", "wait=2m", "wait=-1s", "wait=7", "type=sneeze", "type=", "limit=1001", "limit=-1"} {
		if status, text := s.call("GET", "/api/happenings?"+query, ""); (status != http.StatusBadRequest) != (query == "type=") {
			t.Errorf("%s: %d %s", query, status, text)
		}
	}
	opened := 0
	for ; opened <= 32; opened++ {
		got := s.follow()
		defer got.Body.Close()
		if got.StatusCode == http.StatusTooManyRequests {
			break
		}
	}
	if opened != 32 {
		t.Errorf("%d streams are followed at a time, want 32", opened)
	}
	s.refuses("GET", "/api/happenings?wait=1ms", "", 429, "busy")
	s.stop(syscall.SIGTERM, 1)
}

// follow opens a stream of what happens from the first on.
func (s *served) follow() *http.Response {
	r, err := http.NewRequestWithContext(s.t.Context(), "GET", "http://"+s.admin+"/api/happenings?after=0", nil)
	if err != nil {
		panic(err)
	}
	r.Header.Set("Accept", "text/event-stream")
	got, err := alone.Do(r)
	if err != nil {
		panic(err)
	}
	return got
}

// stream returns what is sent as events up to one of a type, or to the end.
func (s *served) stream(until string) (lines []string) {
	got := s.follow()
	defer got.Body.Close()
	ended := false
	for all := bufio.NewScanner(got.Body); !ended && all.Scan(); {
		lines = append(lines, all.Text())
		ended = ended || len(lines) > 2 && lines[len(lines)-2] == "event: "+until
	}
	return lines
}
