package components

import "testing"

func TestAuraState(t *testing.T) {
	for _, c := range []struct{ health, most, want uint32 }{
		{0, 100, 0}, {1, 100, 0x1002}, {19, 100, 0x1002}, {20, 100, 0x1000}, {34, 100, 0x1000}, {35, 100, 0}, {75, 100, 0},
		{76, 100, 0x400000}, {100, 100, 0x400000}, {1 << 31, 1<<32 - 1, 0}, {0, 0, 0},
	} {
		v := Vitals{Health: c.health, MaxHealth: c.most}
		if got := v.AuraState(); got != c.want {
			t.Errorf("%d of %d: %#x, want %#x", c.health, c.most, got, c.want)
		}
	}
}
