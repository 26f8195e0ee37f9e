package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"muster/components"
	"muster/net/msg"
)

var nearby = regexp.MustCompile(`^.*, entry (\d+), counter (\d+), `)

// brawls has Anna, a game master with 13 copper, begin a fight with some creature.
func (v *visitor) brawls() {
	v.t.Helper()
	v.orders(msg.ChatSay, ".modify money 13")
	v.hears("Anna has 13 copper.")
	v.orders(msg.ChatSay, ".npc near 60")
	found := nearby.FindStringSubmatch(v.system())
	if found == nil {
		v.t.Fatal("there are no creatures within 60 yards")
	}
	var entry, counter uint32
	fmt.Sscan(found[1], &entry)
	fmt.Sscan(found[2], &counter)
	v.say(msg.OpSetSelection, &msg.SetSelection{GUID: components.CreatureGUID(entry, counter)})
	v.orders(msg.ChatSay, ".cheat god on")
	v.hears("God mode is on.")
	v.orders(msg.ChatSay, ".damage 1")
	v.orders(msg.ChatSay, ".gps")
	v.system()
}

// TestDroppedInAFight cuts a player off in the middle of a fight. It stays where others see it, and is taken over by who
// logs in again; it is kept as it was when the server is stopped, and when it is killed.
func TestDroppedInAFight(t *testing.T) {
	for _, end := range []os.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		t.Run(end.String(), func(t *testing.T) {
			t.Parallel()
			data := t.TempDir()
			flags := []string{"--data", data, "--open-level", "3"}
			s := serve(t, flags...)
			anna, bert := visit(t, s, "ANNA"), visit(t, s, "BERT")
			anna.create("Anna")
			bert.create("Bert")
			anna.enter()
			bert.enter()
			gone := false
			bert.reads = func(op uint16, body []byte) {
				gone = gone || op == msg.OpDestroyObject && body[0] == byte(anna.guid)
			}
			there := func() bool {
				bert.orders(msg.ChatSay, ".pinfo Anna")
				line := bert.system()
				for here := strings.HasPrefix(line, "Anna, GUID"); here && !strings.HasPrefix(line, "Played for "); {
					line = bert.system()
				}
				return strings.HasPrefix(line, "Played for ")
			}
			anna.brawls()
			anna.socket.Close()
			eventually(t, "the connection is counted out", func() bool { return s.stats().World == 1 })
			if !there() {
				t.Fatal("she is gone")
			}
			again := visit(t, s, "ANNA")
			again.enter()
			again.say(msg.OpSetSelection, &msg.SetSelection{})
			before := s.condition().Journal.Bytes
			again.orders(msg.ChatSay, ".modify money 1")
			again.hears("Anna has 14 copper.")
			eventually(t, "that is in the journal", func() bool { return s.condition().Journal.Bytes > before })
			if !there() || gone {
				t.Errorf("she is there: %v; Bert saw her go: %v", there(), gone)
			}
			again.socket.Close()
			eventually(t, "the connection is counted out", func() bool { return s.stats().World == 1 })
			if !there() || gone {
				t.Errorf("she is there: %v; Bert saw her go: %v", there(), gone)
			}
			if end == syscall.SIGTERM {
				s.stop(end, 1)
			} else {
				s.cmd.Process.Signal(end)
				<-s.ended
			}
			s = serve(t, flags...)
			after := visit(t, s, "ANNA")
			after.enter()
			after.orders(msg.ChatSay, ".modify money 1")
			after.hears("Anna has 15 copper.")
		})
	}
}
