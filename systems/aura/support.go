package aura

import (
	"muster/components"
	"muster/components/defs"
	"muster/systems/rules"
)

// A kind is the name of an aura kind, and the reason if system appliedauras and the rules do not implement it.
type kind struct{ name, refused string }

// kinds has the aura kinds that are implemented or refused with a reason. Others are refused as unknown.
var kinds = map[defs.AuraKind]kind{
	defs.AuraPeriodicDamage:        {name: "periodic damage"},
	defs.AuraConfuse:               {name: "confuse"},
	defs.AuraFear:                  {name: "fear"},
	defs.AuraPeriodicHeal:          {name: "periodic heal"},
	defs.AuraAttackSpeed:           {name: "attack speed"},
	defs.AuraThreat:                {name: "threat done"},
	defs.AuraTaunt:                 {name: "taunt", refused: "threat alone decides what a creature attacks"},
	defs.AuraStun:                  {name: "stun"},
	defs.AuraDamageDone:            {name: "damage done"},
	defs.AuraDamageTaken:           {name: "damage taken", refused: "only factors on damage taken are kept"},
	defs.AuraDamageShield:          {name: "damage shield"},
	defs.AuraStealth:               {name: "stealth", refused: "every entity is visible to all players"},
	defs.AuraInvisibility:          {name: "invisibility", refused: "every entity is visible to all players"},
	defs.AuraResistance:            {name: "resistance"},
	defs.AuraPeriodicTrigger:       {name: "periodic trigger"},
	defs.AuraPeriodicEnergize:      {name: "periodic energize"},
	defs.AuraPacify:                {name: "pacify"},
	defs.AuraRoot:                  {name: "root"},
	defs.AuraSilence:               {name: "silence"},
	defs.AuraStat:                  {name: "stat"},
	defs.AuraSpeedUp:               {name: "speed up"},
	defs.AuraSlow:                  {name: "slow"},
	defs.AuraHealth:                {name: "health"},
	defs.AuraPower:                 {name: "power"},
	defs.AuraShapeshift:            {name: "shapeshift", refused: "there are no other shapes"},
	defs.AuraSchoolImmunity:        {name: "school immunity"},
	defs.AuraProcTrigger:           {name: "proc", refused: "nothing is triggered by chance"},
	defs.AuraParry:                 {name: "parry"},
	defs.AuraDodge:                 {name: "dodge"},
	defs.AuraBlock:                 {name: "block"},
	defs.AuraCrit:                  {name: "crit"},
	defs.AuraPeriodicLeech:         {name: "periodic leech"},
	defs.AuraHit:                   {name: "hit"},
	defs.AuraSpellHit:              {name: "spell hit"},
	defs.AuraSpellCrit:             {name: "spell crit"},
	defs.AuraPacifySilence:         {name: "pacify and silence"},
	defs.AuraCastSpeed:             {name: "cast speed"},
	defs.AuraDisarm:                {name: "disarm", refused: "the weapons of units are not separate"},
	defs.AuraAbsorb:                {name: "absorb"},
	defs.AuraDamagePercent:         {name: "damage done percent"},
	defs.AuraStatPercent:           {name: "stat percent"},
	defs.AuraRegen:                 {name: "health regeneration"},
	defs.AuraPowerRegen:            {name: "power regeneration"},
	defs.AuraDamageTakenPercent:    {name: "damage taken percent"},
	defs.AuraPeriodicDamagePercent: {name: "periodic damage percent"},
	defs.AuraAttackPower:           {name: "attack power"},
	defs.AuraResistancePercent:     {name: "resistance percent"},
	defs.AuraHealed:                {name: "healing taken"},
	defs.AuraRangedAttackPower:     {name: "ranged attack power"},
	defs.AuraHealthPercent:         {name: "health percent"},
	defs.AuraHealingDone:           {name: "healing done"},
	defs.AuraHealingPercent:        {name: "healing done percent"},
	defs.AuraTotalStatPercent:      {name: "total stat percent"},
	defs.AuraMeleeHaste:            {name: "melee haste"},
	defs.AuraRangedHaste:           {name: "ranged haste"},
}

// Support returns the name of an aura kind, and why it is refused, "" if it is implemented. It is false for a kind
// that is not in the table.
func Support(k defs.AuraKind) (name, refused string, known bool) {
	at, known := kinds[k]
	return at.name, at.refused, known
}

// Refusal returns why an effect of an aura is not executed, or not in full, although its kind is implemented, "" if
// it is: it has a parameter that is not.
func Refusal(sp *defs.Spell, i int) string {
	e := &sp.Effects[i]
	if sp.Charges > 0 && sp.Spent == 0 {
		return "nothing takes its charges"
	}
	switch e.Aura {
	case defs.AuraPeriodicDamage, defs.AuraPeriodicHeal, defs.AuraPeriodicTrigger, defs.AuraPeriodicEnergize,
		defs.AuraPeriodicLeech, defs.AuraPeriodicDamagePercent:
		if e.PulseMs == 0 {
			return "it does not say how often"
		}
	case defs.AuraPower, defs.AuraPowerRegen:
		if e.Misc != components.PowerMana {
			return "only mana grows"
		}
	case defs.AuraDamagePercent, defs.AuraDamageTakenPercent:
		if !rules.EverySchool(e.Misc) {
			return "all schools have one factor"
		}
	case defs.AuraResistance, defs.AuraResistancePercent, defs.AuraDamageDone, defs.AuraAbsorb, defs.AuraSchoolImmunity:
		if e.Misc&int32(defs.SchoolAll) == 0 {
			return "no school is meant"
		}
	}
	return ""
}
