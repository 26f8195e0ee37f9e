// Command mutants measures what tests notice: it changes the code of a package in many small ways, and runs the tests
// with one change at a time. A change that no test notices survives, and is printed with its place.
//
// All changes of a package are compiled into one test binary, each behind a number, and the environment says which of
// them is done: so a change costs a run of the tests and not a build. See docs/adr/0021-mutation-testing.md.
//
//	go run ./internal/mutants [flags] [packages]
package main

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	var c config
	flag.Uint64Var(&c.seed, "seed", 1, "of the sample")
	flag.StringVar(&c.sample, "n", "40", "how many changes of a package are tried; all for all")
	flag.DurationVar(&c.timeout, "timeout", time.Minute, "of a test binary with a change, besides ten times what it takes without one")
	flag.IntVar(&c.workers, "workers", 2, "test binaries at a time")
	flag.BoolVar(&c.deep, "deep", false, "for systems, run the tests of ./systems as well, where those before have noticed nothing")
	flag.BoolVar(&c.own, "own", false, "run a package's own tests alone")
	flag.Parse()
	patterns := flag.Args()
	if len(patterns) == 0 {
		patterns = []string{"./systems/...", "./net/...", "./loaders/store/..."}
	}
	if err := c.run(patterns); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

type config struct {
	seed    uint64
	sample  string
	timeout time.Duration
	workers int
	deep    bool
	own     bool
}

// size is how many of n changes are tried.
func (c *config) size(n int) int {
	if m, err := strconv.Atoi(c.sample); err == nil && m < n {
		return m
	}
	return n
}

// run measures packages one after the other, and prints their scores.
func (c *config) run(patterns []string) error {
	packages, err := list(patterns)
	if err != nil {
		return err
	}
	fmt.Printf("seed %d, at most %s of a package\n", c.seed, c.sample)
	var table strings.Builder
	for _, p := range packages {
		s, err := c.measure(p)
		if err != nil {
			return fmt.Errorf("%s: %w", p.ImportPath, err)
		}
		if s.tried > 0 {
			line := fmt.Sprintf("%-32s %7d %6d %7d %9d %6.0f %%\n", p.path(), s.found, s.tried, s.unreached, s.tried-s.killed, s.percent())
			table.WriteString(line)
			fmt.Print(line)
		}
	}
	fmt.Printf("\n%-32s %7s %6s %7s %9s %8s\n%s", "package", "changes", "tried", "not run", "survived", "noticed", &table)
	return nil
}

// A score is how the tests of a package did.
type score struct {
	found     int // changes that there are
	tried     int
	killed    int
	unreached int // of those that survived: no test runs the code
}

func (s *score) percent() float64 { return 100 * float64(s.killed) / float64(s.tried) }
