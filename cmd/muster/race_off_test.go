//go:build !race

package main

// buildFlags are empty: the binary under test is as users have it.
var buildFlags []string
