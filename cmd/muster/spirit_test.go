package main

import (
	"testing"
	"time"

	"muster/components"
	"muster/internal/conformance"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// TestSpiritHealer has a player die far from its hub, be released to it as a ghost, find the spirit healer there, which it
// did not see before, and live again.
func TestSpiritHealer(t *testing.T) {
	s := serve(t, "--ephemeral", "--open-level", "3", "--death-reclaim", "corpse")
	v := visit(t, s, "MORTAL")
	v.create("Mortal")
	sight := conformance.New(conformance.Config{})
	sight.Packet(msg.OpAuthResponse, msg.Append(nil, wire.V12340, &msg.AuthResponse{Result: msg.AuthOK}))
	v.reads = sight.Packet
	sight.Enter(v.list()[0].GUID)
	v.enter()
	healer := func() (guid uint64) {
		for u := range sight.Creatures() {
			if u.NPCFlags&components.NPCSpiritHealer != 0 {
				guid = u.GUID
			}
		}
		return guid
	}
	// flush waits until all earlier requests are done, and answered.
	flush := func() {
		v.orders(msg.ChatSay, ".guid")
		v.system()
	}
	flush()
	v.orders(msg.ChatSay, ".go xyz 300 300")
	flush()
	if healer() != 0 {
		t.Error("the living see the spirit healer")
	}
	v.orders(msg.ChatSay, ".die")
	var delay msg.CorpseReclaimDelay
	v.await(msg.OpCorpseReclaimDelay, &delay)
	v.say(msg.OpRepopRequest, &msg.RepopRequest{})
	var at msg.DeathReleaseLoc
	if v.await(msg.OpDeathReleaseLoc, &at); at.Map != 0 {
		t.Errorf("the ghost is to be on map %d", at.Map)
	}
	for began := time.Now(); healer() == 0; flush() {
		if time.Since(began) > patience {
			t.Fatal("the ghost sees no spirit healer")
		}
	}
	v.say(msg.OpSpiritHealerActivate, &msg.SpiritHealerActivate{GUID: healer()})
	for at.Map != -1 {
		v.await(msg.OpDeathReleaseLoc, &at)
	}
	flush()
	if healer() != 0 {
		t.Error("it sees the spirit healer still")
	}
	if self, ok := sight.Unit(v.guid); !ok || self.Dead || self.Ghost || self.Health == 0 {
		t.Errorf("it is %+v", self)
	}
	if n := sight.Violations(); n.Total() > 0 {
		t.Errorf("violations: %q", sight.Texts())
	}
}
