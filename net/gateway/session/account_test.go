package session

import (
	"reflect"
	"strings"
	"testing"

	"muster/net/protocol/msg"
)

// TestCaches saves and asks for settings of the account and of a character, before, during and after play.
//
// Source: GLOBAL_CACHE_MASK, WorldSession.h; SetAccountData and HandleRequestAccountData, AzerothCore; protocol.md 2.3.
func TestCaches(t *testing.T) {
	c := newClient(t)
	stream := deflated([]byte("SET a \"1\"\nSET"))
	update := func(cache uint32) *msg.UpdateAccountData {
		return &msg.UpdateAccountData{Cache: cache, Time: 0x01020304, Size: 13, Stream: stream}
	}
	show := func(cache uint32) *msg.RequestAccountData { return &msg.RequestAccountData{Cache: cache} }
	step := func(what string, op uint16, m msg.Message, asks Request, a Answer, want ...string) {
		t.Helper()
		said := c.say(op, m)
		if !reflect.DeepEqual(c.turn.Asked, asks) {
			t.Errorf("%s: asks %+v, want %+v", what, c.turn.Asked, asks)
		}
		if asks.Kind != Nothing {
			said = append(said, c.answer(a)...)
		}
		if strings.Join(said, ", ") != strings.Join(want, ", ") {
			t.Errorf("%s: said\n %q, want\n %q", what, said, want)
		}
	}
	kept := Answer{Caches: []msg.UpdateAccountData{{Cache: 0, Time: 5, Size: 3}, *update(2), {Cache: 4, Time: 7, Size: 3}}}
	times := Request{Kind: ListCaches, Cache: caches}
	const at = "SMSG_ACCOUNT_DATA_TIMES c0a5204c0115000000"
	c.login()
	step("the times", msg.OpReadyForAccountDataTimes, &msg.Empty{}, times, kept, at+"05000000"+"04030201"+"07000000")
	step("times of a busy store", msg.OpReadyForAccountDataTimes, &msg.Empty{}, times, Answer{Outcome: Failed}, at+strings.Repeat("00", 12))
	step("one of the account", msg.OpRequestAccountData, show(2), Request{Kind: ListCaches, Cache: 2}, kept,
		"SMSG_UPDATE_ACCOUNT_DATA 0000000000000000"+"02000000"+"04030201"+"0d000000"+hex(stream))
	step("one without an owner yet", msg.OpRequestAccountData, show(1), Request{}, Answer{}, "SMSG_UPDATE_ACCOUNT_DATA 0000000000000000"+"01000000"+strings.Repeat("00", 8))
	step("saves without an owner yet", msg.OpUpdateAccountData, update(1), Request{}, Answer{}, "SMSG_UPDATE_ACCOUNT_DATA_COMPLETE 0100000000000000")
	step("saves for the account", msg.OpUpdateAccountData, update(4), Request{Kind: SaveCache, Message: update(4)}, Answer{},
		"SMSG_UPDATE_ACCOUNT_DATA_COMPLETE 0400000000000000")

	c.say(msg.OpPlayerLogin, &msg.PlayerLogin{GUID: alice.GUID})
	c.answer(Answer{Character: alice})
	c.session.Entered()
	step("one that is empty", msg.OpRequestAccountData, show(7), Request{Kind: ListCaches, GUID: 7, Cache: 7}, kept,
		"SMSG_UPDATE_ACCOUNT_DATA 0700000000000000"+"07000000"+strings.Repeat("00", 8))
	step("one of a busy store", msg.OpRequestAccountData, show(7), Request{Kind: ListCaches, GUID: 7, Cache: 7}, Answer{Outcome: Failed})
	step("saves for the character", msg.OpUpdateAccountData, update(7), Request{Kind: SaveCache, GUID: 7, Message: update(7)}, Answer{},
		"SMSG_UPDATE_ACCOUNT_DATA_COMPLETE 0700000000000000")
	erase := &msg.UpdateAccountData{Cache: 3, Time: 9, Stream: []byte("junk")}
	step("erases", msg.OpUpdateAccountData, erase, Request{Kind: SaveCache, GUID: 7, Message: erase}, Answer{},
		"SMSG_UPDATE_ACCOUNT_DATA_COMPLETE 0300000000000000")
	step("has no room", msg.OpUpdateAccountData, update(7), Request{Kind: SaveCache, GUID: 7, Message: update(7)}, Answer{Outcome: TooMany})
	step("has a busy store", msg.OpUpdateAccountData, update(7), Request{Kind: SaveCache, GUID: 7, Message: update(7)}, Answer{Outcome: Failed})

	c.do(c.session.Left)
	step("saves on the way out", msg.OpUpdateAccountData, update(1), Request{Kind: SaveCache, GUID: 7, Message: update(1)}, Answer{},
		"SMSG_UPDATE_ACCOUNT_DATA_COMPLETE 0100000000000000")
	if refused, failed := c.metric.Value(CacheRefused), c.metric.Value(CacheFailed); refused != 1 || failed != 3 {
		t.Errorf("%d refused and %d failed were counted, want 1 and 3", refused, failed)
	}
}

// TestBadCaches has streams without their stated content. FAULTS.md row 13.
func TestBadCaches(t *testing.T) {
	stream := deflated(make([]byte, maxCacheSize))
	wrong := append([]byte(nil), stream...)
	wrong[len(wrong)-1]++
	for name, m := range map[string]msg.Message{
		"no such cache":        &msg.UpdateAccountData{Cache: caches},
		"no such cache to see": &msg.RequestAccountData{Cache: caches},
		"too large":            &msg.UpdateAccountData{Size: maxCacheSize + 1, Stream: deflated(make([]byte, maxCacheSize+1))},
		"a bomb":               &msg.UpdateAccountData{Size: maxCacheSize, Stream: deflated(make([]byte, 1<<20))},
		"longer than it says":  &msg.UpdateAccountData{Size: maxCacheSize - 1, Stream: stream},
		"shorter than it says": &msg.UpdateAccountData{Size: 100, Stream: deflated(make([]byte, 99))},
		"cut":                  &msg.UpdateAccountData{Size: maxCacheSize, Stream: stream[:len(stream)-1]},
		"a wrong sum":          &msg.UpdateAccountData{Size: maxCacheSize, Stream: wrong},
		"not zlib":             &msg.UpdateAccountData{Size: 4, Stream: []byte("junk")},
		"no stream":            &msg.UpdateAccountData{Size: 4},
	} {
		c := newClient(t)
		c.enter()
		op := uint16(msg.OpUpdateAccountData)
		if _, ok := m.(*msg.RequestAccountData); ok {
			op = msg.OpRequestAccountData
		}
		if said := c.say(op, m); said != nil || c.turn.Asked.Kind != Nothing || c.metric.Value(BadAccountData) != 1 {
			t.Errorf("%s: said %q, asks %d, counted %d", name, said, c.turn.Asked.Kind, c.metric.Value(BadAccountData))
		}
	}
	c := newClient(t)
	c.enter()
	if c.say(msg.OpUpdateAccountData, &msg.UpdateAccountData{Size: maxCacheSize, Stream: stream}); c.turn.Asked.Kind != SaveCache {
		t.Error("the largest cache is not kept")
	}
}
