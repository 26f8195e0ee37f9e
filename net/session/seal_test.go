package session

import (
	"testing"

	"muster/net/crypt"
	"muster/net/msg"
	"muster/net/wire"
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
