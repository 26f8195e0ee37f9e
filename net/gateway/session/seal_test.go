package session

import (
	"testing"

	"muster/net/protocol/crypt"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// BenchmarkSeal is what a flush of eleven moves costs each of 10,000 sessions in turn: their ciphers are not in the
// caches near to the processor.
func BenchmarkSeal(b *testing.B) {
	sessions := make([]*Session, 10_000)
	for i := range sessions {
		sessions[i] = New(&Config{}, [4]byte{})
		sessions[i].keyed, sessions[i].toPeer = true, crypt.ServerToClient([40]byte{byte(i), byte(i >> 8)})
	}
	var flush, packets []byte
	var sent Tally
	for i := range 11 {
		flush = msg.Packet(flush, wire.V12340, msg.OpMoveHeartbeat, &msg.Move{Mover: uint64(i)})
	}
	for n := 0; b.Loop(); n++ {
		packets = append(packets[:0], flush...)
		sessions[n*7919%len(sessions)].Seal(packets, &sent)
	}
}

// TestSealCounts seals packets of all lengths of header: each is counted once, by its opcode.
func TestSealCounts(t *testing.T) {
	var packets []byte
	var want, got Tally
	for i, payload := range []int{0, 1, 28, 253, 254, 32765, 32766, 40_000, 28} {
		op := uint16(msg.OpMoveHeartbeat) + uint16(i%3)
		packets = wire.AppendServerHeader(packets, op, payload)
		packets = append(packets, make([]byte, payload)...)
		want[op]++
	}
	s := New(&Config{}, [4]byte{})
	s.Seal(packets, &got)
	s.Seal(packets, nil)
	if got != want {
		t.Error("the tally is not what was sealed")
	}
}
