package main

import (
	"bytes"
	"io"
	"testing"

	"muster/components/defs"
	"muster/internal/golden"
)

// Every kind of effect and aura of the synthetic spells is executed, or refused with a reason.
func TestSpellSupport(t *testing.T) {
	var out bytes.Buffer
	if code := run(t.Context(), []string{"spells"}, &environment{&out, &out, nil}); code != exitOK {
		t.Fatalf("exit code %d\n%s", code, &out)
	}
	golden.Compare(t, "testdata/spells.golden", out.Bytes())
}

// A kind that nobody has thought of is found.
func TestUnknownKindsAreFound(t *testing.T) {
	for _, e := range []defs.Effect{{Kind: 200}, {Kind: defs.EffectApplyAura, Aura: 300}} {
		if err := printSupport(io.Discard, []defs.Spell{{ID: 1, Effects: [3]defs.Effect{e}}}); err == nil {
			t.Errorf("nothing is said against effect %d with aura %d", e.Kind, e.Aura)
		}
	}
}
