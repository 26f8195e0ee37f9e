package main

import "github.com/pkg/profile"

// A profileFlag is what to profile while a command runs: one kind, written to a file named after it in
// the working directory, for go tool pprof (trace: go tool trace).
type profileFlag string

var profileModes = map[profileFlag]func(*profile.Profile){
	"cpu":   profile.CPUProfile,
	"mem":   profile.MemProfile,
	"mutex": profile.MutexProfile,
	"block": profile.BlockProfile,
	"trace": profile.TraceProfile,
}

// start begins the profile, if there is to be one, and returns what ends and writes it.
func (p profileFlag) start() (stop func()) {
	mode, ok := profileModes[p]
	if !ok {
		return func() {}
	}
	return profile.Start(mode, profile.ProfilePath("."), profile.NoShutdownHook, profile.Quiet).Stop
}
