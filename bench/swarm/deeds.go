package swarm

import (
	"fmt"
	"time"

	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// deeds is what one client has done in the whole run.
type deeds struct {
	kills    uint32 // by weapons, as AzerothGhost counts them, and by spells
	rewarded uint32 // deaths that the server gave experience for
	deaths   uint32
	returns  uint32 // to life, after it was asked for
	unasked  uint32 // to life, without
	swings   uint32 // asked for
	attacks  uint32 // dealt
	suffered uint32 // attacks taken
	casts    uint32 // asked for
	done     uint32 // casts that came to something
	bodies   uint32 // looted
	items    uint32
	copper   uint64
	xp       uint64
	levels   uint32 // gained
	said     uint32 // lines of chat
	heard    uint32
}

// attacked is called by a client's checker for each attack that it is shown.
func (r *run) attacked(m *msg.AttackerState, killed bool) {
	c := r.reading
	g := &c.grinder
	switch c.guid {
	case m.Attacker:
		g.deeds.attacks++
		g.struck = g.struck || m.Victim == g.target
		if killed {
			g.kill(m.Victim)
		}
	case m.Victim:
		g.deeds.suffered++
		g.attacker, g.attacked = m.Attacker, r.now
	}
}

// walked is called by a client's witness for each path that it is shown.
func (r *run) walked(m *msg.MonsterMove) {
	c := r.reading
	g := &c.grinder
	end := m.Start
	if m.Facing != msg.FaceStop {
		end = m.Path[len(m.Path)-1]
	}
	switch m.Mover {
	case g.target:
		g.path = path{
			fromX: float64(m.Start.X), fromY: float64(m.Start.Y), toX: float64(end.X), toY: float64(end.Y),
			began: r.now, took: time.Duration(m.DurationMs) * time.Millisecond,
		}
	case c.guid: // a charge, or fear
		g.leg, g.held = leg{}, r.now+moment(time.Duration(m.DurationMs)*time.Millisecond)
		c.walker.place(end.X, end.Y, end.Z, c.walker.o)
	}
}

// kill counts a kill, once.
func (g *grinder) kill(guid uint64) {
	if !g.wasKilled(guid) {
		g.deeds.kills++
		g.killed[g.killNext%grudges] = guid
		g.killNext++
	}
}

func (g *grinder) wasKilled(guid uint64) bool {
	for _, k := range g.killed {
		if k == guid {
			return true
		}
	}
	return false
}

// swingErrors are the answers to a swing that cannot be, as reports have them.
var swingErrors = map[uint16]string{
	msg.OpAttackSwingNotInRange: "not in range",
	msg.OpAttackSwingBadFacing:  "bad facing",
	msg.OpAttackSwingDeadTarget: "dead target",
	msg.OpAttackSwingCantAttack: "cannot attack",
}

// event reads what concerns a client that grinds, after its witness has.
func (r *run) event(c *client, op uint16, payload []byte) {
	g := &c.grinder
	switch op {
	case msg.OpInitialSpells:
		if m := new(msg.InitialSpells); r.decode(c, payload, m) {
			for _, s := range m.Spells {
				g.spells.learn(s.ID)
			}
		}
	case msg.OpLearnedSpell:
		if m := new(msg.LearnedSpell); r.decode(c, payload, m) {
			g.spells.learn(m.Spell)
		}
	case msg.OpSupercededSpell:
		if m := new(msg.SupercededSpell); r.decode(c, payload, m) {
			g.spells.unlearn(m.Old)
			g.spells.learn(m.New)
		}
	case msg.OpRemovedSpell:
		if m := new(msg.RemovedSpell); r.decode(c, payload, m) {
			g.spells.unlearn(m.Spell)
		}
	case msg.OpSpellStart:
		if m := &r.packets.start; second(payload) == c.guid && r.decode(c, payload, m) {
			r.begun(c, m)
		}
	case msg.OpSpellGo:
		if m := &r.packets.done; second(payload) == c.guid && r.decode(c, payload, m) {
			r.done(c, m.Spell)
		}
	case msg.OpCastFailed:
		if m := new(msg.CastFailed); r.decode(c, payload, m) {
			r.refusedCast(c, m.Spell, m.Result)
		}
	case msg.OpSpellFailure:
		if m := new(msg.SpellFailure); first(payload) == c.guid && r.decode(c, payload, m) {
			g.spells.forget()
		}
	case msg.OpSpellCooldown:
		if m := new(msg.SpellCooldown); r.decode(c, payload, m) && m.Caster == c.guid {
			for _, s := range m.Spells {
				r.cooling(c, s.Spell, time.Duration(s.Ms)*time.Millisecond)
			}
		}
	case msg.OpSpellDamageLog:
		if m := &r.packets.damage; second(payload) == c.guid && r.decode(c, payload, m) {
			r.burnt(c, m.Target)
		} else if first(payload) == c.guid && r.decode(c, payload, m) {
			g.attacker, g.attacked = m.Attacker, r.now
		}
	case msg.OpPeriodicAuraLog:
		if m := new(msg.PeriodicAuraLog); second(payload) == c.guid && r.decode(c, payload, m) {
			r.burnt(c, m.Target)
		}
	case msg.OpAttackStart:
		m := &r.packets.attack
		if r.decode(c, payload, m) && m.Attacker == c.guid && m.Victim == g.target && g.swung != 0 {
			record(r.grinds.swing, time.Duration(r.now-g.swung))
			g.swung = 0
		}
	case msg.OpAttackSwingNotInRange, msg.OpAttackSwingBadFacing, msg.OpAttackSwingDeadTarget, msg.OpAttackSwingCantAttack:
		r.grinds.swingErrors.count(swingErrors[op])
		if g.target != 0 && (op == msg.OpAttackSwingDeadTarget || op == msg.OpAttackSwingCantAttack) {
			r.leaveAlone(c, swingErrors[op], r.now)
		}
	case msg.OpLootResponse:
		if m := &r.packets.loot; r.decode(c, payload, m) {
			r.looted(c, m)
		}
	case msg.OpItemPushResult:
		if m := new(msg.ItemPushResult); r.decode(c, payload, m) && m.GUID == c.guid && m.FromNPC == 0 {
			g.deeds.items += m.Count
		}
	case msg.OpLootMoneyNotify:
		if m := new(msg.LootMoneyNotify); r.decode(c, payload, m) {
			g.deeds.copper += uint64(m.Copper)
		}
	case msg.OpInventoryChangeFailure:
		if m := new(msg.InventoryChangeFailure); r.decode(c, payload, m) {
			r.grinds.lootErrors.count(fmt.Sprintf("inventory result %d", m.Result))
		}
	case msg.OpXPGain:
		if m := new(msg.XPGain); r.decode(c, payload, m) {
			g.deeds.xp += uint64(m.Total)
			if m.Kind == msg.XPKill {
				g.deeds.rewarded++
			}
		}
	case msg.OpLevelUpInfo:
		g.deeds.levels++
	case msg.OpChat, msg.OpGMChat:
		g.deeds.heard++
	}
	r.flush(c)
}

// burnt counts a kill by a spell of the client's.
func (r *run) burnt(c *client, target uint64) {
	if u, ok := c.checker.Unit(target); ok && u.Health == 0 {
		c.grinder.kill(target)
	}
}

// first and second are the packed guids that a payload begins with; 0 if it is too short for them.
func first(payload []byte) uint64 {
	guid, _ := wire.ReadPackedGUID(payload)
	return guid
}

func second(payload []byte) uint64 {
	_, n := wire.ReadPackedGUID(payload)
	return first(payload[n:])
}
