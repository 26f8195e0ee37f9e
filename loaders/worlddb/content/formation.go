package content

import (
	"math"

	"muster/loaders/worlddb"
)

// A formationRow is a row of creature_formations: a creature that walks with another. Leaders have a row of their own.
type formationRow struct {
	Member int64   `column:"memberguid" key:""`
	Leader int64   `column:"leaderguid"`
	Yards  float64 `column:"dist" or:"0"`
	Angle  float64 `column:"angle" or:"0"` // degrees, from where the leader faces
}

// maxBeside is how far from its leader a creature may walk, yards.
const maxBeside = 100

// A spawned is the spawn point of a GUID.
type spawned struct {
	on    *place
	index int
}

// readFormations has creatures follow their leaders, where both are executed and the leader follows none.
//
// Source: CreatureGroup::LeaderMoveTo, AzerothCore.
func (l *loader) readFormations(points map[int64]spawned) error {
	const table = "creature_formations"
	leads := make(map[int64]bool)
	err := worlddb.Read(l.ctx, l.src, table, func(r *formationRow) error {
		if r.Leader != r.Member {
			leads[r.Leader] = true
		}
		return nil
	})
	if err != nil && !isMissing(err) {
		return err
	}
	return read(l, table, func(r *formationRow) string {
		member, ok := points[r.Member]
		leader, also := points[r.Leader]
		switch {
		case !ok || !also:
			return "a creature of the formation is not executed"
		case r.Leader == r.Member:
			return ""
		case leads[r.Member]:
			return "the creature leads others itself"
		case leader.on != member.on:
			return "its leader is on another map"
		}
		s := &member.on.Spawns[member.index]
		s.Leader = uint32(leader.index) + 1
		s.BesideYards, s.BesideAngle = float32(min(amount(r.Yards), maxBeside)), angle(r.Angle)
		return ""
	})
}

// angle is an angle of degrees in radians, within [-2π, 2π].
func angle(degrees float64) float32 {
	if a := math.Mod(degrees, 360) * math.Pi / 180; !math.IsNaN(a) {
		return float32(a)
	}
	return 0
}
