package bench

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"muster/bench/walkscene"
	"muster/net/gateway/session"
	"muster/net/protocol/crypt"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

const (
	scaleWarm = 40 // ticks before those that are measured, in which buffers grow
	// linkBytes is what a link of 10 Gb/s carries in a second.
	linkBytes = 1.25e9
	perSecond = 1000 / tickMs
	// inputBytes is what an item of input has on the bus besides its body, about: session, time, opcode, length.
	inputBytes = 12
)

// scaleSizes are into how many maps players are divided, and among how many gateways.
func scaleSizes(quick bool) (maps, gateways []int) {
	if quick {
		return []int{1, 4}, []int{1, 4, 16}
	}
	return []int{1, 2, 4, 8, 16}, []int{1, 2, 4, 8, 16, 32, 64}
}

// scale measures what each role of a cluster has to do for many players, by how many maps and gateways they are divided among.
func scale(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	players, ticks, repetitions := 10_000, 60, 3
	if c.Quick {
		players, ticks, repetitions = 1_000, 20, 1
	}
	mapCounts, gatewayCounts := scaleSizes(c.Quick)
	runtime.LockOSThread() // whose time is taken
	defer runtime.UnlockOSThread()
	send, err := sendMicros(ctx)
	if err != nil {
		return "", 0, err
	}
	var last scaleFigures // of one map and the most gateways
	for range repetitions {
		for _, maps := range mapCounts {
			w := newScaled(players, maps)
			for i, gateways := range gatewayCounts {
				if maps > 1 && i > 0 && i < len(gatewayCounts)-1 {
					continue
				}
				if err := ctx.Err(); err != nil {
					return "", 0, err
				}
				f := w.measure(gateways, ticks)
				f.put(s, players, maps, gateways, send)
				if maps == 1 {
					last = f
				}
			}
		}
	}
	return scaleText(&last, players, ticks, send), repetitions, nil
}

// A scaled is players in the worlds of some maps.
type scaled struct {
	worlds []*play
	shared []byte
	own    [][]byte // private halves for the gateway that is looked at, by world
	halves [][]byte // shared ones, by world
	encode frame.Encoder
	input  int // bytes that clients have sent for the tick
}

// newScaled lets players into some maps, as many into each.
func newScaled(players, maps int) *scaled {
	w := &scaled{own: make([][]byte, maps), halves: make([][]byte, maps)}
	for range maps {
		p := newMarching(walkscene.Config{
			Players: players / maps, PerDisc: perDisc, DiscYards: reachYards, Apart: apartYards, BeatTicks: beatTicks,
		})
		p.wrap = sealed
		p.posted = func(it frame.Item) {
			w.input += inputBytes + len(it.Body)
			p.post(it)
		}
		for range marchTicks {
			p.whole()
		}
		w.worlds = append(w.worlds, p)
	}
	return w
}

// A scaleFigures is what a tick takes on average: processor time in nanoseconds, and bytes.
type scaleFigures struct {
	step, worst   float64 // of all worlds; of the one that took the most
	shared        float64 // encoding the halves that all gateways read
	private       float64 // encoding the others, of all gateways
	decode        float64 // of one gateway: all worlds
	gather        float64 // of its players: those whose turn it is
	flushes       float64 // of them
	beside        float64 // gather for a player in the process of the worlds
	changed       float64 // bytes: packets, each once
	sharedBytes   float64
	privateBytes  float64 // of all gateways
	inputBytes    float64
	playersOfThis float64
}

// An observer is a gateway of several that read the same worlds: the first of them.
type observer struct {
	ports    []*frame.Exchange
	decoders []frame.Decoder
	cursors  [][]frame.Cursor // by world
	keys     []crypt.Cipher
	replay   frame.Replayer
	out      []byte
	gateways uint32
	flushes  int
}

// newObserver is a gateway that has one in so many players of each world, as the worlds have them now.
func (w *scaled) newObserver(gateways int) *observer {
	o := &observer{decoders: make([]frame.Decoder, len(w.worlds)), gateways: uint32(gateways)}
	for _, p := range w.worlds {
		p.gatherSome(0, 1) // all cursors are as new as the world
		port := frame.NewExchange()
		port.Join(p.tick)
		o.ports = append(o.ports, port)
		var cursors []frame.Cursor
		for i := 0; i < len(p.cursors); i += gateways {
			c := p.cursors[i]
			c.Session /= o.gateways
			cursors = append(cursors, c)
			o.keys = append(o.keys, crypt.ServerToClient([40]byte{0: byte(i), 1: byte(i >> 8)}))
		}
		o.cursors = append(o.cursors, cursors)
	}
	return o
}

func (o *observer) local(world uint32) (uint32, bool) {
	return world / o.gateways, world%o.gateways == 0
}

// decode makes the frames of a tick of what the worlds have published.
func (o *observer) decode(w *scaled) {
	for i, port := range o.ports {
		f := port.Write()
		if err := o.decoders[i].Decode(f, w.worlds[i].tick, w.halves[i:i+1], w.own[i], o.local); err != nil {
			panic(err) // it has been encoded a moment ago
		}
		port.Publish(f)
	}
}

// gather does for the players whose turn it is what a gateway does before it sends.
func (o *observer) gather(tick uint64) {
	const room = wire.ServerHeaderLen + 1
	if cap(o.out) < room {
		o.out = make([]byte, room, 64<<10)
	}
	key := 0
	for i, port := range o.ports {
		var window frame.Window
		window.Open(port)
		for j := range o.cursors[i] {
			if key++; (uint64(j)+tick)%flushTicks != 0 {
				continue
			}
			out, ok := o.replay.Replay(o.out[:room], &window, &o.cursors[i][j])
			if !ok {
				panic("bench: a frame of the last second is gone")
			}
			o.out = out
			o.flushes++
			if len(out) > room {
				session.Seal(&o.keys[key-1], out[room:])
			}
		}
		window.Close()
	}
}

// measure is what the roles take with so many gateways.
func (w *scaled) measure(gateways, ticks int) (f scaleFigures) {
	o := w.newObserver(gateways)
	worlds := make([]float64, len(w.worlds))
	for tick := range scaleWarm + ticks {
		if tick == scaleWarm {
			runtime.GC()
			f, o.flushes = scaleFigures{}, 0
			clear(worlds)
		}
		w.tick(o, gateways, worlds, &f)
	}
	for _, took := range worlds {
		f.step += took
		f.worst = max(f.worst, took)
	}
	f.flushes = float64(o.flushes)
	for _, cursors := range o.cursors {
		f.playersOfThis += float64(len(cursors) * ticks)
	}
	for _, sum := range []*float64{
		&f.step, &f.worst, &f.shared, &f.private, &f.decode, &f.gather, &f.flushes, &f.beside, &f.changed, &f.sharedBytes, &f.privateBytes, &f.inputBytes, &f.playersOfThis,
	} {
		*sum /= float64(ticks)
	}
	return f
}

// tick is one of all worlds, what is encoded of it, and what the gateway makes of that.
func (w *scaled) tick(o *observer, gateways int, worlds []float64, f *scaleFigures) {
	w.input = 0
	defer func() { f.inputBytes += float64(w.input) }()
	for i, p := range w.worlds {
		worlds[i] += float64(p.step())
		f.beside += p.gatherTime()
		var window frame.Window
		window.Open(p.live.Exchange)
		frames, _ := window.After(p.tick - 1)
		of := frames[0]
		f.changed += float64(len(of.Bytes))
		began := threadTime()
		w.halves[i] = w.encode.AppendShared(w.halves[i][:0], of)
		f.shared += float64(threadTime() - began)
		f.sharedBytes += float64(len(w.halves[i]))
		for gateway := range uint32(gateways) {
			began = threadTime()
			w.shared = w.encode.AppendPrivate(w.shared[:0], of, func(session uint32) bool { return session%uint32(gateways) == gateway })
			f.private += float64(threadTime() - began)
			f.privateBytes += float64(len(w.shared))
			if gateway == 0 {
				w.own[i] = append(w.own[i][:0], w.shared...)
			}
		}
		window.Close()
	}
	began := threadTime()
	o.decode(w)
	decoded := threadTime()
	o.gather(w.worlds[0].tick)
	f.decode += float64(decoded - began)
	f.gather += float64(threadTime() - decoded)
}

// gatherTime is what gathering takes in the world's own process, for the players whose turn it is.
func (p *play) gatherTime() float64 {
	began := threadTime()
	p.gatherSome(int(p.tick%flushTicks), flushTicks)
	return float64(threadTime() - began)
}

// core is nanoseconds per tick in percent of a core.
func core(nanos float64) float64 { return 100 * nanos / float64(tickMs*time.Millisecond) }

// perPlayer is what a gateway takes for one of its players in a tick, sends included, in microseconds; beside it what serve takes.
func (f *scaleFigures) perPlayer(players int, send float64) (here, serve float64) {
	sends := send / flushTicks
	return (f.decode+f.gather)/f.playersOfThis/1e3 + sends, f.beside/float64(players)/1e3 + sends
}

// put notes the figures of a division.
func (f *scaleFigures) put(s *sheet, players, maps, gateways int, send float64) {
	name := fmt.Sprintf("%s, %s: ", count(maps, "map"), count(gateways, "gateway"))
	put := func(what, unit string, v float64) *column {
		c := s.put(name+what, unit, v)
		if maps == 1 && unit == "% of a core" {
			c.at(what, "gateways", gateways)
		}
		return c
	}
	here, serve := f.perPlayer(players, send)
	put("the world of a map, with encoding", "% of a core", core((f.worst*float64(maps)+f.shared+f.private)/float64(maps)))
	put("a gateway, reading frames", "% of a core", core(f.decode))
	put("a gateway, with its players", "% of a core", core(f.decode+f.gather)+100*send*f.flushes*perSecond/1e6)
	perPlayer := put("a gateway, for a player", "µs per tick", here).beside("serve", serve)
	published := put("published by worlds", "kB per tick", (f.sharedBytes+f.privateBytes)/1e3).beside("what changed", f.changed/1e3)
	put("input of worlds", "kB per tick", f.inputBytes/1e3)
	put("delivered to gateways", "MB/s", (f.sharedBytes*float64(gateways)+f.privateBytes)*perSecond/1e6)
	each := put("the world, for a gateway more", "% of its cost", 100*f.private/float64(gateways)/(f.step+f.shared))
	if maps == 1 && gateways == 2 {
		perPlayer.atMost(1.1, OfRatio)
	}
	if maps == 1 && gateways > 1 {
		each.atMost(2, OfMedian)
	}
	if maps == 1 && gateways == 1 {
		published.atMost(1.1, OfRatio)
		s.put("players of a map whose world takes a core", "", float64(players)*100/core(f.step+f.shared+f.private))
		s.put("players of a gateway that takes a core, on a map of its own", "", float64(players)*100/(core(f.decode+f.gather)+100*send*f.flushes*perSecond/1e6))
		s.put("gateways that a link of 10 Gb/s feeds with the frames of the map", "", linkBytes/((f.sharedBytes+f.privateBytes)*perSecond))
	}
}

// scaleText says what was measured, and what follows from it for a million players.
func scaleText(f *scaleFigures, players, ticks int, send float64) string {
	const million = 1e6
	maps := million / float64(players)
	perMap := f.sharedBytes * perSecond // bytes a second of a map's frames
	reads := core(f.decode) / 100       // cores for the frames of one map
	// a gateway with room for half a core of its players' own cost
	own := (core(f.gather)/100 + send*f.flushes*perSecond/1e6) / f.playersOfThis
	seats := 0.5 / own
	all := million / seats
	return fmt.Sprintf("%s players walk, %d to a disc, with two heartbeats per second each, in one map or divided among several, with no creatures. Their inboxes are made as clients "+
		"would make them, and each world steps in this process; its frames are encoded for so many gateways, and one of these, which has "+
		"every so manieth player of each map, reads them and gathers and encrypts what its players are sent. Processor time is that of the thread. "+
		"A send is not made: it is counted as %.2f µs, which is what one takes on this machine over loopback, every %d ticks for each player. "+
		"NATS is not part of it: `muster bench --only cluster` has it, and a server sends what is delivered, and receives what is published. "+
		"What changed is the bytes of all packets, each once. A step is %d ms, and %d are measured of each division.\n\n"+
		"**What saturates first.** A world's cost grows with its players, and is nearly the same for any number of gateways. "+
		"A gateway whose players are everywhere on a map reads its frames whole, as here: %.2f %% of a core for a map of %s players, however few of them are its own; that is why "+
		"a player costs more where a gateway has few. What is delivered grows with maps times gateways, if all gateways have players on all maps, and so the links of NATS "+
		"end first, then sends to players; worlds of players that only walk come last, and fights take more of them.\n\n"+
		"**A million players, on paper.** %s maps of %s players are as many worlds. A gateway with half a core for its own players has %s of them: "+
		"%s gateways. If each has players on all maps, it reads %.2f GB/s with %.2f cores, and NATS delivers %.1f GB/s, %.1f links of 10 Gb/s, by several servers that each have the "+
		"worlds of some maps. If players came to gateways by map, a gateway would read two maps or so, and NATS would deliver %.2f GB/s. Logins that "+
		"choose a gateway by the map of the character are not built: a gateway is chosen by its connections. Of frames with more than 16 KiB of packets a gateway takes only the regions near "+
		"its players, which helps where they are not everywhere; that is not measured here. None of this was run.",
		number(float64(players)), perDisc, send, flushTicks, tickMs, ticks,
		100*reads, number(float64(players)),
		number(maps), number(float64(players)), number(roundTo(seats)), number(roundTo(all)), maps*perMap/1e9, maps*reads,
		all*maps*perMap/1e9, all*maps*perMap/linkBytes, 2*all*perMap/1e9)
}

// roundTo is a number with two digits that count.
func roundTo(v float64) float64 {
	unit := 1.0
	for v/unit >= 100 {
		unit *= 10
	}
	return float64(int(v/unit+0.5)) * unit
}
