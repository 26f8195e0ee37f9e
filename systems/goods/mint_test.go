package goods

import "testing"

func TestMint(t *testing.T) {
	var m Mint
	if m.Left() != 0 || m.Take() != 0 || m.Wants() != Lot || m.Wants() != 0 {
		t.Errorf("an empty mint: %+v", m)
	}
	for _, l := range []struct{ first, count uint32 }{{0, 5}, {5, 0}, {^uint32(0), 2}} {
		if m.Lease(l.first, l.count) {
			t.Errorf("took a lease %+v", l)
		}
	}
	if !m.Lease(10, 2) || !m.Lease(7, 1) || m.Left() != 3 {
		t.Errorf("two leases: %+v", m)
	}
	for _, want := range []uint32{10, 11, 7, 0} {
		if got := m.Take(); got != want {
			t.Errorf("took %d, want %d", got, want)
		}
	}
	for i := range uint32(4) {
		if !m.Lease(100*i+1, Low) {
			t.Errorf("refused lease %d", i)
		}
	}
	if m.Lease(1000, 1) || m.Wants() != 0 {
		t.Error("took more ranges than it has room for, or wants more")
	}
}
