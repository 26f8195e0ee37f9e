package relay

import (
	"cmp"
	"context"
	"slices"
	"time"

	"muster/net/gateway"
	"muster/net/protocol/msg"
)

// An asked is a question that other gateways have not answered yet.
type asked struct {
	waits map[uint8]bool // for these
	// take takes an answer, while the relay is locked, and reports whether no other matters.
	take  func(from uint8, m reply) (enough bool)
	end   func(all bool)
	timer *time.Timer
}

// ask asks all other gateways. End is called once: with true when take has enough or all have answered, and with false when the time is
// up or there are too many questions.
func (r *Relay) ask(limit time.Duration, question func(id uint64) message, take func(from uint8, m reply) (enough bool), end func(all bool)) {
	r.mu.Lock()
	a := &asked{waits: make(map[uint8]bool), take: take, end: end}
	for n := range r.peers {
		a.waits[n] = true
	}
	full := len(r.asks) >= maxAsks
	if full {
		r.config.Metric.Count(AskDropped)
	}
	if full || len(a.waits) == 0 {
		r.mu.Unlock()
		end(!full)
		return
	}
	r.last++
	id := r.last
	r.asks[id] = a
	a.timer = time.AfterFunc(limit, func() {
		if r.forget(id) {
			r.config.Metric.Count(Unanswered)
			end(false)
		}
	})
	r.mu.Unlock()
	r.say(r.all(), question(id))
}

// forget forgets a question. It is not ok if that is done.
func (r *Relay) forget(id uint64) (ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, ok = r.asks[id]
	delete(r.asks, id)
	return ok
}

// answered takes an answer.
func (r *Relay) answered(from uint8, m reply) {
	r.mu.Lock()
	a := r.asks[m.question()]
	if a == nil || !a.waits[from] {
		r.mu.Unlock()
		return
	}
	delete(a.waits, from)
	through := a.take(from, m) || len(a.waits) == 0
	if through {
		delete(r.asks, m.question())
		a.timer.Stop()
	}
	r.mu.Unlock()
	if through {
		a.end(true)
	}
}

// Whisper implements gateway.Others.
func (r *Relay) Whisper(w *gateway.Whisper, done func(*gateway.WhisperAnswer)) {
	var became gateway.WhisperAnswer
	r.ask(askTime, func(id uint64) message { return &whisper{id, *w} }, func(_ uint8, m reply) bool {
		if m, ok := m.(*whispered); ok && m.Outcome != gateway.NoAddressee {
			became = m.WhisperAnswer
		}
		return became.Outcome != gateway.NoAddressee
	}, func(bool) { done(&became) })
}

// Who implements gateway.Others. The answers are in the order of the gateways' numbers.
func (r *Relay) Who(q *gateway.WhoQuery, done func([]msg.WhoResponse)) {
	type part struct {
		from  uint8
		found msg.WhoResponse
	}
	var parts []part
	r.ask(whoTime, func(id uint64) message { return &who{id, *q} }, func(from uint8, m reply) bool {
		if m, ok := m.(*whoFound); ok {
			parts = append(parts, part{from, m.WhoResponse})
		}
		return false
	}, func(bool) {
		slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.from, b.from) })
		var all []msg.WhoResponse
		for i := range parts {
			all = append(all, parts[i].found)
		}
		done(all)
	})
}

// Changed implements gateway.Others.
func (r *Relay) Changed(number uint64, c *gateway.ChannelChange) { r.say(r.all(), &change{number, *c}) }

// Said implements gateway.Others.
func (r *Relay) Said(s *gateway.ChannelSpeech) { r.say(r.all(), &said{*s}) }

// wait is ask, and returns when it has ended, or ctx. The error is ErrSilent if an answer that matters may be missing.
func (r *Relay) wait(ctx context.Context, limit time.Duration, question func(id uint64) message, take func(m reply) (enough bool)) error {
	ended := make(chan bool, 1)
	r.ask(limit, question, func(_ uint8, m reply) bool { return take(m) }, func(all bool) { ended <- all })
	select {
	case all := <-ended:
		if all {
			return nil
		}
	case <-ctx.Done():
	}
	return gateway.ErrSilent
}

// Find is the player of a name in a world through another gateway.
func (r *Relay) Find(name string) (gateway.OnlinePlayer, bool) {
	if name == "" || len(name) > maxName {
		return gateway.OnlinePlayer{}, false
	}
	return r.find(&find{Name: name})
}

// FindGUID is the player of a GUID in a world through another gateway.
func (r *Relay) FindGUID(guid uint64) (gateway.OnlinePlayer, bool) { return r.find(&find{GUID: guid}) }

func (r *Relay) find(q *find) (p gateway.OnlinePlayer, ok bool) {
	r.wait(context.Background(), askTime, func(id uint64) message {
		q.ID = id
		return q
	}, func(m reply) bool {
		if m, is := m.(*foundPlayer); is && m.OK {
			p, ok = m.Player, true
		}
		return ok
	})
	return p, ok
}

// Kick closes the connection of a player in a world through another gateway, and reports whether there is one of that name.
func (r *Relay) Kick(name string) (ok bool) {
	if name == "" || len(name) > maxName {
		return false
	}
	r.wait(context.Background(), askTime, func(id uint64) message { return &kick{id, name} }, func(m reply) bool {
		if m, is := m.(*kicked); is && m.OK {
			ok = true
		}
		return ok
	})
	return ok
}

// Command gives a line to the world of a character that is there through another gateway. The errors are those of gateway.Gate.
func (r *Relay) Command(ctx context.Context, character string, level uint8, line string) (lines []string, err error) {
	if character == "" || len(character) > maxName || len(line) > maxLine {
		return nil, gateway.ErrNoPlayer
	}
	var answer *done // written while the relay is locked
	err = r.wait(ctx, commandTime+askTime, func(id uint64) message { return &command{id, character, level, line} }, func(m reply) bool {
		if m, is := m.(*done); is && m.Outcome != noPlayer {
			answer = m
		}
		return answer != nil
	})
	if err != nil {
		return nil, err
	}
	if answer == nil {
		return nil, gateway.ErrNoPlayer
	}
	return answer.said()
}
