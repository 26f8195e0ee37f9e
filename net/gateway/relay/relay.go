// Package relay has the gateways of a realm reach each other's players, over a bus: whispers, CMSG_WHO, channels, and what operators do
// to a player. The gateway that has a player decides what becomes of it, by the same code as for players of its own.
//
// What is asked for is asked of all gateways, and answered at the latest after a time: a gateway that has not answered then has not
// the player. What a gateway says of its members of channels is numbered. One that misses something, or begins, asks for all of it.
// What is said on channels is lost if the bus loses it.
package relay

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"muster/internal/metric"
	"muster/net/gateway"
	"muster/net/protocol/msg"
	"muster/net/replication/remote"
)

// A Gate is what is asked of the gateway: gateway.Gate.
type Gate interface {
	HearWhisper(w *gateway.Whisper, done func(*gateway.WhisperAnswer))
	WhoHere(q *gateway.WhoQuery) *msg.WhoResponse
	Find(name string) (gateway.OnlinePlayer, bool)
	FindGUID(guid uint64) (gateway.OnlinePlayer, bool)
	Kick(name string) bool
	Command(ctx context.Context, character string, level uint8, line string) ([]string, error)
	ChannelChanges() uint64
	ChannelState(visit func(number uint64, members []gateway.ChannelChange))
	ChannelChanged(gateway uint32, change *gateway.ChannelChange)
	ChannelsAre(gateway uint32, members []gateway.ChannelChange)
	HearChannel(s *gateway.ChannelSpeech)
}

var _ Gate = (*gateway.Gate)(nil)

// Config is what a Relay is made with. All but the last two are required.
type Config struct {
	Bus    remote.Bus
	Realm  string        // one token of a subject
	Number uint32        // of this gateway, from 1 to 255
	Life   uint64        // another number for each process with that number, ascending
	Metric *metric.Table // default: a table of its own
	Log    *slog.Logger  // default slog.Default()
}

// What is counted.
const (
	Malformed  = "relay.malformed"   // messages that are none
	NotSaid    = "relay.not_said"    // messages that the bus has not taken, or that too many waited for
	MailFull   = "relay.mail_full"   // messages that were dropped because too many waited to be read
	Unanswered = "relay.unanswered"  // questions that some gateway has not answered in time
	AskDropped = "relay.ask_dropped" // questions that were not asked because too many waited for answers
	Busy       = "relay.busy"        // commands of other gateways that were not executed because too many were
	Missed     = "relay.missed"      // gaps in what a gateway has said of its channels
)

// Times and bounds, our own choices.
const (
	beatEvery = time.Second
	// silence is after how long a gateway is waited for no more, and its members of channels have left. It is longer than a restart
	// of the bus takes.
	silence = 15 * time.Second
	// missEvery is between two times that a gap is asked for.
	missEvery = 500 * time.Millisecond

	whoTime     = 200 * time.Millisecond
	askTime     = time.Second
	commandTime = 5 * time.Second

	maxMail     = 4096
	maxOut      = 4096
	maxAsks     = 4096
	maxCommands = 64
)

// A Relay is a gateway.Others.
type Relay struct {
	config Config
	out    chan outgoing
	mail   chan []byte

	mu   sync.Mutex
	last uint64            // number of the last question
	asks map[uint64]*asked // that are not answered
	// peers are the other gateways. Run owns what is in them, but for heard.
	peers map[uint8]*peer
	doing atomic.Int32 // commands of other gateways
}

var _ gateway.Others = (*Relay)(nil)

// An outgoing is a message and where it goes.
type outgoing struct {
	subject string
	bytes   []byte
}

// New returns a relay. Until Run is called nothing is said or answered.
func New(config Config) *Relay {
	config.Log = cmp.Or(config.Log, slog.Default())
	config.Metric = cmp.Or(config.Metric, new(metric.Table))
	config.Metric.Declare(Malformed, NotSaid, MailFull, Unanswered, AskDropped, Busy, Missed)
	return &Relay{
		config: config, out: make(chan outgoing, maxOut), mail: make(chan []byte, maxMail),
		asks: make(map[uint64]*asked), peers: make(map[uint8]*peer),
	}
}

// all is the subject of what concerns all gateways.
func (r *Relay) all() string { return fmt.Sprintf("muster.%s.players", r.config.Realm) }

// to is the subject of what concerns one gateway.
func (r *Relay) to(gateway uint8) string {
	return fmt.Sprintf("muster.%s.players.%d", r.config.Realm, gateway)
}

// Number implements gateway.Others.
func (r *Relay) Number() uint32 { return r.config.Number }

// say has a message published. It does not block.
func (r *Relay) say(subject string, m message) {
	select {
	case r.out <- outgoing{subject, appendMessage(nil, uint8(r.config.Number), r.config.Life, m)}:
	default:
		r.config.Metric.Count(NotSaid)
	}
}

// Run relays until ctx is done. The error is one of the bus.
func (r *Relay) Run(ctx context.Context, gate Gate) error {
	for _, subject := range []string{r.all(), r.to(uint8(r.config.Number))} {
		stop, err := r.config.Bus.Subscribe(subject, r.receive)
		if err != nil {
			return err
		}
		defer stop()
	}
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	running.Go(func() { r.publish(ctx) })
	beat := time.NewTicker(beatEvery)
	defer beat.Stop()
	r.beat(gate)
	for {
		select {
		case b := <-r.mail:
			r.take(ctx, gate, b, &running)
		case <-beat.C:
			r.beat(gate)
		case <-ctx.Done():
			return nil
		}
	}
}

// receive keeps a message until Run reads it.
func (r *Relay) receive(b []byte) {
	select {
	case r.mail <- append([]byte(nil), b...):
	default:
		r.config.Metric.Count(MailFull)
	}
}

// publish gives the bus what is to be said: it may take a while.
func (r *Relay) publish(ctx context.Context) {
	for {
		select {
		case m := <-r.out:
			if r.config.Bus.Publish(m.subject, m.bytes) != nil {
				r.config.Metric.Count(NotSaid)
			}
		case <-ctx.Done():
			return
		}
	}
}

// take does what another gateway says.
func (r *Relay) take(ctx context.Context, gate Gate, b []byte, running *sync.WaitGroup) {
	from, life, m, err := read(b)
	if err != nil {
		r.config.Metric.Count(Malformed)
		return
	}
	if from == uint8(r.config.Number) {
		return
	}
	p, begins := r.heard(from, life)
	if p == nil {
		return
	}
	if begins { // and need not wait until this one is heard
		r.beat(gate)
	}
	answer := func(m message) { r.say(r.to(from), m) }
	switch m := m.(type) {
	case *here:
		r.check(p, m.Changes, gate)
	case *change:
		r.changed(p, m, gate)
	case *miss:
		r.tellState(from, gate)
	case *state:
		r.state(p, m, gate)
	case *said:
		gate.HearChannel(&m.ChannelSpeech)
	case *whisper:
		gate.HearWhisper(&m.Whisper, func(a *gateway.WhisperAnswer) { answer(&whispered{m.ID, *a}) })
	case *who:
		answer(&whoFound{m.ID, *gate.WhoHere(&m.WhoQuery)})
	case *find:
		answer(r.found(gate, m))
	case *kick:
		answer(&kicked{m.ID, gate.Kick(m.Name)})
	case *command:
		r.command(ctx, gate, m, answer, running)
	case reply:
		r.answered(from, m)
	}
}

// found answers a find.
func (r *Relay) found(gate Gate, m *find) message {
	var p gateway.OnlinePlayer
	var ok bool
	if m.Name != "" {
		p, ok = gate.Find(m.Name)
	} else {
		p, ok = gate.FindGUID(m.GUID)
	}
	return &foundPlayer{m.ID, ok, p}
}

// command executes a command for another gateway, beside everything else: its world may take a while.
func (r *Relay) command(ctx context.Context, gate Gate, m *command, answer func(message), running *sync.WaitGroup) {
	if _, here := gate.Find(m.Name); !here {
		answer(&done{ID: m.ID})
		return
	}
	if r.doing.Load() >= maxCommands {
		r.config.Metric.Count(Busy)
		answer(&done{ID: m.ID, Outcome: silent})
		return
	}
	r.doing.Add(1)
	running.Go(func() {
		defer r.doing.Add(-1)
		ctx, cancel := context.WithTimeout(ctx, commandTime)
		defer cancel()
		lines, err := gate.Command(ctx, m.Name, m.Level, m.Line)
		answer(newDone(m.ID, lines, err))
	})
}
