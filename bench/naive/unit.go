package naive

import (
	"math"
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/systems/respawn"
)

const (
	firstCounter = respawn.FirstCounter
	fullRage     = 1000
	combatMs     = 5000
	restMs       = 2000
	threatMs     = 2000
	spentMs      = 5000
)

// A Unit is what players and creatures have in common.
type Unit struct {
	world      *World
	self       being
	guid       uint64
	typeID     uint8
	x, y, z, o float32
	moving     msg.MoveFlags
	home       grid.Cell // and where that is
	column     int32
	row        int32
	cell       *cell
	speeds     components.Speeds

	values    []uint32
	audiences []components.Audience // of them, those of its type
	mask      []uint32              // of values that have changed
	dirty     bool
	shared    [classes]valuesBlock // of them, in a world that lists
	observers []observer           // likewise

	victim       *Unit
	swinging     bool
	refusal      uint16 // the last reason why it could not strike
	nextMs       uint32 // from which it may strike
	look         uint64 // tick of its next try; 0 none
	untilMs      uint32 // it stays in combat
	restMs       uint32 // of its next recovery
	spentMs      uint32 // at which it last paid with mana
	threats      []*threat
	threatenedBy map[*Unit]*threat // by creature
	threatMs     uint32            // at which its list is sent; 0 it has not changed
	engaged      bool              // it has begun to hate, and not noticed
	auras        []*Aura
	casting      *Spell
	globalMs     uint32 // until which it begins no other spell
	wishes       []wish
	tappedBy     *Player
	swingMs      uint32
	minDamage    float32
	maxDamage    float32
	armor        float32
	dodge        float32 // percent, like the others
	parry        float32
	block        float32
	crit         float32

	blockValue float32
}

// A threat is the threat of a unit for a creature.
type threat struct {
	owner, target *Unit
	amount        float32
}

func (u *Unit) init(w *World, self being, guid uint64, typeID uint8) {
	u.world, u.self, u.guid, u.typeID = w, self, guid, typeID
	u.values = make([]uint32, components.End(typeID))
	u.audiences = audiences[typeID]
	u.mask = make([]uint32, (len(u.values)+31)/32)
	u.threatenedBy = make(map[*Unit]*threat)
	u.setGUID(fieldGUID, guid)
}

func (u *Unit) alive() bool   { return u.values[fieldHealth] > 0 }
func (u *Unit) level() uint32 { return u.values[fieldLevel] }
func (u *Unit) now() uint32   { return u.world.tick.NowMs }

// hostile reports whether a unit may harm another.
func (u *Unit) hostile(to *Unit) bool {
	return u != to && to.alive() &&
		(u.values[fieldFaction] == defs.FactionHostile) != (to.values[fieldFaction] == defs.FactionHostile)
}

// updateUnit is a tick of any unit: it looks at all that may be due.
//
// Source: Unit::Update, AzerothCore.
func (u *Unit) updateUnit() {
	u.updateMelee()
	u.updateSpells()
	u.updateAuras()
	u.updateCombat()
	u.updateRest()
}

// updateCombat ends a combat that is over, and sends threat.
func (u *Unit) updateCombat() {
	now := u.now()
	if u.values[fieldFlags]&components.UnitInCombat != 0 && len(u.threats) == 0 && len(u.threatenedBy) == 0 &&
		int32(now-u.untilMs) >= 0 {
		u.set(fieldFlags, u.values[fieldFlags]&^components.UnitInCombat)
	}
	if u.threatMs != 0 && int32(now-u.threatMs) >= 0 {
		u.threatMs = 0
		u.sendThreats()
	}
}

// updateRest is what a unit gains and loses every two seconds.
func (u *Unit) updateRest() {
	if int32(u.now()-u.restMs) < 0 {
		return
	}
	u.restMs = u.now() + restMs
	if !u.alive() {
		return
	}
	fights := u.values[fieldFlags]&components.UnitInCombat != 0
	if u.self.player() == nil {
		third := float32(u.values[fieldMaxHealth]) / 30 * 2
		if !fights {
			u.heal(uint32(third + 0.5))
		}
		if u.values[fieldMaxPower] > 0 && (u.spentMs == 0 || u.now()-u.spentMs >= spentMs) {
			u.energize(components.PowerMana, int32(float32(u.values[fieldMaxPower])/30*2+0.5))
		}
	} else if !fights && u.values[fieldPower+components.PowerRage] > 0 {
		u.energize(components.PowerRage, -20)
	}
}

// engage puts two units into combat.
func (u *Unit) engage(to *Unit) {
	if u == to || !u.alive() || !to.alive() {
		return
	}
	for _, one := range [...]*Unit{u, to} {
		one.untilMs = u.now() + combatMs
		one.set(fieldFlags, one.values[fieldFlags]|components.UnitInCombat)
	}
	to.threaten(u, 0)
	u.threaten(to, 0)
}

// threaten adds threat of a unit for a creature.
//
// Source: ThreatMgr::AddThreat, AzerothCore.
func (u *Unit) threaten(by *Unit, amount float32) {
	if u == by || u.self.player() != nil || !u.alive() || !by.alive() {
		return
	}
	ref := by.threatenedBy[u]
	if ref == nil {
		if len(u.threats) == 0 {
			u.engaged = true
		}
		ref = &threat{owner: u, target: by}
		u.threats = append(u.threats, ref)
		by.threatenedBy[u] = ref
	}
	ref.amount = max(ref.amount+amount, 0)
	if u.threatMs == 0 {
		u.threatMs = u.now() + threatMs
	}
}

// clearThreat empties a creature's list.
func (u *Unit) clearThreat() {
	for _, ref := range u.threats {
		delete(ref.target.threatenedBy, u)
	}
	u.threats = nil
}

// clearThreatOn takes a unit off all lists.
func (u *Unit) clearThreatOn() {
	for owner, ref := range u.threatenedBy {
		if owner.alive() && owner.tappedBy != nil && &owner.tappedBy.Unit == u {
			owner.tap(nil)
		}
		for i, r := range owner.threats {
			if r == ref {
				owner.threats = append(owner.threats[:i], owner.threats[i+1:]...)
				break
			}
		}
	}
	clear(u.threatenedBy)
}

func (u *Unit) listThreats() (list []msg.Threat) {
	for _, ref := range u.threats {
		list = append(list, msg.Threat{Unit: ref.target.guid, Amount: uint32(min(float32(ref.amount*100), 1<<31))})
	}
	return list
}

// sendThreats sends the players on a creature's list the list.
func (u *Unit) sendThreats() {
	if u.world.Quiet || len(u.threats) == 0 {
		return
	}
	u.tellHated(msg.OpThreatUpdate, &msg.ThreatUpdate{Unit: u.guid, Threats: u.listThreats()})
}

func (u *Unit) tellHated(op uint16, m msg.Message) {
	body := msg.Append(nil, wire.V12340, m)
	for _, ref := range u.threats {
		if p := ref.target.self.player(); p != nil {
			p.send(op, body)
		}
	}
}

// heal gives a unit health.
func (u *Unit) heal(amount uint32) (healed uint32) {
	if !u.alive() {
		return 0
	}
	healed = min(amount, u.values[fieldMaxHealth]-u.values[fieldHealth])
	u.set(fieldHealth, u.values[fieldHealth]+healed)
	return healed
}

// energize changes a power.
func (u *Unit) energize(power int, delta int32) {
	to := min(max(int64(u.values[fieldPower+power])+int64(delta), 0), int64(u.values[fieldMaxPower+power]))
	u.set(fieldPower+power, uint32(to))
}

// tellPowers says which powers have changed, besides the values.
//
// Source: Unit::SetPower, AzerothCore, which says so at once, and so again with each change of a tick.
func (u *Unit) tellPowers() {
	if u.world.Quiet {
		return
	}
	for power := range components.PowerRunic + 1 {
		if field := fieldPower + power; u.mask[field>>5]&(1<<(field&31)) != 0 {
			u.world.broadcast(u, msg.OpPowerUpdate, &msg.PowerUpdate{Unit: u.guid, Power: uint8(power), Value: u.values[field]})
		}
	}
}

// damage is damage about to be done.
type damage struct {
	by     *Unit
	school uint32
	amount uint32
}

// damageResult is what it came to.
type damageResult struct {
	damage, absorbed, overkill uint32
	killed                     bool
}

// resolveDamage says what a harm comes to, and has auras absorb their part.
func (u *Unit) resolveDamage(h damage) (out damageResult) {
	if !u.alive() {
		return out
	}
	health := u.values[fieldHealth]
	out.absorbed = u.absorb(h.school, h.amount)
	out.damage = h.amount - out.absorbed
	if out.damage >= health {
		out.overkill, out.killed = out.damage-health, true
	}
	return out
}

// applyDamage does what was weighed.
//
// Source: Unit::DealDamage, AzerothCore.
func (u *Unit) applyDamage(h damage, out damageResult) {
	if !u.alive() {
		return
	}
	hurts := out.damage > 0 || out.absorbed > 0
	if h.by != nil && h.by != u {
		h.by.engage(u)
		if hurts {
			u.threaten(h.by, float32(out.damage))
			if p := h.by.self.player(); p != nil && u.tappedBy == nil {
				u.tap(p)
			}
		}
	}
	switch {
	case out.killed:
		u.die()
	case out.damage > 0:
		u.set(fieldHealth, u.values[fieldHealth]-out.damage)
		if h.by != nil && h.by != u && u.values[fieldMaxPower+components.PowerRage] > 0 {
			u.energize(components.PowerRage, rageTaken(out.damage, u.level()))
		}
	}
}

// die takes a unit out of all fights.
//
// Source: Unit::Kill and Unit::setDeathState, AzerothCore.
func (u *Unit) die() {
	u.set(fieldHealth, 0)
	if p := u.self.player(); p != nil && (u.swinging || u.values[fieldFlags]&components.UnitInCombat != 0) {
		p.send(msg.OpCancelCombat, nil)
	}
	u.stopAttack()
	for owner := range u.threatenedBy {
		if owner.victim == u {
			owner.stopAttack()
		}
	}
	for _, ref := range u.threats {
		if ref.target.victim == u {
			ref.target.stopAttack()
		}
	}
	u.clearThreat()
	u.clearThreatOn()
	u.set(fieldFlags, u.values[fieldFlags]&^components.UnitInCombat)
	u.casting, u.wishes, u.engaged = nil, nil, false
	for len(u.auras) > 0 {
		u.removeAura(len(u.auras) - 1)
	}
	if u.self.player() != nil {
		u.set(fieldBytes1, u.values[fieldBytes1]&^0xFF|components.LyingDead)
	}
}

// far is the distance between two units.
func far(u, other *Unit) float32 {
	x, y, z := u.x-other.x, u.y-other.y, u.z-other.z
	return float32(math.Sqrt(float64(float32(x*x) + float32(y*y) + float32(z*z))))
}

// inFront reports whether another is in the half before a unit.
func (u *Unit) inFront(other *Unit) bool {
	x, y := float64(other.x-u.x), float64(other.y-u.y)
	if x == 0 && y == 0 {
		return true
	}
	return math.Abs(math.Remainder(math.Atan2(y, x)-float64(u.o), 2*math.Pi)) <= math.Pi/2
}

func ticks(ms uint32) time.Duration { return time.Duration(ms) * time.Millisecond }
