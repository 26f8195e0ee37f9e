package replica

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"muster/cmd/internal/upgrade"
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

// stepAndGive steps the world until ctx is done, or it is handed to another process, which is the error ErrGiven of the context. Snapshots that are asked for
// are taken between two ticks.
func (r *Replica) stepAndGive(ctx context.Context, fail context.CancelCauseFunc, writer *streamlog.Writer, clock *sched.RealClock) {
	r.giving.Lock()
	r.snapping = 0 // what this process was asked when it had the world before is asked again
	r.giving.Unlock()
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
		case asked.Do == askSnapshot:
			r.snapshot(writer, asked.ID)
			continue
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
