package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// beside are the packages whose tests are run beside a package's own, by the beginning of its path: the nearest that
// bring its parts together.
var beside = []struct{ prefix, packages string }{
	{"systems/", "internal/scenario"},
	{"net/replication/frame", "net/gateway internal/scenario"},
	{"net/protocol/update", "net/replication/frame internal/scenario"},
	{"net/gateway/session", "net/gateway"},
	{"net/protocol/msg", "internal/scenario"},
	{"loaders/store/database", "loaders/store/sqlite"},
	{"loaders/store", "loaders/store/journal"},
}

// witnesses are the packages whose tests are run for one, in this order, until one of them fails.
func (c *config) witnesses(p *pkg) (all []*pkg, err error) {
	var paths []string
	if p.tested() {
		paths = append(paths, p.path())
	}
	for _, b := range beside {
		if !c.own && strings.HasPrefix(p.path(), b.prefix) {
			paths = append(paths, strings.Fields(b.packages)...)
			break
		}
	}
	if c.deep && strings.HasPrefix(p.path(), "systems/") {
		paths = append(paths, "systems")
	}
	for _, path := range paths {
		found, err := list([]string{p.Module.Path + "/" + path})
		if err != nil {
			return nil, err
		}
		if found[0].ImportPath != p.ImportPath || len(all) == 0 {
			all = append(all, found...)
		}
	}
	return all, nil
}

// A suite is a test binary, and what it does without a change.
type suite struct {
	name    string
	binary  string
	folder  string // in which it runs
	takes   time.Duration
	reaches map[int]bool
}

// measure tries the changes of a package, and prints those that nothing has noticed.
func (c *config) measure(p *pkg) (s score, err error) {
	witnesses, err := c.witnesses(p)
	if err != nil || len(witnesses) == 0 {
		return s, err
	}
	folder, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return s, err
	}
	defer os.RemoveAll(folder)
	b, err := newBuild(p, folder)
	if err != nil || len(b.changes) == 0 {
		return s, err
	}
	var suites []*suite
	for _, w := range witnesses {
		binary, err := b.binary(w)
		if err != nil {
			return s, err
		}
		t := &suite{name: w.path(), binary: binary, folder: w.Dir}
		if err := t.try(); err != nil {
			return s, fmt.Errorf("%s fails without a change: %w", t.name, err)
		}
		suites = append(suites, t)
	}
	s.found = len(b.changes)
	r := rand.New(rand.NewPCG(c.seed, 0))
	r.Shuffle(len(b.changes), func(i, j int) { b.changes[i], b.changes[j] = b.changes[j], b.changes[i] })
	sample := b.changes[:c.size(len(b.changes))]
	slices.SortFunc(sample, func(x, y change) int { return x.id - y.id })
	s.tried = len(sample)
	fmt.Printf("%s: %d changes, %d tried\n", p.path(), s.found, s.tried)

	var mu sync.Mutex
	var group sync.WaitGroup
	var failed error
	slots := make(chan struct{}, c.workers)
	for _, m := range sample {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			reached, killed, err := c.kill(suites, m.id)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err != nil:
				failed = err
			case killed:
				s.killed++
			default:
				why := "survived"
				if !reached {
					s.unreached++
					why = "not run"
				}
				fmt.Printf("%s/%s:%d:%d: %s: %s\n", p.path(), m.file, m.line, m.col, why, m.what)
			}
		})
	}
	group.Wait()
	return s, failed
}

// kill reports whether a suite fails with a change, and whether one runs its code. What does not come to an end fails.
func (c *config) kill(suites []*suite, id int) (reached, killed bool, err error) {
	for _, t := range suites {
		if !t.reaches[id] {
			continue
		}
		reached = true
		ctx, cancel := context.WithTimeout(context.Background(), c.timeout+10*t.takes)
		cmd := t.command(ctx, "MUTANT="+strconv.Itoa(id))
		err := cmd.Run()
		over := ctx.Err() != nil
		cancel()
		var exit *exec.ExitError
		switch {
		case err == nil:
		case over, errors.As(err, &exit):
			return true, true, nil
		default:
			return true, false, err
		}
	}
	return reached, false, nil
}

func (t *suite) command(ctx context.Context, env string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, t.binary, "-test.failfast", "-test.timeout=0")
	cmd.Dir, cmd.Env = t.folder, append(os.Environ(), env)
	cmd.WaitDelay = time.Second
	return cmd
}

// try runs a suite without a change, and notes what it takes and which changes it reaches.
func (t *suite) try() error {
	notes := t.binary + ".reached"
	begin := time.Now()
	if out, err := t.command(context.Background(), "MUTANT_REACHED="+notes).CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	t.takes, t.reaches = time.Since(begin), make(map[int]bool)
	text, err := os.ReadFile(filepath.Clean(notes))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	for line := range strings.Lines(string(text)) {
		if id, err := strconv.Atoi(strings.TrimSpace(line)); err == nil {
			t.reaches[id] = true
		}
	}
	return err
}
