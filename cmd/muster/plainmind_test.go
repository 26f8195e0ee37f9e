package main

import (
	"maps"
	"math"
	"slices"
)

// A mind is the AI state of a plain grinder. Its decisions are a tree whose sequences go on where they were: once it is
// dead it does nothing else until it has asked for its body, and once it fights it does so until nothing is left to
// fight.
type mind struct {
	fighting bool   // it believes so
	target   uint64 // the selected
	swinging uint64 // the creature that it last asked to attack
	sought   uint64
	engaged  uint64
	health   uint32 // of the engaged, then
	since    int64  // it has its target
	better   int64  // it last looked for a better one
	chosen   uint64
	choseAt  int64
	dead     map[uint64]bool // believed to be dead
	pursued  pursuit

	lying, rotating, engaging bool // where its sequences go on
	diedAt                    int64
}

// A pursuit is the last way towards a target.
type pursuit struct {
	guid    uint64
	last    spot
	seen    int64
	updated int64
	moved   spot
	movedAt int64
}

// Creatures that are worth experience; the program itself does not check that.
//
// Source: Acore::XP::GetGrayLevel, AzerothCore (up to level 5 no creature is grey).
const (
	plainCritter = 8 // health of those that are worth nothing
	plainLow     = 5 // level up to which all others are worth something
)

// strangers are the factions that it does not attack. Source: isHostileFaction, AzerothGhost.
var strangers = []uint32{35, 11, 12, 13, 55, 57, 59, 60, 4, 5, 6, 161, 162}

// foe reports whether it attacks such things.
func (o *thing) foe() bool {
	return o.fields[plainServices] == 0 && !slices.Contains(strangers, o.fields[plainFaction])
}

func (g *plain) forget() { g.mind.target, g.mind.fighting, g.mind.swinging = 0, false, 0 }

// markDead has it believe that an entity is dead.
func (g *plain) markDead(guid uint64) {
	g.mind.dead[guid] = true
	if o := g.things[guid]; o != nil {
		o.setDead()
	}
}

// swing asks to attack, five times a second.
func (g *plain) swing(guid uint64) {
	g.mind.swinging, g.mind.fighting = guid, true
	g.say(0x141, guid)
}

func (g *plain) choose(guid uint64) {
	g.mind.target = guid
	g.say(0x13D, guid)
}

func (g *plain) lower() {
	g.mind.swinging, g.mind.fighting = 0, false
	g.say(0x142)
}

// attacked reads the start of an attack.
func (g *plain) attacked(by, victim uint64) {
	m := &g.mind
	if g.self(by) || g.self(victim) || m.swinging != 0 && (uint32(by) == uint32(m.swinging) || uint32(victim) == uint32(m.swinging)) {
		m.fighting = true
	}
	if g.self(victim) && m.target == 0 {
		m.target = by
	}
}

// stopped reads the end of an attack.
func (g *plain) stopped(by, victim uint64) {
	if !g.self(by) {
		return
	}
	g.mind.swinging = 0
	if victim == 0 && g.mind.target != 0 {
		g.forget()
	}
}

// hindered reads why it cannot attack: for the first two it comes nearer or turns.
func (g *plain) hindered(op uint16) {
	m := &g.mind
	g.refused[op]++
	victim := m.target
	if victim == 0 {
		victim = m.swinging
	}
	m.swinging = 0
	o := g.things[victim]
	switch {
	case op == 0x148 || op == 0x149:
		g.forget()
		g.markDead(victim)
		g.halt()
	case o == nil:
	case op == 0x145:
		g.course.askedAt = 0
		g.head(g.where(o))
	case op == 0x146:
		if way := g.at.towards(g.where(o)); turn(way, g.at.o) >= 0.35 {
			g.at.o = way
			flags := uint32(0)
			if g.course.on {
				flags = forward
			}
			g.send(0x0DA, flags)
		}
	}
}

// struck reads a hit. It subtracts the damage by itself, before it is sent the health that is left.
func (g *plain) struck(by, victim uint64, damage uint32) {
	m, o := &g.mind, g.things[victim]
	if damage == 0 {
		return
	}
	if by == g.guid {
		g.dealt++
	}
	if o != nil {
		left := o.fields[plainHealth]
		if by == g.guid && left > 0 && damage >= left {
			g.kills++
			if o.fields[plainMaxHealth] > plainCritter && g.level <= plainLow {
				g.fair++
			}
			g.markDead(victim)
			if m.target == victim {
				g.forget()
				g.lower()
				g.halt()
				m.since, m.engaged = 0, 0
			}
		}
		if left = o.fields[plainHealth]; left > damage {
			o.fields[plainHealth] = left - damage
		} else {
			o.setDead()
		}
	}
	if victim != g.guid {
		return
	}
	g.taken++
	m.fighting = true
	if m.target == 0 {
		m.target = by
	}
	if g.health > 0 && damage >= g.health {
		g.fall()
	} else if g.health > damage {
		g.health -= damage
	}
}

// think makes one decision, each 200 ms.
func (g *plain) think() {
	g.harvest()
	g.pursue()
	g.tidy()
	m := &g.mind
	if m.lying || g.maxHealth > 0 && g.health == 0 {
		m.lying = g.stayDead()
		return
	}
	if m.rotating || m.fighting {
		if m.rotating = g.rotate(); m.rotating {
			return
		}
	}
	if m.engaging || g.seekOut() {
		if m.engaging = g.engage(); m.engaging {
			return
		}
	}
	g.wander()
}

// stayDead releases it once, and asks for its body 32 s later. It does not check whether it is alive meanwhile. It returns
// whether that goes on.
func (g *plain) stayDead() bool {
	m := &g.mind
	second := g.now / 1000
	switch {
	case m.diedAt == 0:
		m.diedAt = second
		g.halt()
		g.lower()
		g.say(0x15A, uint8(0))
	case second-m.diedAt >= 32:
		g.say(0x1D2, g.guid)
		m.diedAt = 0
		return false
	}
	return true
}

// pursue follows its target.
func (g *plain) pursue() {
	m, p := &g.mind, &g.mind.pursued
	if m.target == 0 {
		return
	}
	if o := g.things[m.target]; o != nil && o.alive() && !m.dead[m.target] {
		to := g.where(o)
		p.guid, p.last, p.seen = m.target, to, g.now
		moved := p.movedAt == 0 || math.Abs(to.x-p.moved.x) > 3 || math.Abs(to.y-p.moved.y) > 3 || math.Abs(to.z-p.moved.z) > 3
		if g.at.flat(to) > 2.5 && (p.updated == 0 || g.now-p.updated > 1000 || moved) {
			g.head(to)
			p.updated, p.moved, p.movedAt = g.now, to, g.now
		}
	} else if p.guid == m.target && g.now-p.seen < 30_000 && g.at.flat(p.last) > 2.5 {
		g.head(p.last)
		p.moved, p.movedAt = p.last, g.now
	}
}

// tidy drops targets that are gone, dead or friends, and one that it cannot reach.
func (g *plain) tidy() {
	m := &g.mind
	if m.target != 0 {
		if o := g.things[m.target]; o == nil || !o.alive() || !o.foe() {
			if o != nil && !o.alive() {
				o.setDead()
			}
			g.forget()
			g.halt()
		}
	}
	if m.target != 0 && m.since != 0 && g.now-m.since > 12_000 && !m.fighting && g.stuck(g.things[m.target]) {
		g.giveUp()
	}
}

// stuck reports whether a creature has lost no health since it was engaged.
func (g *plain) stuck(o *thing) bool {
	return g.mind.health == 0 || o.fields[plainHealth] >= g.mind.health
}

func (g *plain) giveUp() {
	g.forget()
	g.halt()
	g.mind.since, g.mind.engaged, g.mind.health = 0, 0, 0
}

// best is a random one of those worth a fight, within some yards.
func (g *plain) best(yards float64) *thing {
	m := &g.mind
	if o := g.things[m.chosen]; o != nil {
		switch {
		case m.dead[o.guid]:
			if o.fields[plainHealth] > 0 {
				delete(m.dead, o.guid)
			}
		case o.alive() && g.now-m.choseAt < 800 && g.where(o).far(g.at) <= yards && o.foe():
			return o
		}
	}
	var all []*thing
	for _, guid := range slices.Sorted(maps.Keys(g.things)) {
		if o := g.things[guid]; o.kind == 3 && o.placed && g.where(o).far(g.at) <= yards && g.worthy(o) {
			all = append(all, o)
		}
	}
	m.chosen, m.choseAt = 0, g.now
	if len(all) == 0 {
		return nil
	}
	o := all[g.dice.IntN(len(all))]
	m.chosen = o.guid
	return o
}

func (g *plain) worthy(o *thing) bool {
	const hands = 0x2 | 0x80 | 0x10000 | 0x100000 | 0x2000000
	if g.mind.dead[o.guid] {
		if o.fields[plainHealth] == 0 {
			return false
		}
		delete(g.mind.dead, o.guid)
	}
	return o.alive() && o.fields[plainFlags]&hands == 0 && o.foe() && o.fields[plainLevel] <= g.level+6 && o.fields[plainMaxHealth] > 1
}

// seekOut keeps the creature that it seeks, or finds another.
func (g *plain) seekOut() bool {
	m := &g.mind
	if o := g.things[m.sought]; o != nil && o.alive() && !m.dead[m.sought] && o.foe() {
		return true
	}
	m.sought = 0
	if o := g.best(38); o != nil {
		m.sought = o.guid
		return true
	}
	return false
}

// begin has it remember the creature that it has engaged, and its health.
func (g *plain) begin(o *thing) {
	if m := &g.mind; m.engaged != o.guid {
		m.since, m.engaged, m.health = g.now, o.guid, o.fields[plainHealth]
	}
}

// engage goes to the creature that it seeks, and attacks. It returns whether that goes on.
func (g *plain) engage() bool {
	m := &g.mind
	if m.better == 0 || g.now-m.better > 2000 {
		m.better = g.now
		if fresh := g.best(40); fresh != nil {
			o := g.things[m.sought]
			if o == nil || !o.alive() || g.where(fresh).far(g.at) < 0.8*g.where(o).far(g.at) {
				m.sought = fresh.guid
			}
		}
	}
	o := g.things[m.sought]
	if o == nil || !o.alive() || m.dead[m.sought] || !o.foe() {
		g.halt()
		g.forget()
		if o == nil || o.foe() {
			g.markDead(m.sought)
		}
		m.sought = 0
		return false
	}
	patience, weak := int64(12_000), o.fields[plainHealth] < 20
	if weak {
		patience = 2500
	}
	if m.since != 0 && g.now-m.since > patience && g.stuck(o) {
		if weak {
			g.markDead(m.sought)
		}
		g.giveUp()
		m.sought = 0
		return false
	}
	g.choose(o.guid)
	g.begin(o)
	return g.close(o)
}

// close comes near enough, turns and attacks.
func (g *plain) close(o *thing) bool {
	to := g.where(o)
	if g.at.flat(to) > 2 {
		g.head(to)
		return true
	}
	g.halt()
	if way := g.at.towards(to); math.Abs(g.at.o-way) > 0.1 {
		g.face(way)
	}
	g.swing(o.guid)
	return true
}

// rotate goes on fighting. It knows no spells but those of another game's warriors, by their numbers.
func (g *plain) rotate() bool {
	m := &g.mind
	o := g.things[m.target]
	switch {
	case m.target == 0:
	case o == nil || !o.alive() || m.dead[m.target]:
		g.markDead(m.target)
		m.target = 0
	case !o.foe():
		g.forget()
	}
	if m.target == 0 || o == nil {
		if o = g.best(35); o == nil {
			g.forget()
			return false
		}
		g.choose(o.guid)
		m.since, m.engaged = g.now, o.guid
	}
	if g.now-o.seen > 5000 {
		g.forget()
		g.halt()
		return false
	}
	if h := o.fields[plainHealth]; h > 0 && h < 20 && m.since != 0 && g.now-m.since > 3000 && g.stuck(o) {
		g.markDead(o.guid)
		g.forget()
		g.halt()
		return false
	}
	return g.close(o)
}

// wander runs to a point near it if no creature is near.
func (g *plain) wander() {
	if g.best(35) != nil || g.course.on {
		return
	}
	sin, cos := math.Sincos(2 * math.Pi * g.dice.Float64())
	far := 15 + float64(g.dice.IntN(31))
	g.head(spot{x: g.at.x + cos*far, y: g.at.y + sin*far, z: g.at.z})
}
