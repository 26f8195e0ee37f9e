package page

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"time"

	"muster/sched"
)

// maxOrder bounds the body of a command to the clock.
const maxOrder = 1 << 10

var errDo = errors.New("do is pause, run, step or until")

// A Dial is the state of the clock.
type Dial struct {
	Virtual bool    `json:"virtual"`         // it can be controlled
	Speed   float64 `json:"speed"`           // times as fast as the machine's; 0 it stands, or takes steps
	NowMs   int64   `json:"now_ms"`          // of a virtual one, since its start
	Steps   int     `json:"steps,omitempty"` // pending
}

func (p *Page) dial() Dial {
	if h := p.config.ClockDriver; h != nil {
		return Dial{true, h.Speed(), h.Now().Milliseconds(), h.Pending()}
	}
	return Dial{Speed: 1}
}

// clock is the state of the clock.
func (p *Page) clock(w http.ResponseWriter, _ *http.Request) { answer(w, p.dial()) }

// An Order is a command to the clock.
type Order struct {
	Do      string  `json:"do" doc:"pause, run, step or until; the last two are answered when the steps are taken"`
	Speed   float64 `json:"speed,omitempty" doc:"to run: times as fast as the clock of the machine; 1 if it is left out"`
	Steps   int     `json:"steps,omitempty" doc:"to step: 1 if it is left out"`
	UntilMs int64   `json:"until_ms,omitempty" doc:"until: the time of the worlds since their start"`
}

// Turned is the answer to an Order.
type Turned struct {
	Dial
	Ended int `json:"ended_steps,omitempty"` // pending steps that this order has ended, or its own that another has
}

// turn controls the clock. An order of steps is answered when they are taken, however long that takes; the steps are taken
// also if the client has gone.
func (p *Page) turn(w http.ResponseWriter, r *http.Request) {
	h := p.config.ClockDriver
	if h == nil {
		http.Error(w, "the clock is the machine's: start with --clock virtual to stop and step it", http.StatusConflict)
		return
	}
	o := Order{Speed: 1, Steps: 1}
	d := json.NewDecoder(io.LimitReader(r.Body, maxOrder))
	d.DisallowUnknownFields()
	if err := d.Decode(&o); err != nil {
		http.Error(w, "that is not {\"do\":…, \"speed\":…, \"steps\":…, \"until_ms\":…}", http.StatusBadRequest)
		return
	}
	http.NewResponseController(w).SetWriteDeadline(time.Time{})
	ended, err := o.execute(r.Context(), h)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answer(w, Turned{p.dial(), ended})
}

// execute returns when the order is done, or ctx is.
func (o *Order) execute(ctx context.Context, h *sched.ClockDriver) (ended int, err error) {
	var steps *sched.ClockOrder
	switch o.Do {
	case "pause":
		return h.Pause(), nil
	case "run":
		return h.SetSpeed(o.Speed)
	case "step":
		steps, err = h.Advance(o.Steps)
	case "until":
		const most = math.MaxInt64 / int64(time.Millisecond)
		steps, err = h.AdvanceTo(time.Duration(max(-most, min(o.UntilMs, most))) * time.Millisecond)
	default:
		err = errDo
	}
	if err != nil {
		return 0, err
	}
	return steps.Wait(ctx)
}
