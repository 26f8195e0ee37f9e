package natsbus

import (
	"testing"

	"muster/internal/natstest"
)

// A worker gets what others publish to a subject to which it subscribes, and not what it publishes to it itself. A gateway gets both: it answers its own verbs.
func TestWorkerDoesNotHearItself(t *testing.T) {
	t.Parallel()
	s := natstest.StartStreams(t)
	connect := func(r Role) *Bus {
		bus, err := Connect(Config{URL: s.ClientURL(), Name: string(r), Role: r})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(bus.Close)
		return bus
	}
	const itself, other = "itself", "other"
	for role, first := range map[Role]string{Worker: other, Gateway: itself} {
		subject := "muster.r.upgraded." + string(role)
		bus, heard := connect(role), make(chan string, 2)
		if _, err := bus.Subscribe(subject, func(message []byte) { heard <- string(message) }); err != nil {
			t.Fatal(err)
		}
		for _, from := range []struct {
			*Bus
			name string
		}{{bus, itself}, {connect(role), other}} { // in this order, as each is flushed
			if err := from.Publish(subject, []byte(from.name)); err != nil {
				t.Fatal(err)
			}
			if err := from.Flush(); err != nil {
				t.Fatal(err)
			}
		}
		if got := <-heard; got != first {
			t.Errorf("the first message that a %s gets is of %s, want %s", role, got, first)
		}
	}
}
