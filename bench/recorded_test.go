package bench

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"muster/loaders/synth"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/net/replication/recording"
)

// Of a recording, the clients that are there until the end say what they have said, in the tick in which they said it, under numbers without
// gaps: not what was said before under the same number, nor what clients said that leave. Divided, each is in the world of the hub where it begins.
func TestRecordedParts(t *testing.T) {
	folder := t.TempDir()
	recorder, err := recording.NewRecorder(recording.Config{Folder: folder, Header: recording.Header{Seed: 1, StepMs: 50, Start: string(synth.Spread)}})
	if err != nil {
		t.Fatal(err)
	}
	d, err := synth.New(synth.Config{Seed: 1, Creatures: -1})
	if err != nil {
		t.Fatal(err)
	}
	enter := func(session uint32, guid uint64, hub int) frame.Item {
		h := d.Hubs[hub]
		return frame.Item{Session: session, Op: frame.OpEnter, Body: msg.Append(nil, wire.V12340, &frame.Character{
			GUID: guid, Name: "Walker", Race: 1, Class: 1, Level: 1, Map: h.Map, X: h.X + 1, Y: h.Y, Z: h.Z,
		})}
	}
	says := func(session uint32, word string) frame.Item {
		return frame.Item{Session: session, Op: msg.OpChatMessage, Body: []byte(word)}
	}
	for _, tick := range []struct {
		n     uint64
		items []frame.Item
	}{
		{3, nil}, {4, nil},
		{5, []frame.Item{enter(3, 13, 1), enter(5, 15, 0), enter(7, 17, 0)}},
		{6, []frame.Item{says(3, "a"), says(5, "b"), says(7, "c")}},
		{8, []frame.Item{{Session: 5, Op: frame.OpLeave}, says(7, "d")}},
		{9, []frame.Item{enter(5, 25, 0)}},
		{10, []frame.Item{says(3, "e"), says(5, "f"), {Session: frame.NoSession, Op: frame.OpLease, Body: []byte("g")}}},
		{11, []frame.Item{{Session: 7, Op: frame.OpDrop}}},
		{12, []frame.Item{{Session: 3, Op: frame.OpDrop}}},
	} {
		var in frame.Inbox
		for _, it := range tick.items {
			if err := in.Add(it); err != nil {
				t.Fatal(err)
			}
		}
		recorder.Begin(tick.n, &in)
		recorder.Digest(tick.n, []byte{1})
	}
	if err := recorder.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := readRecorded(folder, 0, 2)
	if err != nil {
		t.Fatal(err)
	}
	all := func(number, parts int) (said []string) {
		p := r.part(number, parts)
		for n := p.tick + 1; n <= r.settled+2; n++ {
			p.script.Say(n, func(it frame.Item) {
				text := string(it.Body)
				if it.Op == frame.OpEnter {
					text = fmt.Sprint("enters as ", p.cursors[it.Session].GUID)
				}
				said = append(said, fmt.Sprint(n, " ", int32(it.Session), " ", text))
			})
		}
		return said
	}
	for _, tt := range []struct {
		number, parts int
		want          []string
	}{
		{0, 1, []string{"5 0 enters as 13", "6 0 a", "9 1 enters as 25", "10 0 e", "10 1 f", "10 -1 g"}},
		{0, 2, []string{"9 0 enters as 25", "10 0 f", "10 -1 g"}},
		{1, 2, []string{"5 0 enters as 13", "6 0 a", "10 0 e", "10 -1 g"}},
	} {
		if got := all(tt.number, tt.parts); !slices.Equal(got, tt.want) {
			t.Errorf("part %d of %d: %q, want %q", tt.number, tt.parts, got, tt.want)
		}
	}
	if _, err := readRecorded(folder, 0, 10); !errors.Is(err, errShort) {
		t.Errorf("a recording that is shorter than what is to be used of it: error %v, want errShort", err)
	}
}
