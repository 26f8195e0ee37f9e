package main

import (
	"muster/cmd/internal/flags"
	"muster/cmd/internal/limitlist"
)

type limitsVerb struct{}

func (limitsVerb) Run(env *flags.Environment) error { return limitlist.Print(env.Stdout) }
