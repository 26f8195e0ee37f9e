package intake

import "muster/ecs"

// Sessions are the players of a world by session. It is a resource.
type Sessions struct{ players []ecs.Entity }

// find is the player that a session has or had, no entity if it never had one.
func (s *Sessions) find(session uint32) ecs.Entity {
	if session >= uint32(len(s.players)) {
		return ecs.Entity{}
	}
	return s.players[session]
}

// set gives a session a player.
func (s *Sessions) set(session uint32, player ecs.Entity) {
	if n := int(session) + 1 - len(s.players); n > 0 {
		s.players = append(s.players, make([]ecs.Entity, n)...)
	}
	s.players[session] = player
}
