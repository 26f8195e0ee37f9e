package components

import "muster/ecs"

// Formation is which creatures a creature walks with. A leader's followers are a list, the latest first. The zero
// Formation is none.
type Formation struct {
	Leader   ecs.Entity // that it follows; zero none
	Follower ecs.Entity // the first that follows it
	Next     ecs.Entity // the next that follows its leader
}
