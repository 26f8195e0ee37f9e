package components

import "muster/ecs"

// ScriptWay is where its script has a creature go: along a path of defs.World.ScriptPaths, or to a point. The zero ScriptWay is
// nowhere. System scriptwalks alone writes it.
type ScriptWay struct {
	Path      uint32 // one more than the index of the path; 0 none
	Node      uint32 // one more than the index of the node that it goes to, or was at last
	Point     uint32 // one more than the number of the point that it goes to before all else; 0 none
	To        Vec    // where it goes
	UntilMs   uint32 // world time until which it pauses
	DespawnMs uint32 // after the end of its path it despawns, so long after that; 0 it stays
	State     ScriptWayState
	Paused    uint8      // 1 if its script has it pause, 0 if the node does
	AtNode    uint8      // 1 once it has been at Node
	Runs      uint8      // 1 if it runs along the path
	Repeats   uint8      // 1 if it begins the path anew at its end
	Waits     uint8      // 1 if its script is told of nodes before it goes on
	Patrols   uint8      // 1 if the path is one of waypoint_data, whose nodes have pauses
	Walks     uint8      // 1 if it walks to points instead of running
	Leader    ecs.Entity // that it follows; zero none
	Yards     float32    // how far from the leader,
	Angle     float32    // and in which direction from where that faces, radians
}

// A ScriptWayState is what a creature does on its ScriptWay.
type ScriptWayState uint8

// The states.
const (
	WayNone    ScriptWayState = iota // its script has it go nowhere
	WayGoes                          // to ScriptWay.To
	WayReached                       // it is at a node, and goes on when its script has been told
	WayPauses                        // until ScriptWay.UntilMs
	WayFollows                       // after ScriptWay.Leader
	WayStays                         // where its script has had it go
)

// Going reports whether a creature has somewhere to go, or to go on to.
func (w *ScriptWay) Going() bool { return w.State != WayNone && w.State != WayStays }
