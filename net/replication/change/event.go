package change

import "muster/ecs"

// Events about single entities. Each is emitted by the systems that cause it.
type (
	// Joined is a player that came in. It exists until the tick ends.
	Joined struct{ ecs.Entity }
	// Resumed is a player in the world whose client is another one: that knows nothing of it. It exists until the tick ends.
	Resumed struct {
		ecs.Entity
		New     bool      // it has joined in this tick
		N       uint32    // index of its item in the inbox
		Version uint64    // the least that it is saved with next
		Caches  [8]uint32 // as of frame.Character
		NowUnix uint32
		// Connection is the number of the connection that goes on with it; 0 if its session is another one.
		Connection uint64
	}
	// Refreshed is a player whose client has missed what happened in cells: it is sent all that it sees anew, and what it knows of itself. It exists
	// until the tick ends.
	Refreshed struct{ ecs.Entity }
	// ViewReset is a player whose client learns anew all that it sees, since it was teleported on this map, resumed or refreshed. It may be there
	// for each of these, and exists until the tick ends.
	ViewReset struct{ ecs.Entity }
	// Leaving is a player or creature that is to go out of the world at the end of the tick.
	Leaving struct{ ecs.Entity }
	// Woken is a creature whose cell woke up, or that is new: then SleptMs is 0.
	Woken struct {
		ecs.Entity
		SleptMs uint32
	}
	// Rehomed is an entity that has another cell than at the end of the tick before, once each; spawned and despawned
	// ones too.
	Rehomed struct{ ecs.Entity }
	// Held is an entity about which a player receives an update of its own in this tick: if it is leaving, its despawn is
	// delayed to the next tick.
	Held struct{ ecs.Entity }
	// SetOut is a unit that begins or continues a walk: movement includes it from the next tick on.
	SetOut struct{ ecs.Entity }
)
