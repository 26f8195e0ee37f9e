package components

import "muster/components/life"

// Record has values of a player's stored character that are not sent: they are saved as they were loaded, except
// those that play changes.
type Record struct {
	Version       uint64 // of the newest snapshot; at first, of the stored character
	Account       uint32
	SecurityLevel uint32 // 0 player … 3 administrator

	Death life.Death
	Bind  life.Place // destination of the hearthstone

	PlayedSec      uint32 // until EnteredMs
	LevelPlayedSec uint32 // on this level, until LevelMs
	EnteredMs      uint32 // world time
	LevelMs        uint32 // world time at which it entered, or reached its level

	ReclaimMs uint32 // world time from which a dead player can reclaim its corpse
	Begun     uint32 // 1 once it has the outfit of its class
}

// DeathAt is Death as of now.
func (r *Record) DeathAt(nowMs uint32) life.Death {
	d := r.Death
	if d.State != life.Alive {
		d.ReclaimLeftMs = uint32(max(int32(r.ReclaimMs-nowMs), 0))
	}
	return d
}

// Played is the time that the player has been in worlds, ever and since its last level, in seconds. A visit is
// shorter than the 49 days in which a world's clock wraps around.
func (r *Record) Played(nowMs uint32) (sec, levelSec uint32) {
	return r.PlayedSec + (nowMs-r.EnteredMs)/1000, r.LevelPlayedSec + (nowMs-r.LevelMs)/1000
}

// Levelled begins the time on a new level.
func (r *Record) Levelled(nowMs uint32) { r.LevelPlayedSec, r.LevelMs = 0, nowMs }
