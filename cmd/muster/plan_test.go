package main

import (
	"bytes"
	"testing"

	"muster/cmd/internal/flags"
	"muster/internal/golden"
)

func TestPlan(t *testing.T) {
	var out bytes.Buffer
	if code := run(t.Context(), []string{"plan"}, &flags.Environment{Stdout: &out, Stderr: &out}); code != exitOK {
		t.Fatalf("exit code %d\n%s", code, &out)
	}
	golden.Compare(t, "testdata/plan.golden", out.Bytes())
}
