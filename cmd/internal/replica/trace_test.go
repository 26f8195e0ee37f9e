package replica

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"

	"muster/ecs/grid"
	"muster/internal/metric"
	"muster/net/replication/frame"
	"muster/net/replication/span"
)

// A tickList has the ticks of the spans that a receiver of OTLP was sent.
type tickList struct {
	sync.Mutex
	all []int64
}

func (l *tickList) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	text, err := io.ReadAll(q.Body)
	var request collector.ExportTraceServiceRequest
	if err != nil || proto.Unmarshal(text, &request) != nil {
		http.Error(w, "no traces", http.StatusBadRequest)
		return
	}
	l.Lock()
	defer l.Unlock()
	for _, r := range request.ResourceSpans {
		for _, scope := range r.ScopeSpans {
			for _, s := range scope.Spans {
				for _, a := range s.Attributes {
					if a.Key == "tick" {
						l.all = append(l.all, a.Value.GetIntValue())
					}
				}
			}
		}
	}
}

func (l *tickList) read() []int64 {
	l.Lock()
	defer l.Unlock()
	return slices.Clone(l.all)
}

// A world in a log, also one that was begun again, traces a movement when its end has published the frame, which it does when the log has the tick.
func TestTracesWaitForTheLog(t *testing.T) {
	_, bus, stream := startRealm(t)
	moved := slices.Concat([]byte{0, 38}, []byte{0xEE, 0}, []byte{1, 7}, make([]byte, 34)) // MSG_MOVE_HEARTBEAT of player 7
	for _, rebuilt := range []bool{false, true} {
		exported := new(tickList)
		receiver := httptest.NewServer(exported)
		defer receiver.Close()
		tracer, err := span.New(t.Context(), span.Config{
			Endpoint: receiver.URL, Fraction: 1, Realm: "r", Role: "worker", Metric: new(metric.Table), Log: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			t.Fatal(err)
		}
		r := newTracedOf(t, bus, stream, false, tracer)
		if rebuilt {
			r.anewly()
		}
		r.end.Lead(1, 9)
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() {
			if err := r.end.Run(ctx); err != nil {
				t.Error(err)
			}
		})
		var in frame.Inbox
		for tick := range uint64(2) {
			var d frame.Builder
			d.Bytes = append(d.Bytes, moved...)
			d.AddDelta(grid.At(1, 1, 0), frame.Moves, d.Cut())
			f := r.live.Exchange.Write()
			d.Build(f, tick+1)
			r.live.Heard(tick+1, &in)
			r.live.Exchange.Publish(f)
		}
		r.end.Commit(1, &in)
		eventually(t, "the movement in the tick of the log is exported", func() bool { return len(exported.read()) > 0 })
		stop()
		running.Wait()
		tracer.Close()
		if got := exported.read(); !slices.Equal(got, []int64{1}) {
			t.Errorf("rebuilt: %v: movements in the ticks %v are traced, want that of tick 1, which the log has", rebuilt, got)
		}
	}
}
