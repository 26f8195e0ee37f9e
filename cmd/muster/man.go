package main

import (
	"fmt"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/manual"
)

type manVerb struct {
	Verb string `arg:"" optional:"" help:"Of which verb; without one: of muster itself."`
	Dir  string `placeholder:"DIR" help:"Write all pages into a folder, as muster.1, muster-serve.1 and so on."`
}

// Help is printed below the flags' own.
func (*manVerb) Help() string {
	return `To read one: muster man serve | man -l -`
}

func (v *manVerb) Run(env *flags.Environment) error {
	root := newParser(new(verbs), env).Model.Node
	if v.Dir != "" {
		return manual.WriteAll(root, v.Dir)
	}
	node := root
	if v.Verb != "" {
		if node = flags.Child(root, v.Verb); node == nil {
			return fmt.Errorf("there is no verb %s", v.Verb)
		}
	}
	_, err := env.Stdout.Write(manual.Page(node))
	return err
}
