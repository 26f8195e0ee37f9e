package bench

import "testing"

// What worlds publish of a tick is at most a tenth more than the packets of what has changed, each once, whole and by regions: bytes do not
// depend on the machine.
func TestPublishedBytes(t *testing.T) {
	for _, players := range []int{2_000, 4_000} {
		_, f := marched(t, players, 1, 40)
		if ratio := (f.sharedBytes + f.privateBytes) / f.changed; ratio > 1.1 || ratio < 1 || f.changed < 5*float64(players) {
			t.Errorf("of %.0f bytes of packets %.0f are published, and %.0f for single gateways: %.3f times as many, want at most 1.1", f.changed, f.sharedBytes, f.privateBytes, ratio)
		}
	}
}
