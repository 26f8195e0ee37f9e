package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"muster/cmd/internal/ctlsocket"
	"muster/cmd/internal/flags"
	"muster/cmd/internal/process"
	"muster/net/ops/console"
	"muster/net/protocol/command"
)

type ctlVerb struct {
	Socket string   `placeholder:"PATH" help:"Where the server listens; default: ctl.sock in its folder, or that of the only server without one."`
	Data   string   `placeholder:"DIR" help:"The server's folder; without one, the only server that has none."`
	Words  []string `arg:"" passthrough:"" help:"A verb and its arguments, as in: server info. One about a character begins with its name: '#Anna' levelup 5."`
}

// Help is printed below the flags' own.
func (*ctlVerb) Help() string {
	return `The server must run on this machine, as the same user. All verbs: muster ctl commands, and docs/VERBS.md; those of clusters: muster ctl cluster --help.`
}

// help prints the verbs that begin with the words before --help. It is not ok if it is not asked for, or there are none.
func (v *ctlVerb) help(env *flags.Environment) (ok bool) {
	n := len(v.Words) - 1
	if v.Words[n] != "--help" && v.Words[n] != "-h" {
		return false
	}
	for _, verb := range command.Below(strings.Join(v.Words[:n], " ")) {
		fmt.Fprintf(env.Stdout, "%s\n    %s\n", strings.TrimSpace(verb.Path+" "+verb.Syntax), verb.About)
		ok = true
	}
	return ok
}

// Run sends a line to a server.
func (v *ctlVerb) Run(ctx context.Context, env *flags.Environment) error {
	if v.help(env) {
		return nil
	}
	path := v.Socket
	if path == "" {
		found, err := ctlsocket.Find(v.Data, env.Variables)
		if err != nil {
			return err
		}
		path = found
	}
	until, before := time.Now().Add(moreTime), ""
	for {
		said, err := console.Ask(ctx, path, strings.Join(v.Words, " "))
		if errors.Is(err, console.ErrFailed) {
			fmt.Fprint(env.Stderr, said)
			return process.ExitStatus(process.ExitFailure)
		}
		rest, more := strings.CutSuffix(said, console.More+"\n")
		if rest != before { // one that waits says the same again and again
			fmt.Fprint(env.Stdout, rest)
		}
		before = rest
		switch {
		case err != nil || !more:
			return err
		case time.Now().After(until):
			return fmt.Errorf("there is more to do after %v: say it again", moreTime)
		}
		select {
		case <-time.After(moreEvery):
		case <-ctx.Done():
			return nil
		}
	}
}

// Times of a verb that is said again until there is no more to do.
const (
	moreTime  = 10 * time.Minute
	moreEvery = time.Second
)
