package swarm

import (
	"time"

	"github.com/schollz/progressbar/v3"
)

// progress draws one bar for the ramp and one for the measured time. A nil progress draws nothing.
type progress struct {
	config Config
	bar    *progressbar.ProgressBar
	second bool
	shown  int64
}

func newProgress(config Config) *progress {
	if config.Progress == nil {
		return nil
	}
	p := &progress{config: config}
	p.bar = p.newBar(int64(config.Clients), "logging in")
	return p
}

func (p *progress) newBar(length int64, what string) *progressbar.ProgressBar {
	p.shown = -1
	return progressbar.NewOptions64(length,
		progressbar.OptionSetWriter(p.config.Progress),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(),
		progressbar.OptionFullWidth(),
		progressbar.OptionThrottle(200*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)
}

// ramp says how many clients have settled.
func (p *progress) ramp(settled int) {
	if p != nil {
		p.set(int64(settled))
	}
}

// measure says how much of the measured time has passed.
func (p *progress) measure(d time.Duration) {
	if p == nil {
		return
	}
	if !p.second {
		p.second = true
		_ = p.bar.Finish() // what cannot be drawn is not missed
		p.bar = p.newBar(int64(p.config.Duration.Seconds()), "measuring")
	}
	p.set(int64(d.Seconds()))
}

func (p *progress) set(n int64) {
	if n != p.shown {
		p.shown = n
		_ = p.bar.Set64(n)
	}
}

func (p *progress) finish() {
	if p != nil {
		_ = p.bar.Finish()
	}
}
