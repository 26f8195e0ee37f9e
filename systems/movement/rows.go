package movement

import (
	"muster/components"
	"muster/ecs"
)

// rows are the component arrays of players, for what is done for each report: one look-up finds a player in all of
// them. They are valid while messages are read.
type rows struct {
	objects     []components.Object
	positions   []components.Position
	motions     []components.Motion
	clocks      []components.Clock
	speeds      []components.Speeds
	pendingAcks []components.PendingMoveAcks
	validations []components.MoveValidation
}

// bindRows takes the arrays of all players, which have one archetype.
func (s *Movement) bindRows() {
	for _, k := range s.entities.Archetypes() {
		if len(s.validations.Rows(k)) > 0 {
			s.rows = rows{
				objects: s.objects.Rows(k), positions: s.positions.Rows(k), motions: s.motions.Rows(k), clocks: s.clocks.Rows(k),
				speeds: s.speeds.Rows(k), pendingAcks: s.pendingAcks.Rows(k), validations: s.validations.Rows(k),
			}
			return
		}
	}
	s.rows = rows{}
}

// row is the row of a living player, -1 of any other entity.
func (s *Movement) row(e ecs.Entity) int { return s.objects.Row(s.rows.objects, e) }
