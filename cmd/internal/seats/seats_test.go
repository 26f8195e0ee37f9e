package seats

import (
	"testing"
)

func TestShare(t *testing.T) {
	for _, c := range []struct {
		n, asked int
		want     Seats
	}{
		{400, 0, Seats{Players: 147, Logins: 100}},
		{400, 300, Seats{Players: 147, Logins: 100}},
		{1024, 0, Seats{Players: 576, Logins: 256}},
		{1 << 20, 0, Seats{Players: 20_000, Logins: 8192}},
		{64, 0, Seats{Players: 1, Logins: 16}},
		{20_000, 0, Seats{Players: 13_622, Logins: 5000}},
		{20_000, 13_000, Seats{Players: 13_622, Logins: 5000}},
		{20_000, 17_000, Seats{Players: 17_000, Logins: 1622}},
		{20_000, 19_500, Seats{Players: 19_500, Logins: 256}},
		{20_000, 30_000, Seats{Players: 19_552, Logins: 256}},
	} {
		if got := Share(c.n, c.asked); got != c.want {
			t.Errorf("%d descriptors, %d asked for: %+v, want %+v", c.n, c.asked, got, c.want)
		}
	}
}
