package bench

import (
	"slices"
	"time"

	"muster/bench/naive"
	"muster/components/defs"
	"muster/ecs/grid"
	"muster/net/gateway/session"
	"muster/net/protocol/crypt"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/sched"
	"muster/systems"
)

// A script is what clients send in each tick: package fightscene or walkscene, in which the i-th player is session i and has the GUID
// i+1, or a recording.
type script interface {
	Say(tick uint64, visit func(frame.Item))
}

// flushTicks is how often a gateway gathers the bytes of one player.
//
// Source: the default of net/gateway, Config.Phases.
const flushTicks = 2

// A play is a script in one of our worlds, and what a gateway does for its players, but for sockets.
type play struct {
	script  script
	live    systems.Live
	inbox   frame.Inbox
	posted  func(frame.Item) // post, bound once
	tick    uint64
	replay  frame.Replayer
	cursors []frame.Cursor
	keys    []crypt.Cipher // of each player
	out     []byte
	warmth  uint8 // of keys, so that it is read
	wrap    wrapping

	gathered int           // bytes, in the last tick
	wall     time.Duration // what the last tick took by the clock on the wall
	deciding time.Duration // what the systems of ruling took of the last tick
}

// A wrapping is the form of the packets of one flush.
type wrapping int

const (
	bare   wrapping = iota // they are gathered
	sealed                 // and each header is encrypted: every client accepts that
	packed                 // they are in one packet, whose header alone is encrypted
)

func newPlay(s script, d *defs.World, players int) *play {
	guids := make([]uint64, players)
	for i := range guids {
		guids[i] = uint64(i + 1)
	}
	return newPlayOf(s, systems.Config{Defs: d, Map: &d.Maps[0], Seed: 1, Ephemeral: true}, guids)
}

// newPlayOf is a script whose i-th player is session i and has the i-th GUID.
func newPlayOf(s script, c systems.Config, guids []uint64) *play {
	p := &play{script: s, cursors: make([]frame.Cursor, len(guids)), keys: make([]crypt.Cipher, len(guids))}
	p.live = systems.Live{World: systems.New(c), Exchange: frame.NewExchange()}
	p.posted = p.post
	for i := range p.cursors {
		p.cursors[i] = frame.Cursor{Session: uint32(i), GUID: guids[i]}
		p.keys[i] = crypt.ServerToClient([40]byte{0: byte(i), 1: byte(i >> 8)})
	}
	return p
}

// step runs a tick, and says what it took of the processor.
func (p *play) step() time.Duration {
	p.tick++
	p.script.Say(p.tick, p.posted)
	p.live.Exchange.Post(&p.inbox)
	p.inbox.Reset()
	start, began := threadTime(), time.Now()
	p.live.Step(p.tick)
	took := threadTime() - start
	p.wall = time.Since(began)
	p.deciding = 0
	p.live.World.Plan().Spent(p.decide)
	return took
}

// ruling are the systems that decide fights.
var ruling = []string{"regeneration", "mitigation", "vitals", "combatlog", "hitgains", "unitfields", "stances", "target", "attackrequests", "attacks", "swings", "weaponhits", "spellbooks", "cooldowns", "castinterrupts", "casts", "autoshots", "castrequests", "casterchecks", "targetchecks", "castcosts", "caststarts", "spelllocks", "spelltargets", "spellrolls", "missiles", "spellhits", "damageeffects", "healeffects", "threateffects", "dispeleffects", "moveeffects", "calleffects", "auraeffects", "aurabreaks", "appliedauras", "aurapulses", "aurapackets", "aurastates", "fearruns", "killexperience", "experience", "resurrectoffers", "corpsereclaims", "spirithealers", "playerdeaths", "spirits", "ghosts", "corpses", "threatsources", "threatlists", "combatstates", "threatreports", "lootrecipients", "stats", "stateffects", "aitimers", "wakes", "aidispatch", "victims", "fights", "creaturespells", "chases", "fleeing", "evading", "defenses", "aggro", "servants", "ownerdefenses", "follows", "guards", "assistance", "engagements", "idles", "wanders", "waypoints", "followers", "errands", "creaturewalks"}

// decide adds up what the systems took that decide fights.
func (p *play) decide(system string, took time.Duration) {
	if slices.Contains(ruling, system) {
		p.deciding += took
	}
}

// rules runs a tick, and says how long those systems took.
func (p *play) rules() time.Duration {
	p.step()
	return p.deciding
}

func (p *play) post(it frame.Item) {
	if err := p.inbox.Add(it); err != nil {
		panic(err) // an inbox has room for what ten thousand clients send in a tick
	}
}

// whole runs a tick, and does for those players whose turn it is what a gateway does before it sends.
func (p *play) whole() time.Duration {
	took := p.step()
	start, began := threadTime(), time.Now()
	p.gatherSome(int(p.tick%flushTicks), flushTicks)
	took += threadTime() - start
	p.wall += time.Since(began)
	return took
}

// gatherSome gathers for one in so many players. A cursor so far behind that frames are overwritten begins with the newest.
func (p *play) gatherSome(first, each int) {
	var w frame.Window
	w.Open(p.live.Exchange)
	defer w.Close()
	p.gathered = 0
	for i := first; i < len(p.cursors); i += each {
		c := &p.cursors[i]
		if c.Tick+2*flushTicks < p.tick && c.View != (grid.View{}) {
			c.Tick = p.tick - flushTicks
		}
		p.gather(&w, c, &p.keys[i])
	}
}

// opMultipleMoves is a packet that holds others. Here they keep their headers in it, plain, and there may be a byte
// before the first: what is measured is what it takes, not what clients make of it.
//
// Source: SMSG_MULTIPLE_MOVES, Opcodes.h, AzerothCore.
const opMultipleMoves = 0x51E

// gather gathers for one player.
func (p *play) gather(w *frame.Window, c *frame.Cursor, key *crypt.Cipher) {
	const room = wire.ServerHeaderLen + 1
	if cap(p.out) < room {
		p.out = make([]byte, room, 64<<10)
	}
	p.warmth = key.Warm() // as a session does
	out, ok := p.replay.Replay(p.out[:room], w, c)
	if !ok {
		panic("bench: a frame of the last second is gone")
	}
	p.out = out
	p.gathered += len(out) - room
	switch {
	case len(out) == room:
	case p.wrap == sealed:
		session.Seal(key, out[room:])
	case p.wrap == packed:
		key.XOR(wire.AppendServerHeader(out[:0], opMultipleMoves, len(out)-room))
	}
}

// An objectPlay is a script among objects.
type objectPlay struct {
	script script
	world  *naive.World
	tick   uint64
}

func newObjectPlay(s script, d *defs.World) *objectPlay {
	return &objectPlay{script: s, world: naive.New(d, &d.Maps[0], 1)}
}

// step runs a tick, and says what it took of the processor, without what the collector takes of another thread.
func (p *objectPlay) step() time.Duration { return p.tickBy(threadTime) }

// whole runs a tick, and says what the process took of the processor, the collector's threads included.
func (p *objectPlay) whole() time.Duration { return p.tickBy(processTime) }

func (p *objectPlay) tickBy(clock func() time.Duration) time.Duration {
	p.tick++
	p.script.Say(p.tick, p.world.Receive)
	start := clock()
	p.world.Tick(sched.Tick{N: p.tick, NowMs: uint32(p.tick) * tickMs, Quantum: tickMs * time.Millisecond})
	return clock() - start
}
