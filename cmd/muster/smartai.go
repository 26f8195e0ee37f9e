package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/scriptreport"
	"muster/cmd/internal/storage"
	"muster/cmd/internal/worldspec"
	"muster/loaders/worlddb/content"
)

// smartaiVerbs work on the scripts of an imported world.
type smartaiVerbs struct {
	Lint smartaiLint `cmd:"" help:"List the rows of smart_scripts, or of creature_ai_scripts, that serve --world-db does not execute, each with the reason; exit 1 if there are any."`
}

type smartaiLint struct {
	worldAt
	DBC  string `name:"dbc" placeholder:"DIR" help:"As of serve."`
	JSON bool   `name:"json" help:"Print it as JSON."`
}

// Run lists the rows that are refused, and fails if there are any.
func (v *smartaiLint) Run(ctx context.Context, env *flags.Environment) error {
	made, err := worldspec.OpenWorld(ctx, cmp.Or(v.Into, v.Data), 0, v.DBC)
	if err != nil && (made == nil || !errors.Is(err, content.ErrEmpty)) {
		return storage.OneLine(err)
	}
	r := scriptreport.Of(made.Scripts)
	if v.JSON {
		err = printJSON(env.Stdout, r)
	} else {
		err = r.WriteText(env.Stdout)
	}
	if err != nil || len(r.Refused) == 0 {
		return err
	}
	return fmt.Errorf("%d of %d rows of %s are not executed", len(r.Refused), r.Loaded, r.Table)
}
