package wire

import (
	"encoding/binary"
	"math"
)

// Vec3 is a point or an offset in the world, in yards.
type Vec3 struct{ X, Y, Z float32 }

// U8 walks one unsigned byte.
func U8[T ~uint8](c *Codec, v *T) {
	if c.reading {
		if b := c.next(1); b != nil {
			*v = T(b[0])
		}
	} else if c.err == nil {
		c.buf = append(c.buf, uint8(*v))
	}
}

// U16 walks two bytes.
func U16[T ~uint16](c *Codec, v *T) {
	if c.reading {
		if b := c.next(2); b != nil {
			*v = T(binary.LittleEndian.Uint16(b))
		}
	} else if c.err == nil {
		c.buf = binary.LittleEndian.AppendUint16(c.buf, uint16(*v))
	}
}

// U32 walks four bytes.
func U32[T ~uint32](c *Codec, v *T) {
	if c.reading {
		if b := c.next(4); b != nil {
			*v = T(binary.LittleEndian.Uint32(b))
		}
	} else if c.err == nil {
		c.buf = binary.LittleEndian.AppendUint32(c.buf, uint32(*v))
	}
}

// U64 walks eight bytes.
func U64[T ~uint64](c *Codec, v *T) {
	if c.reading {
		if b := c.next(8); b != nil {
			*v = T(binary.LittleEndian.Uint64(b))
		}
	} else if c.err == nil {
		c.buf = binary.LittleEndian.AppendUint64(c.buf, uint64(*v))
	}
}

// I8 walks one signed byte.
func I8[T ~int8](c *Codec, v *T) {
	u := uint8(*v)
	U8(c, &u)
	if c.reading {
		*v = T(u)
	}
}

// I32 walks four bytes in two's complement.
func I32[T ~int32](c *Codec, v *T) {
	u := uint32(*v)
	U32(c, &u)
	if c.reading {
		*v = T(u)
	}
}

// F32 walks a float. Every bit pattern passes, NaN and infinity too: the user of the number must check it.
func F32(c *Codec, v *float32) {
	u := math.Float32bits(*v)
	U32(c, &u)
	if c.reading {
		*v = math.Float32frombits(u)
	}
}

// F32x4 walks four adjacent floats, as F32 walks each.
func F32x4(c *Codec, v0, v1, v2, v3 *float32) {
	if c.reading {
		if b := c.next(16); b != nil {
			*v0 = math.Float32frombits(binary.LittleEndian.Uint32(b))
			*v1 = math.Float32frombits(binary.LittleEndian.Uint32(b[4:]))
			*v2 = math.Float32frombits(binary.LittleEndian.Uint32(b[8:]))
			*v3 = math.Float32frombits(binary.LittleEndian.Uint32(b[12:]))
		}
	} else if c.err == nil {
		b := binary.LittleEndian.AppendUint64(c.buf, uint64(math.Float32bits(*v0))|uint64(math.Float32bits(*v1))<<32)
		c.buf = binary.LittleEndian.AppendUint64(b, uint64(math.Float32bits(*v2))|uint64(math.Float32bits(*v3))<<32)
	}
}

// Bool walks one byte. It is written as 0 or 1; whatever is not 0 is read as true.
func Bool(c *Codec, v *bool) {
	var u uint8
	if *v {
		u = 1
	}
	U8(c, &u)
	if c.reading {
		*v = u != 0
	}
}

// Bool32 is Bool in four bytes.
func Bool32(c *Codec, v *bool) {
	var u uint32
	if *v {
		u = 1
	}
	U32(c, &u)
	if c.reading {
		*v = u != 0
	}
}

// XYZ walks three floats.
func XYZ(c *Codec, v *Vec3) {
	F32(c, &v.X)
	F32(c, &v.Y)
	F32(c, &v.Z)
}
