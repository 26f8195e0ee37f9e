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
	_, err = fmt.Fprint(env.stdout, world.Plan())
	return err
}
