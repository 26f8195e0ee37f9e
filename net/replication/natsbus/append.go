package natsbus

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"muster/net/replication/streamlog"
)

// answerTime is how long an append waits for its answer if its context has no earlier end, as long as nats.go does, and up to a quarter more.
const answerTime = 5 * time.Second

// maxAnswers bounds the answers that wait in an inbox: that of the append, and some that are late.
const maxAnswers = 16

// An appender publishes messages, one at a time, and reads what the stream answers. A world has an append in each tick: jetstream.PublishMsg makes a
// context, a timer and a channel for each, has another goroutine deliver the answer, and took 6 % of the processor time of a worker of 1,000 clients.
type appender struct {
	inbox   string // subject of the answers, up to the number of the append
	answers chan *nats.Msg
	header  nats.Header
	last    []string // value of the only key of the header
	late    *time.Timer
	until   time.Time // when that is
	number  uint64    // of the answers' subject, another one after each append that was not done: its answer may come late
	reply   string    // that subject; "" if the next append is to have another one
}

// An appenders has the appenders of a connection that no goroutine uses: as many as there were appends at one time.
type appenders struct {
	sync.Mutex
	idle []*appender
}

// takeAppender takes one, or makes it.
func (s *Stream) takeAppender() (*appender, error) {
	s.appenders.Lock()
	defer s.appenders.Unlock()
	if n := len(s.appenders.idle); n > 0 {
		a := s.appenders.idle[n-1]
		s.appenders.idle = s.appenders.idle[:n-1]
		return a, nil
	}
	a := &appender{inbox: s.conn.NewInbox() + ".", answers: make(chan *nats.Msg, maxAnswers), last: make([]string, 1), late: time.NewTimer(answerTime)}
	a.header = nats.Header{jetstream.ExpectedLastSubjSeqHeader: a.last}
	_, err := s.conn.ChanSubscribe(a.inbox+"*", a.answers)
	return a, err
}

func (s *Stream) leaveAppender(a *appender) {
	s.appenders.Lock()
	defer s.appenders.Unlock()
	s.appenders.idle = append(s.appenders.idle, a)
}

// Append implements streamlog.Stream.
func (s *Stream) Append(ctx context.Context, subject string, message []byte, last uint64) (number uint64, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	a, err := s.takeAppender()
	if err != nil {
		return 0, err
	}
	defer s.leaveAppender(a)
	reply := a.reply
	if a.reply = ""; reply == "" {
		a.number++
		reply = a.inbox + strconv.FormatUint(a.number, 10)
	}
	a.last[0] = strconv.FormatUint(last, 10)
	m := nats.Msg{Subject: subject, Reply: reply, Header: a.header, Data: message}
	if err := s.conn.PublishMsg(&m); err != nil {
		return 0, err
	}
	if now := time.Now(); a.until.Sub(now) < s.answers { // it is not set in each append
		a.until = now.Add(s.answers + s.answers/4)
		a.late.Reset(a.until.Sub(now))
	}
	for {
		select {
		case answer := <-a.answers:
			if answer.Subject != reply { // it is of an append that was given up
				continue
			}
			number, err := s.appended(answer)
			if err != nil {
				return 0, err
			}
			if number > last { // else it repeats the answer to an earlier one
				a.reply = reply
				return number, nil
			}
		case <-a.late.C:
			return 0, nats.ErrTimeout
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

// appended reads the answer to an append.
func (s *Stream) appended(answer *nats.Msg) (number uint64, err error) {
	if rest, ok := bytes.CutPrefix(answer.Data, s.done); ok { // as a server writes it by hand, too
		if digits, ok := bytes.CutSuffix(rest, []byte("}")); ok {
			if number, err := strconv.ParseUint(string(digits), 10, 64); err == nil {
				return number, nil
			}
		}
	}
	const status, noResponders = "Status", "503"
	if len(answer.Data) == 0 && answer.Header.Get(status) == noResponders {
		return 0, fmt.Errorf("%w: %w", streamlog.ErrRefused, jetstream.ErrNoStreamResponse)
	}
	var said struct {
		Error *jetstream.APIError `json:"error"`
		*jetstream.PubAck
	}
	if err := json.Unmarshal(answer.Data, &said); err != nil {
		return 0, fmt.Errorf("%w: %w", jetstream.ErrInvalidJSAck, err)
	}
	switch e := said.Error; {
	case e == nil && said.PubAck != nil && said.Stream != "":
		return said.Sequence, nil
	case e == nil:
		return 0, jetstream.ErrInvalidJSAck
	case e.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence || e.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant:
		return 0, fmt.Errorf("%w: %w", streamlog.ErrMoved, e)
	default:
		return 0, fmt.Errorf("%w: %w", streamlog.ErrRefused, e)
	}
}
