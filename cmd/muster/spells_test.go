package main

import (
	"bytes"
	"testing"

	"muster/cmd/internal/flags"
	"muster/internal/golden"
)

// Every kind of effect and aura of the synthetic spells is executed, or refused with a reason.
func TestSpellSupport(t *testing.T) {
	var out bytes.Buffer
	if code := run(t.Context(), []string{"spells"}, &flags.Environment{Stdout: &out, Stderr: &out}); code != exitOK {
		t.Fatalf("exit code %d\n%s", code, &out)
	}
	golden.Compare(t, "testdata/spells.golden", out.Bytes())
}
