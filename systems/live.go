package systems

import (
	"time"

	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/net/replication/inspect"
	"muster/sched/tickstats"
)

// A Live world is one behind an exchange: a sched.Map that takes its inboxes from there, publishes its frames there,
// and answers queries.
type Live struct {
	World     *World
	Exchange  *frame.Exchange
	Inspector *inspect.Inspector // nil if there are no queries
	Recorder  Recorder           // nil records nothing
	Log       Log                // nil keeps nothing
	// Heard is called with what a tick is about to read, of which it keeps nothing; nil does nothing.
	Heard func(n uint64, in *frame.Inbox)
	// Date returns the date at a tick, in Unix milliseconds, for a world that follows it; nil gives it none. It is a part of the inbox once
	// in dateEvery, and when the world is stepped again after a rest.
	Date func(n uint64) uint64
	// Stats is given the statistics of ticks; nil keeps none.
	Stats *tickstats.Stats
	// Ended is called with how long a tick took, after Stats has it; nil does nothing. It needs Stats.
	Ended func(n uint64, took time.Duration)

	searched uint64 // in which crowdEvery the fullest cells were searched
	dateDue  uint64 // the tick from which on the date is to be given
}

// A Recorder is called in every tick, and only stores what it gets.
type Recorder interface {
	// Begin is called with what the tick is about to read, in its order.
	Begin(n uint64, in *frame.Inbox)
	// Digest is called after the tick with the result of World.Digest.
	Digest(n uint64, digest []byte)
}

// A Log keeps what a world reads before any client is sent what follows from it, so that the world can be restored.
type Log interface {
	// Append is called with what the tick is about to read, in its order, and returns when it is written.
	Append(n uint64, in *frame.Inbox)
	// After is called after the tick, when its frame is published.
	After()
}

// crowdEvery is the time of the world between two searches for the fullest cells; they are searched after a slow tick,
// too, and once there are none any more.
const crowdEvery = time.Second

// Step runs tick n.
func (l *Live) Step(n uint64) {
	if l.Stats == nil {
		l.step(n)
		return
	}
	began := time.Now()
	l.Stats.Start(n)
	l.step(n)
	took := time.Since(began)
	due := uint64(time.Duration(n) * l.World.config.Quantum / crowdEvery)
	if due != l.searched || took > l.Stats.Step || l.World.Awake() == 0 {
		l.Stats.Crowd(l.World.Crowds())
		l.searched = due
	}
	l.Stats.Finish(n, took, l.World.Load())
	if l.Ended != nil {
		l.Ended(n, took)
	}
}

func (l *Live) step(n uint64) {
	l.Exchange.Take(l.World.Inbox())
	l.date(n)
	if l.Recorder != nil {
		l.Recorder.Begin(n, l.World.Inbox())
	}
	if l.Log != nil {
		l.Log.Append(n, l.World.Inbox())
	}
	if l.Heard != nil {
		l.Heard(n, l.World.Inbox())
	}
	f := l.Exchange.Write()
	l.World.Tick(n, f)
	l.Exchange.Publish(f)
	if l.Recorder != nil {
		l.Recorder.Digest(n, l.World.Digest(n))
	}
	if l.Log != nil {
		l.Log.After()
	}
}

// dateEvery is the time between two dates that a world is given, our own choice: by what its clock is off until then no player notices.
const dateEvery = time.Minute

// date adds the date to the inbox if it is due.
func (l *Live) date(n uint64) {
	if l.Date == nil || n < l.dateDue {
		return
	}
	unit := l.World.config.Quantum
	l.dateDue = n + uint64(dateEvery/unit)
	in := l.World.Inbox()
	in.Add(frame.Item{
		Session: frame.NoSession, AtMs: uint32(time.Duration(n) * unit / time.Millisecond), Op: frame.OpDate,
		Body: msg.Append(nil, wire.V12340, &frame.Date{UnixMs: l.Date(n)}),
	})
	in.Seal()
}

// Idle reports that the world has no players, none that are entering, nothing awake, and no part that is to be replaced.
func (l *Live) Idle() bool {
	return l.World.Players() == 0 && l.Exchange.Empty() && l.World.Awake() == 0 && !l.World.Reloading()
}

// Wake delivers when a player may be entering.
func (l *Live) Wake() <-chan struct{} { return l.Exchange.Wake() }

// Rest answers a query.
func (l *Live) Rest() {
	if l.Inspector != nil {
		l.Inspector.Serve(l.World.Inspect)
	}
}

// Asked delivers when there is a query.
func (l *Live) Asked() <-chan struct{} {
	if l.Inspector == nil {
		return nil
	}
	return l.Inspector.Asked()
}
