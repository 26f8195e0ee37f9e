//go:build !linux

package mustertest

import "os/exec"

// dieWithParent does nothing here: a server survives a test that is killed.
func dieWithParent(*exec.Cmd) {}

func lockThread() (unlock func()) { return func() {} }
