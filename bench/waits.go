package bench

// A waits is how long movements may be on their way from one client to another, in ms. The limits are what was recorded on
// the reference machine and 15 % more, rounded up to 5 ms. Due is two periods between flushes and a step, within which a
// move arrives that waits for nothing but its tick and its flush. Where p99 is above that, the target is the weaker of the
// two, and due is the stretch.
type waits struct{ p50, p99, due float64 }

// The waits of S9 to S11, each with the p50 and p99 that was recorded.
var (
	waits15000 = waits{p50: 205, p99: 430, due: 450}  // 175 and 373
	waits19500 = waits{p50: 490, p99: 1065, due: 550} // 424 and 923
	waits3000  = waits{p50: 85, p99: 150, due: 250}   // 71.4 and 130
	waits4000  = waits{p50: 150, p99: 2975, due: 450} // 130 and 2,585, with a budget for each flush
	waits6600  = waits{p50: 185, p99: 3415, due: 450} // 160 and 2,968, likewise
)

// waitsText says what the limits are.
const waitsText = " Targets for the latency of more than 10,000 clients, or of 3,000 and more in one crowd, are what was once recorded " +
	"on the reference machine and 15 % more. A move that waits for nothing but its tick and its flush arrives within two periods " +
	"between flushes and a step: where the target for p99 is weaker than that, that is the stretch."

// put notes the latencies of one repetition.
func (w waits) put(s *sheet, name string, f *figures) {
	s.put(name+latencyP50, "ms", f.report.Movement.P50).atMost(w.p50, OfMedian)
	p99 := s.put(name+latencyP99, "ms", f.report.Movement.P99).atMost(w.p99, OfMedian)
	if w.p99 > w.due {
		p99.stretch(w.due)
	}
}

// unheld notes why there are no latencies: the targets for them are not judged.
func (w waits) unheld(s *sheet, name, because string) {
	s.skip(name+"held", because)
	for _, limit := range []struct {
		figure string
		ms     float64
	}{{latencyP50, w.p50}, {latencyP99, w.p99}} {
		s.skipped = append(s.skipped, Skip{Name: name + limit.figure, Because: because, Target: &Target{Of: OfMedian, AtMost: limit.ms}})
	}
}
