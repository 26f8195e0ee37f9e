package spell

import "muster/components/defs"

// Support says what becomes of an effect: its name, and why it is refused, "" if it is executed. It is false for a
// kind that nobody has thought of.
func Support(k defs.EffectKind) (name, refused string, known bool) {
	e := &effects[k]
	return e.name, e.refused, e.name != ""
}
