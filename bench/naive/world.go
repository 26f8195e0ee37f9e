// Package naive is the baseline of fights and walks: a world as it is usually written. Each unit is an object on the
// heap with virtual functions and pointers to others; the map is a grid of cells with lists; every tick polls every
// unit near a player; each player has a list of the objects that its client knows, and looks around to keep it; events are
// sent to all that a range query finds, in a packet of its own for each of them; and what has changed of an object is
// encoded for each observer. AzerothCore, TrinityCore and CMaNGOS are built so. One that lists (World.List) has what
// AzerothCore has since added: the observers of each unit, and one encoding for each class of them.
//
// It has the rules of muster's fights, down to the dice (sched.Tick.Dice), as far as package fightscene needs them: hits,
// spells with a cast time, periodic auras, threat, rage and mana, recovery, death; and of its walks, as far as
// package walkscene does: positions and visibility. It is no worse than such a server has to be: it compresses nothing,
// and reuses the memory of what it sends.
//
// Source: Map::Update, WorldObject::SendMessageToSet, Object::BuildValuesUpdate, AzerothCore, for its shape.
package naive

import (
	"muster/components"
	"muster/components/defs"
	"muster/ecs/grid"
	"muster/net/protocol/crypt"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/sched"
)

// A World is one map and everything in it. One goroutine owns it.
type World struct {
	// Quiet worlds play by the rules and send nothing: they write no packet and look for no observer of one.
	Quiet bool
	// Thrifty worlds have players look around only when a unit near them has come into another cell; in others each
	// player does so in each tick. They see the same.
	Thrifty bool
	// LookTicks is how often a player looks around in a world that is not thrifty: once in so many ticks. Default 1.
	LookTicks uint64
	// Phases is how often the packets of a player are written: once in so many ticks. Default 1.
	Phases uint64
	// Encipher has headers encrypted.
	Encipher bool

	defs     *defs.World
	place    *defs.Map
	tick     sched.Tick
	units    map[uint64]being
	players  []*Player // by session
	entering []entry
	grid     gridMap
	changed  []*Unit // with values that are yet to be sent
	relays   []relay // moves that are
	listed   bool    // List
	crossed  []place // homes to which and from which units have come since players looked around
}

// An entry is a character that enters.
type entry struct {
	session uint32
	*packet
}

// A being is what units do each in its own way.
type being interface {
	base() *Unit
	player() *Player // nil for a creature
	update()
	// figures sets what blows come to without auras.
	figures()
}

// New returns the world of a map, with all of its creatures.
func New(d *defs.World, place *defs.Map, seed uint64) *World {
	w := &World{defs: d, place: place, tick: sched.Tick{Seed: seed}, units: make(map[uint64]being)}
	for i := range place.Spawns {
		w.addCreature(i)
	}
	return w
}

// Receive is a packet of a client, or a player that enters. It is handled in the next tick.
func (w *World) Receive(it frame.Item) {
	got := &packet{it.Op, it.AtMs, append([]byte(nil), it.Body...)}
	if it.Op == frame.OpEnter {
		w.entering = append(w.entering, entry{it.Session, got})
		return
	}
	p := w.players[it.Session]
	p.received = append(p.received, got)
}

// Tick runs a tick, and leaves the packets of clients in their Sent.
func (w *World) Tick(t sched.Tick) {
	t.Seed = w.tick.Seed
	w.tick = t
	for _, p := range w.players {
		p.handle()
	}
	for _, e := range w.entering {
		var c frame.Character
		if err := msg.Decode(wire.V12340, e.body, &c); err == nil {
			w.addPlayer(e.session, &c)
		}
	}
	w.entering = w.entering[:0]
	for _, p := range w.players {
		p.update()
	}
	w.grid.unmark()
	for _, p := range w.players {
		w.grid.near(p.column, p.row, w.updateCell)
	}
	w.lookAround()
	w.relayMoves()
	w.sendUpdates()
	phases := max(w.Phases, 1)
	for session := t.N % phases; session < uint64(len(w.players)); session += phases {
		w.players[session].write()
	}
}

// updateCell updates the creatures of a cell near a player, once in a tick.
func (w *World) updateCell(c *cell) {
	if c.marked {
		return
	}
	c.marked = true
	for _, creature := range c.creatures {
		creature.update()
	}
}

// Sent is what was written last for the client of a session.
func (w *World) Sent(session uint32) []byte { return w.players[session].out }

// Health is how much a unit has, 0 if it is not there.
func (w *World) Health(guid uint64) uint32 {
	if b := w.units[guid]; b != nil {
		return b.base().values[fieldHealth]
	}
	return 0
}

// broadcast sends a packet to all players near a unit, itself among them.
//
// Source: WorldObject::SendMessageToSet, AzerothCore.
func (w *World) broadcast(u *Unit, op uint16, m msg.Message) {
	body := msg.Append(nil, wire.V12340, m)
	w.receivers(u, func(p *Player) { p.send(op, body) })
}

// sendUpdates encodes what has changed of each object, for each player that sees it, and sends each its blocks.
//
// Source: Map::SendObjectUpdates and Object::BuildUpdate, AzerothCore.
func (w *World) sendUpdates() {
	updates := make(map[*Player]*updateData)
	for _, u := range w.changed {
		u.tellPowers()
	}
	for _, u := range w.changed {
		if !w.Quiet {
			w.receivers(u, func(p *Player) {
				d := updates[p]
				if d == nil {
					d = new(updateData)
					updates[p] = d
				}
				u.appendValues(d, p)
			})
		}
		u.clearChanges()
	}
	w.changed = w.changed[:0]
	for p, d := range updates {
		d.send(p)
	}
}

func (w *World) addCreature(point int) {
	at := &w.place.Spawns[point]
	c := &Creature{template: w.defs.Creature(at.Entry)}
	u := &c.Unit
	u.init(w, c, components.CreatureGUID(at.Entry, firstCounter+uint32(point)), components.TypeUnit)
	u.x, u.y, u.z, u.o = at.X, at.Y, at.Z, at.O
	t := c.template
	u.values[fieldType], u.values[fieldEntry] = components.MaskOfCreature, t.Entry
	u.setFloat(fieldScale, t.Scale)
	u.values[fieldBytes0] = uint32(t.Class) << 8
	u.values[fieldLevel], u.values[fieldFaction] = uint32(t.MinLevel), t.Faction
	u.values[fieldHealth], u.values[fieldMaxHealth] = t.MinHealth, t.MinHealth
	u.values[fieldPower], u.values[fieldMaxPower] = t.Mana, t.Mana
	u.setFloat(fieldBoundingRadius, t.BoundingRadius)
	u.setFloat(fieldCombatReach, t.CombatReach)
	u.values[fieldDisplay], u.values[fieldNativeDisplay] = t.DisplayID, t.DisplayID
	u.setFloat(fieldCastSpeed, 1)
	u.values[fieldNPCFlags] = t.NPCFlags
	u.speeds = components.NormalSpeeds()
	u.speeds[components.SpeedWalk], u.speeds[components.SpeedRun] = t.WalkSpeed, t.RunSpeed
	c.figures()
	w.enter(c)
	u.cell.creatures = append(u.cell.creatures, c)
}

func (w *World) addPlayer(session uint32, c *frame.Character) {
	p := &Player{
		class: w.defs.Players.Class(c.Class), spells: make(map[uint32]bool), known: make(map[*Unit]uint64),
		cipher: crypt.ServerToClient([40]byte{0: byte(session), 1: byte(session >> 8)}),
	}
	u := &p.Unit
	u.init(w, p, c.GUID, components.TypePlayer)
	u.x, u.y, u.z, u.o = c.X, c.Y, c.Z, c.O
	body := &w.defs.Players
	u.values[fieldType] = components.MaskOfPlayer
	u.setFloat(fieldScale, 1)
	u.values[fieldBytes0] = uint32(c.Race) | uint32(c.Class)<<8 | uint32(c.Gender)<<16 | uint32(p.class.Power)<<24
	u.values[fieldLevel], u.values[fieldFaction] = uint32(c.Level), body.Faction
	u.values[fieldFlags] = components.UnitPlayerControlled
	u.values[fieldMaxHealth] = uint32(p.class.Health.At(uint32(c.Level)))
	u.values[fieldHealth] = min(c.Health, u.values[fieldMaxHealth])
	most := uint32(fullRage)
	if p.class.Power == components.PowerMana {
		most = uint32(p.class.Mana.At(uint32(c.Level)))
		u.values[fieldBaseMana] = most
	}
	u.values[fieldMaxPower+int(p.class.Power)] = most
	u.values[fieldPower+int(p.class.Power)] = min(c.Power[p.class.Power], most)
	u.values[fieldBaseHealth] = u.values[fieldMaxHealth]
	u.setFloat(fieldBoundingRadius, body.BoundingRadius)
	u.setFloat(fieldCombatReach, body.CombatReach)
	u.values[fieldDisplay], u.values[fieldNativeDisplay] = body.DisplayID[c.Gender&1], body.DisplayID[c.Gender&1]
	u.setFloat(fieldCastSpeed, 1)
	u.values[fieldNextXP], u.values[fieldMaxLevel] = body.Next(uint32(c.Level)), body.MaxLevel
	u.speeds = components.NormalSpeeds()
	for _, id := range c.Spells {
		p.spells[id] = true
	}
	p.figures()
	for len(w.players) <= int(session) {
		w.players = append(w.players, nil)
	}
	w.players[session] = p
	w.enter(p)
	u.cell.players = append(u.cell.players, p)
	p.send(msg.OpLoginVerifyWorld, msg.Append(nil, wire.V12340, &msg.Place{
		Map: w.place.ID, Position: wire.Vec3{X: u.x, Y: u.y, Z: u.z}, Orientation: u.o,
	}))
	var own updateData
	own.create(u, p)
	own.send(p)
}

// enter puts a unit into the world and its cell; what it is so far is nothing that changes.
func (w *World) enter(b being) {
	u := b.base()
	u.ail()
	u.clearChanges()
	w.units[u.guid] = b
	u.settle(grid.None.Track(u.x, u.y))
}
