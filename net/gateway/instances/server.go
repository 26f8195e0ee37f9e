package instances

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"muster/internal/metric"
	"muster/loaders/registry"
	"muster/net/gateway"
)

// An AssignmentRegistry is the part of a registry that a Server decides about: registry.Registry.
type AssignmentRegistry interface {
	EnterInstance(ctx context.Context, realm string, e registry.Entry, decide func(registry.Chance) error) (number uint32, made bool, err error)
	NoteInside(ctx context.Context, realm string, gateway uint32, newest uint64, all []registry.Visitor) error
	RemoveEmptyInstances(ctx context.Context, realm string, empty time.Duration) ([]registry.Instance, error)
}

// A Queue is a bus of which one of several that listen takes each message.
type Queue interface {
	Publish(subject string, message []byte) error
	// Share has take called with the messages of a subject, one after another, of which each is given to one of those that share it in a group.
	Share(subject, group string, take func(message []byte)) (stop func(), err error)
}

// ServerConfig is what a Server is made with.
type ServerConfig struct {
	Rules
	Registry AssignmentRegistry
	Bus      Queue
	Realm    string // its name
	Subject  string // its name as one token of a subject
	// Made is called when an instance has been made, which has no worker yet; nil does nothing. It does not block.
	Made   func()
	Metric *metric.Table // default: a table of its own
	Log    *slog.Logger  // default slog.Default()
}

// What is counted of questions, besides what is of Instances.
const (
	Malformed  = "instance.malformed"   // messages that are none
	AskDropped = "instance.ask_dropped" // questions that an orchestrator has not read, as too many waited; they are asked again
	Failed     = "instance.failed"      // questions that the registry has not answered; they are asked again
	Unanswered = "instance.unanswered"  // questions that no orchestrator has answered in time
)

// Bounds, our own choices.
const (
	maxAsked  = 1024 // questions that wait for an orchestrator
	answerers = 2    // questions that an orchestrator answers at a time: it has more connections to the registry, for its lease
	// answerTime is how long the registry may take for one.
	answerTime = 3 * time.Second
)

// A Server answers the gateways of a realm that ask for instances. There may be several: each question is answered by one, and the registry decides
// between them.
type Server struct {
	config ServerConfig
	asked  chan []byte
}

// NewServer returns a server, which answers while Run runs.
func NewServer(c ServerConfig) *Server {
	c.setDefaults()
	c.Log, c.Metric = cmp.Or(c.Log, slog.Default()), cmp.Or(c.Metric, new(metric.Table))
	c.Metric.Declare(Made, Ended, Refused, Malformed, AskDropped, Failed)
	return &Server{c, make(chan []byte, maxAsked)}
}

// Run answers until ctx is done.
func (s *Server) Run(ctx context.Context) error {
	stop, err := s.config.Bus.Share(questions(s.config.Subject), "orchestrate", func(b []byte) {
		select {
		case s.asked <- append([]byte(nil), b...):
		default:
			s.config.Metric.Count(AskDropped)
		}
	})
	if err != nil {
		return err
	}
	defer stop()
	var answering sync.WaitGroup
	for range answerers {
		answering.Go(func() {
			for {
				select {
				case b := <-s.asked:
					s.take(ctx, b)
				case <-ctx.Done():
					return
				}
			}
		})
	}
	answering.Wait()
	return nil
}

// take answers a question. What the registry does not answer is asked again.
func (s *Server) take(ctx context.Context, b []byte) {
	m, err := read(b)
	if err != nil || m.kind == kindAnswer || m.gateway == 0 {
		s.config.Metric.Count(Malformed)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	a := message{kind: kindAnswer, gateway: m.gateway, life: m.life, number: m.number}
	switch m.kind {
	case kindEnter:
		a.instance, a.abort, err = s.enter(ctx, &m)
	case kindInside:
		err = s.config.Registry.NoteInside(ctx, s.config.Realm, uint32(m.gateway), m.newest, m.inside)
	}
	if err == nil {
		err = s.config.Bus.Publish(answers(s.config.Subject, m.gateway), a.append(nil))
	}
	if err != nil {
		s.config.Metric.Count(Failed)
		if n := s.config.Metric.Value(Failed); n&(n-1) == 0 { // the log has the 1st, 2nd, 4th …
			s.config.Log.Warn("a question about instances is not answered", "err", err, "times", n)
		}
	}
}

func (s *Server) enter(ctx context.Context, m *message) (number uint32, why gateway.Abort, err error) {
	e := m.entry
	e.Gateway = uint32(m.gateway)
	number, made, err := s.config.Registry.EnterInstance(ctx, s.config.Realm, e, func(c registry.Chance) error { return s.config.refuse(c, m.login) })
	switch {
	case errors.As(err, &why):
		s.config.Metric.Count(Refused)
		return 0, why, nil
	case err != nil:
		return 0, 0, err
	}
	if made {
		s.config.Metric.Count(Made)
		s.config.Log.Info("an instance is made", "map", e.Map, "number", number, "guid", e.GUID, "gateway", e.Gateway)
		if s.config.Made != nil {
			s.config.Made()
		}
	}
	return number, 0, nil
}

// RemoveEmpty removes the instances that have been empty for Rules.Empty. One of the servers of a realm is to do that now and then.
func (s *Server) RemoveEmpty(ctx context.Context) error {
	removed, err := s.config.Registry.RemoveEmptyInstances(ctx, s.config.Realm, s.config.Empty)
	for _, in := range removed {
		s.config.Metric.Count(Ended)
		s.config.Log.Info("an instance has been empty, and is removed", "map", in.Map, "number", in.Number)
	}
	return err
}
