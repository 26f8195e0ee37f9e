package session

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"muster/net/protocol/msg"
	"muster/net/replication/frame"
)

// TestLogin is a whole login, in the order and with the bytes of protocol.md 2.3 and 3.1.1.
func TestLogin(t *testing.T) {
	c := newClient(t)
	expect := func(what string, got []string, want ...string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Fatalf("%s:\n got %s\nwant %s", what, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
	}
	asks := func(want Request) {
		t.Helper()
		if !reflect.DeepEqual(c.turn.Asked, want) {
			t.Fatalf("asks %+v, want %+v", c.turn.Asked, want)
		}
	}
	expect("greeting", c.do(c.session.Greet), "SMSG_AUTH_CHALLENGE 01000000deadbeef"+strings.Repeat("00", 32))
	expect("ping before the login", c.say(msg.OpPing, &msg.Ping{Sequence: 9}), "SMSG_PONG 09000000")

	expect("auth session", c.say(msg.OpAuthSession, hello()))
	asks(Request{Kind: FindKey, Name: "ALICE"})
	expect("key", c.answer(Answer{Account: 3, Key: testKey, Expansion: 2}),
		"SMSG_AUTH_RESPONSE 0c00000000000000000002",
		"SMSG_ADDON_INFO 00000000",
		"SMSG_CLIENTCACHE_VERSION 01000000",
		"SMSG_TUTORIAL_FLAGS "+strings.Repeat("ff", 32))

	expect("account data", c.say(msg.OpReadyForAccountDataTimes, &msg.Empty{}))
	asks(Request{Kind: ListCaches, Cache: 8})
	expect("account data", c.answer(Answer{}),
		"SMSG_ACCOUNT_DATA_TIMES c0a5204c"+"01"+"15000000"+strings.Repeat("00000000", 3))
	expect("realm split", c.say(msg.OpRealmSplitQuery, &msg.RealmSplitQuery{Choice: 0xFFFFFFFF}),
		"SMSG_REALM_SPLIT ffffffff"+"00000000"+"30312f30312f303100")

	expect("list", c.say(msg.OpCharEnumQuery, &msg.Empty{}))
	asks(Request{Kind: ListCharacters})
	expect("empty list", c.answer(Answer{}), "SMSG_CHAR_ENUM 00")

	expect("create", c.say(msg.OpCharCreate, &msg.CharCreate{Name: "aLICE", Look: msg.Look{
		Race: 1, Class: 8, Gender: 1, Skin: 2, Face: 3, HairStyle: 4, HairColor: 5, FacialStyle: 6}}))
	asks(Request{Kind: CreateCharacter, Character: frame.Character{
		Account: 3, Name: "aLICE", Race: 1, Class: 8, Gender: 1, Skin: 2, Face: 3, HairStyle: 4, HairColor: 5, Facial: 6, Level: 1}})
	expect("created", c.answer(Answer{}), "SMSG_CHAR_CREATE 2f")

	c.say(msg.OpCharEnumQuery, &msg.Empty{})
	expect("list of one", c.answer(Answer{Characters: []frame.Character{alice}}), "SMSG_CHAR_ENUM 01"+
		"0700000000000000"+"416c69636500"+"010801"+"0203040506"+"0a"+"0c000000"+"01000000"+
		"0000c842"+"000048c3"+"0000f041"+strings.Repeat("00", 4+4+4)+"01"+strings.Repeat("00", 12)+strings.Repeat("00", 23*9))

	expect("enter", c.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: 7}))
	asks(Request{Kind: EnterWorld, GUID: 7})
	expect("loaded", c.answer(Answer{Character: alice}))
	c.is(msg.Entering)
	c.session.Entered()
	c.is(msg.World)

	stop := msg.Move{Mover: 7, Movement: msg.Movement{Time: 5, X: 100, Y: -200, Z: 30, O: 1}}
	expect("stop", c.say(msg.OpMoveStop, &stop))
	if len(c.items) != 1 || c.items[0].Op != msg.OpMoveStop ||
		hex(c.items[0].Body) != "0107"+"00000000"+"0000"+"05000000"+"0000c842"+"000048c3"+"0000f041"+"0000803f"+"00000000" {
		t.Fatalf("to the world went %x", c.items)
	}

	expect("out of the world", c.do(c.session.Left))
	c.is(msg.Select)
	c.say(msg.OpCharDelete, &msg.CharDelete{GUID: 7})
	asks(Request{Kind: DeleteCharacter, GUID: 7})
	expect("deleted", c.answer(Answer{}), "SMSG_CHAR_DELETE 47")
}
