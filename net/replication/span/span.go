// Package span has OpenTelemetry follow single movements: from the gateway that receives one through the inbox and the tick of its world to the
// gateways that send it to other clients, each of which may be another process.
//
// No message carries what a trace is called. Each process derives it from what all of them see: the packet of the movement as it is in the frame, with
// the map and the tick. So is whether a movement is traced at all, which needs the same fraction everywhere. docs/adr/0035-traces.md has the reasons.
//
// A nil *Tracer traces nothing, and a nil *World and a nil *Loop, as it returns, cost a comparison.
package span

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"math"
	"net/url"
	"time"

	"github.com/zeebo/xxh3"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"muster/internal/metric"
	"muster/internal/refuse"
	"muster/net/replication/frame"
)

// Counters.
const (
	Failed  = "span.failed"  // exports that the receiver of traces has not taken: their spans are lost
	Dropped = "span.dropped" // movements that were not followed, as too many were at the time
)

// Bounds, our own choices.
const (
	maxPerTick = 16              // movements of a tick that are traced
	maxQueue   = 2048            // spans that wait to be exported
	maxHeld    = 2048            // spans of a world that wait until frames are published: those of 64 ticks, by which it may be ahead of its log
	maxFound   = 64              // movements that a loop follows at a time
	maxHeard   = 1024            // movements that a loop has received last
	followTime = time.Second     // for how long a loop looks for the clients that it sends a movement to
	exportTime = 5 * time.Second // for an export, and for all that is left at the end
)

// Config says which movements are traced, and where the spans go. Zero means the default.
type Config struct {
	// Endpoint is the URL of a receiver of OTLP over HTTP: http://HOST:4318. Variables of OpenTelemetry, such as
	// OTEL_EXPORTER_OTLP_HEADERS, hold besides.
	Endpoint string
	// Fraction of the movements is traced, from 0 to 1.
	Fraction float64
	Realm    string
	Role     string // of this process
	Instance string // which of those of the role it is
	Metric   *metric.Table
	Log      *slog.Logger // default slog.Default()
}

// CheckEndpoint refuses what is not the URL of a receiver.
func CheckEndpoint(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("want a URL, http://HOST:4318, not %q", text)
	}
	return nil
}

// A Tracer makes spans. Its methods may be called from any goroutine.
type Tracer struct {
	config    Config
	provider  *sdk.TracerProvider
	spans     trace.Tracer
	seed      uint64
	threshold uint64 // below which the hash of a movement is that of one that is traced
}

// New returns a tracer, which exports in the background until Close. A receiver that is away is no error: what is not taken is counted.
func New(ctx context.Context, c Config) (*Tracer, error) {
	c.Log = cmp.Or(c.Log, slog.Default())
	c.Metric.Declare(Failed, Dropped)
	if err := CheckEndpoint(c.Endpoint); err != nil {
		return nil, fmt.Errorf("span: %w", err)
	}
	at, err := url.JoinPath(c.Endpoint, "v1/traces")
	if err != nil {
		return nil, fmt.Errorf("span: %w", err)
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(at), otlptracehttp.WithTimeout(exportTime),
		otlptracehttp.WithRetry(otlptracehttp.RetryConfig{Enabled: true, InitialInterval: time.Second, MaxInterval: exportTime, MaxElapsedTime: 2 * exportTime}))
	if err != nil {
		return nil, fmt.Errorf("span: %w", err)
	}
	return newTracer(c, exporter), nil
}

// newTracer returns a tracer with an exporter.
func newTracer(c Config, exporter sdk.SpanExporter) *Tracer {
	otel.SetErrorHandler(&failures{c.Metric, refuse.New(c.Log)})
	t := &Tracer{config: c, seed: xxh3.HashString(c.Realm), threshold: uint64(math.MaxUint64)}
	if c.Fraction < 1 {
		t.threshold = uint64(c.Fraction * (1 << 32) * (1 << 32))
	}
	t.provider = sdk.NewTracerProvider(
		sdk.WithBatcher(exporter, sdk.WithMaxQueueSize(maxQueue), sdk.WithExportTimeout(exportTime), sdk.WithBatchTimeout(time.Second)),
		sdk.WithSampler(sdk.AlwaysSample()), sdk.WithIDGenerator(derived{}),
		sdk.WithResource(resource.NewSchemaless(
			attribute.String("service.name", "muster "+c.Role), attribute.String("service.instance.id", c.Instance),
			attribute.String("muster.realm", c.Realm), attribute.String("muster.role", c.Role))),
	)
	t.spans = t.provider.Tracer("muster/net/replication/span")
	return t
}

// Close exports what is left, for 5 s at most.
func (t *Tracer) Close() {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), exportTime)
	defer cancel()
	if err := t.provider.Shutdown(ctx); err != nil {
		otel.Handle(err)
	}
}

// failures counts exports that fail, and logs some.
type failures struct {
	metric *metric.Table
	log    *refuse.Log
}

// Handle implements otel.ErrorHandler.
func (f *failures) Handle(err error) {
	f.metric.Count(Failed)
	if line, ok := f.log.Admit(Failed); ok {
		line.Write("traces are not exported", slog.Any("err", err))
	}
}

// The spans of a trace.
const (
	moved    = "movement"      // at the gateway that received it: until the gateway has the frame with it
	waited   = "world.inbox"   // in the world: from its arrival until the tick that reads it begins
	stepped  = "world.tick"    // from there until the frame is published
	finished = "gateway.flush" // at a gateway: from the frame until it is sent to other clients
)

// An identity is what a trace is called by each process.
type identity struct{ high, low uint64 }

func (i identity) trace() (id trace.TraceID) {
	binary.BigEndian.PutUint64(id[:], i.high)
	binary.BigEndian.PutUint64(id[8:], i.low)
	return id
}

// span is what a span is called of which a trace has one.
func (i identity) span(name string) (id trace.SpanID) {
	binary.BigEndian.PutUint64(id[:], xxh3.HashStringSeed(name, i.low)|1) // none is 0
	return id
}

// identify is what the trace of a packet in the frame of a tick is called. It is not ok if it is not traced.
func (t *Tracer) identify(id uint32, tick uint64, packet []byte) (i identity, ok bool) {
	h := xxh3.Hash128Seed(packet, t.seed^uint64(id)<<48^tick)
	return identity{h.Hi, h.Lo | 1}, h.Hi <= t.threshold
}

// A record is a span that is over.
type record struct {
	of         identity
	name       string
	id, parent trace.SpanID // parent is zero of the first
	begin, end time.Time
}

// emit makes a span.
func (t *Tracer) emit(r *record, attributes ...attribute.KeyValue) {
	ctx := context.WithValue(context.Background(), key{}, r)
	if r.parent.IsValid() {
		ctx = trace.ContextWithRemoteSpanContext(ctx, trace.NewSpanContext(trace.SpanContextConfig{
			TraceID: r.of.trace(), SpanID: r.parent, TraceFlags: trace.FlagsSampled, Remote: true,
		}))
	}
	_, s := t.spans.Start(ctx, r.name, trace.WithTimestamp(r.begin), trace.WithAttributes(attributes...))
	s.End(trace.WithTimestamp(r.end))
}

// derived gives spans the names of the record that they are made of.
type derived struct{}

type key struct{}

func (derived) NewIDs(ctx context.Context) (trace.TraceID, trace.SpanID) {
	r := ctx.Value(key{}).(*record)
	return r.of.trace(), r.id
}

func (derived) NewSpanID(ctx context.Context, _ trace.TraceID) trace.SpanID {
	return ctx.Value(key{}).(*record).id
}

// each calls visit with each packet of a frame that is traced, maxPerTick at most.
func (t *Tracer) each(id uint32, f *frame.Frame, visit func(i identity, op uint16, packet []byte)) {
	n := 0
	f.EachMove(func(packet []byte) {
		op := binary.LittleEndian.Uint16(packet[2:])
		if n >= maxPerTick || !isMove(op) {
			return
		}
		if i, ok := t.identify(id, f.Tick, packet); ok {
			n++
			visit(i, op, packet)
		}
	})
}
