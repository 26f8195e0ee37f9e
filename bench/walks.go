package bench

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"muster/bench/walkscene"
)

const (
	// apartYards is from one disc to the next: no player sees two of them.
	apartYards = 300
	// marchTicks is how long a walk goes on before it is measured: all have entered, and no buffer grows any more.
	marchTicks = walkscene.EnterTicks + 300
	// coldOneIn is how many ticks there are to one with cold caches: memory is walked before that, which takes longer than it does.
	coldOneIn = 10
	// lookEvery is how many ticks lie between two looks of a player in a server that does not have it look in each.
	//
	// Source: VisibilitySettings (300 ms below 500 players, and up to 1,200 ms with more), DynamicVisibility.h, AzerothCore.
	lookEvery = 300 / tickMs
)

// An improvement is what AzerothCore does so as to send for less: lists of observers in place of range queries, and looks
// that are not in each tick.
type improvement struct {
	name  string
	lists bool
	looks uint64
}

var improved = []improvement{
	{objects + " that look every 300 ms", false, lookEvery},
	{objects + " with lists", true, 1},
	{objects + " with lists that look every 300 ms", true, lookEvery},
}

// improved measures objects with an improvement, which they have for as long as that takes.
func (p *objectPlay) improved(with improvement, ticks int) timing {
	p.world.LookTicks = with.looks
	p.world.List(with.lists)
	t := measure(nil, p.whole, ticks)
	p.world.LookTicks = 1
	p.world.List(false)
	return t
}

// pinned measures ticks on one processor, by the time of the thread and by the clock on the wall. Where a thread cannot be
// kept there, it is anywhere.
func (p *play) pinned(ticks int) (thread, wall timing, err error) {
	free, err := pin()
	if err == nil {
		defer func() { err = free() }()
	}
	thread = measure(nil, func() time.Duration {
		took := p.whole()
		wall.ticks = append(wall.ticks, micros(p.wall))
		return took
	}, ticks)
	wall.ticks = wall.ticks[len(wall.ticks)-ticks:] // without those before the first that is measured
	wall.sort()
	return thread, wall, nil
}

// allMove measures the tick of players that all move in it, with all that a gateway does before it sends.
func allMove(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	m := walkscene.Config{Players: 10_000, PerDisc: 50, DiscYards: reachYards, Apart: apartYards, BeatTicks: 1}
	ticks, objectTicks, repetitions := 200, 10, 7
	if c.Quick {
		m.Players, ticks, objectTicks, repetitions = 500, 50, 2, 3
	}
	err = walks(ctx, s, m, ticks, objectTicks, repetitions, [4]float64{20, 40, 40, 80})
	return fmt.Sprintf("%s players, %d to a disc of %d yards, each of which moves in every tick, and sees all others of its disc and "+
		"none elsewhere. ", number(float64(m.Players)), m.PerDisc, reachYards) + walksText(ticks, objectTicks), repetitions, err
}

// crowdMoves measures the tick of players that all see each other.
func crowdMoves(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	m := walkscene.Config{Players: 2_000, PerDisc: 2_000, DiscYards: discYards, Apart: apartYards, BeatTicks: beatTicks}
	ticks, objectTicks, repetitions := 200, 10, 7
	if c.Quick {
		m.Players, m.PerDisc, ticks, objectTicks, repetitions = 200, 200, 50, 2, 3
	}
	err = walks(ctx, s, m, ticks, objectTicks, repetitions, [4]float64{50, 100, 100, 250})
	return fmt.Sprintf("%s players in one disc of %d yards, each of which sends two heartbeats per second in a phase of its own. ",
		number(float64(m.Players)), discYards) + walksText(ticks, objectTicks), repetitions, err
}

func walksText(ticks, objectTicks int) string {
	return fmt.Sprintf("There are no creatures. A tick reads the inbox, runs the systems, writes the frame, and gathers the bytes for "+
		"every player, once in %d ticks: in the default form each move is a packet and each header is encrypted, as "+
		"every client accepts it; packed, all of a flush are one packet with one header, and whether clients accept "+
		"that is not examined. Times are processor time, without sockets and compression: of our one thread, which leaves the "+
		"collector nothing to do, and of all threads of the baseline, its collector's included; a repetition is %d "+
		"ticks of ours in each form, and %d of each baseline, in turn. The baseline is an object on the heap for each "+
		"player: each looks for others in each tick, with a range query and a list of the objects that its client "+
		"knows, and each move is sent to all that another range query finds and whose client knows the mover, as a copy "+
		"with a header of its own, encrypted. A test compares what the two send each client. In the thrifty one "+
		"players look for others only when a player near them has changed its cell of muster's, which no such server "+
		"does; it shows what remains then: the relays. Further baselines have what AzerothCore does today: each unit has a list of "+
		"the players whose clients know it, so that no relay takes a range query, and values that changed would be encoded "+
		"once for each class of viewers; and players look around every %d ms and not in each tick, so that they see some "+
		"others that much later. Tests compare what they send with what the plain one does. Beside them half of what is to be "+
		"reached beside that is the target. With cold caches, in which there are a tenth as many ticks of ours, a memory of twice the largest cache is walked before each tick of ours and of "+
		"the baseline. P99 by the clock on the wall is that of a thread that is kept on one processor, with what everything else "+
		"there takes of it.", flushTicks, ticks, objectTicks, lookEvery*tickMs)
}

// walks measures a walk in both worlds. The limits are must and stretch of the default form, and of the packed one.
func walks(ctx context.Context, s *sheet, m walkscene.Config, ticks, objectTicks, repetitions int, limits [4]float64) error {
	runtime.LockOSThread() // whose time is taken
	defer runtime.UnlockOSThread()
	ours, object, thrifty := newMarching(m), newObjectMarching(m), newObjectMarching(m)
	for range marchTicks {
		if err := ctx.Err(); err != nil {
			return err
		}
		ours.whole()
		object.step()
		thrifty.step()
	}
	object.world.Quiet, thrifty.world.Quiet = false, false // they came so far in less time, and know the same
	object.world.Thrifty = false
	chill := newChill()
	cool := func(step func() time.Duration) func() time.Duration {
		return func() time.Duration {
			chill.walk()
			return step()
		}
	}
	for range repetitions {
		if err := ctx.Err(); err != nil {
			return err
		}
		ours.wrap = sealed
		each := measure(nil, ours.whole, ticks)
		ours.wrap = packed
		one := measure(nil, ours.whole, ticks)
		ours.wrap = bare
		none := measure(ours.live.World, ours.whole, ticks)
		alone := measure(ours.live.World, ours.step, ticks)
		o, t := measure(nil, object.whole, objectTicks), measure(nil, thrifty.whole, objectTicks)
		ours.wrap = sealed
		pinned, wall, err := ours.pinned(ticks)
		if err != nil {
			return err
		}
		cold, coldObject := measure(nil, cool(ours.whole), ticks/coldOneIn), measure(nil, cool(object.whole), objectTicks)
		s.put("whole tick, p50", "µs", each.percentile(50)).beside(objects, o.percentile(50)).times(limits[0], limits[1])
		s.put("whole tick, p99", "µs", each.percentile(99)).beside("p50", each.percentile(50)).atMost(2, OfRatio)
		s.put("whole tick, p99 by the clock on the wall", "µs", wall.percentile(99)).beside("p99 of the thread's time", pinned.percentile(99))
		s.put("whole tick, packed, p50", "µs", one.percentile(50)).beside(objects, o.percentile(50)).times(limits[2], limits[3])
		s.put("whole tick, p50, second baseline", "µs", each.percentile(50)).beside("thrifty "+objects, t.percentile(50))
		s.put("packed, p50, second baseline", "µs", one.percentile(50)).beside("thrifty "+objects, t.percentile(50))
		s.put("whole tick, p50, caches cold", "µs", cold.percentile(50)).beside(objects+", caches cold", coldObject.percentile(50)).
			atLeast(limits[0], OfTimes)
		for _, better := range improved {
			o := object.improved(better, objectTicks) // beside these half as much is to be reached
			s.put("whole tick, p50, beside "+better.name, "µs", each.percentile(50)).beside(better.name, o.percentile(50)).atLeast(limits[0]/2, OfTimes)
		}
		s.put("without encryption, p50", "µs", none.percentile(50))
		s.put("the world alone, p50", "µs", alone.percentile(50))
		s.put("allocations per tick", "", each.allocations).gate(0, OfMedian)
		s.put("bytes allocated per tick", "", each.bytes).atMost(0, OfMedian)
		s.put("bytes allocated per tick, packed", "", one.bytes).atMost(0, OfMedian)
		s.put("bytes gathered per flush", "", float64(ours.gatheredBytes()))
		for _, system := range alone.systems {
			if slices.Contains(moving, system.name) {
				s.put(system.name+", mean", "µs", system.micros)
			}
		}
	}
	return nil
}

// moving are the systems that have something to do when players move.
var moving = []string{"intake", "movecontrol", "movement", "visibility", "fanout"}

// gatheredBytes is the bytes of one player in the last tick, on average over those whose turn it was.
func (p *play) gatheredBytes() int { return p.gathered * flushTicks / len(p.cursors) }

// newMarching is the scene of walks in one of our worlds.
func newMarching(c walkscene.Config) *play {
	m := walkscene.New(c)
	return newPlay(m, m.Defs, c.Players)
}

// newObjectMarching is a walk among objects, which send nothing yet.
func newObjectMarching(c walkscene.Config) *objectPlay {
	m := walkscene.New(c)
	p := newObjectPlay(m, m.Defs)
	p.world.Quiet, p.world.Thrifty = true, true
	p.world.Phases, p.world.Encipher = flushTicks, true
	return p
}
