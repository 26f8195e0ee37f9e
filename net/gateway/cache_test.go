package gateway

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"muster/loaders/store"
	"muster/net/gateway/session"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// cache is a block of settings as a client saves it. Its bytes are drawn, so that it does not deflate.
func cache(id uint32, unix uint32, size int) *msg.UpdateAccountData {
	var dice rand.ChaCha8
	block := make([]byte, size)
	dice.Read(block)
	var stream bytes.Buffer
	z := zlib.NewWriter(&stream)
	z.Write(block)
	z.Close()
	return &msg.UpdateAccountData{Cache: id, Time: unix, Size: uint32(size), Stream: stream.Bytes()}
}

// TestCaches: what a client saves comes back to its next connection, byte for byte, that of a character to it alone.
func TestCaches(t *testing.T) {
	r := newRig(t, nil)
	a := r.dial("ALICE").login().character().enter()
	global, own := cache(2, 77, 9000), cache(7, 78, 100)
	for _, m := range []*msg.UpdateAccountData{global, own, cache(1, 79, 10), {Cache: 1, Time: 80}} {
		a.say(msg.OpUpdateAccountData, m)
		if got := a.expect(msg.OpAccountDataSaved); binary.LittleEndian.Uint32(got) != m.Cache {
			t.Errorf("cache %d is confirmed with % x", m.Cache, got)
		}
	}
	a.reset()

	a = r.dial("ALICE").login()
	a.say(msg.OpReadyForAccountDataTimes, &msg.Empty{})
	times := msg.AccountDataTimes{One: 1, Mask: msg.GlobalCaches}
	times.Times[2] = 77
	if got := a.expect(msg.OpAccountDataTimes); !bytes.Equal(got[4:], msg.Append(nil, wire.V12340, &times)[4:]) {
		t.Errorf("the times are % x", got)
	}
	a.say(msg.OpCharEnumQuery, &msg.Empty{})
	a.list()
	a.enter()
	for _, m := range []*msg.UpdateAccountData{global, own, {Cache: 1}} {
		a.say(msg.OpRequestAccountData, &msg.RequestAccountData{Cache: m.Cache})
		want := msg.AccountData{GUID: a.guid, Cache: m.Cache, Time: m.Time, Size: m.Size, Stream: m.Stream}
		if got := a.expect(msg.OpAccountData); !bytes.Equal(got, msg.Append(nil, wire.V12340, &want)) {
			t.Errorf("cache %d came back as % x", m.Cache, got)
		}
	}
}

// TestCacheQuota saves to an account that has left as much as it may.
func TestCacheQuota(t *testing.T) {
	r := newRig(t, nil)
	a := r.dial("ALICE").login().character().enter()
	id, _ := r.account("ALICE")
	other, err := r.store.CreateCharacter(t.Context(), store.Character{Account: id, Name: "Other", Race: 1, Class: 1, Level: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, guid := range []uint64{a.guid, other.GUID} {
		for kind := range uint8(store.DataTypes) {
			if err := r.store.SaveData(t.Context(), id, guid, store.Data{Type: kind, Body: make([]byte, store.MaxDataBlock)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	a.say(msg.OpUpdateAccountData, cache(4, 1, 100))
	until(t, "it is counted", func() bool { return r.metric.Value(session.CacheRefused) == 1 })
	a.say(msg.OpUpdateAccountData, cache(7, 1, 100)) // in place of a longer one
	if got := a.expect(msg.OpAccountDataSaved); got[0] != 7 {
		t.Errorf("what has room is answered with % x", got)
	}
}
