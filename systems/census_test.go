package systems

import (
	"reflect"
	"testing"

	"muster/components"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/net/protocol/update"
	"muster/net/protocol/wire"
)

// A census is the truth about a world, read from its components. It knows nothing of frames.
type census struct {
	world     *World
	all       *ecs.Filter2[components.HomeCell, components.Position]
	sessions  ecs.Accessor[components.Session]
	combats   unitStates
	walks     ecs.Accessor[components.Walk]
	creatures ecs.Accessor[components.CreatureImage]
	players   ecs.Accessor[components.PlayerImage]

	objects  ecs.Accessor[components.Object]
	vitals   ecs.Accessor[components.Vitals]
	units    ecs.Accessor[components.Unit]
	stances  ecs.Accessor[components.Stance]
	targets  ecs.Accessor[components.Target]
	stats    ecs.Accessor[components.Stats]
	guises   ecs.Accessor[components.PlayerAppearance]
	worn     ecs.Accessor[components.VisibleItems]
	progress ecs.Accessor[components.Progress]
	carried  ecs.Accessor[components.Carried]
}

func newCensus(w *World) *census {
	return &census{
		world:     w,
		all:       ecs.NewFilter2[components.HomeCell, components.Position](w.ecs),
		sessions:  ecs.NewAccessor[components.Session](w.ecs),
		combats:   newUnitStates(w.ecs),
		walks:     ecs.NewAccessor[components.Walk](w.ecs),
		creatures: ecs.NewAccessor[components.CreatureImage](w.ecs),
		players:   ecs.NewAccessor[components.PlayerImage](w.ecs),
		objects:   ecs.NewAccessor[components.Object](w.ecs),
		vitals:    ecs.NewAccessor[components.Vitals](w.ecs),
		units:     ecs.NewAccessor[components.Unit](w.ecs),
		stances:   ecs.NewAccessor[components.Stance](w.ecs),
		targets:   ecs.NewAccessor[components.Target](w.ecs),
		stats:     ecs.NewAccessor[components.Stats](w.ecs),
		guises:    ecs.NewAccessor[components.PlayerAppearance](w.ecs),
		worn:      ecs.NewAccessor[components.VisibleItems](w.ecs),
		progress:  ecs.NewAccessor[components.Progress](w.ecs),
		carried:   ecs.NewAccessor[components.Carried](w.ecs),
	}
}

// A resident is one entity as it is.
type resident struct {
	guid    uint64
	player  bool
	home    grid.Cell
	at      components.Position
	walking bool
	goal    components.Vec // of its walk
	tap     uint64         // the loot recipient
	public  []uint32       // public words, by number
	own     []uint32       // what it may know itself
}

// take reads the whole world.
func (c *census) take() map[uint64]*resident {
	all := make(map[uint64]*resident)
	for q := c.all.Iter(); q.Next(); {
		home, at := q.Get()
		e := q.Entity()
		r := &resident{guid: c.objects.Get(e).GUID, player: c.sessions.Has(e), home: home.Cell, at: *at}
		if c.combats.threats.Has(e) {
			r.tap = uint64(c.combats.taps.Get(e).LootRecipient)
		}
		if c.walks.Has(e) {
			if w := c.walks.Get(e); w.Walking() {
				r.walking, r.goal = true, w.Legs[w.Count-1].To
			}
		}
		typeID := components.TypeUnit
		if r.player {
			typeID = components.TypePlayer
		}
		r.public, r.own = make([]uint32, components.End(typeID)), make([]uint32, components.End(typeID))
		words := c.words(e)
		for _, w := range wordsOf[typeID] {
			if w.audience&(components.Public|components.Dynamic) != 0 {
				r.public[w.number] = words[w.part][w.offset]
			}
			if w.audience&(components.Public|components.Dynamic|components.Private) != 0 {
				r.own[w.number] = words[w.part][w.offset]
			}
		}
		all[r.guid] = r
	}
	return all
}

func (c *census) words(e ecs.Entity) (w update.Words) {
	w[0], w[1] = components.Words(c.objects.Get(e)), components.Words(c.vitals.Get(e))
	w[2], w[3] = components.Words(c.units.Get(e)), components.Words(c.stances.Get(e))
	w[4] = components.Words(c.targets.Get(e))
	if c.sessions.Has(e) {
		w[5], w[6] = components.Words(c.stats.Get(e)), components.Words(c.guises.Get(e))
		w[7], w[8] = components.Words(c.worn.Get(e)), components.Words(c.progress.Get(e))
		w[9] = components.Words(c.carried.Get(e))
	}
	return w
}

// A word is where a component holds one word of the wire.
type word struct {
	part, offset int
	number       uint16
	audience     components.Audience
}

var wordsOf = map[uint8][]word{
	components.TypeUnit:   listWords(components.TypeUnit, components.CreatureParts()),
	components.TypePlayer: listWords(components.TypePlayer, components.PlayerParts()),
}

func listWords(typeID uint8, parts []reflect.Type) (words []word) {
	for part, component := range parts {
		for _, tag := range components.Tags(component, int(wire.V12340)) {
			for i := range tag.Words {
				number := uint16(tag.Number + i)
				words = append(words, word{part, tag.Offset + i, number, components.FieldAt(typeID, number).Audience})
			}
		}
	}
	return words
}

var (
	creatureLayout = update.NewLayout(wire.V12340, update.Creature, components.CreatureParts()...)
	playerLayout   = update.NewLayout(wire.V12340, update.Player, components.PlayerParts()...)
)

// forgotten looks for a change of an awake entity that was not marked dirty: after a tick, what was sent last is the
// current state.
func (c *census) forgotten(t *testing.T, tick uint64) {
	for _, e := range ecs.Shared[space.Space](c.world.ecs).Order.All() {
		if !c.world.ecs.Exists(e) {
			continue
		}
		words := c.words(e)
		layout, image := playerLayout, []uint32(nil)
		if c.sessions.Has(e) {
			image = c.players.Get(e)[:]
		} else {
			layout, image = creatureLayout, c.creatures.Get(e)[:]
		}
		if part, number, found := layout.Forgotten(&words, 0, image); found {
			t.Fatalf("tick %d: %#x: field %#x of component %d changed, but was not touched",
				tick, c.objects.Get(e).GUID, number, part)
		}
	}
}
