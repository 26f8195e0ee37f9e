package ai

import "muster/sched"

// reasons are why creatures take steps.
type reasons struct {
	stroll   sched.Counter `name:"ai.stroll"`
	patrol   sched.Counter `name:"ai.patrol"`
	rest     sched.Counter `name:"ai.rest"`
	stuck    sched.Counter `name:"ai.stuck"`
	follow   sched.Counter `name:"ai.follow"`
	back     sched.Counter `name:"ai.back"`
	watch    sched.Counter `name:"ai.watch"`
	lost     sched.Counter `name:"ai.lost_owner"`
	aggro    sched.Counter `name:"ai.aggro"`
	assist   sched.Counter `name:"ai.assist"`
	chase    sched.Counter `name:"ai.chase"`
	melee    sched.Counter `name:"ai.melee"`
	cast     sched.Counter `name:"ai.cast"`
	casting  sched.Counter `name:"ai.casting"`
	helpless sched.Counter `name:"ai.helpless"`
	unready  sched.Counter `name:"ai.out_of_reach"`
	thrown   sched.Counter `name:"ai.thrown"`
	flee     sched.Counter `name:"ai.flee"`
	evade    sched.Counter `name:"ai.evade"`
	home     sched.Counter `name:"ai.home"`
}
