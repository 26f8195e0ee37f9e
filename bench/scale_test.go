package bench

import "testing"

// What worlds publish of a tick is at most a tenth more than the packets of what has changed, each once: bytes do not depend on the machine.
func TestPublishedBytes(t *testing.T) {
	f := newScaled(2_000, 1).measure(1, 40)
	if ratio := (f.sharedBytes + f.privateBytes) / f.changed; ratio > 1.1 || ratio < 1 || f.changed < 5_000 {
		t.Errorf("of %.0f bytes of packets %.0f are published, and %.0f for single gateways: %.3f times as many, want at most 1.1", f.changed, f.sharedBytes, f.privateBytes, ratio)
	}
}
