//go:build !linux

package main

import "os"

// isTerminal cannot find out: --console decides.
func isTerminal(*os.File) bool { return false }
