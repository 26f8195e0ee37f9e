package rules

// ReduceByArmor returns what is left of physical damage after armour, against an attacker of a level: at least a quarter.
//
// Source: Unit::CalcArmorReducedDamage, AzerothCore (build 12340).
func ReduceByArmor(damage, armor float32, level uint32) float32 {
	of := float32(level)
	if level > 59 {
		of += float32(4.5 * (of - 59))
	}
	share := max(float32(0.1*armor), 0) / (float32(8.5*of) + 40)
	share = min(share/(1+share), 0.75)
	return damage - float32(damage*share)
}
