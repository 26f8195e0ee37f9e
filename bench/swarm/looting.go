package swarm

import (
	"fmt"
	"math"
	"time"

	"muster/net/protocol/msg"
)

// loot goes to the body of what the client has killed, and takes all that is in it.
func (r *run) loot(c *client, due moment) {
	g := &c.grinder
	u, ok := c.checker.Unit(g.body)
	switch {
	case !ok:
		r.leaveBody(c, "decayed")
	case g.looting != 0 && due-g.looting > moment(lootWait):
		r.leaveBody(c, "no answer")
	case g.looting != 0:
	case !u.Lootable:
		if due-g.bodySince > moment(showWait) {
			r.leaveBody(c, "not lootable")
		}
	case !r.near(c, float64(u.X), float64(u.Y), due):
		if due-g.bodySince > moment(4*lootWait) {
			r.leaveBody(c, "out of reach")
		}
	default:
		g.looting = due
		r.put(c, msg.OpLoot, &msg.Loot{GUID: g.body})
	}
}

// near reports whether the client stands near a place, and has it go there if not.
func (r *run) near(c *client, x, y float64, due moment) bool {
	r.catchUp(c, due)
	if math.Hypot(x-float64(c.walker.x), y-float64(c.walker.y)) > lootYards {
		r.runTo(c, x, y, meleeYards, due)
		return false
	}
	r.stop(c, due)
	return true
}

// leaveBody has the client go on without what is in a body.
func (r *run) leaveBody(c *client, why string) {
	r.grinds.lootErrors.count(why)
	c.grinder.body, c.grinder.looting = 0, 0
}

// looted takes what the server offers, and closes the body.
//
// Source: protocol.md 3.1.3 (the order of the messages).
func (r *run) looted(c *client, m *msg.LootResponse) {
	g := &c.grinder
	if m.GUID != g.body || g.looting == 0 {
		return
	}
	record(r.grinds.loot, time.Duration(r.now-g.looting))
	if m.Type == msg.LootNone {
		r.leaveBody(c, fmt.Sprintf("error %d", m.Error))
		return
	}
	for _, item := range m.Items {
		r.put(c, msg.OpAutoStoreLootItem, &msg.AutoStoreLootItem{Slot: item.Slot})
	}
	if m.Copper > 0 {
		r.put(c, msg.OpLootMoney, &msg.Empty{})
	}
	r.put(c, msg.OpLootRelease, &msg.LootRelease{GUID: g.body})
	r.flush(c)
	g.deeds.bodies++
	g.body, g.looting = 0, 0
}
