package bench

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"runtime"

	"muster/bench/fightscene"
	"muster/components"
	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/protocol/update"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

const (
	// stormObjects is how many objects are seen where all go to, in cells of so many.
	stormObjects = 200
	perStormCell = 25
)

// createStorm measures the cost of compressing what many are sent at once.
func createStorm(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	observers, repetitions := 2_000, 5
	if c.Quick {
		observers, repetitions = 500, 3
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	st := newStorm(observers)
	if err := st.same(); err != nil {
		return "", 0, err
	}
	for range repetitions {
		if err := ctx.Err(); err != nil {
			return "", 0, err
		}
		each := func(do func()) float64 { return took(1, do) / float64(observers) }
		shared := each(st.shared)
		alone := each(func() { st.alone(observers) })
		few := observers / 20 // it takes a thousand times as long
		fresh := tookBy(processTime, 1, func() { st.fresh(few) }) / float64(few)
		s.put("compressing, an observer", "ns", shared).beside("klauspost level 1 for each observer", alone).times(50, 300)
		s.put("compressing, an observer, second baseline", "ns", shared).beside("a new writer of compress/zlib for each packet", fresh).
			atLeast(500, OfTimes)
		plain := each(func() { st.replayAll(&st.plain) })
		packed := each(func() { st.replayAll(&st.packed) })
		s.put("replay and compression, an observer", "ns", packed).beside("replay, and klauspost level 1 for each observer", plain+alone)
		s.put("the same", "ns", packed).beside("replay, nothing compressed", plain)
		s.put("times as small as plain", "", float64(st.plainBytes)/float64(st.packedBytes)).atLeast(2.5, OfMedian)
	}
	return fmt.Sprintf("%s players are teleported in one tick to a place with %d creatures, %d to a cell. Create blocks of a cell are "+
		"compressed once, up to 25 together, and the packet of each observer is joined from compressed fragments. The "+
		"time for compressing is what is added to that of plain packets: making the shared fragments of the tick once, "+
		"divided by the observers, and joining them for each. The baselines compress the packets of each observer, with "+
		"one compressor for all, as the server once did, and with a new one for each packet, as other servers do. The "+
		"joined packets are read with compress/zlib and compared before anything is measured. Times are those of the "+
		"thread, with that of the garbage collector for new compressors.",
		number(float64(observers)), stormObjects, perStormCell), repetitions, nil
}

// A storm is a tick in which all come to one place.
type storm struct {
	port          *frame.Exchange
	cursors       []frame.Cursor
	packed, plain frame.Replayer
	out           []byte

	blocks    [][]byte // of the objects
	fragments [stormObjects / perStormCell]update.Fragment
	press     update.Press
	joiner    update.Writer
	alike     update.Writer
	sent      [][]byte // plain payloads of one observer, without the number of blocks

	plainBytes, packedBytes int // of one observer
}

func newStorm(observers int) *storm {
	s := &storm{port: frame.NewExchange()}
	s.plain.Updates.Threshold, s.alike.Threshold, s.joiner.Threshold = -1, 1, 1
	layout := update.NewLayout(wire.V12340, update.Creature, components.CreatureParts()...)
	dice := rand.New(rand.NewPCG(5, 0))
	var d frame.Builder
	here := grid.At(0, 0, grid.Living)
	for i := range stormObjects {
		x, y := float32(i/perStormCell)*grid.CellYards-90, dice.Float32()*20+5
		from := len(d.Bytes)
		d.Bytes = layout.Create(d.Bytes, creatureAt(dice, i, x, y))
		s.blocks = append(s.blocks, bytes.Clone(d.Bytes[from:]))
		block := d.Cut()
		d.Resident(grid.At(x, y, grid.Living), fightscene.Foe(i), block, d.Cut())
	}
	for i := range observers {
		d.SetView(uint32(i), grid.ViewFrom(here), true)
		s.cursors = append(s.cursors, frame.Cursor{Session: uint32(i), GUID: uint64(i + 1)})
	}
	f := s.port.Write()
	d.Build(f, 1)
	s.port.Publish(f)
	return s
}

// creatureAt is a creature as most are: what differs from one to the next is its name, its place, its health and a few
// numbers of its template.
func creatureAt(dice *rand.Rand, i int, x, y float32) *update.Subject {
	entry := uint32(1000 + dice.IntN(12))
	level := 20 + entry%7
	b := &body{
		object: components.Object{GUID: fightscene.Foe(i), Type: components.MaskOfCreature, Entry: entry, Scale: 1},
		vitals: components.Vitals{Health: level * uint32(20+dice.IntN(10)), MaxHealth: level * 30},
		unit: components.Unit{
			Level: level, Faction: 14 + entry%3, AttackTimeMs: [2]uint32{2000, 2000}, BoundingRadius: 0.383, CombatReach: 1.5,
			DisplayID: 10_000 + entry, NativeDisplayID: 10_000 + entry, AuraState: components.HealthAbove75,
		},
	}
	b.unit.Bytes0[components.ByteClass] = 1
	b.words[0], b.words[1], b.words[2] = components.Words(&b.object), components.Words(&b.vitals), components.Words(&b.unit)
	b.words[3], b.words[4] = components.Words(&b.stance), components.Words(&b.target)
	speeds := components.NormalSpeeds()
	return &update.Subject{
		GUID: b.object.GUID, NowMs: 123_456, Words: &b.words, Speeds: &speeds,
		Position: &components.Position{X: x, Y: y, Z: 10 + dice.Float32(), O: 6 * dice.Float32()},
	}
}

// same compares what is joined with what is plain, and notes how long each is.
func (s *storm) same() error {
	var w frame.Window
	w.Open(s.port)
	defer w.Close()
	for i := range s.cursors[:3] {
		c, o := s.cursors[i], s.cursors[i]
		packed, ok := s.packed.Replay(nil, &w, &c)
		plain, ok2 := s.plain.Replay(nil, &w, &o)
		got, err := inflated(packed)
		want, err2 := inflated(plain)
		if !ok || !ok2 || err != nil || err2 != nil || !bytes.Equal(bytes.Join(got, nil), bytes.Join(want, nil)) {
			return fmt.Errorf("observer %d is sent something else in compressed packets (%v, %v)", i, err, err2)
		}
		s.sent, s.plainBytes, s.packedBytes = want, len(plain), len(packed)
	}
	return nil
}

// inflated is the blocks of update packets, packet by packet, read by the standard library.
func inflated(packets []byte) (payloads [][]byte, err error) {
	for len(packets) > 0 {
		op, payload, header, _ := wire.ServerHeader(packets)
		body := packets[header : header+payload]
		packets = packets[header+payload:]
		if op == msg.OpCompressedUpdateObject {
			r, err := zlib.NewReader(bytes.NewReader(body[4:]))
			if err != nil {
				return nil, err
			}
			plain := make([]byte, binary.LittleEndian.Uint32(body))
			var all bytes.Buffer
			if n, err := all.ReadFrom(r); err != nil || int(n) != len(plain) {
				return nil, fmt.Errorf("%d bytes instead of %d: %w", n, len(plain), err)
			}
			body = all.Bytes()
		}
		payloads = append(payloads, bytes.Clone(body[4:]))
	}
	return payloads, nil
}

// shared compresses everything once, and joins it for each observer.
func (s *storm) shared() {
	for i := range s.fragments {
		f := &s.fragments[i]
		f.Reset()
		for _, b := range s.blocks[i*perStormCell:][:perStormCell] {
			f.Add(b)
		}
		s.press.Press(f)
	}
	for range s.cursors {
		s.joiner.Begin(s.out[:0])
		for i := range s.fragments {
			s.joiner.Fragment(&s.fragments[i])
		}
		s.out = s.joiner.End()
	}
}

// alone compresses the packets of some observers with one compressor.
func (s *storm) alone(observers int) {
	for range observers {
		s.alike.Begin(s.out[:0])
		for _, blocks := range s.sent {
			s.alike.Block(blocks)
		}
		s.out = s.alike.End()
	}
}

// fresh compresses them with a new compressor for each packet.
//
// Source: UpdateData::Compress, mangos-wotlk: deflateInit for each.
func (s *storm) fresh(observers int) {
	for range observers {
		for _, blocks := range s.sent {
			var out bytes.Buffer
			z, _ := zlib.NewWriterLevel(&out, zlib.BestSpeed) // fails only on a level that does not exist
			z.Write(blocks)                                   // into memory: cannot fail
			z.Close()
		}
	}
}

// replayAll replays the frames for every observer.
func (s *storm) replayAll(r *frame.Replayer) {
	var w frame.Window
	w.Open(s.port)
	defer w.Close()
	for _, c := range s.cursors {
		s.out, _ = r.Replay(s.out[:0], &w, &c)
	}
}
