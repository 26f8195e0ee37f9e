package components

import "testing"

// The rotations of these game objects follow from protocol.md 4.2 by hand: a half turn about z is (0, 0, 1, 0), a quarter turn has
// the sine and cosine of 45 degrees, and the sign of w turns all three.
func TestPackRotation(t *testing.T) {
	const half = 0.70710677
	for _, c := range []struct {
		x, y, z, w float32
		want       uint64
	}{
		{0, 0, 0, 1, 0},
		{0, 0, 1, 0, 0x100000},
		{0, 0, half, half, 0xB504F},             // 0.70710677 * 2^20 = 741455.2
		{0, 0, half, -half, 0x200000 - 0xB504F}, // negative, in 21 bits
		{0, half, 0, half, 0xB504F << 21},
		{half, 0, 0, half, 0x16A09E << 42}, // * 2^21 = 1482910.4
		{-0.5, 0.5, -0.5, 0.5, 0x300000<<42 | 0x80000<<21 | 0x180000},
	} {
		if got := PackRotation(c.x, c.y, c.z, c.w); got != c.want {
			t.Errorf("%v %v %v %v: %#x, want %#x", c.x, c.y, c.z, c.w, got, c.want)
		}
	}
	if got := GameObjectGUID(0x1234, 0xABCDEF); got != 0xF110001234ABCDEF {
		t.Errorf("GUID %#x", got)
	}
}
