// Package testseed is the seed of a test with randomness. It is the same in every run, so that a failure is of the code and
// not of the seed, unless SEED in the environment sets another.
package testseed

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// Variable is the environment variable with the seed: a number, or Random for another in each test and run.
const (
	Variable = "SEED"
	Random   = "random"
)

// fixed is the seed without the variable.
const fixed = 1

// Of returns the seed of a test and logs it, as the variable to set before the command that runs the test again with
// it.
func Of(t testing.TB) uint64 {
	t.Helper()
	seed := uint64(fixed)
	switch text := os.Getenv(Variable); text {
	case "":
	case Random:
		seed = rand.Uint64()
	default:
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("%s=%s: want a number, or %s", Variable, text, Random)
		}
		seed = n
	}
	t.Logf("%s=%d", Variable, seed)
	return seed
}
