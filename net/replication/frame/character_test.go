package frame

import (
	"bytes"
	"sync"
	"testing"

	"muster/components/life"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// A gateway has a character written for its next world while its journal writes the lists that both have: to write it changes nothing, which the race detector holds.
func TestCharacterIsWrittenTwiceAtOnce(t *testing.T) {
	c := Character{GUID: 7, Name: "Anna", Told: life.All}
	c.Auras = []life.Aura{{Spell: 1, Amount: [3]int32{-5, 6, 7}}}
	c.Spells, c.Actions = []uint32{1, 2}, []life.Action{{Button: 1, Packed: 2}}
	c.Cooldowns, c.Items = []life.Cooldown{{Spell: 1, LeftMs: 5}}, []life.Item{{GUID: 8, Entry: 25, Count: 1}}
	var written [2][]byte
	var writing sync.WaitGroup
	for i := range written {
		writing.Go(func() {
			other := c // the lists are the same
			written[i] = msg.Append(nil, wire.V12340, &other)
		})
	}
	writing.Wait()
	if !bytes.Equal(written[0], written[1]) {
		t.Errorf("% x, and % x", written[0], written[1])
	}
}
