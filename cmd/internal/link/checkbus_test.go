package link

import (
	"testing"
	"time"
)

// Several servers of NATS are named with commas between them.
func TestCheckBus(t *testing.T) {
	for text, ok := range map[string]bool{
		"nats://127.0.0.1:4222": true, "tls://a:1,tls://b:2,nats://[::1]:3": true,
		"": false, "nats://a:1,": false, "nats://a:1,b:2": false, "http://a:1": false, "nats://a:1 nats://b:2": false,
	} {
		if err := CheckURL(text); (err == nil) != ok {
			t.Errorf("--bus %q: %v", text, err)
		}
	}
}

type away time.Duration

func (a away) Away() time.Duration { return time.Duration(a) }

// A process is ready while NATS is restarted, and not when it is away for longer than worlds keep frames.
func TestCheckAway(t *testing.T) {
	for a, ok := range map[away]bool{0: true, away(Kept): true, away(Kept + time.Second): false} {
		if err := CheckAway(a); (err == nil) != ok {
			t.Errorf("away for %v: %v", time.Duration(a), err)
		}
	}
}
