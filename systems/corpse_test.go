package systems

import (
	"fmt"
	"testing"

	"muster/components"
	"muster/net/protocol/command"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/systems/death"
	"muster/systems/rules"
)

// A command that names the number of a player's corpse, or that is used while the corpse is selected, is refused: a corpse is no
// creature. The corpse stays.
func TestVerbsAboutCorpses(t *testing.T) {
	const cara = 600 // of a number that no creature has
	c := courtOf(t, Config{Reclaim: death.AtCorpse})
	c.world.Inbox().Add(frame.Item{Session: 3, Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340,
		&frame.Character{GUID: cara, Name: "Cara", Race: 1, Class: 1, Level: 1, X: 2})})
	c.step()
	c.world.Damage(rules.Damage{To: c.world.Find(cara), Amount: 1e6})
	c.step()
	c.world.Inbox().Add(frame.Item{Session: 3, Op: msg.OpRepopRequest, Body: []byte{0}})
	for range 5 {
		c.step()
	}
	corpse := components.CorpseGUID(cara)
	for i := range command.Table {
		v := &command.Table[i]
		if v.Scope == command.Server {
			continue
		}
		for _, args := range []string{"", fmt.Sprint(" ", cara), fmt.Sprintf(" %d 1", cara), " 1"} {
			c.selects(corpse)
			c.do("." + v.Path + args)
			if !c.world.ecs.Exists(c.world.Find(corpse)) {
				t.Fatalf(".%s%s: the corpse is gone", v.Path, args)
			}
		}
	}
	for _, verb := range []string{".npc delete 600", ".npc move 600", ".npc set movetype 600 stay"} {
		if got, want := fmt.Sprint(c.do(verb)), "[There is no such creature here.]"; got != want {
			t.Errorf("%s: %s, want %s", verb, got, want)
		}
	}
}
