package natsbus

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"muster/internal/natstest"
	"muster/net/replication/streamlog"
)

// patience bounds how long a test waits.
const patience = 5 * time.Minute

// newStreamOf is a stream of a realm r on a server that the test has for itself.
func newStreamOf(t *testing.T) (*Bus, *Stream) {
	t.Helper()
	s := natstest.StartStreams(t)
	bus, err := Connect(Config{URL: s.ClientURL(), Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(bus.Close)
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	stream, err := bus.Stream(ctx, StreamConfig{Realm: "r", Replicas: 1, Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	return bus, stream
}

// An append is done if its writer knows the last entry of the subject, and says else whether there is another one, or the stream refuses.
func TestAppend(t *testing.T) {
	t.Parallel()
	_, s := newStreamOf(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	const one, two = "muster.r.log.1.0", "muster.r.log.2.0"
	for _, test := range []struct {
		subject string
		last    uint64
		number  uint64
		err     error
	}{
		{one, 0, 1, nil}, {one, 1, 2, nil}, {two, 0, 3, nil}, {one, 2, 4, nil},
		{one, 2, 0, streamlog.ErrMoved}, {two, 4, 0, streamlog.ErrMoved}, {two, 3, 5, nil},
		{"muster.r.log.1.0.more", 0, 0, streamlog.ErrRefused}, // no stream has the subject
	} {
		number, err := s.Append(ctx, test.subject, []byte(test.subject), test.last)
		if number != test.number || !errors.Is(err, test.err) {
			t.Errorf("%s after %d: %d, %v; want %d, %v", test.subject, test.last, number, err, test.number, test.err)
		}
	}
	if m, err := s.Last(ctx, two); err != nil || m.Number != 5 || string(m.Body) != two {
		t.Errorf("the last entry is %+v, %v", m, err)
	}
	if n := len(s.appenders.idle); n != 1 {
		t.Errorf("%d appenders were made for one goroutine", n)
	}
}

// The answer to an append that was given up is not taken for that to the next one.
func TestLateAnswer(t *testing.T) {
	t.Parallel()
	bus, s := newStreamOf(t)
	const subject = "late"
	asked := make(chan *nats.Msg, 2)
	if _, err := bus.conn.ChanSubscribe(subject, asked); err != nil {
		t.Fatal(err)
	}
	giveUp, cancel := context.WithCancel(t.Context())
	given := make(chan error, 1)
	go func() {
		_, err := s.Append(giveUp, subject, nil, 0)
		given <- err
	}()
	first := <-asked
	cancel()
	if err := <-given; !errors.Is(err, context.Canceled) {
		t.Errorf("an append that is given up ends with %v", err)
	}
	go func() {
		second := <-asked
		first.Respond([]byte(`{"stream":"muster-r","seq":7}`))
		second.Respond([]byte(`{"stream":"muster-r","seq":8}`))
	}()
	if number, err := s.Append(t.Context(), subject, nil, 7); number != 8 || err != nil {
		t.Errorf("the second append has %d, %v, want 8", number, err)
	}
}

// An append whose answer does not come ends, and has waited for it as long as any: also where the timer was set for another one.
func TestNoAnswer(t *testing.T) {
	t.Parallel()
	bus, s := newStreamOf(t)
	s.answers = 50 * time.Millisecond
	const subject = "silent"
	asked := make(chan *nats.Msg, 1)
	if _, err := bus.conn.ChanSubscribe(subject, asked); err != nil {
		t.Fatal(err)
	}
	for n, answers := range []bool{false, true, false, false, true, true, false} {
		go func() {
			if m := <-asked; answers {
				m.Respond(fmt.Appendf(nil, `{"stream":"muster-r","seq":%d}`, n+1))
			}
		}()
		if !answers && len(s.appenders.idle) > 0 { // as if it had been set some time ago
			a := s.appenders.idle[0]
			a.until = time.Now().Add(s.answers / 2)
			a.late.Reset(s.answers / 2)
		}
		began := time.Now()
		number, err := s.Append(t.Context(), subject, nil, uint64(n))
		switch took := time.Since(began); {
		case answers && (number != uint64(n+1) || err != nil) && !errors.Is(err, nats.ErrTimeout): // a busy machine may answer too late
			t.Errorf("append %d has %d, %v", n, number, err)
		case !answers && (!errors.Is(err, nats.ErrTimeout) || took < s.answers):
			t.Errorf("append %d, which is not answered, ends after %v with %d, %v; want a timeout after %v", n, took, number, err, s.answers)
		}
	}
}

// An answer that comes twice is not taken for that to the next append, which has the same subject for it; and an append after one that was refused has another.
func TestRepeatedAnswer(t *testing.T) {
	t.Parallel()
	bus, s := newStreamOf(t)
	const subject = "repeated"
	asked := make(chan *nats.Msg, 1)
	if _, err := bus.conn.ChanSubscribe(subject, asked); err != nil {
		t.Fatal(err)
	}
	replies := make(chan string, 4)
	go func() {
		for _, answers := range [][]string{
			{`{"stream":"muster-r","seq":7}`, `{"stream":"muster-r","seq":7}`}, {`{"stream":"muster-r","seq":8}`},
			{`{"error":{"code":400,"err_code":10071},"seq":0}`}, {`{"stream":"muster-r","seq":9}`},
		} {
			m := <-asked
			replies <- m.Reply
			for _, answer := range answers {
				m.Respond([]byte(answer))
			}
		}
	}()
	for _, want := range []struct {
		last, number uint64
		err          error
	}{{0, 7, nil}, {7, 8, nil}, {8, 0, streamlog.ErrMoved}, {8, 9, nil}} {
		if number, err := s.Append(t.Context(), subject, nil, want.last); number != want.number || !errors.Is(err, want.err) {
			t.Errorf("an append after %d: %d, %v; want %d, %v", want.last, number, err, want.number, want.err)
		}
	}
	if one, two, three, four := <-replies, <-replies, <-replies, <-replies; one != two || two != three || three == four {
		t.Errorf("answers go to %s, %s, %s and %s, want another one after a refusal alone", one, two, three, four)
	}
}

// Answers are read as the NATS API Reference has them, docs.nats.io/reference/reference-protocols/nats_api_reference, in the form that servers write and in
// any other.
func TestAnswers(t *testing.T) {
	t.Parallel()
	s := newStream(nil, nil, "r")
	for answer, want := range map[string]struct {
		number uint64
		err    error
	}{
		`{"stream":"muster-r","seq":12}`:                               {12, nil},
		`{"stream":"muster-r","seq":18446744073709551615}`:             {1<<64 - 1, nil},
		`{"stream":"muster-r","domain":"hub","seq":12}`:                {12, nil},
		`{"seq": 12, "stream": "muster-r"}`:                            {12, nil},
		`{"stream":"muster-r","seq":12,"duplicate": true}`:             {12, nil},
		`{"stream":"muster-r","seq":1`:                                 {0, jetstream.ErrInvalidJSAck},
		`{"stream":"muster-r","seq":18446744073709551616}`:             {0, jetstream.ErrInvalidJSAck},
		`{"stream":"muster-r","seq":-1}`:                               {0, jetstream.ErrInvalidJSAck},
		`{"seq":12}`:                                                   {0, jetstream.ErrInvalidJSAck},
		`null`:                                                         {0, jetstream.ErrInvalidJSAck},
		``:                                                             {0, jetstream.ErrInvalidJSAck},
		`{"error":{"code":400,"err_code":10071},"seq":0}`:              {0, streamlog.ErrMoved},
		`{"error":{"code":400,"err_code":10164},"seq":0}`:              {0, streamlog.ErrMoved},
		`{"error":{"code":503,"err_code":10077},"stream":"x","seq":0}`: {0, streamlog.ErrRefused},
	} {
		if number, err := s.appended(&nats.Msg{Data: []byte(answer)}); number != want.number || !errors.Is(err, want.err) {
			t.Errorf("%s is %d, %v; want %d, %v", answer, number, err, want.number, want.err)
		}
	}
	none := &nats.Msg{Header: nats.Header{"Status": {"503"}}}
	if _, err := s.appended(none); !errors.Is(err, streamlog.ErrRefused) || !errors.Is(err, jetstream.ErrNoStreamResponse) {
		t.Errorf("an answer that there is no stream is %v", err)
	}
}
