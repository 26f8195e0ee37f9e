package msg_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// What is read and written by hand of moves is what Wire reads and writes of them, with each flag, and whatever is
// missing or left over.
func TestPlainMoves(t *testing.T) {
	dice := rand.New(rand.NewPCG(12, 0))
	for bit := range 49 {
		m := msg.Move{Mover: dice.Uint64() & (dice.Uint64() | 0xFF), Movement: msg.Movement{
			Time: dice.Uint32(), X: dice.Float32(), Y: dice.Float32(), Z: dice.Float32(), O: dice.Float32(),
			FallTime: dice.Uint32(), Pitch: 1, Jump: msg.Jump{ZSpeed: 2, Sin: 3, Cos: 4, XYSpeed: 5}, SplineElevation: 6,
		}}
		switch {
		case bit < 32:
			m.Flags = 1 << bit
		case bit < 48:
			m.Extra = 1 << (bit - 32)
		}
		w := wire.NewWriter(wire.V12340, []byte{0, 0, 0, 0})
		m.Wire(&w)
		want := w.Bytes()
		wire.PutServerHeader(want, msg.OpMoveHeartbeat)
		if got := msg.AppendMove([]byte{9}, wire.V12340, msg.OpMoveHeartbeat, &m); !bytes.Equal(got[1:], want) {
			t.Errorf("bit %d: wrote % x, want % x", bit, got[1:], want)
		}
		body := append(want[wire.ServerHeaderLen:], 7)
		for n := range len(body) + 1 {
			var got, plain msg.Move
			c := wire.NewReader(wire.V12340, body[:n])
			plain.Wire(&c)
			err := msg.Decode(wire.V12340, body[:n], &got)
			if got != plain || (err == nil) != (c.Err() == nil && c.Rest() == 0) {
				t.Errorf("bit %d, %d bytes of %d: read %+v, %v, want %+v, %v", bit, n, len(body)-1, got, err, plain, c.Err())
			}
		}
	}
}
