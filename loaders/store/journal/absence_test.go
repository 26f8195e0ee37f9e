package journal

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"muster/loaders/store"
)

// A store that is away is reported at once, after 10, 20 and 40 s, and when it is back: with how long that took, the
// characters that waited, and the bytes that the journal has for them. One that takes everything is not reported.
func TestAbsence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newClerk()
		people := k.characters(t, 3)
		var told []Absence
		j := openOver(t, k, func(c *Config) { c.Away = func(a Absence) { told = append(told, a) } })
		save := func(n int) {
			for i := range people[:n] {
				j.Save([]store.Snapshot{step(&people[i], 0)}, nil)
			}
		}
		save(3)
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(told) != 0 {
			t.Errorf("a store that is there is reported: %+v", told)
		}
		away := errors.New("connection refused")
		k.set(func(k *clerk) { k.fail = away })
		save(1)
		time.Sleep(5 * time.Second)
		save(3)
		time.Sleep(40 * time.Second)
		k.set(func(k *clerk) { k.fail = nil })
		time.Sleep(time.Minute)
		synctest.Wait()
		const slack = 2 * time.Second // of the last pause
		want := []struct {
			after   time.Duration
			records int
			err     error
		}{{0, 1, away}, {10 * time.Second, 3, away}, {20 * time.Second, 3, away}, {40 * time.Second, 3, away}, {45 * time.Second, 3, nil}}
		if len(told) != len(want) {
			t.Fatalf("reported: %+v", told)
		}
		for i, w := range want {
			a := told[i]
			if a.For < w.after-time.Second || a.For > w.after+slack || a.Records != w.records || !errors.Is(a.Err, w.err) || (a.Err == nil) != (w.err == nil) {
				t.Errorf("report %d is %+v, want %+v", i, a, w)
			}
			if a.Bytes <= 0 || i == 1 && a.Bytes <= told[0].Bytes {
				t.Errorf("report %d has %d bytes, the first %d", i, a.Bytes, told[0].Bytes)
			}
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
}
