package main

import (
	"bytes"
	"testing"

	"muster/internal/golden"
)

func TestPlan(t *testing.T) {
	var out bytes.Buffer
	if code := run(t.Context(), []string{"plan"}, &environment{stdout: &out, stderr: &out}); code != exitOK {
		t.Fatalf("exit code %d\n%s", code, &out)
	}
	golden.Compare(t, "testdata/plan.golden", out.Bytes())
}
