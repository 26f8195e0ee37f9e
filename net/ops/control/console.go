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

// command executes a line.
func (c *Control) command(ctx context.Context, line string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, commandTime)
	defer cancel()
	return c.config.Console.Run(ctx, gateway.Caller{Level: command.Console}, line)
}
