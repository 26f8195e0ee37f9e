package worldset

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"

	"muster/internal/metric"
	"muster/net/replication/frame"
	"muster/net/replication/span"
	"muster/systems"
)

// TraceSettings say where traces of movements go.
type TraceSettings struct {
	OTLP         string  `name:"otlp" placeholder:"URL" help:"Trace movements by OpenTelemetry, and send that to a receiver of OTLP over HTTP: http://HOST:4318. Default: nothing is traced."`
	OTLPFraction float64 `name:"otlp-fraction" default:"0.001" placeholder:"F" help:"With --otlp: of so many of all movements, the same at each gateway and worker, from 0 to 1 (${default})."`
}

// Check refuses what nothing can be traced with.
func (f *TraceSettings) Check() error {
	if !(f.OTLPFraction >= 0 && f.OTLPFraction <= 1) {
		return fmt.Errorf("--otlp-fraction is from 0 to 1, not %v", f.OTLPFraction)
	}
	if f.OTLP == "" {
		return nil
	}
	if err := span.CheckEndpoint(f.OTLP); err != nil {
		return errors.New("--otlp: " + err.Error())
	}
	return nil
}

// Args are the flags again, for another process.
func (f *TraceSettings) Args() []string {
	if f.OTLP == "" {
		return nil
	}
	return []string{"--otlp", f.OTLP, "--otlp-fraction", strconv.FormatFloat(f.OTLPFraction, 'g', -1, 64)}
}

// Tracer makes what traces movements, nil if none are.
func (f *TraceSettings) Tracer(ctx context.Context, realm, role, instance string, counters *metric.Table, log *slog.Logger) (*span.Tracer, error) {
	if f.OTLP == "" {
		return nil, nil
	}
	return span.New(ctx, span.Config{Endpoint: f.OTLP, Fraction: f.OTLPFraction, Realm: realm, Role: role, Instance: instance, Metric: counters, Log: log})
}

// follow has the movements in a world of a map traced.
func (r *Set) follow(live *systems.Live, id uint32) {
	w := r.Tracer.World(id, r.Instance)
	if w == nil {
		return
	}
	r.traced[id] = w
	live.Heard = func(_ uint64, in *frame.Inbox) { w.Begin(in) }
	live.Exchange.Publishing = func(f *frame.Frame) { w.Publish(f, live.Exchange.NowMs()) }
}

// Sent makes the world of a map one whose frames are published later than their ticks, before it runs. It returns what is to be called with the tick of
// each that is; nil if movements are not traced.
func (r *Set) Sent(id uint32) func(tick uint64) {
	w := r.traced[id]
	if w == nil {
		return nil
	}
	w.Held = true
	return w.Release
}
