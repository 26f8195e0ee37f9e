package wire

// AppendPackedGUID appends a guid with its zero bytes left out: a mask, in which bit i says that byte i
// of the guid follows, and then those bytes, the least significant first. That is one to nine bytes.
//
// Source: ByteBuffer::appendPackGUID, AzerothCore.
func AppendPackedGUID(dst []byte, guid uint64) []byte {
	at := len(dst)
	dst = append(dst, 0)
	var mask byte
	for i := 0; guid != 0; i, guid = i+1, guid>>8 {
		if b := byte(guid); b != 0 {
			mask |= 1 << i
			dst = append(dst, b)
		}
	}
	dst[at] = mask
	return dst
}

// ReadPackedGUID reads the packed guid at the start of b and returns how many bytes it takes. n is zero
// if b ends before the guid does. A mask may announce a byte that is zero; it counts in n like any other.
func ReadPackedGUID(b []byte) (guid uint64, n int) {
	if len(b) == 0 {
		return 0, 0
	}
	n = 1
	for i, mask := 0, b[0]; mask != 0; i, mask = i+8, mask>>1 {
		if mask&1 == 0 {
			continue
		}
		if n == len(b) {
			return 0, 0
		}
		guid |= uint64(b[n]) << i
		n++
	}
	return guid, n
}

// PackedGUID walks a guid as AppendPackedGUID writes it.
func PackedGUID[T ~uint64](c *Codec, v *T) {
	switch {
	case c.err != nil:
	case c.reading:
		guid, n := ReadPackedGUID(c.buf[c.off:])
		if n == 0 {
			c.err = ErrShort
			return
		}
		c.off += n
		*v = T(guid)
	default:
		c.buf = AppendPackedGUID(c.buf, uint64(*v))
	}
}
