package claims_test

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"muster/internal/metric"
	"muster/loaders/registry"
	"muster/net/gateway/claims"
)

// The registry is told once a second of the players that have gone elsewhere, and of none while none has. What it has not noted is said again, and all after an error.
func TestLocate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer stop()
		counters, m := new(metric.Table), &member{number: 1}
		c := claims.New(claims.Config{Member: m, Bus: new(bus), Realm: "test", Metric: counters})
		var in []registry.Location
		go c.Locate(ctx, func() []registry.Location {
			m.mu.Lock()
			defer m.mu.Unlock()
			return in
		})
		step := func(what string, now []registry.Location, want ...registry.Location) {
			t.Helper()
			m.mu.Lock()
			m.located, in = nil, now
			m.mu.Unlock()
			time.Sleep(time.Second) // of the bubble
			synctest.Wait()
			var said []registry.Location
			if len(m.located) > 0 {
				said = m.located[0]
			}
			if !reflect.DeepEqual(said, want) || len(m.located) > 1 {
				t.Errorf("%s: said %+v, want %+v at once", what, m.located, want)
			}
		}
		at := func(account uint32, fence uint64, id, instance uint32) registry.Location {
			return registry.Location{Account: account, Fence: fence, Map: id, Instance: instance}
		}
		one, two := at(1, 1, 0, 0), at(2, 1, 3, 12)
		time.Sleep(time.Second / 2)
		step("none is there", nil)
		step("two come, in whatever order", []registry.Location{two, one}, one, two)
		step("they stay", []registry.Location{one, two})
		moved := at(2, 1, 3, 13)
		step("one goes elsewhere", []registry.Location{one, moved}, moved)
		again := at(1, 2, 0, 0)
		step("one is claimed anew", []registry.Location{again, moved}, again)
		out := moved
		out.Out = true
		step("one leaves", []registry.Location{again}, out)
		step("it is away", []registry.Location{again})
		nine := at(9, 1, 0, 0)
		step("one is not noted", []registry.Location{again, nine}, nine)
		step("it is said again", []registry.Location{again, nine}, nine)
		away := func(err error) {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.away = err
		}
		away(errors.New("away"))
		step("the database is away", []registry.Location{again, moved}, moved)
		away(nil)
		step("it is back", []registry.Location{again, moved}, again, moved)
		if n := counters.Value(claims.NotLocated); n != 1 {
			t.Errorf("%d failures were counted, want 1", n)
		}
	})
}
