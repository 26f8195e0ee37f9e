package main

import (
	"muster/cmd/internal/flags"
	"muster/cmd/internal/spellsupport"
	"muster/loaders/synth"
)

type spellsVerb struct{}

func (spellsVerb) Run(env *flags.Environment) error {
	world, err := synth.New(synth.Config{Empty: true})
	if err != nil {
		return err
	}
	return spellsupport.Print(env.Stdout, world.Spells)
}
