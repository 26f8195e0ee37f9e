package naive_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/bench/fightscene"
	"muster/bench/naive"
	"muster/internal/conformance"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/sched"
	"muster/systems"
)

// A bout is one scene of fights in both worlds, with one client that watches each of them.
type bout struct {
	scene  *fightscene.Scene
	ours   *systems.Live
	naive  *naive.World
	cursor frame.Cursor
	replay frame.Replayer
	eyes   [2]*conformance.Client
	n      uint64
}

const seed = 5

func newBout(fights int, change func(b *fightscene.Scene)) *bout {
	b := &bout{scene: fightscene.New(fights)}
	if change != nil {
		change(b.scene)
	}
	place := &b.scene.Defs.Maps[0]
	b.ours = &systems.Live{
		World: systems.New(systems.Config{Defs: b.scene.Defs, Map: place, Seed: seed, Ephemeral: true}), Exchange: frame.NewExchange(),
	}
	b.naive = naive.New(b.scene.Defs, place, seed)
	b.cursor = frame.Cursor{Session: 0, GUID: fightscene.Player(0)}
	for i := range b.eyes {
		b.eyes[i] = newEye(fightscene.Player(0))
	}
	return b
}

// tick runs a tick of both, and returns what each sent its client.
func (b *bout) tick(t *testing.T) (sent [2][]byte) {
	b.n++
	var in frame.Inbox
	b.scene.Say(b.n, func(it frame.Item) {
		if err := in.Add(it); err != nil {
			t.Fatal(err)
		}
		b.naive.Receive(it)
	})
	b.ours.Exchange.Post(&in)
	b.ours.Step(b.n)
	var w frame.Window
	w.Open(b.ours.Exchange)
	defer w.Close()
	out, ok := b.replay.Replay(nil, &w, &b.cursor)
	if !ok {
		t.Fatal("the stream is lost")
	}
	b.naive.Tick(sched.Tick{N: b.n, NowMs: uint32(b.n) * 50, Quantum: 50 * time.Millisecond})
	return [2][]byte{out, b.naive.Sent(0)}
}

// watch gives a client what it was sent, and lists the packets of fights.
func watch(eye *conformance.Client, sent []byte) (packets []string) {
	for len(sent) > 0 {
		op, payload, header, _ := wire.ServerHeader(sent)
		body := sent[header : header+payload]
		eye.Packet(op, body)
		switch op {
		case msg.OpAttackStart, msg.OpAttackStopped, msg.OpAttackerState, msg.OpSpellStart, msg.OpSpellGo, msg.OpSpellDamageLog,
			msg.OpSpellLogMiss, msg.OpPeriodicAuraLog, msg.OpAuraUpdate, msg.OpThreatUpdate, msg.OpHighestThreatUpdate,
			msg.OpCastFailed, msg.OpSpellFailure, msg.OpSpellFailedOther, msg.OpCancelCombat, msg.OpPowerUpdate:
			packets = append(packets, fmt.Sprintf("%#x: % x", op, body))
		}
		sent = sent[header+payload:]
	}
	slices.Sort(packets)
	return packets
}

// sameObjects holds what the two clients know against each other.
func sameObjects(t *testing.T, n uint64, ours, theirs []conformance.Object) {
	t.Helper()
	if len(ours) != len(theirs) {
		t.Fatalf("tick %d: one client knows %d objects, the other %d", n, len(ours), len(theirs))
	}
	for i := range ours {
		o, p := &ours[i], &theirs[i]
		if o.GUID != p.GUID || o.TypeID != p.TypeID || o.X != p.X || o.Y != p.Y || o.Z != p.Z || o.O != p.O {
			t.Fatalf("tick %d: %#x at %v, %v and %#x at %v, %v", n, o.GUID, o.X, o.Y, p.GUID, p.X, p.Y)
		}
		for k := range max(len(o.Words), len(p.Words)) {
			if a, c := word(o, k), word(p, k); a != c {
				t.Errorf("tick %d: field %#x of %#x is %#x to one client, %#x to the other", n, k, o.GUID, a, c)
			}
		}
	}
}

func word(o *conformance.Object, k int) uint32 {
	if k < len(o.Words) {
		return o.Words[k]
	}
	return 0
}

// The baseline sends a client the same of fights as muster does: each packet of the fights in the same tick, byte for
// byte, and after each tick the same values of everything that it sees.
func TestSameFights(t *testing.T) {
	const fights = 30
	b := newBout(fights, nil)
	seen := make(map[string]int)
	for b.n < 1500 {
		sent := b.tick(t)
		ours, theirs := watch(b.eyes[0], sent[0]), watch(b.eyes[1], sent[1])
		if b.n < 3 { // creatures are spawned when an observer is near
			continue
		}
		if !slices.Equal(ours, theirs) {
			t.Fatalf("tick %d: one client is sent\n%q\nthe other\n%q", b.n, ours, theirs)
		}
		if sameObjects(t, b.n, b.eyes[0].Objects(), b.eyes[1].Objects()); t.Failed() {
			return
		}
		for _, p := range ours {
			op, _, _ := strings.Cut(p, ":")
			seen[op]++
		}
	}
	for i, eye := range b.eyes {
		if v := eye.Violations(); v.Total() > 0 {
			t.Errorf("client %d complains: %q", i, eye.Texts())
		}
	}
	if len(b.eyes[0].Objects()) != 2*fights || seen["0x14a"] < 20*fights || seen["0x250"] < 10*fights || seen["0x24e"] < 20*fights {
		t.Errorf("%d objects, %v packets", len(b.eyes[0].Objects()), seen)
	}
}

// The fights of mortals end in the same tick in both worlds, after the same blows. Which of two dies that would both
// do so in that tick depends on which has its turn first, and is not compared.
func TestSameDeaths(t *testing.T) {
	const fights = 40
	b := newBout(fights, func(b *fightscene.Scene) {
		for i := range b.Defs.Creatures {
			b.Defs.Creatures[i].MinHealth, b.Defs.Creatures[i].MaxHealth = 330, 330
		}
		for i := range b.Defs.Players.Classes {
			b.Defs.Players.Classes[i].Health.First = 450
		}
	})
	var over [fights]bool
	players, creatures := 0, 0
	for b.n < 1200 {
		sent := b.tick(t)
		watch(b.eyes[0], sent[0])
		watch(b.eyes[1], sent[1])
		for i := range over {
			if over[i] || b.n < 3 {
				continue
			}
			player, theirs := b.health(fightscene.Player(i))
			foe, foes := b.health(fightscene.Foe(i))
			switch {
			case (player == 0 || foe == 0) && (theirs == 0 || foes == 0):
				over[i] = true
				if player == 0 {
					players++
				} else {
					creatures++
				}
			case player != theirs || foe != foes:
				t.Fatalf("tick %d, fight %d: player %d, foe %d; in the other world %d, %d", b.n, i, player, foe, theirs, foes)
			}
		}
	}
	if players < 5 || creatures < 5 || players+creatures != fights {
		t.Errorf("%d players and %d creatures have died", players, creatures)
	}
}

// health is that of a unit, as the two clients know it.
func (b *bout) health(guid uint64) (ours, theirs uint32) {
	const field = 0x18
	o, _ := b.eyes[0].Object(guid)
	p, _ := b.eyes[1].Object(guid)
	return word(&o, field), word(&p, field)
}
