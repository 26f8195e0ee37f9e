package main

import (
	"fmt"

	"muster/loaders/synth"
	"muster/systems"
)

type planVerb struct{}

func (planVerb) Run(env *environment) error {
	defs, err := synth.New(synth.Config{Empty: true})
	if err != nil {
		return err
	}
	world := systems.New(systems.Config{Defs: defs, Map: &defs.Maps[0]})
	if _, err := fmt.Fprintln(env.stdout, world.Plan()); err != nil {
		return err
	}
	if err := world.Plan().WriteEvents(env.stdout, world.EventTypes()); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(env.stdout); err != nil {
		return err
	}
	return world.Plan().WriteMatrix(env.stdout)
}
