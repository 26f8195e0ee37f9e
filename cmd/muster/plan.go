package main

import (
	"fmt"

	"muster/cmd/internal/flags"
	"muster/loaders/synth"
	"muster/systems"
)

type planVerb struct{}

func (planVerb) Run(env *flags.Environment) error {
	defs, err := synth.New(synth.Config{Empty: true})
	if err != nil {
		return err
	}
	world := systems.New(systems.Config{Defs: defs, Map: &defs.Maps[0]})
	if _, err := fmt.Fprintln(env.Stdout, world.Plan()); err != nil {
		return err
	}
	if err := world.Plan().WriteEvents(env.Stdout, world.EventTypes()); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(env.Stdout); err != nil {
		return err
	}
	return world.Plan().WriteMatrix(env.Stdout)
}
