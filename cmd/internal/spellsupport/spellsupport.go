// Package spellsupport prints which effects and auras of spells are executed, and which are refused and why.
package spellsupport

import (
	"fmt"
	"io"
	"math"

	"muster/components/defs"
	"muster/systems/aura"
	"muster/systems/spell"
)

// Print prints, for each kind of effect and of aura, how many spells have it, and whether it is executed
// or refused. The error is that some spell has an unknown kind.
func Print(w io.Writer, spells []defs.Spell) error {
	effects, auras := make(map[int]int), make(map[int]int)
	for i := range spells {
		for _, e := range spells[i].Effects {
			if e.Kind != defs.EffectNone {
				effects[int(e.Kind)]++
			}
			if e.Kind == defs.EffectApplyAura {
				auras[int(e.Aura)]++
			}
		}
	}
	unknown := 0
	list := func(title string, last int, used map[int]int, support func(int) (name, refused string, known bool)) {
		fmt.Fprintf(w, "%s\n", title)
		for kind := 1; kind <= last; kind++ {
			name, refused, known := support(kind)
			switch n := used[kind]; {
			case !known && n == 0:
			case !known:
				unknown++
				fmt.Fprintf(w, "  %3d %-27s %4d  unknown\n", kind, "", n)
			case refused != "":
				fmt.Fprintf(w, "  %3d %-27s %4d  refused: %s\n", kind, name, n, refused)
			default:
				fmt.Fprintf(w, "  %3d %-27s %4d  executed\n", kind, name, n)
			}
		}
	}
	fmt.Fprintf(w, "%d spells\n", len(spells))
	list("effects", 255, effects, func(k int) (string, string, bool) { return spell.Support(defs.EffectKind(k)) })
	list("auras", math.MaxUint16, auras, func(k int) (string, string, bool) { return aura.Support(defs.AuraKind(k)) })
	for i := range spells {
		for k := range spells[i].Effects {
			if why := refusal(&spells[i], k); why != "" {
				fmt.Fprintf(w, "%d %s, effect %d, refused: %s\n", spells[i].ID, spells[i].Name, k+1, why)
			}
		}
	}
	if unknown > 0 {
		return fmt.Errorf("%d kinds of effects and auras are neither executed nor refused", unknown)
	}
	return nil
}

// refusal is why an effect of a spell does nothing although its kind is executed, "" if it does something.
func refusal(s *defs.Spell, effect int) string {
	if why := spell.Refusal(s, effect); why != "" || s.Effects[effect].Kind != defs.EffectApplyAura {
		return why
	}
	return aura.Refusal(s, effect)
}
