package naive_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"muster/bench/naive"
	"muster/bench/walkscene"
	"muster/internal/conformance"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/sched"
	"muster/systems"
)

// The baseline sends every client the same of a walk as muster does: in each tick the same moves of each mover, in
// order and byte for byte, and after each tick the same objects with the same values at the same places; though some
// come in sight and others go. That is so however often its players look around.
func TestSameWalks(t *testing.T) {
	for _, thrifty := range []bool{false, true} {
		t.Run(fmt.Sprintf("thrifty=%v", thrifty), func(t *testing.T) {
			sameWalks(t, walkscene.New(walkscene.Config{Players: 40, PerDisc: 10, DiscYards: 250, Apart: 150, BeatTicks: 3}), thrifty)
		})
	}
}

func sameWalks(t *testing.T, m *walkscene.Scene, thrifty bool) {
	place := &m.Defs.Maps[0]
	ours := &systems.Live{
		World: systems.New(systems.Config{Defs: m.Defs, Map: place, Seed: seed, Ephemeral: true}), Exchange: frame.NewExchange(),
	}
	theirs := naive.New(m.Defs, place, seed)
	theirs.Thrifty = thrifty
	var replay frame.Replayer
	var cursors []frame.Cursor
	var eyes [2][]*conformance.Client
	moves, creates, gones := 0, 0, 0
	for n := uint64(1); n <= walkscene.EnterTicks+400; n++ {
		var in frame.Inbox
		m.Say(n, func(it frame.Item) {
			if it.Op == frame.OpEnter {
				cursors = append(cursors, frame.Cursor{Session: it.Session, GUID: walkscene.Player(int(it.Session)), Tick: n - 1})
				for i := range eyes {
					eyes[i] = append(eyes[i], newEye(walkscene.Player(int(it.Session))))
				}
			}
			if err := in.Add(it); err != nil {
				t.Fatal(err)
			}
			theirs.Receive(it)
		})
		ours.Exchange.Post(&in)
		ours.Step(n)
		theirs.Tick(sched.Tick{N: n, NowMs: uint32(n) * 50, Quantum: 50 * time.Millisecond})
		var w frame.Window
		w.Open(ours.Exchange)
		for i := range cursors {
			known := eyes[0][i].Len()
			sent, ok := replay.Replay(nil, &w, &cursors[i])
			if !ok {
				t.Fatal("the stream is lost")
			}
			a, b := walks(eyes[0][i], sent), walks(eyes[1][i], theirs.Sent(uint32(i)))
			if !slices.Equal(a, b) {
				t.Fatalf("tick %d, client %d is sent\n%q\nand by the baseline\n%q", n, i, a, b)
			}
			if sameObjects(t, n, eyes[0][i].Objects(), eyes[1][i].Objects()); t.Failed() {
				return
			}
			moves += len(a)
			creates += max(eyes[0][i].Len()-known, 0)
			gones += max(known-eyes[0][i].Len(), 0)
		}
		w.Close()
	}
	for i := range eyes {
		for _, eye := range eyes[i] {
			if v := eye.Violations(); v.Total() > 0 {
				t.Errorf("a client complains: %q", eye.Texts())
			}
		}
	}
	if moves < 20_000 || creates < 500 || gones < 200 {
		t.Errorf("%d moves, %d creates, %d gone: too little to compare", moves, creates, gones)
	}
}

func newEye(guid uint64) *conformance.Client {
	eye := conformance.New(conformance.Config{Keep: true})
	eye.Packet(msg.OpAuthResponse, msg.Append(nil, wire.V12340, &msg.AuthResponse{Result: msg.AuthOK}))
	eye.Enter(guid)
	return eye
}

// walks gives a client what it was sent, and lists the moves, those of each mover in order, and the questions for its
// time.
func walks(eye *conformance.Client, sent []byte) []string {
	type move struct {
		guid uint64
		text string
	}
	var moves []move
	for len(sent) > 0 {
		op, payload, header, _ := wire.ServerHeader(sent)
		body := sent[header : header+payload]
		eye.Packet(op, body)
		if msg.IsMove(op) || op == msg.OpTimeSyncReq {
			guid := uint64(0)
			if msg.IsMove(op) {
				guid, _ = wire.ReadPackedGUID(body)
			}
			moves = append(moves, move{guid, fmt.Sprintf("%#x: % x", op, body)})
		}
		sent = sent[header+payload:]
	}
	slices.SortStableFunc(moves, func(a, b move) int { return int(a.guid) - int(b.guid) })
	var texts []string
	for _, m := range moves {
		texts = append(texts, m.text)
	}
	return texts
}
