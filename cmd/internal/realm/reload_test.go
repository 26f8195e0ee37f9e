package realm

import (
	"context"
	"io"
	"testing"

	"muster/loaders/store"
	"muster/net/gateway"
	"muster/net/protocol/command"
)

// Instances that are made after the settings were read again, or an operator has set the rate, have it as it is then.
func TestReloadBeforeInstance(t *testing.T) {
	v := newConfig(t, "--creatures", "0", "--rate-xp", "2", "--data", t.TempDir())
	v.Reread = func() (changed, kept []string, err error) {
		v.RateXP = 4
		return []string{"RateXp"}, nil, nil
	}
	r, err := New(v, store.NewMemory(store.MemoryConfig{}), v.Logger(io.Discard))
	if err != nil {
		t.Fatal(err)
	}
	rate := func(want float32) {
		if h := r.headerOf(r.Defs.Map(dungeonMap), 7); h.XPRate != want || h.Map != dungeonMap || h.Seed != v.Seed+7 {
			t.Errorf("instance 7 is made of %+v, want rate %v", h, want)
		}
	}
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	if err = r.Serve(ctx, func(Open) error {
		defer stop()
		rate(2)
		_, err := r.reload()
		rate(4)
		for _, c := range []struct {
			rate string
			want float32
			fine bool
		}{{"3.5", 3.5, true}, {"0", 3.5, false}, {"1 2", 3.5, false}, {`"0.25"`, 0.25, true}} {
			_, refused := r.Console.Run(ctx, gateway.Caller{Level: command.Console}, "server set rate xp "+c.rate)
			if rate(c.want); (refused == nil) != c.fine {
				t.Errorf("the rate %s: %v", c.rate, refused)
			}
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}
