package systems

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/components/defs"
	"muster/internal/testseed"
	"muster/net/protocol/command"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/net/replication/frame"
)

// replace gives the world a part of other definitions, which counts in the next tick.
func (r *reserve) replace(part defs.Part, w *defs.World) {
	r.t.Helper()
	r.offer(part, w)
	r.tick()
}

func (r *reserve) replaceBy(patch []byte) {
	r.offerBytes(patch)
	r.tick()
}

// offer gives the world a part, which is read beside the next tick and counts in the one after it.
func (r *reserve) offer(part defs.Part, w *defs.World) {
	r.t.Helper()
	b, err := w.Cut(part, &w.Maps[0]).AppendBinary(nil)
	if err != nil {
		r.t.Fatal(err)
	}
	r.offerBytes(b)
}

func (r *reserve) offerBytes(patch []byte) {
	for _, it := range frame.Reloads(77, 0, patch) {
		if err := r.world.Inbox().Add(it); err != nil {
			r.t.Fatal(err)
		}
	}
}

// answers are those of the last tick to operators.
func (r *reserve) answers() (said []string) {
	for _, a := range r.frame.Answers {
		said = append(said, string(r.frame.In(a.Text)))
	}
	return said
}

// Game events that are replaced begin and end by their new calendars, and bring what the new ones bring: those that are on stay on, and
// those that are gone end.
func TestEventsAreReplaced(t *testing.T) {
	d := fair(defs.EventSpawn{Point: 1}, defs.EventSpawn{Point: 2, Away: true}, defs.EventSpawn{Point: 3, Event: 1})
	r := newReserve(t, d, 1)
	r.enter(1, 0, 0)
	r.date(noon + 120) // during event 3
	r.pass(time.Second)
	if got := r.here(); !slices.Equal(got, []uint32{0, 1, 4, 5}) {
		t.Fatalf("there are %v", got)
	}
	next := *d // 3 goes on and brings another, 8 is gone, 9 is on
	next.Maps = slices.Clone(d.Maps)
	next.GameEvents = []defs.GameEvent{
		{ID: 3, Name: "Fair", Calendar: defs.Calendar{Start: noon, End: noon + 3*3600, EveryMin: 60, ForMin: 10}},
		{ID: 9, Name: "Market", Calendar: defs.Calendar{Start: noon, EveryMin: 60, ForMin: 5}},
	}
	next.Maps[0].EventSpawns = []defs.EventSpawn{{Point: 0, Away: true}, {Point: 3, Event: 1}, {Point: 4, Event: 1}}
	r.replace(defs.PartEvents, &next)
	r.tick()
	if got := r.answers(); !slices.Equal(got, []string{"The game events are replaced."}) {
		t.Errorf("answered %q", got)
	}
	if h := r.frame.Happenings; len(h) != 1 || h[0].Kind != change.HappenedEventBegin || h[0].ID != 9 {
		t.Errorf("%+v", h)
	}
	r.tick()
	if got := r.here(); !slices.Equal(got, []uint32{1, 2, 3, 4, 5}) {
		t.Errorf("with the new events there are %v", got)
	}
	r.pass(3 * time.Minute) // noon + 301 s
	if got := r.here(); !slices.Equal(got, []uint32{1, 2, 5}) {
		t.Errorf("after event 9 there are %v", got)
	}
	r.pass(5 * time.Minute)
	if got := r.here(); !slices.Equal(got, []uint32{0, 1, 2, 5}) {
		t.Errorf("after event 3 there are %v", got)
	}
}

// Creatures go on along a path whose nodes are replaced, and leave one of scripts that has fewer nodes now than they have passed.
func TestPathsAreReplaced(t *testing.T) {
	d := scripted(1, escortStart(1, 1), counted(defs.ScriptEscortEnded, 1), counted(defs.ScriptEscortReached, 2))
	d.Creatures[0].ReactState = defs.Neutral
	d.ScriptPaths = []defs.ScriptPath{{ID: 70, Nodes: []defs.Node{{X: -14, Y: -25}, {X: -14, Y: -4}, {X: -14, Y: 60}}}}
	r := newReserve(t, d, 1)
	r.enter(1, 0, 0)
	r.pass(3 * time.Second) // it runs 7 yards a second: from node 1 at 11 yards to node 2
	next := *d
	next.ScriptPaths = []defs.ScriptPath{{ID: 70, Nodes: []defs.Node{{X: -14, Y: -25}, {X: 10, Y: -25}, {X: 10, Y: -20}}}}
	r.replace(defs.PartWays, &next)
	r.pass(6 * time.Second)
	e := r.only(t)
	if p := r.at.Get(e); p.X != 10 || p.Y != -20 || r.counter(e, 1) != 1 || r.counter(e, 2) != 3 {
		t.Errorf("it is at %v,%v, has ended %d paths and reached %d nodes", p.X, p.Y, r.counter(e, 1), r.counter(e, 2))
	}
}

// What is bad is refused as a whole, and all stays as it was.
func TestBadPartsAreRefused(t *testing.T) {
	d := scripted(1, defs.ScriptRow{Event: defs.ScriptUpdate, When: [6]uint32{500, 500, 500, 500}, Action: defs.ScriptSetCounter, Do: [6]uint32{1, 1}, Target: defs.ScriptSelf})
	r := newReserve(t, d, 1)
	r.enter(1, 0, 0)
	r.pass(time.Second)
	bad := func(what string, change func(p *defs.Patch)) {
		t.Helper()
		p := d.Cut(defs.PartScripts, &d.Maps[0])
		p.Scripts = []defs.Script{{Rows: slices.Clone(p.Scripts[0].Rows)}}
		change(p)
		b, err := p.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		r.replaceBy(b)
		r.tick()
		if got := r.answers(); len(got) != 1 || !strings.Contains(got[0], "Nothing is replaced: "+defs.ErrPatch.Error()) {
			t.Errorf("%s: %q", what, got)
		}
	}
	bad("a script of no creature", func(p *defs.Patch) { p.Creatures = []defs.ScriptOf{{Of: 8, Script: 1}} })
	bad("no script of a creature", func(p *defs.Patch) { p.Creatures = []defs.ScriptOf{{Of: 7, Script: 2}} })
	bad("no row", func(p *defs.Patch) { p.Scripts[0].Rows[0].Next = 2 })
	bad("no path", func(p *defs.Patch) {
		p.Scripts[0].Rows[0].Action, p.Scripts[0].Rows[0].Do = defs.ScriptWaypointStart, [6]uint32{1}
	})
	bad("no creature", func(p *defs.Patch) {
		p.Scripts[0].Rows[0].Action, p.Scripts[0].Rows[0].Do = defs.ScriptSummonCreature, [6]uint32{9}
	})
	bad("no conditions", func(p *defs.Patch) { p.Scripts[0].Rows[0].Conditions = 1 })
	bad("no point", func(p *defs.Patch) { p.Spawns = []defs.ScriptOf{{Of: 1, Script: 1}} })
	bad("another map", func(p *defs.Patch) { p.Map = 5 })
	bad("another part", func(p *defs.Patch) { p.Part = 99 })
	bad("no event", func(p *defs.Patch) { p.EventSpawns = []defs.EventSpawn{{}} })
	for what, b := range map[string][]byte{"nothing": nil, "no patch": []byte("no patch"), "half": {1, 0}} {
		r.world.Inbox().Add(frame.Item{Session: frame.NoSession, Op: frame.OpReload, Body: msg.Append(nil, wire.V12340, &frame.Reload{ID: 5, Of: 1, Contents: b})})
		r.tick()
		r.tick()
		if got := r.answers(); len(got) != 1 || !strings.Contains(got[0], "Nothing is replaced") {
			t.Errorf("%s: %q", what, got)
		}
	}
	r.world.Inbox().Add(frame.Item{Session: frame.NoSession, Op: frame.OpReload, Body: msg.Append(nil, wire.V12340, &frame.Reload{ID: 5, N: 1, Of: 2})})
	r.world.Inbox().Add(frame.Item{Session: frame.NoSession, Op: frame.OpReload, Body: []byte{1, 2}})
	r.tick()
	if got := r.answers(); len(got) != 1 || !strings.Contains(got[0], "piece 1 of 2 follows no other") {
		t.Errorf("%q", got)
	}
	before := r.counter(r.only(t), 1)
	r.pass(time.Second)
	if n := r.counter(r.only(t), 1); n != before+2 || n < 3 {
		t.Errorf("the script has counted %d, and %d a second before", n, before)
	}
}

// A world in which scripts and texts are replaced as they happen goes on the same when it is restored from a snapshot of any tick, and when its
// inboxes are read again. What was replaced is in the snapshot.
func TestReplacedIsInSnapshots(t *testing.T) {
	seed := testseed.Of(t)
	world := func(emote, period uint32, text string) *defs.World {
		d := scripted(20,
			defs.ScriptRow{Event: defs.ScriptUpdate, When: [6]uint32{100, 900, period, period + 400}, Action: defs.ScriptRandomEmote, Do: [6]uint32{emote, emote + 1}, Target: defs.ScriptSelf},
			defs.ScriptRow{Event: defs.ScriptUpdate, When: [6]uint32{100, 900, 300, 900}, Action: defs.ScriptTalk, Target: defs.ScriptSelf},
			defs.ScriptRow{Event: defs.ScriptUpdate, When: [6]uint32{200, 300, 700, 900}, Action: defs.ScriptCallList, Do: [6]uint32{900, 0, 2}, Target: defs.ScriptSelf},
		)
		d.ScriptLists = []defs.ScriptList{{ID: 900, Rows: []defs.ScriptRow{{When: [6]uint32{100, 500}, Action: defs.ScriptEmote, Do: [6]uint32{emote}, Target: defs.ScriptSelf}}}}
		d.Texts = defs.Texts{{Entry: 7, Lines: []defs.TextLine{{Text: text, Type: 12}}}}
		return d
	}
	first, second := world(10, 400, "First"), world(20, 900, "Second")
	second.Scripts = append([]defs.Script{{Rows: first.Scripts[0].Rows[:1]}}, second.Scripts...)
	second.Creatures[0].Script = 2
	one := newReserve(t, first, seed)
	var inboxes, frames [][]byte
	said := new(bytes.Buffer) // since the new text
	tick := func(r *reserve) []byte {
		r.world.Inbox().Seal()
		r.tick()
		b, err := r.frame.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	var others []*reserve
	for n := range 120 {
		switch n {
		case 0:
			one.enter(1, -15, -25)
		case 30:
			one.offer(defs.PartScripts, second)
		case 50:
			one.offer(defs.PartTexts, second)
		case 80:
			one.offer(defs.PartScripts, first)
		}
		one.world.Inbox().Seal()
		inbox, _ := one.world.Inbox().AppendBinary(nil)
		inboxes = append(inboxes, inbox)
		if n%13 == 5 {
			b, err := one.world.AppendSnapshot(nil)
			other := newReserve(t, first, seed)
			if err == nil {
				err = other.world.Restore(b)
			}
			if err != nil {
				t.Fatal(err)
			}
			other.n = one.n
			others = append(others, other)
		}
		frames = append(frames, tick(one))
		if n >= 60 {
			said.Write(one.frame.Bytes)
		}
		for i, other := range others {
			other.world.Inbox().UnmarshalBinary(inbox)
			if !bytes.Equal(tick(other), frames[n]) || !slices.Equal(other.world.Sums(), one.world.Sums()) {
				t.Fatalf("restored world %d goes another way in tick %d", i, one.n)
			}
		}
	}
	again := newReserve(t, first, seed)
	for n, inbox := range inboxes {
		again.world.Inbox().UnmarshalBinary(inbox)
		if !bytes.Equal(tick(again), frames[n]) {
			t.Fatalf("a second time, tick %d is another", n+1)
		}
	}
	if n := one.metric.Counter("reload.done").Value(); n != 3 {
		t.Errorf("%d parts were replaced", n)
	}
	if b := said.Bytes(); !bytes.Contains(b, []byte("Second\x00")) || bytes.Contains(b, []byte("First\x00")) {
		t.Error("the new text is not said, or the old one is")
	}
}

// A part counts three seconds for each MiB of its bytes after its last piece, and the world goes on meanwhile; parts follow each other in the order in which they
// came, more than four are refused, and what is pieced together wrongly too.
func TestPartsAreReadBesideTheTick(t *testing.T) {
	d := fair()
	r := newReserve(t, d, 1)
	r.enter(1, 0, 0)
	r.tick()
	long := *d
	noise := rand.New(rand.NewPCG(7, 7))
	text := make([]byte, 200_000)
	for i := range text { // that is not shortened much
		text[i] = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ+-"[noise.IntN(64)]
	}
	long.Texts = defs.Texts{{Entry: 7, Lines: []defs.TextLine{{Text: string(text), Type: 12}}}}
	packed, err := long.Cut(defs.PartTexts, &long.Maps[0]).AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	wait := uint64(float64(len(packed)) * 3 / (1 << 20) / 0.05) // ticks of 50 ms, and the last is not a whole one
	for range 5 {
		r.offerBytes(packed)
	}
	r.offer(defs.PartGossip, d)
	var said []string
	begun := r.n
	for range wait + 3 {
		r.tick()
		if r.world.Reloading() != (r.n-begun < wait+2) {
			t.Errorf("tick %d: a part waits: %v", r.n-begun, r.world.Reloading())
		}
		for _, a := range r.answers() {
			said = append(said, fmt.Sprintf("%d: %s", r.n-begun, strings.TrimPrefix(a, command.NotDone)))
		}
	}
	const late = "1: Nothing is replaced: 4 other parts wait."
	want := []string{late, "1: Nothing is replaced: piece 1 of 3 follows no other.", "1: Nothing is replaced: piece 2 of 3 follows no other.", late}
	for range 4 {
		want = append(want, fmt.Sprintf("%d: The texts are replaced.", wait+2))
	}
	if !slices.Equal(said, want) {
		t.Errorf("said %q, want %q", said, want)
	}
}
