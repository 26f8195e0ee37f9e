package page

import (
	"encoding/json"
	"io"
	"net/http"
)

// maxOrder bounds the body of a command to the clock.
const maxOrder = 1 << 10

// A dial is the state of the clock.
type dial struct {
	Virtual bool    `json:"virtual"` // it can be controlled
	Speed   float64 `json:"speed"`   // times as fast as the machine's; 0 it stands
	NowMs   int64   `json:"now_ms"`  // of a virtual one, since its start
}

func (p *Page) dial() dial {
	if h := p.config.ClockDriver; h != nil {
		return dial{true, h.Speed(), h.Now().Milliseconds()}
	}
	return dial{Speed: 1}
}

// clock is the state of the clock.
func (p *Page) clock(w http.ResponseWriter, _ *http.Request) { answer(w, p.dial()) }

// turn controls the clock.
func (p *Page) turn(w http.ResponseWriter, r *http.Request) {
	h := p.config.ClockDriver
	if h == nil {
		http.Error(w, "the clock is the machine's: start with --clock virtual to stop and step it", http.StatusConflict)
		return
	}
	order := struct {
		Do    string
		Speed float64
		Steps int
	}{Speed: 1, Steps: 1}
	d := json.NewDecoder(io.LimitReader(r.Body, maxOrder))
	d.DisallowUnknownFields()
	if err := d.Decode(&order); err != nil {
		http.Error(w, "that is not {\"do\":…, \"speed\":…, \"steps\":…}", http.StatusBadRequest)
		return
	}
	var err error
	switch order.Do {
	case "pause":
		h.Pause()
	case "run":
		_, err = h.SetSpeed(order.Speed)
	case "step":
		_, err = h.Advance(order.Steps)
	default:
		http.Error(w, "do is pause, run or step", http.StatusBadRequest)
		return
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	p.clock(w, r)
}
