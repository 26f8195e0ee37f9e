package main

import (
	"fmt"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/release"
)

type versionVerb struct{}

func (versionVerb) Run(env *flags.Environment) error {
	_, err := fmt.Fprintf(env.Stdout, "muster %s\n%s\n", release.Name(), release.Toolchain())
	return err
}
