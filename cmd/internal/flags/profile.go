package flags

import "github.com/pkg/profile"

// A Profile is what to profile while a command runs: one kind, written to a file named after it in
// the working directory, for go tool pprof (trace: go tool trace).
type Profile string

var profileModes = map[Profile]func(*profile.Profile){
	"cpu":   profile.CPUProfile,
	"mem":   profile.MemProfile,
	"mutex": profile.MutexProfile,
	"block": profile.BlockProfile,
	"trace": profile.TraceProfile,
}

// Start begins the profile, if there is to be one, and returns what ends and writes it.
func (p Profile) Start() (stop func()) {
	mode, ok := profileModes[p]
	if !ok {
		return func() {}
	}
	return profile.Start(mode, profile.ProfilePath("."), profile.NoShutdownHook, profile.Quiet).Stop
}
