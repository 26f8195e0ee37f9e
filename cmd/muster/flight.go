package main

import (
	"fmt"
	"os"

	"muster/cmd/internal/flags"
	"muster/net/ops/flight"
)

type flightVerb struct {
	File string `arg:"" help:"A bundle: flight-*.zip in the folder of a server, or what /debug/flight answers."`
}

// Help is printed below the flags' own.
func (*flightVerb) Help() string {
	return `The file is a zip archive. It also has goroutines.txt, with --flight-trace trace.out for go tool trace, and for each map the inboxes
of its last ticks as mapN.rec. Of worlds that are kept with --durable world it has a snapshot and the log since in
their place, in the folder worlds: muster replay FILE runs them again.`
}

// Run prints the contents of a bundle.
func (v *flightVerb) Run(env *flags.Environment) error {
	f, err := os.Open(v.File)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	b, err := flight.Read(f, info.Size())
	if err != nil {
		return fmt.Errorf("%s: %w", v.File, err)
	}
	return b.Print(env.Stdout)
}
