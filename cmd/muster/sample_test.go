package main

import (
	"fmt"
	"strings"
	"testing"

	"muster/cmd/internal/flags"
	"muster/internal/config"
	"muster/internal/golden"
)

// TestSample holds muster.conf against the flags: it has every key with its default, and what the key is for. It is
// rewritten by -update.
func TestSample(t *testing.T) {
	const file = "../../muster.conf"
	var b strings.Builder
	b.WriteString("# Settings of muster serve, each with its default: bin/muster serve --config muster.conf\n")
	b.WriteString("# What is commented out has no default, or one that depends on other settings.\n")
	parser := newParser(new(verbs), &flags.Environment{Stdout: &b, Stderr: &b})
	for _, verb := range parser.Model.Children {
		if verb.Name != "serve" {
			continue
		}
		for _, f := range verb.Flags {
			if f.Name == "config" || f.Name == "help" {
				continue
			}
			key, value := config.Key(f.Name), f.Default
			comment := strings.ReplaceAll(f.Help, " ("+f.Default+")", "")
			switch {
			case f.IsBool() && value == "":
				fmt.Fprintf(&b, "\n# %s\n%s = false\n", comment, key)
			case value == "":
				fmt.Fprintf(&b, "\n# %s\n# %s =\n", comment, key)
			default:
				fmt.Fprintf(&b, "\n# %s\n%s = %s\n", comment, key, value)
			}
		}
	}
	golden.Compare(t, file, []byte(b.String()))
	sample, err := parse(t, []string{"serve", "--config", file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := parse(t, []string{"serve"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := settingsOf(sample), settingsOf(plain); got != want {
		t.Errorf("with the file\n%s\nwithout\n%s", got, want)
	}
}

// settingsOf is what a command line says, but for where it comes from.
func settingsOf(v *verbs) string {
	var b strings.Builder
	for _, f := range v.Serve.again.flags() {
		if f.Name != "config" {
			fmt.Fprintf(&b, "%s %v\n", f.Name, f.Target.Interface())
		}
	}
	return b.String()
}
