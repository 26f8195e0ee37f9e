package ladder

import (
	"math"
	"time"
)

// Every is how often a ladder judges.
const Every = 500 * time.Millisecond

const (
	// tooBusy is the share of its time in which a goroutine that serves players may be at work, and of all processors in
	// which all of them may. More leaves nothing for what comes unevenly: then players wait for more steps.
	tooBusy = 0.85
	// idleEnough is that share after a descent. The distance between the two keeps a ladder from going up and down.
	idleEnough = 0.75
	// overBudget and underBudget are the same for the budget, as factors of it.
	overBudget, underBudget = 1.1, 0.9
	// overJudgements is for how many judgements in a row a rung must be too much before it is left: one may be an
	// accident, of the garbage collector or of others on the machine.
	overJudgements = 2
	// requiredJudgements is for how many judgements in a row a descent must be affordable before it is done. With Every, a
	// ladder follows a falling load within two seconds.
	requiredJudgements = 3
	// tooLate is the share of its time that a world may be behind. Beyond it the processor is not there when a step begins,
	// however little the server takes of it: others have it, or a quota has taken it away.
	tooLate = 0.25
	// A server that has gone up for that cannot tell from what it spends whether it may go down again. Each time that
	// it has to go up again within forgetJudgements it waits for twice as many judgements before it tries, at most maxRequired.
	maxRequired, forgetJudgements = 32, 60
	// sendBytes is how few bytes can cost as much to gather and send as a send costs by itself.
	//
	// Source: S8 and S9 of the bench, docs/bench: 3.8 µs for a short send, and 6.3 µs for one of 5 KB that is gathered.
	sendBytes = 8192
)

// A Sample is what a server has spent since it began, but for Players.
type Sample struct {
	Processor time.Duration   // by the process, in all
	Worlds    []time.Duration // in ticks, by world
	Behind    []time.Duration // by world: the steps that did not come
	Loops     []time.Duration // in flushes, by event loop
	Sends     uint64          // to players, in flushes
	Bytes     uint64          // likewise
	Players   int             // now
}

// A Ladder chooses a rung, judgement by judgement. It is a function of its samples.
type Ladder struct {
	Rungs  Rungs
	Budget float64 // cores that the server may use for steps shorter than the base
	Procs  int     // cores that it has

	at         int
	last       Sample
	over       int // judgements in a row in which the rung was too much
	affordable int // judgements in a row in which a descent was affordable,
	lowest     int // and the longest of the rungs that were
	required   int // affordable judgements before a descent, if the steps were late of late,
	intime     int // and judgements since they were
}

// Rung is the rung of the last judgement; the first one before that.
func (l *Ladder) Rung() Rung { return l.Rungs.All[l.at] }

// Judge takes the sample of a moment so long after the last, and returns the rung from now on. It goes up as far
// as is needed, and down when that has been affordable for some judgements.
func (l *Ladder) Judge(elapsed time.Duration, s *Sample) Rung {
	now := l.load(elapsed, s)
	l.last = Sample{
		s.Processor, append(l.last.Worlds[:0], s.Worlds...), append(l.last.Behind[:0], s.Behind...), append(l.last.Loops[:0], s.Loops...),
		s.Sends, s.Bytes, s.Players,
	}
	if l.intime++; l.intime > forgetJudgements {
		l.required = 0
	}
	want := l.at
	if late := now.behind > tooLate; late || l.exceeds(l.at, now, overBudget, tooBusy) {
		if l.over++; l.over < overJudgements {
			return l.Rung()
		}
		if late {
			if want < l.Rungs.Base {
				want = l.Rungs.Base - 1
				l.required = min(max(2*l.required, requiredJudgements), maxRequired)
			}
			l.intime = 0
		}
		for want++; want < len(l.Rungs.All)-1 && l.exceeds(want, l.predict(now, want), 1, tooBusy); want++ {
		}
		want = min(want, len(l.Rungs.All)-1)
	} else {
		l.over = 0
		for want = 0; want < l.at && l.exceeds(want, l.predict(now, want), underBudget, idleEnough); want++ {
		}
	}
	if want >= l.at {
		l.at, l.affordable, l.lowest = want, 0, 0
		return l.Rung()
	}
	l.lowest = max(l.lowest, want)
	if l.affordable++; l.affordable >= max(requiredJudgements, l.required) {
		l.at, l.affordable, l.lowest = l.lowest, 0, 0
	}
	return l.Rung()
}

// A load is what a second takes, in seconds.
type load struct {
	processor   float64
	worlds      float64 // all of them
	loops       float64
	world, loop float64 // the busiest
	behind      float64 // the one that is most
	sends       float64
	bytes       float64
	players     float64
}

func (l *Ladder) load(elapsed time.Duration, s *Sample) (now load) {
	seconds := elapsed.Seconds()
	sum := func(of, before []time.Duration) (all, most float64) {
		for i, d := range of {
			if i < len(before) {
				d -= before[i]
			}
			one := d.Seconds() / seconds
			all, most = all+one, max(most, one)
		}
		return all, most
	}
	now.worlds, now.world = sum(s.Worlds, l.last.Worlds)
	_, now.behind = sum(s.Behind, l.last.Behind)
	now.loops, now.loop = sum(s.Loops, l.last.Loops)
	now.processor = (s.Processor - l.last.Processor).Seconds() / seconds
	now.sends, now.bytes = float64(s.Sends-l.last.Sends)/seconds, float64(s.Bytes-l.last.Bytes)/seconds
	now.players = float64(s.Players)
	return now
}

// exceeds reports whether a load is too much for a rung: over the budget, of which a share may be used, or with
// something too busy.
func (l *Ladder) exceeds(rung int, of load, budget, busy float64) bool {
	if rung < l.Rungs.Base && of.processor > l.Budget*budget {
		return true
	}
	return max(of.world, of.loop, (of.worlds+of.loops)/float64(max(l.Procs, 1))) > busy
}

// predict is the load on another rung, and rather too much than too little, so that a rung that was left for its cost is
// not taken again for it: a tick and a flush are taken to cost the same however little has happened since the last ones
// if they are to come more often, and less if they are to come less often.
func (l *Ladder) predict(now load, rung int) load {
	from, to := l.Rungs.All[l.at], l.Rungs.All[rung]
	ticks := float64(from.Stride) / float64(to.Stride)
	if ticks < 1 {
		ticks = (1 + ticks) / 2 // what a longer step saves is taken to be half of it
	}
	flushes := 1.0
	if now.sends > 0 {
		sends, bytes := l.sends(now, to), 0.0
		if sends < now.sends {
			bytes = now.bytes / sendBytes
		}
		flushes = (sends + bytes) / (now.sends + bytes)
	}
	then := now
	then.worlds, then.world = now.worlds*ticks, now.world*ticks
	then.loops, then.loop = now.loops*flushes, now.loop*flushes
	then.processor += then.worlds - now.worlds + then.loops - now.loops
	return then
}

// sends is how many sends a second there are on another rung. A player for which nothing has happened is sent nothing;
// what happens for it is taken to come at random.
func (l *Ladder) sends(now load, to Rung) float64 {
	quantum := l.Rungs.Quantum.Seconds()
	period, next := l.Rung().period()*quantum, to.period()*quantum
	filled := now.sends * period / max(now.players, 1) // the share of flushes that send something
	if filled > 0.98 {
		return now.sends * period / next
	}
	rate := -math.Log(1-filled) / period // of events, by player
	return now.players * (1 - math.Exp(-rate*next)) / next
}
