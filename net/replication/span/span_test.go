package span

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"go.uber.org/goleak"
	"google.golang.org/protobuf/proto"

	"muster/ecs/grid"
	"muster/internal/corrupt"
	"muster/internal/metric"
	"muster/net/replication/frame"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// heartbeat is MSG_MOVE_HEARTBEAT.
const heartbeat = 0xEE

// body is a movement of a player, with flags and a time, as it is sent by a client and to others.
func body(guid byte, flags, time uint32, x float32) []byte {
	b := []byte{1, guid}
	b = binary.LittleEndian.AppendUint32(b, flags)
	b = binary.LittleEndian.AppendUint16(b, 0)
	b = binary.LittleEndian.AppendUint32(b, time)
	for _, f := range [...]float32{x, 2, 3, 4} {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	return binary.LittleEndian.AppendUint32(b, 0) // fall time
}

func packet(op uint16, body []byte) []byte {
	b := binary.BigEndian.AppendUint16(nil, uint16(2+len(body)))
	b = binary.LittleEndian.AppendUint16(b, op)
	return append(b, body...)
}

// frameOf is the frame of a tick with some packets in the moves of a cell.
func frameOf(tick uint64, packets ...[]byte) *frame.Frame {
	var d frame.Builder
	for _, p := range packets {
		d.Bytes = append(d.Bytes, p...)
		d.AddDelta(grid.At(1, 1, 0), frame.Moves, d.Cut())
	}
	f := new(frame.Frame)
	d.Build(f, tick)
	return f
}

func newTest(t *testing.T, fraction float64) (*Tracer, *tracetest.InMemoryExporter) {
	t.Helper()
	exporter := tracetest.NewInMemoryExporter()
	return newTracer(Config{Fraction: fraction, Realm: "R", Role: "test", Metric: new(metric.Table), Log: slog.New(slog.DiscardHandler)}, exporter), exporter
}

// A receiver of OTLP over HTTP keeps the spans that it is sent.
type receiver struct {
	*httptest.Server
	mu    sync.Mutex
	spans []*otlp.Span
	paths []string
}

func newReceiver(t *testing.T) *receiver {
	r := new(receiver)
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		text, err := io.ReadAll(q.Body)
		var request collector.ExportTraceServiceRequest
		if err != nil || proto.Unmarshal(text, &request) != nil {
			http.Error(w, "no traces", http.StatusBadRequest)
			return
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.paths = append(r.paths, q.URL.Path)
		for _, resource := range request.ResourceSpans {
			for _, scope := range resource.ScopeSpans {
				r.spans = append(r.spans, scope.Spans...)
			}
		}
	}))
	t.Cleanup(r.Close)
	return r
}

// Three processes, which tell each other nothing, make one trace of a movement: the gateway that received it, its world, and the gateway that sends
// it to another client. A receiver of OTLP is sent it.
func TestMovement(t *testing.T) {
	r := newReceiver(t)
	var tracers []*Tracer
	for _, role := range []string{"gateway", "worker", "gateway"} {
		tracer, err := New(t.Context(), Config{Endpoint: r.URL, Fraction: 1, Realm: "R", Role: role, Metric: new(metric.Table)})
		if err != nil {
			t.Fatal(err)
		}
		tracers = append(tracers, tracer)
	}
	sent, relayed := body(7, 1, 1000, 1.5), body(7, 3, 5000, 1.5) // the world has its own time, and may have its own flags
	f := frameOf(40, packet(heartbeat, relayed))

	from, world, to := tracers[0].Loop(), tracers[1].World(1, 0), tracers[2].Loop()
	from.Receive(heartbeat, sent)
	var in frame.Inbox
	in.Add(frame.Item{Session: 3, AtMs: 970, Op: heartbeat, Body: sent})
	world.Begin(&in)
	world.Publish(f, 1000)
	for _, l := range []*Loop{from, to} {
		l.Frames(1, []*frame.Frame{f})
	}
	to.Send(slices.Concat(packet(0x1, nil), packet(heartbeat, relayed), packet(0x2, nil)))
	to.Send(packet(heartbeat, relayed))
	to.Send(packet(heartbeat, body(8, 3, 5000, 1.5)))
	to.Flushed()
	to.Flushed() // there is nothing more
	for _, tracer := range tracers {
		tracer.Close()
	}

	by := make(map[string]*otlp.Span)
	for _, s := range r.spans {
		if by[s.Name] != nil {
			t.Errorf("%s twice", s.Name)
		}
		by[s.Name] = s
	}
	if len(by) != 4 {
		t.Fatalf("%d spans: %v", len(by), r.spans)
	}
	for name, parent := range map[string]string{moved: "", waited: moved, stepped: moved, finished: stepped} {
		s := by[name]
		if hex.EncodeToString(s.TraceId) != hex.EncodeToString(by[moved].TraceId) {
			t.Errorf("%s is of another trace", name)
		}
		var want []byte
		if parent != "" {
			want = by[parent].SpanId
		}
		if string(s.ParentSpanId) != string(want) {
			t.Errorf("the parent of %s is %x, want that of %q, %x", name, s.ParentSpanId, parent, want)
		}
		if s.EndTimeUnixNano < s.StartTimeUnixNano {
			t.Errorf("%s ends before it begins", name)
		}
	}
	if wait := time.Duration(by[waited].EndTimeUnixNano - by[waited].StartTimeUnixNano); wait < 25*time.Millisecond || wait > 30*time.Millisecond {
		t.Errorf("it waited for %v, want 30 ms less what the test took", wait)
	}
	for _, a := range by[finished].Attributes {
		if a.Key == "clients" && a.Value.GetIntValue() != 2 {
			t.Errorf("sent to %d clients, want 2", a.Value.GetIntValue())
		}
	}
	if i := slices.IndexFunc(r.paths, func(p string) bool { return p != "/v1/traces" }); i >= 0 {
		t.Errorf("sent to %s", r.paths[i])
	}
}

// Of all movements the fraction is traced, each process the same ones, and of a tick no more than the bound.
func TestFraction(t *testing.T) {
	a, _ := newTest(t, 0.1)
	b, _ := newTest(t, 0.1)
	none, _ := newTest(t, 0)
	defer a.Close()
	defer b.Close()
	defer none.Close()
	const all = 20_000
	traced := 0
	for i := range uint64(all) {
		p := packet(heartbeat, body(byte(i), 0, uint32(i), float32(i)))
		one, ok := a.identify(1, i, p)
		other, same := b.identify(1, i, p)
		if ok != same || one != other {
			t.Fatalf("two processes have %v %v, and %v %v", one, ok, other, same)
		}
		if _, ok := none.identify(1, i, p); ok {
			t.Fatal("of none one is traced")
		}
		if ok {
			traced++
		}
	}
	if traced < all*9/100 || traced > all*11/100 {
		t.Errorf("%d of %d are traced, want a tenth", traced, all)
	}

	whole, exported := newTest(t, 1)
	var packets [][]byte
	for i := range maxPerTick + 5 {
		packets = append(packets, packet(heartbeat, body(byte(i), 0, 0, 1)))
	}
	packets = append(packets, packet(0xDD, body(1, 0, 0, 1))) // SMSG_MONSTER_MOVE
	w := whole.World(1, 0)
	w.Begin(new(frame.Inbox))
	w.Publish(frameOf(1, packets...), 0)
	whole.provider.ForceFlush(t.Context())
	if n := len(exported.GetSpans()); n != maxPerTick {
		t.Errorf("%d spans of a tick, want %d", n, maxPerTick)
	}
	l := whole.Loop()
	for tick := range uint64(10) {
		l.Frames(1, []*frame.Frame{frameOf(tick+2, packets...)})
	}
	if n := whole.config.Metric.Value(Dropped); len(l.found) != maxFound || n != 10*maxPerTick-maxFound {
		t.Errorf("%d are followed and %d dropped, want %d and %d", len(l.found), n, maxFound, 10*maxPerTick-maxFound)
	}
	whole.Close()
}

// Of a world whose frames are published later than their ticks a movement is traced when its frame is, and until then: not one of a tick that was not begun
// here, nor one whose frame another process publishes, or none.
func TestHeld(t *testing.T) {
	tracer, exported := newTest(t, 1)
	defer tracer.Close()
	w := tracer.World(1, 0)
	w.Held = true
	names := func() (all []string) {
		t.Helper()
		if err := tracer.provider.ForceFlush(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, s := range exported.GetSpans() {
			all = append(all, s.Name)
		}
		exported.Reset()
		return all
	}
	sent := body(7, 1, 1000, 1.5)
	step := func(tick uint64, begins bool) {
		var in frame.Inbox
		in.Add(frame.Item{Session: 3, AtMs: 970, Op: heartbeat, Body: sent})
		if begins {
			w.Begin(&in)
		}
		w.Publish(frameOf(tick, packet(heartbeat, sent)), 1000)
	}
	step(1, false) // as the log has it
	w.Release(1)
	if got := names(); len(got) > 0 {
		t.Errorf("of a tick that another process has stepped there are %v", got)
	}
	step(2, true)
	step(3, true)
	step(4, true)
	step(4, false)
	if got := names(); len(got) > 0 {
		t.Errorf("before the frames are published there are %v", got)
	}
	before := time.Now()
	w.Release(3) // that of tick 2 has no room any more
	if err := tracer.provider.ForceFlush(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, s := range exported.GetSpans() {
		at := slices.IndexFunc(s.Attributes, func(a attribute.KeyValue) bool { return a.Key == "tick" })
		if got := s.Attributes[at].Value.AsInt64(); got != 3 || s.Name == stepped && s.EndTime.Before(before) || s.Name == waited && s.EndTime.After(before) {
			t.Errorf("%s is of tick %d, and ends %v after its frame is published", s.Name, got, s.EndTime.Sub(before))
		}
	}
	if got, want := names(), []string{waited, stepped}; !slices.Equal(got, want) {
		t.Errorf("when a frame is published there are %v, want %v", got, want)
	}
	w.Release(4)
	w.Release(5)
	if got, want := names(), []string{waited, stepped}; !slices.Equal(got, want) {
		t.Errorf("when the next one is there are %v, want %v", got, want)
	}
}

// While the log takes nothing, as many spans of a world wait as may, and of more movements none is traced.
func TestHeldIsBounded(t *testing.T) {
	tracer, exported := newTest(t, 1)
	defer tracer.Close()
	w := tracer.World(1, 0)
	w.Held = true
	const all = maxHeld/2 + 3 // movements, of two spans each
	for n := range all {
		sent := body(7, 1, uint32(n), 1.5)
		var in frame.Inbox
		in.Add(frame.Item{Session: 3, Op: heartbeat, Body: sent})
		w.Begin(&in)
		w.Publish(frameOf(uint64(n+1), packet(heartbeat, sent)), 0)
	}
	if n := tracer.config.Metric.Value(Dropped); len(w.held) != maxHeld || n != 3 {
		t.Errorf("%d spans are held, and %d movements are not traced, want %d and 3", len(w.held), n, maxHeld)
	}
	w.Release(all)
	if err := tracer.provider.ForceFlush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(exported.GetSpans()); len(w.held) != 0 || n != 0 {
		t.Errorf("%d are held, and %d exported, after the frame of a later tick is published", len(w.held), n)
	}
}

// A loop remembers as many movements as it may, and of more the last ones.
func TestHeardIsBounded(t *testing.T) {
	tracer, _ := newTest(t, 1)
	defer tracer.Close()
	l := tracer.Loop()
	sent := func(i int) []byte { return body(1, 0, uint32(i), float32(i)) }
	for i := range maxHeard + 2 {
		l.Receive(heartbeat, sent(i))
	}
	for i, want := range map[int]bool{0: false, 1: false, 2: true, maxHeard + 1: true} {
		key, _ := moveKey(heartbeat, sent(i))
		if _, ok := l.received(key); ok != want {
			t.Errorf("movement %d is remembered: %v", i, ok)
		}
	}
}

// A slow is an exporter that takes nothing until it may.
type slow struct {
	may   chan struct{}
	taken int
}

func (s *slow) ExportSpans(_ context.Context, spans []sdk.ReadOnlySpan) error {
	<-s.may
	s.taken += len(spans)
	return nil
}

func (s *slow) Shutdown(context.Context) error { return nil }

// While an export takes long, as many spans wait as may, besides those of that export and of the next one. More are lost, and nothing waits for them.
func TestQueueIsBounded(t *testing.T) {
	s := &slow{may: make(chan struct{})}
	tracer := newTracer(Config{Fraction: 1, Realm: "R", Role: "test", Metric: new(metric.Table), Log: slog.New(slog.DiscardHandler)}, s)
	w := tracer.World(1, 0)
	const ticks = 2 * maxQueue / maxPerTick
	for tick := range uint64(ticks) {
		var packets [][]byte
		for i := range maxPerTick {
			packets = append(packets, packet(heartbeat, body(byte(i+1), 0, uint32(tick), 1)))
		}
		w.Begin(new(frame.Inbox))
		w.Publish(frameOf(tick+1, packets...), 0)
	}
	close(s.may)
	tracer.Close()
	if most := maxQueue + 2*sdk.DefaultMaxExportBatchSize; s.taken < maxQueue || s.taken > most {
		t.Errorf("%d of %d spans are exported, want %d to %d", s.taken, ticks*maxPerTick, maxQueue, most)
	}
}

// Without a tracer nothing is done, and with one a movement that is not traced takes no memory.
func TestAllocations(t *testing.T) {
	none, _ := newTest(t, 0)
	defer none.Close()
	moves := frameOf(1, packet(heartbeat, body(1, 0, 0, 1)))
	frames := []*frame.Frame{moves}
	sent := body(1, 0, 0, 1)
	var in frame.Inbox
	in.Add(frame.Item{Op: heartbeat, Body: sent})
	for name, tracer := range map[string]*Tracer{"off": nil, "none traced": none} {
		l, w := tracer.Loop(), tracer.World(1, 0)
		if w != nil {
			w.Held = true
		}
		if n := testing.AllocsPerRun(100, func() {
			l.Receive(heartbeat, sent)
			w.Begin(&in)
			w.Publish(moves, 0)
			w.Release(1)
			l.Frames(1, frames)
			l.Send(sent)
			l.Flushed()
		}); n != 0 {
			t.Errorf("%s: %v allocations, want none", name, n)
		}
	}
	var off *Tracer
	off.Close()
	if off.Loop() != nil || off.World(1, 0) != nil {
		t.Error("without a tracer there is something")
	}
}

// A receiver that is away costs the spans, and is counted.
func TestReceiverAway(t *testing.T) {
	r := httptest.NewServer(http.NotFoundHandler())
	defer r.Close()
	counters := new(metric.Table)
	tracer, err := New(t.Context(), Config{Endpoint: r.URL, Fraction: 1, Metric: counters, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	w := tracer.World(1, 0)
	w.Begin(new(frame.Inbox))
	w.Publish(frameOf(1, packet(heartbeat, body(1, 0, 0, 1))), 0)
	tracer.Close()
	if n := counters.Value(Failed); n == 0 {
		t.Error("an export that fails is not counted")
	}
	for _, bad := range []string{"", "localhost:4318", "ftp://h", "http://"} {
		if _, err := New(t.Context(), Config{Endpoint: bad, Metric: counters}); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// What is cut off or changed is a movement or none, of which the key is the same each time.
func TestMoveKey(t *testing.T) {
	want, ok := moveKey(heartbeat, body(7, 1, 1000, 1.5))
	if got, same := moveKey(heartbeat, body(7, 3, 5000, 1.5)); !ok || !same || got != want {
		t.Errorf("with other flags and another time the key is %d, want %d", got, want)
	}
	for name, b := range map[string][]byte{"another mover": body(8, 1, 1000, 1.5), "another place": body(7, 1, 1000, 1.25)} {
		if got, ok := moveKey(heartbeat, b); !ok || got == want {
			t.Errorf("%s has the key of the first", name)
		}
	}
	if _, ok := moveKey(0x1ED, body(7, 1, 1000, 1.5)); ok { // CMSG_AUTH_SESSION
		t.Error("a login is a movement")
	}
	for b := range corrupt.Bytes(20_000, body(7, 1, 1000, 1.5), body(255, 1, 1000, 1.5)) {
		key, ok := moveKey(heartbeat, b)
		if again, same := moveKey(heartbeat, slices.Clone(b)); again != key || same != ok {
			t.Fatalf("%x is %d %v, then %d %v", b, key, ok, again, same)
		}
	}
}
