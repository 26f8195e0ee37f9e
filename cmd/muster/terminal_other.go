//go:build !linux

package main

import "os"

// isTerminal does not know: --console says so.
func isTerminal(*os.File) bool { return false }
