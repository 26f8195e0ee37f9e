package frame

import "encoding/binary"

// EachMove calls visit with each packet of the moves and heartbeats of a frame, with its plain header, for any receiver. The bytes are
// the frame's. Its cost is the number of these packets.
func (f *Frame) EachMove(visit func(packet []byte)) {
	for _, part := range [...]Part{Moves, Beats} {
		if n := uint32(len(f.cells)); n > 0 {
			eachPacket(f.In(f.delta(part, 0, n)), visit)
		}
		for i := range f.enters {
			eachPacket(f.In(f.enters[i].delta[part]), visit)
		}
	}
}

// eachPacket calls visit with each of the packets that follow one another, up to one that is cut off.
func eachPacket(packets []byte, visit func(packet []byte)) {
	for len(packets) >= 4 {
		n := 2 + int(binary.BigEndian.Uint16(packets))
		if n > len(packets) || packets[0]&0x80 != 0 { // a long one, which no move is
			return
		}
		visit(packets[:n:n])
		packets = packets[n:]
	}
}
