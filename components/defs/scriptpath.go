package defs

// A ScriptPath is a way along which scripts have creatures go, once, from the first node to the last.
type ScriptPath struct {
	ID      uint32
	Patrols bool   // it is one of waypoint_data, whose nodes have pauses; else of waypoints
	Nodes   []Node // at least one
}
