package swarm

import (
	"fmt"
	"math"
	"time"

	"muster/internal/conformance"
	"muster/net/protocol/msg"
)

// How a client grinds.
//
// Source: protocol.md 3.1.3, AzerothGhost.
const (
	grindStep  = 100 * time.Millisecond // between two looks at where it is
	thinkEvery = 2                      // steps between two thoughts: 200 ms

	scanYards  = 40.0
	meleeYards = 2.0 // it runs until it is so near
	reachYards = 4.0 // and again when it is farther
	lootYards  = 3.0

	legLeast = 15.0 // of wandering
	legMost  = 45.0

	levelsAbove   = 6
	critterHealth = 8 // nothing is to be had of creatures that have no more

	stalled      = 12 * time.Second        // a target that loses nothing for so long is given up
	stalledLow   = 2500 * time.Millisecond // one with hardly any health
	lowHealth    = 20
	reclaimAfter = 32 * time.Second
)

// Our own choices.
const (
	grudge     = 20 * time.Second // how long a target that was given up is left alone
	lootWait   = 3 * time.Second  // how long a body may take to answer
	showWait   = time.Second      // how long a body may take to become lootable
	remembered = 5 * time.Second  // how long an attacker is one
	sayEvery   = 15 * time.Second // between two lines of what the client is about
	boldEvery  = 4                // one in so many seeks danger, once it has looted a body
	pulls      = 3                // that the bold begin before they have ended one
	grudges    = 8                // creatures that it remembers, be it for leaving them alone or for having killed them
)

// Flags of units that a client does not attack, and of units without control of themselves.
//
// Source: protocol.md 3.1.3.
const (
	untouchable = 0x2 | 0x80 | 0x10000 | 0x100000 | 0x2000000
	feigning    = 0x20000000
	helpless    = 0x40000 | 0x400000 | 0x800000 // stunned, confused, fleeing
	fighting    = 0x80000
)

// friendly are the factions that a client does not attack.
//
// Source: protocol.md 3.1.3.
var friendly = [...]uint16{35, 11, 12, 13, 55, 57, 59, 60, 4, 5, 6, 161, 162}

// A grinder is what one client of behaviour Grind is about.
type grinder struct {
	leg     leg
	spoke   moment // when it last sent a movement
	held    moment // until then the server moves it
	landing bool   // it falls until then
	rooted  bool
	bold    bool // seeks danger, see daring
	steps   uint32

	target    uint64
	health    uint32 // of the target, when it last lost some
	progress  moment // when that was
	asked     bool   // to swing at it
	struck    bool   // it was attacked
	pulled    uint8  // creatures that the bold have left for the next, once they had struck them
	swung     moment // when that was first due; 0: ATTACKSTART has come
	path      path   // of the target
	attacker  uint64
	attacked  moment
	left      [grudges]left
	leftNext  uint8
	killed    [grudges]uint64 // the last, so that none counts twice
	killNext  uint8
	body      uint64 // to be looted
	bodySince moment
	looting   moment // when LOOT was due; 0: not yet asked
	said      moment

	dead     bool
	died     moment // when the cycle of release and reclaim began
	released bool
	asleep   bool // reclaim was asked for, at least once, in this death

	spells spells
	deeds  deeds
}

// left is a creature that a client leaves alone for a while.
type left struct {
	guid  uint64
	until moment
}

// path is the last one that a client has seen of its target.
type path struct {
	fromX, fromY, toX, toY float64
	began                  moment
	took                   time.Duration
}

// pinned is what a client that cannot move says of itself in every movement.
func (g *grinder) pinned() msg.MoveFlags {
	if g.rooted {
		return moveRoot
	}
	return 0
}

// moveRoot says that a mover cannot move. Source: MOVEMENTFLAG_ROOT, AzerothCore.
const moveRoot msg.MoveFlags = 0x800

// grind takes one step, which was due at that moment.
func (r *run) grind(c *client, due moment) {
	g := &c.grinder
	me, ok := c.checker.Unit(c.guid)
	if !ok { // between two maps
		g.leg = leg{}
		return
	}
	if due < g.held {
		return
	}
	if me.Dead || me.Ghost {
		r.lieDead(c, due)
		return
	}
	if g.dead {
		r.riseAgain(c, due)
	}
	if g.landing {
		g.landing = false
		r.send(c, msg.OpMoveFallLand, 0, due)
	}
	r.stride(c, due)
	if g.steps++; g.steps%thinkEvery != 0 {
		return
	}
	if me.Flags&helpless != 0 {
		r.stop(c, due)
		return
	}
	switch {
	case g.body != 0 && r.inPeace(c, due):
		r.loot(c, due)
	case r.pick(c, &me, due):
		r.fight(c, due)
	case g.body != 0:
		r.loot(c, due)
	default:
		r.wander(c, due)
	}
}

// inPeace reports whether the client has not been attacked of late.
func (r *run) inPeace(c *client, due moment) bool {
	g := &c.grinder
	return g.attacker == 0 || due-g.attacked > moment(remembered)
}

// lieDead does what the dead do: stop, release once, reclaim after a while, and again from the start.
func (r *run) lieDead(c *client, due moment) {
	g := &c.grinder
	if !g.dead {
		g.deeds.deaths++
		g.dead, g.asleep = true, false
		g.leg, g.attacker, g.body = leg{}, 0, 0
		r.drop(c, "died", due)
		g.died, g.released = due, false
		r.put(c, msg.OpAttackStop, &msg.Empty{})
	}
	if !g.released {
		g.released = true
		r.put(c, msg.OpRepopRequest, &msg.RepopRequest{})
		return
	}
	if due-g.died >= moment(reclaimAfter) {
		g.died, g.released, g.asleep = due, false, true
		r.put(c, msg.OpReclaimCorpse, &msg.ReclaimCorpse{GUID: c.guid})
	}
}

// riseAgain goes on after death.
func (r *run) riseAgain(c *client, due moment) {
	g := &c.grinder
	g.dead = false
	g.spells.forget()
	if g.asleep {
		g.deeds.returns++
	} else {
		g.deeds.unasked++
	}
	r.send(c, msg.OpMoveHeartbeat, 0, due)
}

// daring reports whether the client takes on the strongest, several of them at once, and goes outward.
func (g *grinder) daring() bool { return g.bold && g.deeds.bodies > 0 }

// pick makes sure that the client has a target, if there is one.
func (r *run) pick(c *client, me *conformance.Unit, due moment) bool {
	g := &c.grinder
	if g.target != 0 && r.keeps(c, due) {
		if g.daring() && g.struck && g.pulled < pulls {
			g.pulled++
			r.seek(c, me, due)
		}
		return true
	}
	if r.inPeace(c, due) {
		g.pulled = 0
	} else {
		if u, ok := c.checker.Unit(g.attacker); ok && !u.Dead && u.Health > 0 && u.Creature && !g.leaves(u.GUID, due) {
			r.take(c, &u, due)
			return true
		}
		g.attacker = 0
	}
	if g.body != 0 {
		return false
	}
	return r.seek(c, me, due)
}

// seek takes one of the creatures around for a target: a random one, and the bold a random one of the strongest.
func (r *run) seek(c *client, me *conformance.Unit, due moment) bool {
	g := &c.grinder
	r.catchUp(c, due)
	bold, chosen, n := g.daring(), conformance.Unit{}, 0
	for u := range c.checker.Creatures() {
		if !r.worthy(c, me, &u) || g.leaves(u.GUID, due) || bold && u.Level < chosen.Level {
			continue
		}
		if bold && u.Level > chosen.Level {
			n = 0
		}
		if n++; c.walker.random.below(n) == 0 {
			chosen = u
		}
	}
	if n == 0 {
		return false
	}
	r.take(c, &chosen, due)
	return true
}

// worthy reports whether a creature is one to attack. One that others fight is theirs: there is nothing to be had of it,
// and a client that looks farther finds its own.
//
// Source: protocol.md 3.1.3.
func (r *run) worthy(c *client, me, u *conformance.Unit) bool {
	if u.Dead || u.Health == 0 || u.MaxHealth <= critterHealth || u.NPCFlags != 0 || u.Flags&(untouchable|feigning|fighting) != 0 ||
		u.Level > me.Level+levelsAbove {
		return false
	}
	for _, f := range friendly {
		if u.Faction == f {
			return false
		}
	}
	dx, dy := float64(u.GoalX-c.walker.x), float64(u.GoalY-c.walker.y)
	return dx*dx+dy*dy <= scanYards*scanYards
}

// take chooses a target.
func (r *run) take(c *client, u *conformance.Unit, due moment) {
	g := &c.grinder
	g.target, g.health, g.progress = u.GUID, u.Health, due
	g.asked, g.swung, g.struck = false, 0, false
	g.path = path{toX: float64(u.GoalX), toY: float64(u.GoalY)}
	r.put(c, msg.OpSetSelection, &msg.SetSelection{GUID: u.GUID})
	if due-g.said >= moment(sayEvery) {
		g.said = due
		g.deeds.said++
		r.put(c, msg.OpChatMessage, &msg.ChatMessage{
			Type: uint32(msg.ChatSay), Language: 7, Text: fmt.Sprintf("I go for %#x, level %d", u.GUID, u.Level),
		})
	}
}

// keeps reports whether the target is still one.
func (r *run) keeps(c *client, due moment) bool {
	g := &c.grinder
	u, ok := c.checker.Unit(g.target)
	switch {
	case !ok:
		r.drop(c, "out of sight", due)
		return false
	case u.Dead, u.Health == 0:
		if g.wasKilled(g.target) {
			g.body, g.bodySince, g.looting = g.target, due, 0
			r.drop(c, "", due)
		} else if u.Dead {
			r.drop(c, "killed by others", due)
		} else {
			return true // a hit was the last; its values are to come
		}
		return false
	}
	if !g.asked && u.Flags&fighting != 0 && g.attacker != u.GUID {
		r.drop(c, "taken by others", due)
		return false
	}
	if u.Health < g.health {
		g.progress = due
	}
	g.health = u.Health
	patience := stalled
	if u.Health < lowHealth && u.MaxHealth > 4*lowHealth {
		patience = stalledLow
	}
	if time.Duration(due-g.progress) > patience {
		r.leaveAlone(c, "no progress", due)
		return false
	}
	return true
}

// drop lets go of the target; a reason that is not empty is counted.
func (r *run) drop(c *client, why string, due moment) {
	g := &c.grinder
	if g.target == 0 {
		return
	}
	if why != "" {
		r.grinds.dropped.count(why)
	}
	if g.asked {
		r.put(c, msg.OpAttackStop, &msg.Empty{})
	}
	if g.attacker == g.target {
		g.attacker = 0
	}
	g.target, g.asked, g.swung = 0, false, 0
}

// leaveAlone lets go of the target, and does not choose it again for a while.
func (r *run) leaveAlone(c *client, why string, due moment) {
	g := &c.grinder
	g.left[g.leftNext%grudges] = left{g.target, due + moment(grudge)}
	g.leftNext++
	r.drop(c, why, due)
}

// leaves reports whether the client does not attack a creature.
func (g *grinder) leaves(guid uint64, due moment) bool {
	for i := range g.left {
		if g.left[i].guid == guid && due < g.left[i].until {
			return true
		}
	}
	return false
}

// where is the place of the target, as far as the client knows.
func (p *path) where(at moment) (x, y float64) {
	if gone := time.Duration(at - p.began); gone < p.took {
		part := gone.Seconds() / p.took.Seconds()
		return p.fromX + (p.toX-p.fromX)*part, p.fromY + (p.toY-p.fromY)*part
	}
	return p.toX, p.toY
}

// fight goes to the target, swings at it and casts.
func (r *run) fight(c *client, due moment) {
	g := &c.grinder
	x, y := g.path.where(due)
	distance := math.Hypot(x-float64(c.walker.x), y-float64(c.walker.y))
	if casting := g.spells.busy(due); distance > reachYards && !casting || g.leg.running() && distance > meleeYards {
		r.runTo(c, x, y, meleeYards, due)
		return
	}
	r.stop(c, due)
	r.face(c, x, y, due)
	if !g.asked {
		g.asked, g.swung = true, due
	}
	g.deeds.swings++
	r.put(c, msg.OpAttackSwing, &msg.AttackSwing{GUID: g.target})
	r.cast(c, due)
}

// wander goes somewhere near; the bold go away from where they began, to where creatures attack first.
func (r *run) wander(c *client, due moment) {
	g := &c.grinder
	if g.leg.running() || g.rooted {
		return
	}
	w := &c.walker
	length := legLeast + (legMost-legLeast)*w.random.unit()
	toward := 2 * math.Pi * w.random.unit()
	if g.daring() {
		toward = math.Atan2(float64(w.y)-w.homeY, float64(w.x)-w.homeX) + (w.random.unit()-0.5)/2
		length = legMost
	}
	sin, cos := math.Sincos(toward)
	r.runTo(c, float64(w.x)+length*cos, float64(w.y)+length*sin, 0, due)
}
