package fanout

import (
	"muster/components"
	"muster/ecs"
	"muster/net/protocol/update"
	"muster/net/protocol/wire"
)

// gameObjects are what game objects have that units do not, as a part of blockWriter.
type gameObjects struct {
	layout *update.Layout

	values ecs.ReadRef[components.GameObject] `inplace:"words"`
	states ecs.Read[components.ObjectState]
	images ecs.Write[components.GameObjectImage]
}

// Init implements ecs.Initializer.
func (g *gameObjects) Init() {
	g.layout = update.NewLayout(wire.V12340, update.GameObject, components.GameObjectParts()...)
}

// loadWords adds an object's words to those that all entities have, and returns its layout and what was last sent.
func (g *gameObjects) loadWords(e ecs.Entity, w *update.Words) (layout *update.Layout, image []uint32) {
	w[1] = components.Words(g.values.Get(e))
	return g.layout, g.images.Get(e)[:]
}

// The types of game objects that clients are to see appear: traps, duel flags and those of battlegrounds.
//
// Source: Object::BuildCreateUpdateBlockForPlayer, and GameobjectTypes in SharedDefines.h, AzerothCore.
const (
	trap, duelFlag, flagStand, flagDrop = 6, 16, 24, 26
)

// describe sets what a create block has of a game object besides its words.
func (g *gameObjects) describe(e ecs.Entity, s *update.Subject) {
	s.Rotation = g.states.Get(e).Rotation
	values := g.values.Get(e)
	switch values.Bytes1[components.ByteObjectType] {
	case trap, duelFlag, flagStand, flagDrop:
		s.Appears = true
	default:
		s.Appears = values.CreatedBy != 0
	}
}
