package main

import (
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"muster/bench/swarm"
)

// spansOf are the spans that a receiver of OTLP has been sent, by trace.
type spansOf struct {
	*httptest.Server
	mu     sync.Mutex
	traces map[string][]*otlp.Span
	roles  map[string]string // by span
	at     map[string]string // which process of the role, as well
}

func receiveSpans(t *testing.T) *spansOf {
	s := &spansOf{traces: make(map[string][]*otlp.Span), roles: make(map[string]string), at: make(map[string]string)}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		text, err := io.ReadAll(q.Body)
		var request collector.ExportTraceServiceRequest
		if err != nil || proto.Unmarshal(text, &request) != nil {
			http.Error(w, "no traces", http.StatusBadRequest)
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, r := range request.ResourceSpans {
			of := make(map[string]string)
			for _, a := range r.Resource.Attributes {
				of[a.Key] = a.Value.GetStringValue()
			}
			for _, scope := range r.ScopeSpans {
				for _, span := range scope.Spans {
					id := hex.EncodeToString(span.TraceId)
					s.traces[id] = append(s.traces[id], span)
					s.roles[string(span.SpanId)], s.at[string(span.SpanId)] = of["service.name"], of["service.instance.id"]
				}
			}
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// whole counts the traces that have all parts: at the gateway of the mover, in the world, and at gateways that sent it to other clients. Across is
// how many of them were sent by two.
func (s *spansOf) whole(t *testing.T) (whole, across int) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, spans := range s.traces {
		at := make(map[string]*otlp.Span)
		flushes := make(map[string]bool) // by gateway
		for _, span := range spans {
			if span.Name == "gateway.flush" {
				flushes[s.at[string(span.SpanId)]] = true
			} else if at[span.Name] != nil {
				t.Errorf("trace %s has %s twice", id, span.Name)
			}
			at[span.Name] = span
		}
		root, inbox, tick, flush := at["movement"], at["world.inbox"], at["world.tick"], at["gateway.flush"]
		if root == nil || inbox == nil || tick == nil || flush == nil {
			continue
		}
		whole++
		for name, child := range map[string][2]*otlp.Span{"world.inbox": {inbox, root}, "world.tick": {tick, root}, "gateway.flush": {flush, tick}} {
			if string(child[0].ParentSpanId) != string(child[1].SpanId) {
				t.Errorf("trace %s: the parent of %s is %x", id, name, child[0].ParentSpanId)
			}
		}
		if s.roles[string(root.SpanId)] != "muster gateway" || s.roles[string(tick.SpanId)] != "muster worker" || s.roles[string(flush.SpanId)] != "muster gateway" {
			t.Errorf("trace %s is of %s, %s and %s", id, s.roles[string(root.SpanId)], s.roles[string(tick.SpanId)], s.roles[string(flush.SpanId)])
		}
		if root.StartTimeUnixNano > flush.EndTimeUnixNano || tick.StartTimeUnixNano > flush.StartTimeUnixNano {
			t.Errorf("trace %s ends before it begins: %v", id, spans)
		}
		if len(flushes) > 1 {
			across++
		}
	}
	return whole, across
}

// Movements of clients at two gateways are traced from the gateway that has the client, over NATS, through the world, to both gateways.
func TestTraces(t *testing.T) {
	waits(t)
	receiver := receiveSpans(t)
	p := startGateways(t, "--otlp", receiver.URL, "--otlp-fraction", "0.5")
	swarms(t, p.served, swarm.Config{Clients: atOnce(20), Behaviour: swarm.Walk, Duration: 4 * time.Second})
	p.stop(os.Interrupt, 1)
	whole, across := receiver.whole(t)
	t.Logf("%d traces, of which %d have all parts, %d of them sent by both gateways", len(receiver.traces), whole, across)
	if whole == 0 || across == 0 {
		t.Errorf("of %d traces %d have all parts, %d of them sent by both gateways", len(receiver.traces), whole, across)
	}
}

func TestTraceFlags(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"serve --otlp localhost:4318":                                       "--otlp: want a URL, http://HOST:4318",
		"serve --otlp http://h --otlp-fraction 1.5":                         "--otlp-fraction is from 0 to 1, not 1.5",
		"cluster --otlp-fraction=-1":                                        "--otlp-fraction is from 0 to 1, not -1",
		"worker --bus nats://h:1 --map 0 --durable world --otlp http://h:1": "--durable world and --otlp exclude each other",
	} {
		if _, err := parse(t, strings.Fields(args), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}
