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
	all       *ecs.Filter2[components.Home, components.Position]
	sessions  ecs.Column[components.Session]
	bouts     ecs.Column[components.Bout]
	walks     ecs.Column[components.Walk]
	creatures ecs.Column[components.CreatureImage]
	players   ecs.Column[components.PlayerImage]

	objects  ecs.Column[components.Object]
	vitals   ecs.Column[components.Vitals]
	units    ecs.Column[components.Unit]
	stances  ecs.Column[components.Stance]
	targets  ecs.Column[components.Target]
	stats    ecs.Column[components.Stats]
	guises   ecs.Column[components.Guise]
	worn     ecs.Column[components.Worn]
	progress ecs.Column[components.Progress]
	carried  ecs.Column[components.Carried]
}

func newCensus(w *World) *census {
	return &census{
		world:     w,
		all:       ecs.NewFilter2[components.Home, components.Position](w.ecs),
		sessions:  ecs.NewColumn[components.Session](w.ecs),
		bouts:     ecs.NewColumn[components.Bout](w.ecs),
		walks:     ecs.NewColumn[components.Walk](w.ecs),
		creatures: ecs.NewColumn[components.CreatureImage](w.ecs),
		players:   ecs.NewColumn[components.PlayerImage](w.ecs),
		objects:   ecs.NewColumn[components.Object](w.ecs),
		vitals:    ecs.NewColumn[components.Vitals](w.ecs),
		units:     ecs.NewColumn[components.Unit](w.ecs),
		stances:   ecs.NewColumn[components.Stance](w.ecs),
		targets:   ecs.NewColumn[components.Target](w.ecs),
		stats:     ecs.NewColumn[components.Stats](w.ecs),
		guises:    ecs.NewColumn[components.Guise](w.ecs),
		worn:      ecs.NewColumn[components.Worn](w.ecs),
		progress:  ecs.NewColumn[components.Progress](w.ecs),
		carried:   ecs.NewColumn[components.Carried](w.ecs),
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
	tap     uint64         // the player whose it is
	public  []uint32       // what everybody may know, by number
	own     []uint32       // what it may know itself
}

// take reads the whole world.
func (c *census) take() map[uint64]*resident {
	all := make(map[uint64]*resident)
	for q := c.all.Query(); q.Next(); {
		home, at := q.Get()
		e := q.Entity()
		r := &resident{guid: c.objects.Get(e).GUID, player: c.sessions.Has(e), home: home.Cell, at: *at}
		if c.bouts.Has(e) {
			r.tap = uint64(c.bouts.Get(e).Tap)
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

// forgotten looks for a change of somebody awake that fanout was not told of: after a tick, what was
// sent last is what there is.
func (c *census) forgotten(t *testing.T, tick uint64) {
	for _, e := range ecs.Shared[space.Space](c.world.ecs).Order.All() {
		if !c.world.ecs.Alive(e) {
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
