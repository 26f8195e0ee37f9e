package main

import "fmt"

type versionVerb struct{}

func (versionVerb) Run(env *environment) error {
	_, err := fmt.Fprintf(env.stdout, "muster %s\n%s\n", release(), toolchain())
	return err
}
