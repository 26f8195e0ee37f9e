package control

import (
	"context"
	"time"

	"muster/net/gateway"
	"muster/net/ops/console"
	"muster/net/protocol/command"
)

// commandTime bounds a command, the time for which a world does not answer.
const commandTime = 15 * time.Second

// A Line is a command.
type Line struct {
	Line string `json:"line" doc:"command and arguments"`
}

// Said is the answer to a command.
type Said struct {
	OK    bool     `json:"ok" doc:"it was executed"`
	Lines []string `json:"lines" doc:"as a game master reads them; of a command that was not executed, why"`
}

// console executes a line.
func (c *Control) console(ctx context.Context, q *Line) (Said, error) {
	said, err := c.command(ctx, q.Line)
	if console.IsRefusal(err) {
		return Said{Lines: append([]string{err.Error()}, said...)}, nil
	}
	if said == nil {
		said = []string{}
	}
	return Said{true, said}, err
}

// step takes a step of a virtual clock that stands, so that a world reads what it was given, and another one each second until ctx is
// done: a world without players may begin with the step after.
func (c *Control) step(ctx context.Context) {
	h := c.config.ClockDriver
	if h == nil {
		return
	}
	again := time.NewTicker(time.Second)
	defer again.Stop()
	for {
		if h.Speed() == 0 && h.Pending() == 0 {
			if _, err := h.Advance(1); err != nil {
				return
			}
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return
		}
	}
}

// command executes a line. While a virtual clock stands, it takes a step for each world that is to execute it.
func (c *Control) command(ctx context.Context, line string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, commandTime)
	defer cancel()
	ctx = gateway.OnPosted(ctx, func() { go c.step(ctx) })
	return c.config.Console.Run(ctx, gateway.Caller{Level: command.Console}, line)
}
