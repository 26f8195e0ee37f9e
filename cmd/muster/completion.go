package main

import (
	_ "embed"
	"fmt"
	"io"

	"muster/cmd/internal/completion"
	"muster/cmd/internal/flags"
)

// The scripts ask this program for what can stand next, with completeVerb: none of them knows a verb or a flag.
var (
	//go:embed completion/muster.bash
	bashScript string
	//go:embed completion/muster.zsh
	zshScript string
	//go:embed completion/muster.fish
	fishScript string
)

type completionVerb struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"Of which shell: bash, zsh or fish."`
}

// Help is printed below the flags' own.
func (*completionVerb) Help() string {
	return `For this session: source <(muster completion bash), or the same with zsh; muster completion fish | source.`
}

func (v *completionVerb) Run(env *flags.Environment) error {
	script := map[string]string{"bash": bashScript, "zsh": zshScript, "fish": fishScript}[v.Shell]
	_, err := io.WriteString(env.Stdout, script)
	return err
}

// A completeVerb prints what can stand in the place of the last word: a candidate in each line, a tab, and what it is for.
// Nothing is printed where a file or a value of the user's own is expected.
type completeVerb struct {
	Words []string `arg:"" optional:"" help:"The words after muster."`
}

func (v *completeVerb) Run(env *flags.Environment) error {
	for _, c := range completion.Candidates(newParser(new(verbs), env).Model.Node, v.Words) {
		if _, err := fmt.Fprintf(env.Stdout, "%s\t%s\n", c.Word, c.Help); err != nil {
			return err
		}
	}
	return nil
}
