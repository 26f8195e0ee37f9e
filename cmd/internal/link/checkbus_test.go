package link

import "testing"

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
