package remote

import (
	"time"

	"muster/ecs/grid"
	"muster/net/replication/frame"
)

const (
	// tilesAhead is how far ahead of views a gateway takes regions, in tiles: a player that walks is not there before they come.
	tilesAhead = 1
	// regionKept is for how long a gateway takes a region that it has no use for, so that it does not come and go with a player on its border.
	regionKept = 5 * time.Second
	// censusEvery is between two times at which it forgets who is in cells that no view has any more.
	censusEvery = 10 * time.Second
)

// An interest is which regions of a map a gateway takes: those that the views of its players touch, and those near them.
type interest struct {
	views     map[uint32]grid.View     // of sessions
	needed    map[frame.Region]int     // how many views touch each
	taken     map[frame.Region]*taking // those that are subscribed to
	swept     time.Time
	subscribe func(frame.Region) (stop func())
	scratch   []frame.Region
	census    frame.Census // of the cells in views
	union     grid.Set
	counted   time.Time // when cells were forgotten last
}

type taking struct {
	stop func()
	used time.Time // when a view was near it last
}

func newInterest(subscribe func(frame.Region) (stop func())) interest {
	return interest{
		views: make(map[uint32]grid.View), needed: make(map[frame.Region]int), taken: make(map[frame.Region]*taking), subscribe: subscribe,
	}
}

// follow notes what a frame does to the views of sessions.
func (in *interest) follow(f *frame.Frame) {
	f.Views(func(session uint32, v grid.View, reset bool) {
		in.census.See(in.views[session], v, reset)
		in.see(session, v)
	})
	for i := range f.Left {
		in.see(f.Left[i].Session, grid.View{})
	}
	in.census.Follow(f)
}

// see notes the view of a session, the zero View if it has left.
func (in *interest) see(session uint32, v grid.View) {
	in.count(in.views[session], -1)
	if in.count(v, 1); v.Center == grid.None {
		delete(in.views, session)
		return
	}
	in.views[session] = v
	in.use(v, time.Now())
}

func (in *interest) count(v grid.View, n int) {
	in.scratch = frame.AppendRegions(in.scratch[:0], v, 0)
	for _, r := range in.scratch {
		if in.needed[r] += n; in.needed[r] == 0 {
			delete(in.needed, r)
		}
	}
}

// use has the regions near a view be taken.
func (in *interest) use(v grid.View, now time.Time) {
	in.scratch = frame.AppendRegions(in.scratch[:0], v, tilesAhead)
	for _, r := range in.scratch {
		in.take(r, now)
	}
}

// take has a region be taken, and reports whether it is only now.
func (in *interest) take(r frame.Region, now time.Time) (begun bool) {
	t := in.taken[r]
	if t == nil {
		t = &taking{stop: in.subscribe(r)}
		in.taken[r], begun = t, true
	}
	t.used = now
	return begun
}

// sweep leaves regions that are of no use any more. It does so about once a second.
func (in *interest) sweep(now time.Time) {
	if now.Sub(in.swept) < idleBeat {
		return
	}
	in.swept = now
	for _, v := range in.views {
		in.use(v, now)
	}
	if now.Sub(in.counted) >= censusEvery {
		in.counted = now
		in.census.Keep(in.seen())
	}
	for r, t := range in.taken {
		if now.Sub(t.used) > regionKept {
			t.stop()
			delete(in.taken, r)
		}
	}
}

// stop leaves all regions.
func (in *interest) stop() {
	for r, t := range in.taken {
		t.stop()
		delete(in.taken, r)
	}
}
