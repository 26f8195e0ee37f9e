package main

import (
	"bytes"
	"compress/zlib"
	"reflect"
	"strings"

	"muster/net/protocol/msg"
)

// settings are what the visitor leaves: of its account, and of its character.
func settings() (all []msg.UpdateAccountData) {
	for i, text := range []string{strings.Repeat("SET farclip \"777\"\n", 3000), "bind W MOVEFORWARD"} {
		var b bytes.Buffer
		z := zlib.NewWriter(&b)
		z.Write([]byte(text))
		z.Close()
		all = append(all, msg.UpdateAccountData{
			Cache: []uint32{0, 3}[i], Time: 0x4C20A5C0 + uint32(i), Size: uint32(len(text)), Stream: b.Bytes(),
		})
	}
	return all
}

// saveSettings leaves them with the server.
func (v *visitor) saveSettings() {
	v.t.Helper()
	for _, s := range settings() {
		v.say(msg.OpUpdateAccountData, &s)
		var m msg.AccountDataSaved
		if v.await(msg.OpAccountDataSaved, &m); m.Cache != s.Cache {
			v.t.Errorf("cache %d is confirmed as %d", s.Cache, m.Cache)
		}
	}
}

// findSettings has them back, in the world.
func (v *visitor) findSettings() {
	v.t.Helper()
	all := settings()
	var times, global msg.AccountDataTimes
	v.await(msg.OpAccountDataTimes, &times) // the character's, which the world sends
	v.say(msg.OpReadyForAccountDataTimes, &msg.Empty{})
	v.await(msg.OpAccountDataTimes, &global)
	if times.Mask != msg.CharacterCaches || times.Times[3] != all[1].Time || global.Mask != msg.GlobalCaches || global.Times[0] != all[0].Time {
		v.t.Errorf("the times are %+v and %+v", times, global)
	}
	for _, s := range all {
		v.say(msg.OpRequestAccountData, &msg.RequestAccountData{Cache: s.Cache})
		var m msg.AccountData
		v.await(msg.OpAccountData, &m)
		if want := (msg.AccountData{GUID: v.guid, Cache: s.Cache, Time: s.Time, Size: s.Size, Stream: s.Stream}); !reflect.DeepEqual(m, want) {
			v.t.Errorf("saved %+v, and got %+v", want, m)
		}
	}
}
