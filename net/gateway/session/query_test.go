package session

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"muster/net/protocol/msg"
)

// TestQueries has what a client asks in the world, with the answers of protocol.md 2.3 and 4.7.
func TestQueries(t *testing.T) {
	c := newClient(t)
	c.enter()
	expect := func(what string, got []string, want ...string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n got %s\nwant %s", what, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
	}
	expect("own name", c.say(msg.OpNameQuery, &msg.NameQuery{GUID: 7}),
		"SMSG_NAME_QUERY_RESPONSE 0107"+"00"+"416c69636500"+"00"+"01"+"01"+"08"+"00")
	expect("name of a creature", c.say(msg.OpNameQuery, &msg.NameQuery{GUID: 0xF130000005000009}),
		"SMSG_NAME_QUERY_RESPONSE c90905"+"30f1"+"01")
	expect("name of GUID 0", c.say(msg.OpNameQuery, &msg.NameQuery{}), "SMSG_NAME_QUERY_RESPONSE 0001")

	expect("another's name", c.say(msg.OpNameQuery, &msg.NameQuery{GUID: 8}))
	if want := (Request{Kind: FindName, GUID: 8}); !reflect.DeepEqual(c.turn.Asked, want) {
		t.Errorf("asks %+v", c.turn.Asked)
	}
	bob := alice
	bob.GUID, bob.Name, bob.Race, bob.Gender, bob.Class = 8, "Bob", 2, 0, 3
	expect("found", c.answer(Answer{Character: bob}), "SMSG_NAME_QUERY_RESPONSE 0108"+"00"+"426f6200"+"00"+"02"+"00"+"03"+"00")
	c.say(msg.OpNameQuery, &msg.NameQuery{GUID: 9})
	expect("not found", c.answer(Answer{Outcome: NotFound}), "SMSG_NAME_QUERY_RESPONSE 010901")

	zeros := func(n int) string { return strings.Repeat("00", n) }
	expect("creature", c.say(msg.OpCreatureQuery, &msg.EntryQuery{Entry: 5}), "SMSG_CREATURE_QUERY_RESPONSE 05000000"+
		"426f617200"+"000000"+"57696c6400"+"00"+zeros(4)+"01000000"+"05000000"+zeros(4)+zeros(8)+
		"f7010000"+zeros(12)+"0000803f"+"0000803f"+"00"+zeros(24)+zeros(4))
	expect("no creature", c.say(msg.OpCreatureQuery, &msg.EntryQuery{Entry: 6}), "SMSG_CREATURE_QUERY_RESPONSE 06000080")
	// Source: the layout of GAMEOBJECT_QUERY_RESPONSE, docs/protocol.md 4.7.
	expect("game object", c.say(msg.OpGameObjectQuery, &msg.EntryQuery{Entry: 7}), "SMSG_GAMEOBJECT_QUERY_RESPONSE 07000000"+
		"03000000"+"03010000"+"426f7800"+"000000"+"506f696e7400"+"4f70656e00"+"7800"+"2b000000"+"eb080000"+zeros(21*4)+"01000000"+"0000c03f"+zeros(24))
	expect("no game object", c.say(msg.OpGameObjectQuery, &msg.EntryQuery{Entry: 6}), "SMSG_GAMEOBJECT_QUERY_RESPONSE 06000080")
	// Source: the layout of SMSG_ITEM_QUERY_SINGLE_RESPONSE, docs/protocol.md.
	expect("item", c.say(msg.OpItemQuerySingle, &msg.ItemQuerySingle{Entry: 6}), "SMSG_ITEM_QUERY_SINGLE_RESPONSE 06000000"+
		"04000000"+"01000000"+"ffffffff"+"43617000"+"000000"+ // class, subclass, sound, names
		"4d000000"+"02000000"+zeros(16)+"01000000"+"ffffffff"+"ffffffff"+"09000000"+"04000000"+ // display to required level
		zeros(28)+zeros(4)+"01000000"+zeros(4)+zeros(4)+zeros(8)+ // requirements, at most, stack, slots, stats, scaling
		zeros(24)+"0c000000"+zeros(24)+zeros(12)+strings.Repeat(zeros(12)+"ffffffff"+zeros(4)+"ffffffff", 5)+ // damage, armor, spells
		zeros(4)+"00"+zeros(36)+zeros(28)+zeros(24)+zeros(28)) // bonding, text, to suffix, to totem category, sockets, and the rest
	expect("no item", c.say(msg.OpItemQuerySingle, &msg.ItemQuerySingle{Entry: 5}), "SMSG_ITEM_QUERY_SINGLE_RESPONSE 05000080")
	expect("item's name", c.say(msg.OpItemNameQuery, &msg.ItemNameQuery{Entry: 6}), "SMSG_ITEM_NAME_QUERY_RESPONSE 06000000"+"43617000"+"01000000")
	expect("no item's name", c.say(msg.OpItemNameQuery, &msg.ItemNameQuery{Entry: 5}))
	// Source: the layout of smsg_npc_text_update.wowm, wow_messages.
	expect("text", c.say(msg.OpNPCTextQuery, &msg.NPCTextQuery{Text: 9}), "SMSG_NPC_TEXT_UPDATE 09000000"+
		"0000803f"+"53697200"+"4c61647900"+"07000000"+"00000000"+"02000000"+"2c010000"+"01000000"+zeros(8)+
		zeros(4)+"486d00"+"486d00"+zeros(28)+strings.Repeat(zeros(4)+"0000"+zeros(28), 6))
	expect("no text", c.say(msg.OpNPCTextQuery, &msg.NPCTextQuery{Text: 8}), "SMSG_NPC_TEXT_UPDATE 08000000"+
		strings.Repeat(zeros(4)+strings.Repeat("4772656574696e677320244e00", 2)+zeros(28), 8))
	expect("time", c.say(msg.OpQueryTime, &msg.Empty{}), "SMSG_QUERY_TIME_RESPONSE c0a5204c"+"c0a80000")
}

// TestStubs has what real clients ask for at login and wait for.
func TestStubs(t *testing.T) {
	c := newClient(t)
	c.enter()
	for _, q := range []struct {
		op   uint16
		m    msg.Message
		want string
	}{
		{msg.OpQueryNextMailTime, &msg.Empty{}, "? 00c0a8c700000000"},
		{msg.OpGMTicketGet, &msg.Empty{}, "? 0a000000"},
		{msg.OpGMTicketSystemStatus, &msg.Empty{}, "? 00000000"},
		{msg.OpRequestRaidInfo, &msg.Empty{}, "? 00000000"},
		{msg.OpQuestGiverStatusMultipleQuery, &msg.Empty{}, "? 00000000"},
		{msg.OpCalendarGetNumPending, &msg.Empty{}, "? 00000000"},
		{msg.OpWorldStateUITimerUpdate, &msg.Empty{}, "? c0a5204c"},
		{msg.OpContactListQuery, &msg.ContactListQuery{Kinds: 7}, "SMSG_CONTACT_LIST 0700000000000000"},
	} {
		if got := strings.Join(c.say(q.op, q.m), ", "); got != q.want {
			t.Errorf("%#x: said %q, want %q", q.op, got, q.want)
		}
	}
}
