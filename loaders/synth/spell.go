package synth

import (
	"cmp"
	"fmt"
	"slices"

	"muster/components/defs"
)

// Spells have IDs of their own, above those of every game client, so that none is taken for another: spellStep for
// each class, the first of them for those of creatures.
//
// Source: the last row of Spell.dbc of build 12340 is below 81,000.
const (
	firstSpell = 100_001
	spellStep  = 1_000
)

// A lesson is a line of spells of a class: one rank for each level at which it is learnt.
type lesson struct {
	class  uint8 // 0: of no class, cast by creatures
	name   string
	form   form
	levels []uint8 // ascending
}

// A form makes the spell of a level. The lesson adds its ID, name and rank.
type form func(level uint8) defs.Spell

func at(levels ...uint8) []uint8 { return levels }

// magic makes all spells, by ID: in the order of the lessons of each class, rank after rank.
func magic() (all []defs.Spell) {
	next := make(map[uint8]uint32)
	for _, l := range slices.Concat(beastly[:], common[:], lessons[:]) {
		lower := uint32(0)
		for rank, level := range l.levels {
			s := l.form(level)
			s.ID = firstSpell + uint32(l.class)*spellStep + next[l.class]
			s.Name, s.Class, s.Level, s.Replaces = l.name, l.class, level, lower
			if len(l.levels) > 1 {
				s.Rank = fmt.Sprintf("Rank %d", rank+1)
			}
			next[l.class]++
			lower = s.ID
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b defs.Spell) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// beastly are the spells of creatures.
var beastly = [...]lesson{
	{0, "Venom", dot(defs.SchoolNature, defs.DispelPoison, 12, 3, free), at(1)},
	{0, "Ember Spit", bolt(defs.SchoolFire, 2500, free), at(1)},
	{0, "Grave Chill", bolt(defs.SchoolFrost, 2500, free), at(1)},
	{0, "Cudgel", hit(125, 2, free), at(1)},
	{0, "Gnaw", dot(defs.SchoolPhysical, 0, 9, 3, free), at(1)},
	{0, "Lick Wounds", heal(3000, free), at(1)},
}

// common are the spells of items and of death, in the order of meal, draught and weariness.
var common = [...]lesson{
	{0, "Hearty Meal", eat(), bandLevels()},
	{0, "Healing Draught", drink(), bandLevels()},
	{0, "Weariness of the Grave", weary(), at(11, 12, 13, 14, 15, 16, 17, 18, 19, 20)},
}

// The first ranks of the common spells, one for each band but for the last.
const (
	meal      = lickWounds + 1
	draught   = meal + uint32(len(bands))
	weariness = draught + uint32(len(bands))
)

func bandLevels() (levels []uint8) {
	for _, b := range bands {
		levels = append(levels, uint8(b.level))
	}
	return levels
}

// lessons is what classes learn.
var lessons = [...]lesson{
	// warrior
	{1, "Heavy Hand", heavy(4, inRage(15)), at(1, 8, 16, 24, 32, 42, 54, 66)},
	{1, "War Cry", cry(defs.AuraAttackPower, 12, inRage(10)), at(1, 22, 44)},
	{1, "Rush", rush(), at(4)},
	{1, "Open Wound", dot(defs.SchoolPhysical, 0, 15, 3, inRage(10)), at(4, 20, 40)},
	{1, "Ground Clap", nova(defs.SchoolPhysical, 0.6, 8, inRage(20)), at(6, 28, 56)},
	{1, "Shin Cut", slow(defs.SchoolPhysical, 0, 50, 15, inRage(10)), at(8)},
	{1, "Face Me", taunt(), at(10)},
	{1, "Iron Hide", passive(defs.AuraResistancePercent, 10, int32(defs.SchoolPhysical)), at(10)},
	{1, "Helm Ringer", interrupt(0, inRage(10)), at(24)},
	{1, "Fearful Bellow", fear(defs.SchoolPhysical, 8, 0, inRage(25)), at(30)},
	// paladin
	{2, "Bright Lance", burst(defs.SchoolHoly, 10, inMana(6)), at(1, 12, 26, 44, 62)},
	{2, "Mending Light", heal(2500, inMana(14)), at(1, 10, 22, 38, 56)},
	{2, "Oath of Strength", bless(defs.AuraStat, 3, 0, inMana(5)), at(4, 34)},
	{2, "Gilded Ward", ward(inMana(10)), at(6, 40)},
	{2, "Hammer of Hush", stun(defs.SchoolHoly, 6, 60, inMana(4)), at(8)},
	{2, "Purge Venom", dispel(defs.DispelPoison, inMana(8)), at(8)},
	{2, "Call Back", raise(inMana(40)), at(12)},
	{2, "Burning Circle", nova(defs.SchoolHoly, 0.7, 8, inMana(12)), at(20, 50)},
	{2, "Untouchable", immune(), at(18)},
	// hunter
	{3, "Loose", shoot(), at(1)},
	{3, "Hooked Arrow", shot(130, inMana(5)), at(1, 14, 30, 48, 64)},
	{3, "Viper Arrow", dot(defs.SchoolNature, defs.DispelPoison, 15, 3, inMana(7)), at(4, 20, 42)},
	{3, "Wing Cut", slow(defs.SchoolPhysical, 0, 50, 10, inMana(4)), at(8)},
	{3, "Barbed Blow", hit(120, 3, inMana(3)), at(1, 24)},
	{3, "Long Stride", sprint(defs.SchoolNature, 30, 10, 60), at(12)},
	{3, "Keen Eye", passive(defs.AuraCrit, 3, 0), at(10)},
	{3, "Hail of Arrows", rain(defs.SchoolPhysical, inMana(30)), at(30, 58)},
	{3, "Whistle Up", call(), at(10)},
	// rogue
	{4, "Quick Cut", hit(110, 3, inEnergy(40)), at(1, 10, 22, 36, 52, 68)},
	{4, "Deep Cut", hit(160, 5, inEnergy(60)), at(6, 28, 54)},
	{4, "Long Bleed", dot(defs.SchoolPhysical, 0, 16, 2, inEnergy(25)), at(8, 32)},
	{4, "Throat Jab", interrupt(0, inEnergy(25)), at(12)},
	{4, "Knee Strike", stun(defs.SchoolPhysical, 4, 20, inEnergy(25)), at(14)},
	{4, "Fleet Foot", sprint(defs.SchoolPhysical, 70, 15, 180), at(10)},
	{4, "Sidestep", selfBuff(defs.AuraDodge, 50, 15, 180, inEnergy(0)), at(8)},
	{4, "Light Hands", passive(defs.AuraMeleeHaste, 5, 0), at(20)},
	// priest
	{5, "Glare", bolt(defs.SchoolHoly, 2000, inMana(7)), at(1, 8, 18, 32, 48, 64)},
	{5, "Ache", dot(defs.SchoolShadow, defs.DispelMagic, 18, 3, inMana(8)), at(4, 18, 36, 58)},
	{5, "Kind Word", heal(2500, inMana(13)), at(1, 10, 24, 42, 62)},
	{5, "Slow Comfort", renew(inMana(10)), at(8, 28, 52)},
	{5, "Glass Wall", ward(inMana(12)), at(6, 26, 50)},
	{5, "Steady Heart", bless(defs.AuraStat, 3, 2, inMana(8)), at(1, 30)},
	{5, "Dread Whisper", fear(defs.SchoolShadow, 8, 30, inMana(8)), at(14)},
	{5, "Unweave", dispel(defs.DispelMagic, inMana(8)), at(18)},
	{5, "Hush", silence(), at(30)},
	{5, "Rouse the Fallen", raise(inMana(45)), at(10)},
	// death knight
	{6, "Rime Edge", hit(120, 4, inRunic(20)), at(1, 20, 44, 66)},
	{6, "Grey Plague", dot(defs.SchoolShadow, defs.DispelDisease, 15, 3, inRunic(15)), at(1, 24, 50)},
	{6, "Cold Grip", slow(defs.SchoolFrost, defs.DispelMagic, 50, 10, inRunic(10)), at(6)},
	{6, "Marrow Drink", leech(defs.SchoolShadow, inRunic(30)), at(10, 40)},
	{6, "Bone Plate", selfBuff(defs.AuraDamageTakenPercent, -20, 20, 60, inRunic(20)), at(8)},
	{6, "Drag Down", root(defs.SchoolFrost, 6, 30, inRunic(20)), at(20)},
	{6, "Horn of Ice", cry(defs.AuraStat, 4, inRunic(0)), at(1, 40)},
	{6, "Gather Cold", charged(runic, 200, 30), at(1)},
	// shaman
	{7, "Spark", bolt(defs.SchoolNature, 2000, inMana(7)), at(1, 8, 18, 32, 48, 64)},
	{7, "Forked Sky", fork(defs.SchoolNature, inMana(14)), at(20, 46)},
	{7, "Jolt of Earth", interrupt(20, inMana(6)), at(4)},
	{7, "Jolt of Frost", slow(defs.SchoolFrost, defs.DispelMagic, 50, 8, inMana(6)), at(16)},
	{7, "River's Kindness", heal(2500, inMana(14)), at(1, 14, 30, 52)},
	{7, "Rain on Many", chainHeal(inMana(18)), at(26, 54)},
	{7, "Static Cloak", spent(12, defs.SpentStruck, thorns(5, inMana(8))), at(8, 36)},
	{7, "Spirit Road", sprint(defs.SchoolNature, 40, 600, 0), at(16)},
	{7, "Gale", push(inMana(8)), at(30)},
	// mage
	{8, "Cinder Dart", bolt(defs.SchoolFire, 2500, inMana(8)), at(1, 6, 14, 24, 36, 50, 66)},
	{8, "Ice Needle", chill(inMana(8)), at(4, 16, 34, 56)},
	{8, "Frozen Ring", frozenRing(inMana(8)), at(10, 40)},
	{8, "Fire Breath", breath(defs.SchoolFire, inMana(15)), at(22, 52)},
	{8, "Sleet", rain(defs.SchoolFrost, inMana(30)), at(20, 48)},
	{8, "Clear Thought", bless(defs.AuraStat, 3, 3, inMana(6)), at(1, 30)},
	{8, "Cold Coat", spent(20, defs.SpentHurt, selfBuff(defs.AuraResistance, 60, 1800, 0, inMana(6))), at(1)},
	{8, "Word Stopper", interrupt(30, inMana(6)), at(24)},
	{8, "Second Wind", charged(mana, 60, 240), at(20)},
	// warlock
	{9, "Gloom Bolt", bolt(defs.SchoolShadow, 2500, inMana(8)), at(1, 6, 14, 26, 42, 60)},
	{9, "Wither", dot(defs.SchoolShadow, defs.DispelCurse, 24, 4, inMana(8)), at(4, 18, 38, 58)},
	{9, "Slow Burn", dot(defs.SchoolFire, defs.DispelMagic, 15, 3, inMana(9)), at(1, 22, 46)},
	{9, "Sip of Life", drain(defs.SchoolShadow, inMana(12)), at(10, 34, 60)},
	{9, "Shriek", fear(defs.SchoolShadow, 15, 0, inMana(8)), at(8)},
	{9, "Curse of Lead", weaken(inMana(6)), at(12)},
	{9, "Bring Forth", call(), at(4)},
	{9, "Demon's Rind", selfBuff(defs.AuraRegen, 12, 1800, 0, inMana(10)), at(1)},
	// druid
	{11, "Green Wrath", bolt(defs.SchoolNature, 1800, inMana(7)), at(1, 8, 20, 36, 54)},
	{11, "Moon Thread", dot(defs.SchoolArcane, defs.DispelMagic, 12, 3, inMana(8)), at(4, 22, 44)},
	{11, "Leaf Balm", renew(inMana(9)), at(1, 14, 34, 56)},
	{11, "Root Song", heal(3000, inMana(14)), at(1, 18, 42)},
	{11, "Mark of Bark", bless(defs.AuraStat, 2, -1, inMana(8)), at(1, 32)},
	{11, "Bramble Coat", thorns(4, inMana(6)), at(6, 38)},
	{11, "Grasping Vines", root(defs.SchoolNature, 12, 0, inMana(7)), at(8, 40)},
	{11, "Draw Poison", dispel(defs.DispelPoison, inMana(6)), at(14)},
	{11, "Breathe Again", raise(inMana(50)), at(20)},
}
