package replica

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"muster/cmd/internal/upgrade"
	"muster/cmd/internal/worldspec"
	"muster/internal/metric"
	"muster/net/replication/recording"
	"muster/net/replication/remote"
	"muster/net/replication/streamlog"
	"muster/sched"
)

// More times of a world that is handed over, our own choices as well.
const (
	giftSettle = 3 * time.Second        // for gateways to have read all
	giftAgain  = 100 * time.Millisecond // between two tries to tell the other process
	// successorLook is how often a successor looks whether the log has gone on by its own header, with another process.
	successorLook = 500 * time.Millisecond
)

// Counters.
const (
	worldsGiven    = "replica.given"     // worlds that were handed to another process
	worldsNotGiven = "replica.not_given" // that were to be, and were not
)

var (
	// ErrGiven is the end of a world in the process that has handed it over.
	ErrGiven = errors.New("the world was handed to another process")
	// errWaits is the error of a successor for a log by another release, or with other settings: it waits.
	errWaits = errors.New("the log is of another release, or of other settings")
	// errGoesOn is the error of a successor whose world another process of its kind has: it follows.
	errGoesOn = errors.New("the log goes on by these settings")
	// ErrUpgraded is the end of a process whose worlds all are of processes of another release.
	ErrUpgraded = errors.New("all worlds of this process have gone on in others, of another release or with other settings")
)

// A movedError is the error of a standby whose world goes on by another release, or with other settings.
type movedError struct{ by *recording.Header }

func (e *movedError) Error() string {
	return fmt.Sprintf("it goes on in a process of %s, %s", e.by.Release, upgrade.SettingsOf(e.by))
}

// upgradeAsked takes what the verb asks: it is answered from what is known, or done by the goroutine that has the world.
func (r *Replica) upgradeAsked(b []byte) {
	m, ok := upgrade.Read[upgrade.Ask](b)
	if !ok || m.ID == 0 { // the zero ask is none
		r.metric.Count(remote.Malformed)
		return
	}
	switch state, _ := r.state.Load().(string); {
	case m.Do == upgrade.AskPlan && state != "":
		a := upgrade.Answer{ID: m.ID, Do: m.Do, State: state, Release: r.header.Release, Settings: upgrade.SettingsOf(&r.header)}
		if state == upgrade.StateWaits {
			a.Why, _ = r.cannot.Load().(string)
		}
		if h := r.leads.Load(); state == upgrade.StateHas && h != nil {
			a.Release, a.Settings = h.Release, upgrade.SettingsOf(h)
		}
		r.answerUpgrade(&a)
	case m.Do == upgrade.AskGive && m.Map == r.address.Map && m.From == r.name && state == upgrade.StateHas:
		r.giving.Lock()
		defer r.giving.Unlock()
		switch {
		case r.gave.ID == m.ID:
			r.answerUpgrade(&r.gave)
		case r.givingTo != m.ID:
			select {
			case r.asks <- m:
				r.givingTo = m.ID
			default: // another one is under way
			}
		}
	}
}

// answerUpgrade answers the verb. What is lost is asked again.
func (r *Replica) answerUpgrade(a *upgrade.Answer) {
	a.Role, a.Process, a.Map, a.Made, a.Bus = upgrade.RoleWorker, r.name, r.address.Map, r.made(), remote.Version
	b, _ := json.Marshal(a)
	if err := r.bus.Publish(remote.Upgraded(r.address.Realm), b); err != nil {
		r.metric.Count(remote.NotSent)
	}
}

// stepAndGive steps the world until ctx is done, or it is handed to another process, which is the error ErrGiven of the context.
func (r *Replica) stepAndGive(ctx context.Context, fail context.CancelCauseFunc, writer *streamlog.Writer, clock *sched.RealClock) {
	for {
		stepping, pause := context.WithCancel(ctx)
		stopped := make(chan struct{})
		go func() {
			defer close(stopped)
			r.loop.Run(stepping)
		}()
		var asked upgrade.Ask
		select {
		case <-stopped:
		case asked = <-r.asks:
		}
		pause()
		<-stopped
		switch {
		case ctx.Err() != nil:
			return
		case asked.ID == 0 || r.live.Exchange.Stopped():
			fail(errors.New("a map has been given up"))
			return
		}
		began := time.Now()
		tick, err := r.give(ctx, writer, clock, &asked)
		if ctx.Err() != nil && !errors.Is(err, streamlog.ErrMoved) {
			return
		}
		a := upgrade.Answer{ID: asked.ID, Do: upgrade.AskGive, State: upgrade.StateHas, Tick: tick, PauseMs: time.Since(began).Milliseconds()}
		if errors.Is(err, streamlog.ErrMoved) { // in its place
			err = nil
		}
		if err != nil {
			a.Why = err.Error()
		}
		r.giving.Lock()
		r.gave = a
		r.giving.Unlock()
		if r.assigned == nil {
			r.answerUpgrade(&a)
		}
		if err == nil {
			r.metric.Count(worldsGiven)
			r.log.Info("the world is handed over", "to", asked.To, "tick", tick, "took", time.Since(began).Round(time.Millisecond))
			fail(ErrGiven)
			return
		}
		r.metric.Count(worldsNotGiven)
		r.log.Warn("the world is not handed over: this process goes on with it", "to", asked.To, "tick", tick, "err", err)
	}
}

// give hands the world, which stands still, to another process. The error is nil or wraps streamlog.ErrMoved if another one has it then; else it
// is why not, and the log has another entry of this process, so that none takes it later.
func (r *Replica) give(whole context.Context, writer *streamlog.Writer, clock *sched.RealClock, asked *upgrade.Ask) (tick uint64, err error) {
	if asked.To == r.name || asked.To == "" {
		return 0, errors.New("no process is named that is to have it")
	}
	r.handing.Store(true)
	defer func() {
		if err != nil {
			fencing, cancel := context.WithTimeout(whole, upgrade.GiftFence)
			defer cancel()
			if fenced := writer.Fence(fencing); errors.Is(fenced, streamlog.ErrMoved) {
				err = fenced
				return
			}
			r.handing.Store(false)
		}
	}()
	until := time.Now().Add(upgrade.GiftTime)
	ctx, cancel := context.WithDeadline(whole, until)
	defer cancel()
	s, err := writer.Settle(ctx)
	if err != nil {
		return 0, fmt.Errorf("its log does not answer: %w", err)
	}
	gift := gift{ID: asked.ID, From: r.name, To: asked.To, Number: s.From, Tick: s.N}
	if asked.Do == askFollower { // it has what gateways may miss
		return s.N, r.offer(ctx, until, clock, gift, writer.Life())
	}
	if s.N == 0 {
		return 0, errors.New("it has no tick yet: no gateway has been there")
	}
	settling, done := context.WithTimeout(ctx, giftSettle)
	defer done()
	if err := r.end.Settle(settling, s.N); err != nil {
		return s.N, err
	}
	if err := writer.Keep(ctx, &s); err != nil {
		return s.N, fmt.Errorf("its snapshot is not kept: %w", err)
	}
	return s.N, r.offer(ctx, until, clock, gift, writer.Life())
}

// offer tells the other process until that has answered, or is heard to have the world.
func (r *Replica) offer(ctx context.Context, until time.Time, clock *sched.RealClock, g gift, life uint64) error {
	for len(r.replies) > 0 {
		<-r.replies // to an earlier one
	}
	again := time.NewTicker(giftAgain)
	defer again.Stop()
	for {
		if r.life.Load() > life {
			return nil
		}
		g.ClockMs, g.WithinMs = clock.Now().Milliseconds(), time.Until(until).Milliseconds()
		text, _ := json.Marshal(&g)
		if err := r.bus.Publish(r.address.Lead(), append([]byte(gives), text...)); err != nil {
			r.metric.Count(remote.NotSent)
		}
		select {
		case reply := <-r.replies:
			switch {
			case reply.ID != g.ID:
			case reply.Why == "":
				return nil
			default:
				return fmt.Errorf("%s refuses it: %s", g.To, reply.Why)
			}
		case <-again.C:
		case <-ctx.Done():
			return fmt.Errorf("%s has not taken it within %v", g.To, upgrade.GiftTime)
		}
	}
}

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

// wait waits until this process is given the world, and returns its writer. The writer is nil if ctx is done before, and the error errGoesOn if
// the log goes on by the header of this process.
func (r *Replica) wait(ctx context.Context, why error) (*streamlog.Writer, error) {
	since, err := r.Place.Since(ctx)
	if err != nil {
		return nil, err
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
			bounded, cancel := context.WithTimeout(ctx, StreamTime)
			now, err := r.Place.Since(bounded)
			cancel()
			if err == nil && now != since {
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
	if appending.Err() != nil {
		return nil, nil, errors.New("there is no time left")
	}
	writer = r.newWriter()
	if err := writer.LeadOn(appending); err != nil {
		return nil, nil, err
	}
	clock = sched.NewRealClock()
	clock.Advance(max(time.Duration(g.ClockMs)*time.Millisecond+time.Since(began), time.Duration(r.tick)*r.loop.Unit))
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
