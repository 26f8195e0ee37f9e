//go:build !race

package main

// buildFlags are empty: the binary under test is as users have it.
var buildFlags []string

// unlessRaced is n, and fewer under the race detector, which looks at each access and not at how many there are.
func unlessRaced(n, _ int) int { return n }
