package worldset

import (
	"testing"
	"time"
)

// A world that is continued has the date of today, unless one is given.
func TestSteppedDate(t *testing.T) {
	now := func() time.Time { return time.UnixMilli(1_800_000_000_000) }
	date := steppedDate(time.Time{}, 50, now)
	if at, next := date(1000), date(1002); at != 1_800_000_000_000 || next != at+100 {
		t.Errorf("the first tick has the date %d, the next but one %d", at, next)
	}
	if at := steppedDate(time.UnixMilli(7), 50, now)(1000); at != 50_007 {
		t.Errorf("with a date it has %d", at)
	}
}
