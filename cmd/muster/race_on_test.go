//go:build race

package main

// buildFlags give the binary under test the race detector that the tests have.
var buildFlags = []string{"-race"}

// unlessRaced is fewer.
func unlessRaced(_, fewer int) int { return fewer }
