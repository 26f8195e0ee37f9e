package synth

import (
	"math"
	"slices"

	"muster/components/defs"
)

// A point is a place on a map before it is rounded.
type point struct{ x, y float64 }

const (
	rimYards = 50 // from the edge of a map to any node of a path
	homeRim  = 60 // and to a creature's home position

	folkShare = 8 // one creature in so many is friendly, but in the vault

	gangYards = 4 // between the members of a group
	gangAngle = 2 // radians, from the facing of the leader
	gangMost  = 3 // members, the leader included
)

// populate puts the herd, the spirits, the rare and n other creatures into the maps. Of each hundred, 60 live on the
// plain, 30 anywhere on the continent, 9 on the isle and 1 in the vault; a third of them stand, half wander, and the
// rest walk a path.
func populate(w *defs.World, n int) {
	var count [len(lands)]int
	for i := range n {
		count[landOf(i)]++
	}
	garrison(&w.Maps[dungeon], w.Seed)
	settlers := make([]settler, len(lands))
	for i := range lands {
		if i == continent {
			graze(&w.Maps[i], w.Seed)
			attend(&w.Maps[i], w.Hubs)
			hide(&w.Maps[i], w.Seed)
		}
		w.Maps[i].Spawns = slices.Grow(w.Maps[i].Spawns, count[i])
		settlers[i] = settler{place: &w.Maps[i], land: i, dice: newDice(w.Seed, forSpawn)}
	}
	for i := range n {
		settlers[landOf(i)].settle(uint64(i), i%10 < 6)
	}
}

// landOf returns the map of the i-th creature.
func landOf(i int) int {
	switch {
	case i%10 < 9:
		return continent
	case i%100 < 99:
		return isle
	}
	return vault
}

// A settler puts creatures into one map.
type settler struct {
	place *defs.Map
	land  int
	dice  *dice
	nodes []defs.Node // room for paths to come

	leader uint32 // one more than the spawn point of the group's leader, 0 none
	gang   int    // members so far, the leader included
}

// settle adds a creature. All of it follows from its number, except for members of a group.
func (s *settler) settle(number uint64, plain bool) {
	d := s.dice
	d.turn(number)
	if s.leader > 0 {
		s.follow()
		return
	}
	habit := d.IntN(6)
	spawn := defs.Spawn{O: d.facing(), Path: -1}
	if habit >= 2 && habit < 5 {
		spawn.Wander = float32(d.between(5, 15))
	}
	at := s.home(plain, float64(spawn.Wander))
	spawn.X, spawn.Y = float32(at.x), float32(at.y)
	spawn.Z = s.place.Height(spawn.X, spawn.Y)
	spawn.Entry = s.entry(at)
	if s.land == continent && near(at) {
		spawn.RespawnMs = soonMs
	}
	if habit == 5 {
		spawn.Path = int32(len(s.place.Paths))
		s.place.Paths = append(s.place.Paths, s.path(at))
		if gangs(spawn.Entry) {
			s.leader, s.gang = uint32(len(s.place.Spawns))+1, 1
		}
	}
	s.place.Spawns = append(s.place.Spawns, spawn)
}

// follow adds a creature that walks with the last leader: to its left or right, a little behind.
func (s *settler) follow() {
	spawn := s.place.Spawns[s.leader-1]
	spawn.Leader, spawn.Path = s.leader, -1
	spawn.BesideYards, spawn.BesideAngle = gangYards, gangAngle
	if s.gang%2 == 0 {
		spawn.BesideAngle = -gangAngle
	}
	spawn.X += float32(gangYards * s.gang)
	spawn.Z = s.place.Height(spawn.X, spawn.Y)
	s.place.Spawns = append(s.place.Spawns, spawn)
	if s.gang++; s.gang == gangMost {
		s.leader = 0
	}
}

// home returns a home position with so much room to wander around it. On the plain the density is highest in the
// middle: it has the shape of a dome.
func (s *settler) home(plain bool, room float64) point {
	half := float64(s.place.Half) - homeRim
	for {
		p := point{s.dice.between(-half, half), s.dice.between(-half, half)}
		if plain {
			x, y := s.dice.disc()
			if s.dice.Float64() < square(x, y) {
				continue
			}
			flat := lands[s.land].flat
			p = point{x * flat, y * flat}
		}
		p = p.rounded()
		if s.land != continent || !crosses(p, p, clearYards+room) {
			return p
		}
	}
}

// rounded returns a point as it is stored.
func (p point) rounded() point { return point{float64(float32(p.x)), float64(float32(p.y))} }

// entry picks a kind that lives at a point: the further from the plain, the stronger.
func (s *settler) entry(at point) uint32 {
	d := s.dice
	if s.land == vault {
		return uint32(firstElite + d.IntN(len(elite)))
	}
	if d.IntN(folkShare) == 0 {
		return uint32(firstFolk + d.IntN(len(folk)))
	}
	land := &lands[s.land]
	far := math.Sqrt(square(at.x, at.y)) - land.flat
	switch {
	case far <= 0 && (s.land != continent || rovesNear(at)):
		return uint32(firstTame + d.IntN(len(tame)))
	case far <= 0:
		return uint32(firstTame + d.IntN(len(tame)+len(rough)))
	}
	step := float64(len(wild)) * far / (float64(land.half) - land.flat) // the corners count like the edges
	k := int(step) + d.IntN(3) - 1
	return uint32(firstWild + min(max(k, 0), len(wild)-1))
}
