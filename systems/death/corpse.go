package death

import (
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/net/replication/change"
	"muster/sched"
)

// corpseParts are the components of a corpse.
type corpseParts struct{}

// Components implements ecs.Bundle.
func (corpseParts) Components() []ecs.Type {
	return slices.Concat(components.CreatureParts(), components.CombatParts(),
		ecs.Of4[components.Position, components.HomeCell, components.Walk, components.SpawnInfo](),
		ecs.Of4[components.AIState, components.Speeds, components.Dirty, components.CreatureImage](),
		ecs.Of2[components.Sleep, components.CorpseLoot](),
		ecs.Of2[components.Corpse, components.CorpseImage]())
}

// Corpses leaves the corpses of ghosts where they died, and removes them.
type Corpses struct {
	entities ecs.Entities
	config   ecs.Res[Config]
	place    ecs.Res[defs.Map]
	space    ecs.ResMut[space.Space]
	cells    change.Cells
	changed  ecs.Events[Changed]
	leaving  ecs.Emit[change.Leaving]

	records      ecs.ReadRef[components.Record]
	objects      ecs.Read[components.Object]
	units        ecs.Read[components.Unit]
	appearances  ecs.Read[components.PlayerAppearance]
	visibleItems ecs.ReadRef[components.VisibleItems]
	homeCells    ecs.Read[components.HomeCell]

	spawn         ecs.Spawn[corpseParts]
	bodyObjects   ecs.Fill[components.Object]
	bodyUnits     ecs.Fill[components.Unit]
	bodyPositions ecs.Fill[components.Position]
	bodyPosts     ecs.Fill[components.SpawnInfo]
	corpses       ecs.Fill[components.Corpse]
	bodies        []corpse
}

// A corpse is the body of a player in the world.
type corpse struct{ owner, body ecs.Entity }

// Run implements sched.Runner.
func (s *Corpses) Run(t sched.Tick) {
	for _, c := range s.changed.All() {
		if c.State == life.Ghost && s.config.Get().Reclaim == AtCorpse {
			s.leaveBody(t, c.Entity)
		}
	}
	s.removeBodies()
}

// leaveBody spawns the corpse of a player where it died, if that is on this map.
//
// Source: Player::CreateCorpse, AzerothCore.
func (s *Corpses) leaveBody(t sched.Tick, e ecs.Entity) {
	at := s.records.Get(e).Death.Body
	if at.Map != s.place.Get().ID {
		return
	}
	guid := s.objects.Get(e).GUID
	for i := range s.bodies { // the corpse of its last visit has not despawned yet
		if s.objects.Get(s.bodies[i].body).GUID == components.CorpseGUID(guid) {
			s.bodies[i].owner = e
			return
		}
	}
	body := s.spawn.Spawn() // invalidates component pointers taken before
	unit, appearance, items := s.units.Get(e), s.appearances.Get(e), s.visibleItems.Get(e)
	*s.bodyObjects.Get(body) = components.Object{GUID: components.CorpseGUID(guid), Type: components.MaskOfCorpse, Scale: 1}
	look := components.Corpse{
		Owner: guid, DisplayID: unit.NativeDisplayID, Flags: components.CorpseWhole,
		Bytes1: [4]uint8{0, unit.Bytes0[components.ByteRace], unit.Bytes0[components.ByteGender], appearance.Bytes[components.ByteSkin]},
		Bytes2: [4]uint8{
			appearance.Bytes[components.ByteFace], appearance.Bytes[components.ByteHairStyle],
			appearance.Bytes[components.ByteHairColor], appearance.Bytes2[components.ByteFacialHair],
		},
		GuildID: appearance.GuildID,
	}
	for slot := range look.Item {
		look.Item[slot] = items.Item[2*slot]
	}
	*s.corpses.Get(body) = look
	*s.bodyUnits.Get(body) = components.Unit{Level: 1, Flags: components.UnitNotSelectable | components.UnitNonAttackable}
	*s.bodyPositions.Get(body) = components.Position{X: at.X, Y: at.Y, Z: at.Z, O: at.O}
	s.bodyPosts.Get(body).Path = -1
	s.space.Get().Add(components.CorpseGUID(guid), body)
	s.space.Get().Arrive(body)
	s.cells.Set(t, body, grid.At(at.X, at.Y, grid.Living))
	s.bodies = append(s.bodies, corpse{e, body})
}

// removeBodies despawns the corpses of players that are alive again, or have left the world.
func (s *Corpses) removeBodies() {
	s.bodies = slices.DeleteFunc(s.bodies, func(c corpse) bool {
		if s.entities.Exists(c.owner) && s.records.Get(c.owner).Death.State == life.Ghost {
			return false
		}
		s.space.Get().Drop(c.body, s.homeCells.Get(c.body).Cell)
		s.leaving.Emit(change.Leaving{Entity: c.body})
		return true
	})
}
