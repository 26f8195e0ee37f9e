package main

import (
	"maps"
	"slices"
)

// A custom is how a plain grinder loots. By itself that program does not: it wants a body to be alive. Its scripts do, in
// two ways.
//
// Source: actionLoot, Loot and LootAll, bot/bot.go, AzerothGhost.
type custom uint8

const (
	lootsNot custom = iota
	opens           // it opens bodies, and takes what it is offered
	grabs           // it takes the money and closes the body in one breath, and what it is then offered is out of reach
)

// hands are what a plain grinder loots with, and what it has got.
type hands struct {
	custom custom
	tried  map[uint64]int64
	copper uint32 // that it has
	items  int    // pushes
	offers int
}

// harvest opens the bodies at its feet, each once in three seconds.
func (g *plain) harvest() {
	h := &g.hands
	if h.custom == lootsNot || g.health == 0 {
		return
	}
	for _, guid := range slices.Sorted(maps.Keys(g.things)) {
		o := g.things[guid]
		if o.kind != 3 || o.fields[plainDynamic]&1 == 0 || g.where(o).far(g.at) > 4 || g.now-h.tried[guid] < 3000 {
			continue
		}
		if h.tried == nil {
			h.tried = map[uint64]int64{}
		}
		h.tried[guid] = g.now
		g.say(0x15D, guid)
		if h.custom == grabs {
			g.say(0x15E)
			g.say(0x15F, guid)
		}
	}
}

// offered reads what is in a body, and takes it. A refusal is too short for it to look at.
func (g *plain) offered(r *scan) {
	if len(r.b) < 14 {
		r.b = nil
		return
	}
	guid := r.u64()
	r.u8()
	r.u32()
	for range r.u8() {
		slot := r.u8()
		r.take(21)
		g.say(0x108, slot)
	}
	g.hands.offers++
	g.say(0x15E)
	g.say(0x15F, guid)
}
