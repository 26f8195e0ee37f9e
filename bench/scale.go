package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"muster/bench/swarm"
	"muster/ecs/grid"
	"muster/net/gateway/session"
	"muster/net/protocol/crypt"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
)

const (
	scaleWarm = 20 // ticks before those that are measured, in which buffers grow
	// linkBytes is what a link of 10 Gb/s carries in a second.
	linkBytes = 1.25e9
	perSecond = 1000 / tickMs
	// inputBytes is what an item of input has on the bus besides its body, about: session, time, opcode, length.
	inputBytes = 12
	// wholeBytes is up to how many bytes of packets a frame is published whole; a longer one is divided by regions.
	//
	// Source: the default of net/replication/remote, WorldConfig.Whole.
	wholeBytes = 16 << 10
	// regionBytes is what the message of a region has besides its half: version, kind, life, tick, region, part, parts.
	//
	// Source: World.divide of net/replication/remote, with a tick of three bytes and a region of two.
	regionBytes = 17
)

// A scaleSize is how many clients are recorded, and how they are divided.
type scaleSize struct {
	crowds         []crowdOf
	maps, gateways []int
	ramp           int // logins per second
	ticks          int // that are measured of each division
	repetitions    int
	carried        time.Duration // for which NATS is given what it carries of each division, at least
	logins         int           // of each repetition
	enlisted       time.Duration // for which an orchestrator is watched, of each repetition
}

func scaleSizes(quick bool) scaleSize {
	if quick {
		return scaleSize{
			crowds: []crowdOf{{140, swarm.Walk}, {40, swarm.Roam}, {20, swarm.Grind}},
			maps:   []int{1, 4}, gateways: []int{1, 4, 16}, ramp: 200, ticks: 20, repetitions: 1,
			carried: 50 * time.Millisecond, logins: 200, enlisted: time.Second,
		}
	}
	return scaleSize{
		crowds: []crowdOf{{7_000, swarm.Walk}, {2_000, swarm.Roam}, {1_000, swarm.Grind}},
		maps:   []int{1, 2, 4, 8, 16}, gateways: []int{1, 2, 4, 8, 16, 32, 64}, ramp: 80, ticks: 20, repetitions: 3,
		carried: 250 * time.Millisecond, logins: 1_000, enlisted: 3 * time.Second,
	}
}

// window is how many ticks after the last entry are used.
func (z *scaleSize) window() int {
	return scaleWarm + frame.RingFrames + z.repetitions*len(z.gateways)*(scaleWarm+z.ticks) + 1
}

// scale measures what each role of a cluster has to do for many players, by how many maps and gateways they are divided among.
func scale(ctx context.Context, c *Config, s *sheet) (text string, repetitions int, err error) {
	z := scaleSizes(c.Quick)
	if err := z.registered(ctx, c.Muster, s); err != nil {
		return "", 0, err
	}
	r, err := recordSwarms(ctx, c.Muster, z.crowds, z.ramp, z.window())
	if err != nil {
		return "", 0, err
	}
	nats, server, err := startBus(ctx, c.Muster)
	if err != nil {
		return "", 0, fmt.Errorf("NATS: %w", err)
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	runtime.LockOSThread() // whose time is taken
	defer runtime.UnlockOSThread()
	send, err := sendMicros(ctx)
	if err != nil {
		return "", 0, err
	}
	var last scaleFigures // of one map and the most gateways
	players := len(r.sessions)
	for _, maps := range z.maps {
		w := newScaled(r, maps)
		for range z.repetitions {
			for i, gateways := range z.gateways {
				if maps > 1 && i > 0 && i < len(z.gateways)-1 {
					continue
				}
				if err := ctx.Err(); err != nil {
					return "", 0, err
				}
				f := w.measure(gateways, z.ticks)
				if f.nats, err = nats.carry(ctx, w.carried, z.carried); err != nil {
					return "", 0, fmt.Errorf("NATS, %s%w", division(maps, gateways), err)
				}
				f.put(s, players, maps, gateways, send)
				if maps == 1 {
					last = f
				}
			}
		}
	}
	return z.text(s, &last, players, send), z.repetitions, nil
}

// A scaled is players in the worlds of some maps.
type scaled struct {
	worlds []*play
	shared []byte     // memory of halves of regions
	own    [][]byte   // private halves for the gateway that is looked at, by world
	halves [][][]byte // memory of shared ones, by world
	used   [][][]byte // shared ones of the tick, by world and region
	other  []byte     // a private half of another gateway
	encode frame.Encoder
	input  int // bytes that clients have sent for the tick

	regions [][]frame.Region // of the shared halves of the tick, by world; none if they are whole
	private []int            // lengths of private halves, by gateway
	carried *carriage        // what NATS carries of the ticks that were measured last; nil before

	ports    []*frame.Exchange // of the gateway that is looked at, by world
	decoders []frame.Decoder
}

// newScaled divides what was recorded among some maps, as of the last entry.
func newScaled(r *recordedWorld, maps int) *scaled {
	w := &scaled{}
	for i := range maps {
		p := r.part(i, maps)
		p.wrap = sealed
		p.posted = w.poster(i, p)
		for p.tick < r.settled {
			p.follow()
		}
		w.add(p)
	}
	w.measure(1, frame.RingFrames) // the rings of the gateway have the memory of all their frames then, as that of each world has
	return w
}

// poster is what clients of a world call.
func (w *scaled) poster(world int, p *play) func(frame.Item) {
	return func(it frame.Item) {
		w.input += inputBytes + len(it.Body)
		if w.carried != nil {
			w.carried.put(world, it)
		}
		p.post(it)
	}
}

// add adds a world, and what the gateway that is looked at has of it.
func (w *scaled) add(p *play) {
	port := frame.NewExchange()
	port.Join(p.tick)
	w.worlds, w.ports = append(w.worlds, p), append(w.ports, port)
	w.decoders = append(w.decoders, frame.Decoder{})
	w.own, w.halves, w.used = append(w.own, nil), append(w.halves, nil), append(w.used, nil)
	w.regions = append(w.regions, nil)
}

// follow runs a tick of which all players have been sent everything.
func (p *play) follow() {
	p.step()
	var window frame.Window
	window.Open(p.live.Exchange)
	defer window.Close()
	frames, _ := window.After(p.tick - 1)
	frames[0].Views(func(session uint32, v grid.View, _ bool) { p.cursors[session].View = v })
	for i := range p.cursors {
		p.cursors[i].Tick = p.tick
	}
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
	messages      float64 // of shared halves
	inputBytes    float64
	playersOfThis float64
	nats          float64 // of its server
}

// An observer is a gateway of several that read the same worlds: the first of them.
type observer struct {
	cursors  [][]frame.Cursor       // by world
	views    []map[uint32]grid.View // of their sessions
	keys     []crypt.Cipher
	replay   frame.Replayer
	out      []byte
	gateways uint32
	flushes  int
}

// newObserver is a gateway that has one in so many players of each world, as the worlds have them now.
func (w *scaled) newObserver(gateways int) *observer {
	o := &observer{gateways: uint32(gateways)}
	for _, p := range w.worlds {
		p.gatherSome(0, 1) // all cursors are as new as the world
		var cursors []frame.Cursor
		views := make(map[uint32]grid.View)
		for i := 0; i < len(p.cursors); i += gateways {
			c := p.cursors[i]
			c.Session /= o.gateways
			cursors = append(cursors, c)
			views[c.Session] = c.View
			o.keys = append(o.keys, crypt.ServerToClient([40]byte{0: byte(i), 1: byte(i >> 8)}))
		}
		o.cursors, o.views = append(o.cursors, cursors), append(o.views, views)
	}
	return o
}

func (o *observer) local(world uint32) (uint32, bool) {
	return world / o.gateways, world%o.gateways == 0
}

// decode makes the frames of a tick of what the worlds have published.
func (o *observer) decode(w *scaled) {
	for i, port := range w.ports {
		f := port.Write()
		if err := w.decoders[i].Decode(f, w.worlds[i].tick, o.views[i], w.used[i], w.own[i], o.local); err != nil {
			panic(err) // it has been encoded a moment ago
		}
		f.Views(func(session uint32, v grid.View, _ bool) { o.views[i][session] = v })
		port.Publish(f)
	}
}

// gather does for the players whose turn it is what a gateway does before it sends.
func (o *observer) gather(w *scaled, tick uint64) {
	const room = wire.ServerHeaderLen + 1
	if cap(o.out) < room {
		o.out = make([]byte, room, 64<<10)
	}
	key := 0
	for i, port := range w.ports {
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
	w.carried, w.private = nil, make([]int, gateways)
	worlds := make([]float64, len(w.worlds))
	for tick := range scaleWarm + ticks {
		if tick == scaleWarm {
			runtime.GC()
			f, o.flushes = scaleFigures{}, 0
			clear(worlds)
			w.carried = newCarriage(len(w.worlds), gateways)
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
		&f.step, &f.worst, &f.shared, &f.private, &f.decode, &f.gather, &f.flushes, &f.beside, &f.changed, &f.sharedBytes, &f.privateBytes, &f.messages, &f.inputBytes, &f.playersOfThis,
	} {
		*sum /= float64(ticks)
	}
	return f
}

// tick is one of all worlds, what is encoded of it, and what the gateway makes of that.
func (w *scaled) tick(o *observer, gateways int, worlds []float64, f *scaleFigures) {
	w.input = 0
	defer func() { f.inputBytes += float64(w.input) }()
	if w.carried != nil {
		w.carried.begin()
	}
	for i, p := range w.worlds {
		worlds[i] += float64(p.step())
		f.beside += p.gatherTime()
		var window frame.Window
		window.Open(p.live.Exchange)
		frames, _ := window.After(p.tick - 1)
		of := frames[0]
		f.changed += float64(len(of.Bytes))
		began := threadTime()
		w.divide(i, of)
		f.shared += float64(threadTime() - began)
		for _, half := range w.used[i] {
			f.sharedBytes += float64(regionBytes + len(half))
		}
		f.messages += float64(len(w.used[i]))
		for gateway := range uint32(gateways) {
			began = threadTime()
			w.other = w.encode.AppendPrivate(w.other[:0], of, func(session uint32) bool { return session%uint32(gateways) == gateway })
			f.private += float64(threadTime() - began)
			f.privateBytes += float64(len(w.other))
			w.private[gateway] = len(w.other)
			if gateway == 0 {
				w.own[i] = append(w.own[i][:0], w.other...)
			}
		}
		if w.carried != nil {
			w.carried.publish(i, len(p.cursors), w.private, w.used[i], w.regions[i])
		}
		window.Close()
	}
	began := threadTime()
	o.decode(w)
	decoded := threadTime()
	o.gather(w, w.worlds[0].tick)
	f.decode += float64(decoded - began)
	f.gather += float64(threadTime() - decoded)
}

// divide encodes the shared halves of a frame of a world, as they are published.
func (w *scaled) divide(world int, f *frame.Frame) {
	all, regions := w.halves[world], w.regions[world][:0]
	n := 0
	next := func() *[]byte {
		if n == len(all) {
			all = append(all, nil)
		}
		n++
		return &all[n-1]
	}
	if len(f.Bytes) <= wholeBytes {
		half := next()
		*half = w.encode.AppendShared((*half)[:0], f)
	} else {
		w.shared = w.encode.Divide(w.shared, f, func(r frame.Region, b []byte) {
			regions = append(regions, r)
			half := next()
			*half = append((*half)[:0], b...)
		})
	}
	w.halves[world], w.used[world], w.regions[world] = all, all[:n], regions
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

// The figures of a division that are also in the table of the text.
const (
	worldCore   = "the world of a map, with encoding"
	readingCore = "a gateway, reading frames"
	gatewayCore = "a gateway, with its players"
	natsCore    = "NATS"
	inputKB     = "input of worlds"
	publishedKB = "published by worlds"
	messages    = "messages of shared halves"
	deliveredMB = "delivered to gateways"
)

// division names maps and gateways.
func division(maps, gateways int) string {
	return fmt.Sprintf("%s, %s: ", count(maps, "map"), count(gateways, "gateway"))
}

// put notes the figures of a division.
func (f *scaleFigures) put(s *sheet, players, maps, gateways int, send float64) {
	put := func(what, unit string, v float64) *column {
		c := s.put(division(maps, gateways)+what, unit, v)
		if maps == 1 && unit == "% of a core" {
			c.at(what, "gateways", gateways)
		}
		return c
	}
	here, serve := f.perPlayer(players, send)
	put(worldCore, "% of a core", core((f.worst*float64(maps)+f.shared+f.private)/float64(maps)))
	put(readingCore, "% of a core", core(f.decode))
	put(gatewayCore, "% of a core", core(f.decode+f.gather)+100*send*f.flushes*perSecond/1e6)
	put(natsCore, "% of a core", core(f.nats))
	perPlayer := put("a gateway, for a player", "µs per tick", here).beside("serve", serve)
	published := put(publishedKB, "kB per tick", (f.sharedBytes+f.privateBytes)/1e3).beside("what changed", f.changed/1e3)
	put(messages, "per tick", f.messages)
	put(inputKB, "kB per tick", f.inputBytes/1e3)
	put(deliveredMB, "MB/s", (f.sharedBytes*float64(gateways)+f.privateBytes)*perSecond/1e6)
	each := put("the world, for a gateway more", "% of its cost", 100*f.private/float64(gateways)/(f.step+f.shared))
	if maps == 1 && gateways == 2 {
		perPlayer.atMost(1.1, OfRatio)
	}
	if maps == 1 && gateways > 1 {
		each.atMost(2, OfMedian)
	}
	if maps == 1 && gateways == 1 {
		published.atMost(1.1, OfRatio)
	}
}

// text says what was measured, by role and division, and what follows from it for a million players. f is of one map and the most gateways.
func (z *scaleSize) text(s *sheet, f *scaleFigures, players int, send float64) string {
	var b strings.Builder
	var said []string
	for _, c := range z.crowds {
		said = append(said, fmt.Sprintf("%s `%s`", number(float64(c.clients)), c.behaviour))
	}
	fmt.Fprintf(&b, "Clients of `muster swarm` (%s) play in a `muster serve --tick %dms --record DIR` with its default world, creatures included, over TCP. Of the recording, the inboxes of the %s that "+
		"are there until the end are read again, in one world or divided among several by the hub at which a client begins. Divided, chance goes other ways than in the server, so that some attacks of grinding clients are "+
		"refused; a tick that the server has skipped is one without input. "+
		"Each world steps in this process. Its frames are encoded as they are published, by regions if there are more than %d KiB of packets, for so many gateways; one of these, which has "+
		"an equal share of the players of each map, reads all of them, and gathers and encrypts what its players are sent. Processor time is that of the thread. "+
		"A send is not made: it is counted as %.2f µs, which is what one takes on this machine over loopback, every %d ticks for each player. "+
		"What changed is the bytes of all packets, each once. A step is %d ms, and %d are measured of each division. "+
		"`muster bench --only cluster` has the processor of all roles as they run.\n\n",
		strings.Join(said, ", "), tickMs, number(float64(players)), wholeBytes>>10, send, flushTicks, tickMs, z.ticks)
	fmt.Fprintf(&b, "NATS is a server in a process of its own, as `muster cluster` has it, with its permissions, and what it takes is the processor time of that process. It is reached over loopback by a connection "+
		"for each world and one for each gateway, of which each takes all regions. It is given the messages of those %d ticks, with their subjects and lengths: the input that a gateway has for a "+
		"world in one message a tick, then all frames, and heartbeats of gateways and worlds. The next tick follows when all of one has arrived; %% of a core is of a tick in %d ms. Reports of "+
		"what is to be saved are not part of it.\n\n", z.ticks, tickMs)
	z.table(&b, s)
	z.saturation(&b, s, f, players, send)
	return b.String()
}

// table writes processor and bytes of each role by division.
func (z *scaleSize) table(b *strings.Builder, s *sheet) {
	b.WriteString("| maps | gateways | worker: the world of a map | gateway: reading | gateway: with its players | NATS | to worlds | from worlds | NATS delivers |\n|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, maps := range z.maps {
		for _, gateways := range z.gateways {
			of := func(what string) float64 { return s.median(division(maps, gateways) + what) }
			if math.IsNaN(of(worldCore)) {
				continue
			}
			fmt.Fprintf(b, "| %d | %d | %s %% | %s %% | %s %% | %s %% | %s MB/s | %s MB/s | %s MB/s |\n", maps, gateways,
				number(of(worldCore)), number(of(readingCore)), number(of(gatewayCore)), number(of(natsCore)),
				number(of(inputKB)*perSecond/1e3), number(of(publishedKB)*perSecond/1e3), number(of(deliveredMB)))
		}
	}
}

// A ceiling is the number of players on one map at which a part has no more to give.
type ceiling struct {
	players float64
	part    string
}

// saturation says what ends first, and what a million players take.
func (z *scaleSize) saturation(b *strings.Builder, s *sheet, f *scaleFigures, players int, send float64) {
	const (
		million = 1e6
		room    = 0.5 // of a core, for the players of a gateway
	)
	n, one := float64(players), division(1, 1)
	perPlayer := f.sharedBytes * perSecond / n                                   // bytes a second
	reads := core(f.decode) / 100 / n                                            // cores for the frames of a player
	own := (core(f.gather)/100 + send*f.flushes*perSecond/1e6) / f.playersOfThis // cores for one of its own
	seats := roundTo(room / own)
	most := z.gateways[len(z.gateways)-1]
	nats := natsCostOf(s.median(one+natsCore)/100, s.median(division(1, most)+natsCore)/100, most)
	ends := []ceiling{
		{100 * n / s.median(one+worldCore), "the world of the map takes a core, and a world has one"},
		{100 * n / s.median(one+gatewayCore), "a gateway that has all players takes a core; two share them"},
		{room / reads, "reading takes half a core of each gateway, besides what its own players take"},
		{nats.players(n, seats), fmt.Sprintf("a server of NATS takes a core for gateways of %s players each, if all read the whole map; it can use several", number(seats))},
		{math.Sqrt(linkBytes * seats / perPlayer), fmt.Sprintf("a link of 10 Gb/s is full with the frames for gateways of %s players each, if all read the whole map", number(seats))},
	}
	slices.SortFunc(ends, func(x, y ceiling) int { return cmp.Compare(x.players, y.players) })
	b.WriteString("\n**What saturates at which size.** By these figures, in proportion, on one map, in this order:\n\n| players | what |\n|--:|---|\n")
	for _, e := range ends {
		fmt.Fprintf(b, "| %s | %s |\n", number(roundTo(e.players)), e.part)
	}
	maps := million / n
	all := roundTo(million / seats)
	perMap := perPlayer * n
	fmt.Fprintf(b, "\nA world's cost is nearly the same for any number of gateways. A gateway reads the frames of a map for however few players of its own: that is why a player costs more where a gateway has few, "+
		"and why what NATS delivers grows with maps times gateways where all gateways have players on all maps.\n\n"+
		"**A million players, on paper.** %s maps of %s players are as many worlds, each with %s %% of a core. A gateway with half a core for its own players has %s of them: "+
		"%s gateways. If each has players on all maps, it reads %.2f GB/s with %.2f cores, and NATS delivers %.1f GB/s, %.1f links of 10 Gb/s, with %s cores, by several servers that each have the "+
		"worlds of some maps. If players came to gateways by map, a gateway would read two maps or so, and NATS would deliver %.2f GB/s with %s cores. Logins that "+
		"choose a gateway by the map of the character are not built: a gateway is chosen by its connections. Of frames in regions a gateway takes only those near "+
		"its players, which helps where they are not everywhere, as here. None of this was run.\n\n",
		number(roundTo(maps)), number(n), number(s.median(one+worldCore)), number(seats), number(all), maps*perMap/1e9, million*reads,
		all*maps*perMap/1e9, all*maps*perMap/linkBytes, number(maps*(nats.base+all*nats.each)), 2*all*perMap/1e9, number(maps*nats.base+2*all*nats.each))
	z.loginHour(b, s)
}

// loginHour says what logins and orchestrators take for a million players who come within an hour.
func (z *scaleSize) loginHour(b *strings.Builder, s *sheet) {
	const rate = 1e6 / 3600 // logins a second
	cores := func(name string) string { return number(rate * s.median(name) / 1e3) }
	few, many := registryOf(1, 1), registryOf(enlistedWorlds, enlistedWorkers)
	fmt.Fprintf(b, "**Logins and orchestrators.** %d clients at a time log in to a `muster cluster` with PostgreSQL and one gateway, %s in each repetition, from the challenge to the list of characters. A login takes %s ms of "+
		"processes for logins, SRP6 included, %s ms of the gateway and %s ms of PostgreSQL: the processor time of their processes, divided by the logins. A million players who log in within an hour are %.0f logins a second, which "+
		"take %s cores of processes for logins, %.0f with half a core each, %s cores of gateways and %s of PostgreSQL. What it takes to enter the world is not part of that. "+
		"An orchestrator looks every %d ms at what the registry has. It is measured as `muster orchestrate` beside workers that report as often, and do nothing else: one that leads takes %s %% of a core "+
		"with a world of a worker, and %s %% with %d worlds of %d workers, which are those of a million players; PostgreSQL takes %s %% and %s %% for it and for the reports. The leases of gateways and logins, and instances, are not part of that.",
		callers, number(float64(z.logins)), number(s.median(loginMs)), number(s.median(loginGatewayMs)), number(s.median(loginStoreMs)), rate,
		cores(loginMs), math.Ceil(2*rate*s.median(loginMs)/1e3), cores(loginGatewayMs), cores(loginStoreMs),
		reportEvery.Milliseconds(), number(s.median(leaderCore+few)), number(s.median(leaderCore+many)), enlistedWorlds, enlistedWorkers, number(s.median(reportsCore+few)), number(s.median(reportsCore+many)))
}

// roundTo is a number with two digits that count.
func roundTo(v float64) float64 {
	unit := 1.0
	for v/unit >= 100 {
		unit *= 10
	}
	return float64(int(v/unit+0.5)) * unit
}
