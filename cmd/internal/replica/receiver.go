package replica

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"muster/cmd/internal/upgrade"
	"muster/cmd/internal/worldspec"
	"muster/internal/metric"
	"muster/net/replication/remote"
	"muster/net/replication/streamlog"
	"muster/sched"
)

// hearGift takes what is said of worlds that are handed over, and reports whether a message was such.
func (r *Replica) hearGift(message []byte) bool {
	if text, ok := strings.CutPrefix(string(message), gives); ok {
		if g, ok := upgrade.Read[gift]([]byte(text)); ok && g.To == r.name {
			select {
			case r.gifts <- g:
			default: // it is repeated
			}
		}
		return true
	}
	if text, ok := strings.CutPrefix(string(message), givesBack); ok {
		if a, ok := upgrade.Read[giftAnswer]([]byte(text)); ok {
			select {
			case r.replies <- a:
			default: // as well
			}
		}
		return true
	}
	return false
}

// unknownTick is after all ticks that there are.
const unknownTick = math.MaxUint64

// wait waits until this process is given the world, and returns its writer. The writer is nil if ctx is done before, and the error errGoesOn if
// the log goes on by the header of this process.
func (r *Replica) wait(ctx context.Context, why error) (*streamlog.Writer, error) {
	since, err := r.since(ctx)
	if ctx.Err() != nil {
		return nil, nil
	}
	if err != nil {
		r.log.Warn("it is not known after which tick the log goes on, and asked again", "err", err)
		since = unknownTick
	}
	r.rehearse(ctx)
	r.log.Info("this process waits to be given the world: muster ctl cluster upgrade", "because", why)
	r.state.Store(upgrade.StateWaits)
	r.once.Do(func() { close(r.ready) })
	look := time.NewTicker(successorLook)
	defer look.Stop()
	for {
		select {
		case g := <-r.gifts:
			writer, clock, err := r.receive(ctx, &g)
			if err != nil {
				r.log.Warn("this process does not take the world", "tick", g.Tick, "from", g.From, "err", err)
			}
			if errors.Is(err, context.DeadlineExceeded) { // it is not known whether it has: the log says so to the next process
				return nil, err
			}
			if err == nil {
				r.log.Info("this process has the world", "tick", r.tick, "from", g.From)
				r.clock = clock
				r.leads.Store(&r.header)
				r.state.Store(upgrade.StateHas)
			}
			r.reply(&g, err)
			if err == nil {
				if r.assigned == nil {
					r.answerUpgrade(&upgrade.Answer{ID: g.ID, Do: upgrade.AskGive, State: upgrade.StateHas, Tick: g.Tick})
				}
				return writer, nil
			}
		case <-look.C:
			r.want(true)
			if now, err := r.since(ctx); err == nil && now != since {
				since = now
				if r.goesOn(ctx) {
					return nil, errGoesOn
				}
				r.rehearse(ctx)
			}
		case <-ctx.Done():
			return nil, nil
		}
	}
}

// since is the tick after which the log goes on, 0 for one that was never handed over.
func (r *Replica) since(ctx context.Context) (tick uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, StreamTime)
	defer cancel()
	return r.Place.Since(ctx)
}

// goesOn reports whether the log has the header of this process.
func (r *Replica) goesOn(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, StreamTime)
	defer cancel()
	s, err := r.Place.Newest(ctx)
	return err == nil && s != nil && r.same(&s.Header) == nil
}

// rehearse restores the newest snapshot of the log in a world that is dropped, so that it is known before whether this process can have it.
func (r *Replica) rehearse(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, StreamTime)
	defer cancel()
	s, err := r.Place.Newest(ctx)
	if err == nil && s != nil {
		err = r.canHave(s)
	}
	text := ""
	if err != nil {
		text = err.Error()
		r.log.Warn("this process could not have the world as it is", "err", err)
	}
	r.cannot.Store(text)
}

// canHave restores a snapshot in a world that is dropped.
func (r *Replica) canHave(s *streamlog.Snapshot) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("its snapshot after tick %d cannot be restored: %v", s.N, value)
		}
	}()
	if field := upgrade.OtherWorld(&s.Header, &r.header); field != "" {
		return fmt.Errorf("it is a world with another %s", field)
	}
	if err := worldspec.NewWorld(&r.header, r.defs, new(metric.Table)).Restore(s.State); err != nil {
		return fmt.Errorf("its snapshot after tick %d, by %s: %w", s.N, s.Header.Release, err)
	}
	return nil
}

// receive makes the world as the process that gives it has it, and goes on with its log. After an error that is context.DeadlineExceeded it is
// not known whether the log has that.
func (r *Replica) receive(ctx context.Context, g *gift) (writer *streamlog.Writer, clock *sched.RealClock, err error) {
	defer func() {
		if value := recover(); value != nil {
			writer, err = nil, fmt.Errorf("it panics: %v", value)
		}
	}()
	began := time.Now()
	appending, cancel := context.WithTimeout(ctx, time.Duration(g.WithinMs)*time.Millisecond)
	defer cancel()
	s, err := r.Place.At(appending, g.Tick)
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("its snapshot: %v", err)
	case s.From != g.Number || s.N != g.Tick || s.Ordinal == 0:
		return nil, nil, errors.New("its snapshot is another one")
	}
	if field := upgrade.OtherWorld(&s.Header, &r.header); field != "" {
		return nil, nil, fmt.Errorf("it is a world with another %s", field)
	}
	before := s.Header
	s.Before, s.Header = &before, r.header
	r.begin()
	if err := r.restoreFrom(s, s); err != nil {
		return nil, nil, err
	}
	if err := r.live.World.PrepareSnapshots(); err != nil {
		return nil, nil, err
	}
	if appending.Err() != nil {
		return nil, nil, errors.New("there is no time left")
	}
	writer = r.newWriter()
	if err := writer.LeadOn(appending); err != nil {
		return nil, nil, err
	}
	clock = sched.NewFineClock()
	clock.Advance(max(time.Duration(g.ClockMs)*time.Millisecond+time.Since(began), time.Duration(r.tick)*r.loop.Quantum))
	return writer, clock, nil
}

// reply tells the process that gives the world whether this one has it.
func (r *Replica) reply(g *gift, err error) {
	a := giftAnswer{ID: g.ID}
	if err != nil {
		a.Why = err.Error()
	}
	text, _ := json.Marshal(&a)
	if err := r.bus.Publish(r.address.Lead(), append([]byte(givesBack), text...)); err != nil {
		r.metric.Count(remote.NotSent)
	}
}
