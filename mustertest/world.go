package mustertest

import (
	"net/url"
	"time"
)

// awaitStored waits until a character that leaves is in no world any more, and stored.
func (s *Server) awaitStored(character string) {
	s.t.Helper()
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for deadline := time.Now().Add(patience); ; <-poll.C {
		var online struct{ Sessions []struct{ Name string } }
		if err := s.Call("GET", "/api/sessions?q="+url.QueryEscape(character), nil, &online); err != nil {
			s.t.Fatal(err)
		}
		there := false
		for _, o := range online.Sessions { // the names of others may begin with it
			there = there || o.Name == character
		}
		if !there {
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("mustertest: %s is not stored %v after its logout", character, patience)
		}
	}
}

// Snapshot takes a snapshot of all accounts and characters under a name, in place of one that has it. There must be no player in a
// world: Client.Logout takes one out.
func (s *Server) Snapshot(name string) {
	s.t.Helper()
	if err := s.Call("POST", "/api/world/snapshot", map[string]string{"name": name}, nil); err != nil {
		s.t.Fatal(err)
	}
}

// Reset closes all sessions and has the world begin anew, with the accounts and characters of a snapshot; with "", with those of the
// start. It returns when clients can log in, and takes a fraction of the time of a start.
func (s *Server) Reset(snapshot string) {
	s.t.Helper()
	if err := s.Call("POST", "/api/world/reset", map[string]string{"snapshot": snapshot}, nil); err != nil {
		s.t.Fatal(err)
	}
}
