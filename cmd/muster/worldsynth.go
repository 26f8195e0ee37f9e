package main

import (
	"fmt"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/worldspec"
	"muster/loaders/synth"
	"muster/loaders/worlddb/dump"
)

type worldSynth struct {
	Seed      uint64 `default:"1" help:"What the world is made from, as of serve (${default})."`
	Creatures int    `default:"20000" help:"How many creatures there are beside those around the places where characters begin, as of serve (${default})."`
	Start     string `default:"spread" enum:"spread,one" help:"Where characters begin, as of serve: spread or one (${default})."`
	Samples   bool   `help:"Also rows of each kind that is executed and that the world has none of, such as vendors, game objects and events, in the folder updates. It is another world with them."`
	Out       string `required:"" placeholder:"DIR" help:"The folder to write it to, a file for each table; made, or empty."`
}

// Run writes the dump, and says how to serve it.
func (v *worldSynth) Run(env *flags.Environment) error {
	if v.Creatures < 0 || v.Creatures > synth.MaxCreatures {
		return fmt.Errorf("--creatures is from 0 to %s, not %d", flags.Thousands(synth.MaxCreatures), v.Creatures)
	}
	w, err := worldspec.NewDefs(v.Seed, v.Creatures, v.Start)
	if err != nil {
		return err
	}
	if err := dump.Write(v.Out, w, dump.Config{Start: v.Start, Samples: v.Samples, Base: synth.Base}); err != nil {
		return err
	}
	spawns := 0
	for i := range w.Maps {
		spawns += len(w.Maps[i].Spawns)
	}
	_, err = fmt.Fprintf(env.Stdout, "%s: %d maps, %d templates, %d spawn points, %d items; muster world import %[1]s, then muster serve --world-db\n",
		v.Out, len(w.Maps), len(w.Creatures), spawns, len(w.Items))
	return err
}
