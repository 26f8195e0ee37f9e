package mustertest

import (
	"context"
	"fmt"
	"net/url"
	"time"
)

// Ran is what there was when a condition held.
type Ran struct {
	NowMs  int64   `json:"now_ms"` // time of the worlds
	RanMs  int64   `json:"ran_ms"` // how much of it has passed
	Values []Value `json:"values"`
	Next   uint64  `json:"next"` // the number of the last happening
}

// A Value is that of a part of a condition.
type Value struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// RunUntil returns when a condition holds, as in
//
//	server.RunUntil(`session("Anna").level >= 2 && session("Anna").health < 100`, time.Minute)
//
// On a virtual clock that stands it takes the steps for that as fast as possible, and the clock stands again after the first step after
// which the condition holds; otherwise it waits. It ends the test if the condition does not hold within a time of the worlds, an hour at
// most, and says what the values were then. docs/operating.md has the grammar.
func (s *Server) RunUntil(condition string, limit time.Duration) Ran {
	s.t.Helper()
	return s.runUntil(map[string]any{"until": condition, "limit_ms": limit.Milliseconds()})
}

// RunUntilAfter is RunUntil, where event("kill") and others count from a Mark on.
func (s *Server) RunUntilAfter(mark uint64, condition string, limit time.Duration) Ran {
	s.t.Helper()
	return s.runUntil(map[string]any{"until": condition, "limit_ms": limit.Milliseconds(), "after": mark})
}

func (s *Server) runUntil(order map[string]any) (r Ran) {
	s.t.Helper()
	if err := s.call(s.t.Context(), "POST", "/api/run", order, &r); err != nil {
		s.t.Fatal(err)
	}
	return r
}

// A Happening is something that has happened on the server. What does not apply is zero.
type Happening struct {
	Number    uint64 `json:"number"` // ascending by one
	NowMs     int64  `json:"now_ms"` // the time of the worlds
	Type      string `json:"type"`   // enter, leave, logout, login, close, refusal, kill, death, level, experience, item, money, spell, cast_failed, chat, channel, whisper, event_begin, event_end
	Name      string `json:"name"`   // the character that it is about
	GUID      GUID   `json:"guid"`   // the unit that it is about
	Account   string `json:"account"`
	Session   uint64 `json:"session"`
	Map       uint32 `json:"map"`
	Other     GUID   `json:"other"`      // what was killed, what killed, what was looted, or what a spell has hit first
	OtherName string `json:"other_name"` // if that is a character, or the recipient of a whisper
	Entry     uint32 `json:"entry"`      // of the item; of the creature that died
	Spell     uint32 `json:"spell"`
	Event     uint32 `json:"event"`   // the number of the game event that has begun or ended
	Channel   string `json:"channel"` // that something was said in
	Amount    uint32 `json:"amount"`  // the new level, how much experience, how many items, how much copper, why a cast failed
	Text      string `json:"text"`    // what was said; details of a refusal
	Opcode    string `json:"opcode"`
	Reason    string `json:"reason"` // of a refusal or a close, as docs/REFUSALS.md has it
}

// A told is some happenings.
type told struct {
	Happenings []Happening `json:"happenings"`
	Next       uint64      `json:"next"`
	Gap        bool        `json:"gap"`
}

// Mark is the number of the last happening: WaitFor takes it, and returns what has happened after it. The server keeps happenings from
// the first Mark on.
func (s *Server) Mark() uint64 {
	s.t.Helper()
	var now told
	s.must("GET", "/api/happenings", nil, &now)
	return now.Next
}

// WaitFor returns the first happening after a Mark of a type, such as kill, and of a character or an account, "" for any. It ends the test
// if there is none within a minute of the machine, or if the server no longer keeps all that happened since.
func (s *Server) WaitFor(mark uint64, kind, name string) Happening {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	for {
		var got told
		path := fmt.Sprintf("/api/happenings?after=%d&wait=10s&limit=1&type=%s&name=%s", mark, url.QueryEscape(kind), url.QueryEscape(name))
		err := s.call(ctx, "GET", path, nil, &got)
		switch {
		case ctx.Err() != nil:
			s.t.Fatalf("mustertest: no %s of %s has happened within %v", kind, name, patience)
		case err != nil:
			s.t.Fatal(err)
		case got.Gap || len(got.Happenings) > 0 && got.Happenings[0].Type == "missed":
			s.t.Fatalf("mustertest: the server no longer keeps all that has happened since %d", mark)
		case len(got.Happenings) > 0:
			return got.Happenings[0]
		}
		mark = got.Next
	}
}
