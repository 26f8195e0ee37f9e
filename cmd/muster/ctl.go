package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/storage"
	"muster/net/ops/console"
)

type ctlVerb struct {
	Socket string   `placeholder:"PATH" help:"Where the server listens; default: ctl.sock in its folder, or that of the only server without one."`
	Data   string   `placeholder:"DIR" help:"The server's folder; without one, the only server that has none."`
	Words  []string `arg:"" passthrough:"" help:"A verb and its arguments, as in: server info. One about a character begins with its name: '#Anna' levelup 5."`
}

// Help is printed below the flags' own.
func (*ctlVerb) Help() string {
	return `The server must run on this machine, as the same user. All verbs: muster ctl commands, and docs/VERBS.md.`
}

// Run sends a line to a server.
func (v *ctlVerb) Run(ctx context.Context, env *flags.Environment) error {
	path, err := v.find(env)
	if err != nil {
		return err
	}
	until, before := time.Now().Add(moreTime), ""
	for {
		said, err := console.Ask(ctx, path, strings.Join(v.Words, " "))
		if errors.Is(err, console.ErrFailed) {
			fmt.Fprint(env.Stderr, said)
			return exitStatus(exitFailure)
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

// find is the socket of the server that is meant.
func (v *ctlVerb) find(env *flags.Environment) (string, error) {
	folder := v.Data
	switch {
	case v.Socket != "":
		return v.Socket, nil
	case folder == "":
		folder = storage.DataFolder(env.Variables)
	}
	path := filepath.Join(folder, socketName)
	if _, err := os.Stat(path); err == nil || v.Data != "" {
		return path, nil
	}
	folder = runtimeFolder(env.Variables)
	if err := console.Private(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	all, _ := filepath.Glob(filepath.Join(folder, "*.sock"))
	all = slices.DeleteFunc(all, func(path string) bool { // what a process has left behind
		c, err := net.Dial("unix", path)
		if err == nil {
			c.Close()
		}
		return err != nil
	})
	switch len(all) {
	case 0:
		return "", fmt.Errorf("no server listens at %s, or without a folder: name one with --data or --socket", path)
	case 1:
		return all[0], nil
	}
	return "", fmt.Errorf("there are several servers: name one with --socket, from %s", strings.Join(all, ", "))
}

// socketName is that of a server's socket in its folder.
const socketName = "ctl.sock"

// maxSocket is how long the name of a socket can be. Source: sockaddr_un, unix(7).
const maxSocket = 100

// runtimeFolder is for the sockets of servers that have no folder of their own: one for each user, so that no
// other user puts anything there.
func runtimeFolder(variables []string) string {
	for _, line := range variables {
		if dir, ok := strings.CutPrefix(line, "XDG_RUNTIME_DIR="); ok && filepath.IsAbs(dir) {
			return filepath.Join(dir, "muster")
		}
	}
	return filepath.Join(os.TempDir(), fmt.Sprintf("muster-%d", os.Getuid()))
}

// socket is where a server listens for ctl, in a folder that is there.
func (v *serveVerb) socket(variables []string) (string, error) {
	if path := filepath.Join(v.Data, socketName); v.Data != "" && len(path) <= maxSocket {
		return path, os.MkdirAll(v.Data, 0o700)
	}
	folder := runtimeFolder(variables)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	if err := console.Private(folder); err != nil {
		return "", err
	}
	sweep(folder)
	return filepath.Join(folder, fmt.Sprintf("%d.sock", os.Getpid())), nil
}

// sweep removes the sockets of processes that have ended without doing so.
func sweep(folder string) {
	all, _ := filepath.Glob(filepath.Join(folder, "*.sock"))
	for _, path := range all {
		pid, err := strconv.Atoi(strings.TrimSuffix(filepath.Base(path), ".sock"))
		if err != nil || pid <= 0 {
			continue
		}
		p, err := os.FindProcess(pid)
		if err != nil || errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone) {
			os.Remove(path)
		}
	}
}
