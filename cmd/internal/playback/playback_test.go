package playback

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"muster/cmd/internal/worldspec"
	"muster/components/defs"
	"muster/components/life"
	"muster/internal/metric"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/net/replication/recording"
)

// A player that an event concerns in the tick in which it is taken out of a world has left after the next, unless the first takes all the time that there is.
func TestLeavingIsBounded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		quantum time.Duration
		casts   bool // a spell, which is cast in the first tick of the leaving
		ticks   int
		err     string
	}{
		{quantum: maxLeaving, ticks: 1, err: "<nil>"},
		{quantum: maxLeaving - time.Millisecond, casts: true, ticks: 2, err: "<nil>"},
		{quantum: maxLeaving, casts: true, ticks: 1, err: "1 players are in the world still, 5s after they were taken out of it"},
	} {
		h := recording.Header{Seed: 1, Start: "one", StepMs: uint32(c.quantum.Milliseconds()), Reclaim: "anywhere", XPRate: 1}
		d, err := worldspec.NewDefs(h.Seed, h.Creatures, h.Start)
		if err != nil {
			t.Fatal(err)
		}
		heal := &d.Spells[slices.IndexFunc(d.Spells, func(s defs.Spell) bool { return s.CastMs > 0 && s.Effects[0].Kind == defs.EffectHeal })]
		heal.CastMs = h.StepMs
		p := &Playback{Header: h, World: worldspec.NewWorld(&h, d, new(metric.Table))}
		who := &frame.Character{GUID: 1, Name: "Anna", Race: 1, Class: 5, Level: 80, Version: 1}
		who.Told, who.Spells, who.Health, who.Power = life.Spells, []uint32{heal.ID}, 1000, [7]uint32{1000}
		items := []frame.Item{{Session: 1, Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, who)}}
		if c.casts {
			items = append(items, frame.Item{Session: 1, Op: msg.OpCastSpell, Body: msg.Append(nil, wire.V12340, &msg.CastSpell{Spell: heal.ID})})
		}
		for _, it := range items {
			var in frame.Inbox
			if err := in.Add(it); err != nil {
				t.Fatal(err)
			}
			in.Seal()
			b, err := in.AppendBinary(nil)
			if err == nil {
				err = p.Run(p.Tick+1, b)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		ticks := 0
		err = p.Leave(c.quantum, func() error {
			ticks++
			return nil
		})
		if ticks != c.ticks || fmt.Sprint(err) != c.err {
			t.Errorf("%v a tick: %d, and %v; want %d, and %s", c.quantum, ticks, err, c.ticks, c.err)
		}
		if n := p.World.Players(); (n == 0) != (err == nil) {
			t.Errorf("%v a tick: %d players are inside, %v", c.quantum, n, err)
		}
	}
}
