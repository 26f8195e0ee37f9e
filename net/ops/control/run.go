package control

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"muster/sched"
)

// A Run waits for a condition.
type Run struct {
	Until   string  `json:"until" doc:"the condition, as in session(\"Anna\").level >= 2 && time > 12000; docs/operating.md has its grammar"`
	LimitMs int64   `json:"limit_ms,omitempty" doc:"how long it may take, in milliseconds of the worlds, up to 3600000; without it, 60000"`
	After   *uint64 `json:"after,omitempty" doc:"the number of the happening after which event counts, as next of an answer has it; without it, those from now on"`
}

// Ran is the answer to a run whose condition holds.
type Ran struct {
	NowMs  int64   `json:"now_ms" doc:"the time of the worlds"`
	RanMs  int64   `json:"ran_ms" doc:"how much of it has passed"`
	Values []Value `json:"values" doc:"of all that the condition names"`
	Next   uint64  `json:"next" doc:"the number of the last happening"`
}

// A Value is that of a part of a condition.
type Value struct {
	Name  string `json:"name" doc:"as in the condition"`
	Value string `json:"value" doc:"absent, if there is none"`
}

// Bounds of runs.
const (
	maxRuns      = 8 // at a time
	defaultLimit = time.Minute
	maxLimit     = time.Hour
	realPoll     = 50 * time.Millisecond // from one look at the worlds to the next; inspect.Every is as long
	virtualPoll  = 5 * time.Millisecond  // of a virtual clock that runs by itself
)

// Errors of runs.
var (
	errRuns    = &Error{Text: fmt.Sprintf("%d runs wait for a condition already", maxRuns), Reason: "busy", status: http.StatusTooManyRequests}
	errStopped = &Error{Text: "the clock was stopped, or set to a speed, before the condition held", Reason: "stopped", status: http.StatusConflict}
	errGap     = &Error{Text: "events that the condition counts are no longer kept", Reason: "gap", status: http.StatusConflict}
)

// run returns when a condition holds. While a virtual clock stands, it takes the steps for that, and stops at the first after which the
// condition holds; otherwise it waits.
func (c *Control) run(ctx context.Context, q *Run) (answer Ran, err error) {
	until, err := parseCondition(q.Until)
	if err != nil {
		return answer, err
	}
	limit := time.Duration(q.LimitMs) * time.Millisecond
	switch {
	case q.LimitMs < 0 || q.LimitMs > maxLimit.Milliseconds():
		return answer, malformed(fmt.Sprintf("limit_ms is from 1 to %d", maxLimit.Milliseconds()))
	case limit == 0:
		limit = defaultLimit
	}
	after := c.config.Happenings.record()
	if q.After != nil {
		if after < *q.After {
			return answer, malformed(fmt.Sprintf("there is no happening %d yet: the world may have begun anew", *q.After))
		}
		after = *q.After
	}
	if c.runs.Add(1) > maxRuns {
		c.runs.Add(-1)
		return answer, errRuns
	}
	defer c.runs.Add(-1)

	clock := c.config.ClockDriver
	pause := waited(realPoll)
	switch {
	case clock != nil && clock.Speed() == 0 && clock.Pending() == 0:
		pause = stepped(clock)
	case clock != nil:
		wait := waited(virtualPoll)
		pause = func(ctx context.Context) error {
			if clock.Speed() == 0 && clock.Pending() == 0 {
				return errStopped
			}
			return wait(ctx)
		}
	}
	m := c.newMoment(ctx, until, after)
	for began := c.config.Now(); ; m.pass() {
		holds, err := until.holds(m)
		if err == nil && m.gap {
			err = errGap
		}
		if err != nil {
			return answer, err
		}
		now := c.config.Now()
		if holds {
			values, err := m.values(until)
			return Ran{now.Milliseconds(), (now - began).Milliseconds(), values, c.config.Happenings.record()}, err
		}
		if now-began >= limit {
			values, err := m.values(until)
			if err == nil {
				err = notHeld(limit, values)
			}
			return answer, err
		}
		if err := pause(ctx); err != nil {
			return answer, err
		}
	}
}

// stepped takes a step of a clock that stands.
func stepped(clock *sched.ClockDriver) func(context.Context) error {
	return func(ctx context.Context) error {
		if clock.Speed() != 0 {
			return errStopped
		}
		step, err := clock.Advance(1)
		if err != nil {
			return malformed(err.Error())
		}
		ended, err := step.Wait(ctx)
		if err == nil && ended > 0 {
			err = errStopped
		}
		return err
	}
}

// waited waits for a time of the machine.
func waited(poll time.Duration) func(context.Context) error {
	return func(ctx context.Context) error {
		t := time.NewTimer(poll)
		defer t.Stop()
		select {
		case <-t.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// notHeld is the error of a condition that has not held in time.
func notHeld(limit time.Duration, values []Value) error {
	var last strings.Builder
	for i, v := range values {
		if i > 0 {
			last.WriteString(", ")
		}
		fmt.Fprintf(&last, "%s is %s", v.Name, v.Value)
	}
	return &Error{
		Text:   fmt.Sprintf("the condition did not hold within %d ms: %s", limit.Milliseconds(), last.String()),
		Reason: "limit", Values: values, status: http.StatusConflict,
	}
}

// values are those of all that a condition names.
func (m *moment) values(of *condition) ([]Value, error) {
	values := []Value{}
	for _, o := range of.operands {
		v, err := o.read(m)
		if err != nil {
			return values, err
		}
		values = append(values, Value{o.source, v.String()})
	}
	return values, nil
}
