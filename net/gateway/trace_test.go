package gateway

import (
	"context"
	"errors"
	"io"
	"testing"

	"muster/internal/metric"
	"muster/net/protocol/msg"
	"muster/net/protocol/trace"
)

// A trace that is not read keeps 4 MiB. What is more is left out and counted, the next packet says how many are missing, and
// the end is in it all the same.
func TestTraceIsBounded(t *testing.T) {
	counters := new(metric.Table)
	tr := &Trace{gate: &Gate{config: Config{Metric: counters}}, id: 1, fresh: make(chan struct{}, 1)}
	packet := trace.Packet{Session: 1, Direction: msg.ToClient, Bytes: make([]byte, 1<<10-traceOverhead)}
	for range 4<<10 + 5 {
		tr.add(packet)
	}
	tr.add(trace.Packet{Session: 1, Note: "closed.peer"})
	got, err := tr.Next(t.Context())
	if err != nil || len(got) != 4<<10+1 {
		t.Fatalf("%d packets, %v", len(got), err)
	}
	for i := range got[:4<<10] {
		if got[i].Dropped != 0 || got[i].Note != "" {
			t.Fatalf("packet %d is %+v", i, got[i])
		}
	}
	if last := got[4<<10]; last.Dropped != 5 || last.Note != "closed.peer" || counters.Value("trace_full") != 5 {
		t.Errorf("the end is %+v, and %d packets are counted", last, counters.Value("trace_full"))
	}
	tr.add(packet) // there is room again
	tr.end()
	tr.add(packet)
	if got, err := tr.Next(t.Context()); len(got) != 1 || got[0].Dropped != 0 || err != nil {
		t.Errorf("then %d packets, %v", len(got), err)
	}
	if got, err := tr.Next(t.Context()); len(got) != 0 || err != io.EOF {
		t.Errorf("at the end %d packets, %v", len(got), err)
	}
}

// Each of several traces of an account has its login.
func TestTracesHaveTheLogin(t *testing.T) {
	r := newRig(t, nil)
	var all []*Trace
	for range 3 {
		tr, err := r.gate.Trace(t.Context(), "anna")
		if err != nil {
			t.Fatal(err)
		}
		defer tr.Close()
		all = append(all, tr)
	}
	r.dial("ANNA").login()
	for i, tr := range all {
		got, err := tr.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if op, _ := got[0].Op(); op != uint32(msg.OpAuthSession) || got[0].Direction != msg.ToServer {
			t.Errorf("trace %d begins with opcode %#x", i, op)
		}
	}
}

// A name that is a number is not that of a session.
func TestTraceOfANumericName(t *testing.T) {
	r := newRig(t, nil)
	tr, err := r.gate.Trace(t.Context(), "name:1234")
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	r.dial("1234").login()
	got, err := tr.Next(t.Context())
	if err != nil || got[0].Account != "1234" || got[0].Session == 1234 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := r.gate.Trace(t.Context(), "1234"); err != ErrNoSession {
		t.Errorf("session 1234: %v", err)
	}
}

// So many traces are followed at a time. One that is closed makes room, and leaves no tap behind; one of a number ends with
// its session; a number that no session has is refused.
func TestTracesAreBounded(t *testing.T) {
	r := newRig(t, nil)
	c := r.dial("ANNA").login()
	taps := func() (n int) {
		r.onLoops(func(l *loop) {
			for _, c := range l.conns {
				if c.tap != nil {
					n++
				}
			}
		})
		return n
	}
	if n := taps(); n != 0 {
		t.Errorf("%d sessions have a tap, and no trace follows one", n)
	}
	var all []*Trace
	for range maxTraces {
		tr, err := r.gate.Trace(t.Context(), "anna")
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, tr)
	}
	if n := taps(); n != 1 {
		t.Errorf("%d sessions have a tap, and one is followed", n)
	}
	if _, err := r.gate.Trace(t.Context(), "anna"); !errors.Is(err, ErrTraces) {
		t.Errorf("one more: %v", err)
	}
	for _, tr := range all {
		tr.Close()
	}
	if n := taps(); n != 0 {
		t.Errorf("%d sessions have a tap after the traces", n)
	}
	if _, err := r.gate.Trace(t.Context(), "999"); !errors.Is(err, ErrNoSession) {
		t.Errorf("a session that is not there: %v", err)
	}
	tr, err := r.gate.Trace(t.Context(), "1")
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	for {
		got, err := tr.Next(context.Background())
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range got {
			if p.Account != "ANNA" || p.Session != 1 {
				t.Errorf("it has %+v", p)
			}
		}
	}
	tr.Close()
	if n := len(r.gate.traces.list()); n != 0 {
		t.Errorf("%d traces are left", n)
	}
}
