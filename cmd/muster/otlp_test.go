package main

import (
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"muster/bench/swarm"
	"muster/cmd/internal/process"
)

// spansOf are the spans that a receiver of OTLP has been sent, by trace.
type spansOf struct {
	*httptest.Server
	mu     sync.Mutex
	traces map[string][]*otlp.Span
	roles  map[*otlp.Span]string
	at     map[*otlp.Span]string // which process of the role
}

func receiveSpans(t *testing.T) *spansOf {
	s := &spansOf{traces: make(map[string][]*otlp.Span), roles: make(map[*otlp.Span]string), at: make(map[*otlp.Span]string)}
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
					s.roles[span], s.at[span] = of["service.name"], of["service.instance.id"]
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
				flushes[s.at[span]] = true
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
		if s.roles[root] != "muster gateway" || s.roles[tick] != "muster worker" || s.roles[flush] != "muster gateway" {
			t.Errorf("trace %s is of %s, %s and %s", id, s.roles[root], s.roles[tick], s.roles[flush])
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
	testTraces(t)
}

// Also if the world is in a log, and is followed by a standby.
func TestTracesOfLogs(t *testing.T) {
	waits(t)
	testTraces(t, "--durable", "world", "--standbys", "1")
}

func testTraces(t *testing.T, args ...string) {
	receiver := receiveSpans(t)
	p := startGateways(t, append(args, "--otlp", receiver.URL, "--otlp-fraction", "0.5")...)
	swarms(t, p.served, swarm.Config{Clients: atOnce(20), Behaviour: swarm.Walk, Duration: 4 * time.Second})
	p.stop(os.Interrupt, 1)
	whole, across := receiver.whole(t)
	t.Logf("%d traces, of which %d have all parts, %d of them sent by both gateways", len(receiver.traces), whole, across)
	if whole == 0 || across == 0 {
		t.Errorf("of %d traces %d have all parts, %d of them sent by both gateways", len(receiver.traces), whole, across)
	}
}

// ticks are those of a map with spans world.tick of a process.
func (s *spansOf) ticks(id int64, process string) (all []int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, spans := range s.traces {
		for _, span := range spans {
			of := make(map[string]int64)
			for _, a := range span.Attributes {
				of[a.Key] = a.Value.GetIntValue()
			}
			if span.Name == "world.tick" && of["map"] == id && strings.HasPrefix(s.at[span], process+".") {
				all = append(all, of["tick"])
			}
		}
	}
	return all
}

// Of a world in a log the process that has it traces the ticks that it steps: none is traced by a standby, which steps them too, until it has the world.
func TestTracesOfStandbys(t *testing.T) {
	waits(t)
	receiver := receiveSpans(t)
	url := startStreams(t).ClientURL()
	traced := []string{"--bus", url, "--creatures", "200", "--start", "one", "--otlp", receiver.URL, "--otlp-fraction", "0.5"}
	args := append(slices.Clone(traced), "--durable", "world")
	one := work(t, args...)
	s := serve(t, append(traced, "--ephemeral")...)
	two := work(t, append(args, "--standby")...)
	first, second := process.NameOf(one.cmd.Process.Pid), process.NameOf(two.cmd.Process.Pid)
	inTheMiddle(t, s, func() {
		eventually(t, "the first process traces movements", func() bool { return len(receiver.ticks(0, first)) > 0 })
		one.cmd.Process.Kill()
		eventually(t, "the standby traces movements", func() bool { return len(receiver.ticks(0, second)) > 0 })
	})
	s.stop(os.Interrupt, 1)
	if two.logged("worlds that have read the same differ") {
		t.Error("worlds that have read the same differ")
	}
	whole, _ := receiver.whole(t)
	before, after := receiver.ticks(0, first), receiver.ticks(0, second)
	t.Logf("%d traces have all parts; the first process has %d up to tick %d, the second one %d from %d on", whole, len(before), slices.Max(before), len(after), slices.Min(after))
	if slices.Max(before) >= slices.Min(after) {
		t.Errorf("the first process has traced tick %d, and the second one that follows it tick %d", slices.Max(before), slices.Min(after))
	}
	if whole == 0 {
		t.Error("no trace has all parts")
	}
}

func TestTraceFlags(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"serve --otlp localhost:4318":               "--otlp: want a URL, http://HOST:4318",
		"serve --otlp http://h --otlp-fraction 1.5": "--otlp-fraction is from 0 to 1, not 1.5",
		"cluster --otlp-fraction=-1":                "--otlp-fraction is from 0 to 1, not -1",
	} {
		if _, err := parse(t, strings.Fields(args), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}
