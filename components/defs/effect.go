package defs

// An EffectKind says what an effect does.
//
// Source: SpellEffects, SharedDefines.h, AzerothCore, for the numbers and what they mean.
type EffectKind uint8

// The kinds of effects with a name here. Data may have others; systems/spell says what becomes of each.
const (
	EffectNone             EffectKind = 0
	EffectSchoolDamage     EffectKind = 2
	EffectTeleport         EffectKind = 5 // to TargetHome
	EffectApplyAura        EffectKind = 6
	EffectHealthLeech      EffectKind = 9 // damage that heals the caster
	EffectHeal             EffectKind = 10
	EffectResurrect        EffectKind = 18 // Amount: percent of health
	EffectSummon           EffectKind = 28 // Misc: the entry; Amount: how many
	EffectEnergize         EffectKind = 30 // Misc: the power
	EffectWeaponPercent    EffectKind = 31 // of the weapon's damage; with EffectWeaponDamage of one spell
	EffectLearn            EffectKind = 36 // Trigger
	EffectDispel           EffectKind = 38 // Misc: DispelMagic, …; Amount: how many
	EffectWeaponDamage     EffectKind = 58 // and Amount on top of it
	EffectThreat           EffectKind = 63
	EffectTriggerSpell     EffectKind = 64
	EffectHealMax          EffectKind = 67 // the caster's health
	EffectInterrupt        EffectKind = 68 // and locks the school for the spell's duration
	EffectPull             EffectKind = 70
	EffectScript           EffectKind = 77
	EffectCharge           EffectKind = 96
	EffectKnockBack        EffectKind = 98 // Misc: speed over ground in tenths; Amount: upwards in tenths
	EffectResurrectNew     EffectKind = 113
	EffectAttackMe         EffectKind = 114
	EffectNormalizedWeapon EffectKind = 121
	EffectHealPercent      EffectKind = 136
	EffectEnergizePercent  EffectKind = 137
)

// An AuraKind says what an effect of an aura does.
//
// Source: AuraType, SpellAuraDefines.h, AzerothCore, for the numbers and what they mean.
type AuraKind uint16

// The kinds of auras with a name here. Data may have others; systems/aura says what becomes of each.
const (
	AuraPeriodicDamage        AuraKind = 3
	AuraConfuse               AuraKind = 5
	AuraFear                  AuraKind = 7
	AuraPeriodicHeal          AuraKind = 8
	AuraAttackSpeed           AuraKind = 9
	AuraThreat                AuraKind = 10
	AuraTaunt                 AuraKind = 11
	AuraStun                  AuraKind = 12
	AuraDamageDone            AuraKind = 13 // Misc: schools
	AuraDamageTaken           AuraKind = 14 // Misc: schools
	AuraDamageShield          AuraKind = 15
	AuraStealth               AuraKind = 16
	AuraInvisibility          AuraKind = 18
	AuraResistance            AuraKind = 22 // Misc: schools; the physical one is armour
	AuraPeriodicTrigger       AuraKind = 23
	AuraPeriodicEnergize      AuraKind = 24 // Misc: the power
	AuraPacify                AuraKind = 25
	AuraRoot                  AuraKind = 26
	AuraSilence               AuraKind = 27
	AuraStat                  AuraKind = 29 // Misc: which, -1 all
	AuraSpeedUp               AuraKind = 31
	AuraSlow                  AuraKind = 33
	AuraHealth                AuraKind = 34
	AuraPower                 AuraKind = 35 // Misc: which
	AuraShapeshift            AuraKind = 36
	AuraSchoolImmunity        AuraKind = 39 // Misc: schools
	AuraProcTrigger           AuraKind = 42
	AuraParry                 AuraKind = 47
	AuraDodge                 AuraKind = 49
	AuraBlock                 AuraKind = 51
	AuraCrit                  AuraKind = 52
	AuraPeriodicLeech         AuraKind = 53
	AuraHit                   AuraKind = 54
	AuraSpellHit              AuraKind = 55
	AuraSpellCrit             AuraKind = 57
	AuraPacifySilence         AuraKind = 60
	AuraCastSpeed             AuraKind = 65
	AuraDisarm                AuraKind = 67
	AuraAbsorb                AuraKind = 69 // Misc: schools
	AuraDamagePercent         AuraKind = 79 // Misc: schools
	AuraStatPercent           AuraKind = 80 // Misc: which, -1 all
	AuraRegen                 AuraKind = 84 // health in 5 s
	AuraPowerRegen            AuraKind = 85 // Misc: the power; in 5 s
	AuraDamageTakenPercent    AuraKind = 87
	AuraPeriodicDamagePercent AuraKind = 89
	AuraAttackPower           AuraKind = 99
	AuraResistancePercent     AuraKind = 101
	AuraHealed                AuraKind = 118 // percent
	AuraRangedAttackPower     AuraKind = 124
	AuraHealthPercent         AuraKind = 133
	AuraHealingDone           AuraKind = 135
	AuraHealingPercent        AuraKind = 136
	AuraTotalStatPercent      AuraKind = 137 // Misc: which, -1 all
	AuraMeleeHaste            AuraKind = 138
	AuraRangedHaste           AuraKind = 140
)
