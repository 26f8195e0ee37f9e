package control

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"muster/components"
	"muster/net/gateway"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/net/replication/frame"
)

func TestHappenings(t *testing.T) {
	r := NewHappenings(func() time.Duration { return 7 * time.Second }, func(guid uint64) string { return map[uint64]string{1: "Anna"}[guid] })
	var b frame.Builder
	tick := func(all ...change.Happening) *frame.Frame {
		f := new(frame.Frame)
		for _, h := range all {
			b.Happen(h)
		}
		b.Build(f, 1)
		return f
	}
	wolf := components.CreatureGUID(299, 7)
	world := r.World(3)
	world(tick(change.Happening{Kind: change.HappenedLevel, Subject: 1, Amount: 2}))
	r.Connection(gateway.Happening{Kind: gateway.LoggedIn})
	if last := r.record(); last != 0 {
		t.Errorf("%d happenings are kept before the first request", last)
	}

	b.Bytes = msg.Packet(b.Bytes, wire.V12340, msg.OpGMChat, &msg.GMChat{Type: msg.ChatSay, Sender: 1, SenderName: "Anna", Target: 1, Text: "hello"})
	said := b.Cut()
	world(tick(
		change.Happening{Kind: change.HappenedChat, Subject: 1, Said: said},
		change.Happening{Kind: change.HappenedDeath, Subject: wolf, Other: 1, ID: 133},
		change.Happening{Kind: change.HappenedDeath, Subject: 1},
		change.Happening{Kind: change.HappenedItem, Subject: 1, ID: 25, Amount: 3},
		change.Happening{Kind: change.HappenedExperience, Subject: 1, Other: wolf, Amount: 50},
		change.Happening{Kind: change.HappenedMoney, Subject: 1, Other: wolf, Amount: 7},
	))
	r.Connection(gateway.Happening{Kind: gateway.SpokeInChannel, Session: 5, Account: "ANNA", Character: "Anna", Channel: "World", Text: "hi"})
	r.Connection(gateway.Happening{Kind: gateway.Refused, Session: 5, Account: "ANNA", Opcode: "CMSG_PING", Reason: "flood", Detail: strings.Repeat("é", 200)})
	p, ok := r.after(0, &filter{}, 100)
	mapID := uint32(3)
	want := []Happening{
		{Type: "chat", Name: "Anna", GUID: "0x1", Map: &mapID, Text: "hello"},
		{Type: "death", GUID: "0xf13000012b000007", Other: "0x1", OtherName: "Anna", Map: &mapID, Entry: 299, Spell: 133},
		{Type: "kill", Name: "Anna", GUID: "0x1", Other: "0xf13000012b000007", Map: &mapID, Entry: 299, Spell: 133},
		{Type: "death", Name: "Anna", GUID: "0x1", Map: &mapID},
		{Type: "item", Name: "Anna", GUID: "0x1", Map: &mapID, Entry: 25, Amount: 3},
		{Type: "experience", Name: "Anna", GUID: "0x1", Other: "0xf13000012b000007", Map: &mapID, Amount: 50},
		{Type: "money", Name: "Anna", GUID: "0x1", Other: "0xf13000012b000007", Map: &mapID, Amount: 7},
		{Type: "channel", Name: "Anna", Account: "ANNA", Session: 5, Channel: "World", Text: "hi"},
		{Type: "refusal", Account: "ANNA", Session: 5, Opcode: "CMSG_PING", Reason: "flood", Text: strings.Repeat("é", 128)},
	}
	if !ok || p.gap || p.next != 9 || p.changed == nil || len(p.found) != len(want) {
		t.Fatalf("%+v, %t", p, ok)
	}
	for i, got := range p.found {
		w := want[i]
		w.Number, w.NowMs = uint64(i+1), 7000
		if got.Map != nil && *got.Map == mapID {
			got.Map = w.Map
		}
		if got != w {
			t.Errorf("%+v\nwant %+v", got, w)
		}
	}
	for _, c := range []struct {
		f     filter
		after uint64
		most  int
		want  int
		next  uint64
	}{
		{filter{types: []string{"death", "kill"}}, 0, 100, 3, 9},
		{filter{types: []string{"death"}, name: "aNNA"}, 0, 100, 1, 9},
		{filter{name: "anna"}, 1, 100, 7, 9},
		{filter{types: []string{"experience", "money", "channel"}}, 0, 100, 3, 9},
		{filter{}, 0, 2, 2, 2},
		{filter{}, 9, 2, 0, 9},
	} {
		if p, ok := r.after(c.after, &c.f, c.most); !ok || len(p.found) != c.want || p.next != c.next || (p.changed == nil) != (c.next < 9) {
			t.Errorf("%+v: %d up to %d", c, len(p.found), p.next)
		}
	}
	if _, ok := r.after(10, &filter{}, 1); ok {
		t.Error("there is one that has not happened")
	}

	// More than a tick lists, and more than are kept.
	many := make([]change.Happening, 300)
	for i := range many {
		many[i] = change.Happening{Kind: change.HappenedSpell, Subject: 1, ID: 133}
	}
	world(tick(many...))
	select {
	case <-p.changed:
	default:
		t.Error("what waits is not woken")
	}
	p, _ = r.after(9, &filter{types: []string{"chat"}}, 1000)
	if len(p.found) != 1 || p.found[0].Type != "missed" || p.found[0].Amount != 300-256 || p.next != 9+257 {
		t.Errorf("after 300 in a tick: %+v", p)
	}
	if _, _, ok := r.count(9, &filter{}); ok {
		t.Error("some are missed, and all are counted")
	}
	for range 4096 {
		r.Connection(gateway.Happening{Kind: gateway.Closed})
	}
	p, ok = r.after(9, &filter{}, 1)
	if !ok || !p.gap || len(p.found) != 1 || p.found[0].Number != 267 || p.next != 267 {
		t.Errorf("after 4096 more: %+v, %t", p, ok)
	}
	if p, _ := r.after(266, &filter{}, 1); p.gap {
		t.Error("there is a gap where nothing is missing")
	}
	if n, last, ok := r.count(266, &filter{}); n != 4096 || last != 266+4096 || !ok {
		t.Errorf("%d up to %d, %t", n, last, ok)
	}
}

// A silentConsole is one of a world that does not answer.
type silentConsole struct{}

func (silentConsole) Run(ctx context.Context, _ gateway.Caller, _ string) ([]string, error) {
	<-ctx.Done()
	return nil, gateway.ErrSilent
}

func TestSilentWorlds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(Config{Console: silentConsole{}})
		began := time.Now()
		_, err := c.command(t.Context(), "saveall")
		if took := time.Since(began); !errors.Is(err, gateway.ErrSilent) || took != 15*time.Second {
			t.Errorf("%v after %v", err, took)
		}
	})
}
