package worldspec

import (
	"testing"
	"time"

	"muster/components/defs"
)

// Digests of a log are compared with those of a world whose shares are as far apart: 200 ms since logs say it, and 50 in those before.
func TestSharesAreThoseOfTheLog(t *testing.T) {
	d := &defs.World{Maps: []defs.Map{{ID: 0}}}
	h := new(Settings).Header(&d.Maps[0], false)
	older := h
	older.ShareMs = 0
	if now, then := worldConfig(&h, d, nil).ShareEvery, worldConfig(&older, d, nil).ShareEvery; now != 200*time.Millisecond || then != 50*time.Millisecond {
		t.Errorf("shares are %v apart, and %v in an older log; want 200ms and 50ms", now, then)
	}
	if field := OtherSetting(&older, &h); field != "" {
		t.Errorf("an older log is of a world with another %s", field)
	}
}
