package bench

import (
	"strings"
	"testing"
)

// The page says what a million logins within an hour take: at 9 ms each 2.5 cores, which are five processes with half a core each.
func TestLoginsOfAnHour(t *testing.T) {
	var s sheet
	for name, v := range map[string]float64{loginMs: 9, loginGatewayMs: 3.6, loginStoreMs: 1.8} {
		s.put(name, "ms", v)
	}
	for _, of := range []string{registryOf(1, 1), registryOf(enlistedWorlds, enlistedWorkers)} {
		s.put(leaderCore+of, "% of a core", 0.3)
		s.put(reportsCore+of, "% of a core", 0.7)
	}
	var b strings.Builder
	(&scaleSize{logins: 1_000}).loginHour(&b, &s)
	const want = "A million players who log in within an hour are 278 logins a second, which take 2.50 cores of processes for logins, 5 with half a core each, 1 cores of gateways and 0.500 of PostgreSQL."
	if !strings.Contains(b.String(), want) || strings.Contains(b.String(), "NaN") || strings.Contains(b.String(), "%!") {
		t.Errorf("the page says %q, want in it %q", b.String(), want)
	}
}
