package conformance

import (
	"encoding/binary"
	"strings"

	"muster/net/protocol/msg"
	"muster/net/protocol/update"
	"muster/net/protocol/wire"
)

// class is how a packet is read.
type class uint8

const (
	classUnlisted   class = iota // not in msg.Table: it is not checked
	classBackwards               // CMSG_: no server sends it
	classListed                  // names no object
	classMove                    // relayed movement: packed guid and MovementInfo
	classSpeed                   // MSG_MOVE_SET_RUN_SPEED: the same, and the speed
	classUpdate                  // SMSG_UPDATE_OBJECT
	classCompressed              // SMSG_COMPRESSED_UPDATE_OBJECT
	classDestroy                 // SMSG_DESTROY_OBJECT
	classPath                    // SMSG_MONSTER_MOVE
	classAura                    // SMSG_AURA_UPDATE, SMSG_AURA_UPDATE_ALL
	classFight                   // what happens between units, see fights
	classBundle                  // SMSG_MULTIPLE_MOVES
)

// opMultipleMoves is not in msg.Table. Source: protocol.md 4.5.
const opMultipleMoves = 0x51E

var classes = classify()

// classify reads the class of every opcode off the message table.
func classify() (classes [0x520]class) {
	for i := range msg.Table {
		row := &msg.Table[i]
		if msg.Lookup(msg.ToClient, uint32(row.Op)) != row {
			if classes[row.Op] == classUnlisted && strings.HasPrefix(row.Name, "CMSG_") {
				classes[row.Op] = classBackwards
			}
			continue
		}
		classes[row.Op] = classListed
		switch row.New().(type) {
		case *msg.Move:
			classes[row.Op] = classMove
		case *msg.MoveSpeed:
			classes[row.Op] = classSpeed
		}
	}
	classes[msg.OpUpdateObject] = classUpdate
	classes[msg.OpCompressedUpdateObject] = classCompressed
	classes[msg.OpDestroyObject] = classDestroy
	classes[msg.OpMonsterMove] = classPath
	classes[msg.OpAuraUpdate] = classAura
	classes[msg.OpAuraUpdateAll] = classAura
	classes[opMultipleMoves] = classBundle
	for _, op := range fights {
		classes[op] = classFight
	}
	return classes
}

func classOf(op uint16) class {
	if int(op) < len(classes) {
		return classes[op]
	}
	return classUnlisted
}

// moved reads the movement of another player.
func (c *Client) moved(op uint16, payload []byte) {
	m := &c.decoder.move
	r := wire.NewReader(wire.V12340, payload)
	m.Wire(&r)
	if !c.whole(&r) || !c.follow(m) {
		return
	}
	var note int64
	if c.decoder.config.Moved != nil {
		note = c.decoder.config.Moved(op, m)
	}
	if c.decoder.config.Again != nil {
		number := c.decoder.relays.enroll(m.Mover)
		c.decoder.relays.keep(number, op, payload, note)
		c.movers.add(number)
	}
}

// hurried reads the new speed of another player.
func (c *Client) hurried(payload []byte) {
	var m msg.MoveSpeed
	r := wire.NewReader(wire.V12340, payload)
	m.Wire(&r)
	if c.whole(&r) {
		c.follow(&msg.Move{Mover: m.Mover, Movement: m.Movement})
	}
}

// whole reports whether a walk has read all of the payload.
func (c *Client) whole(r *wire.Codec) bool {
	if r.Err() != nil || r.Rest() != 0 {
		c.violation(Undecodable, 0)
		return false
	}
	return true
}

// follow moves a known object.
func (c *Client) follow(m *msg.Move) bool {
	if m.Mover == c.self {
		c.violation(OwnMove, m.Mover)
		return false
	}
	if number, ok := c.decoder.relays.number(m.Mover); ok && c.movers.has(number) {
		return true
	}
	e := c.objects.find(m.Mover)
	if e == nil {
		c.violation(UnknownMove, m.Mover)
		return false
	}
	if c.decoder.config.Again == nil {
		e.place(&m.Movement)
	}
	return true
}

func (e *entry) place(m *msg.Movement) {
	e.x, e.y, e.z, e.o, e.flags = m.X, m.Y, m.Z, m.O, m.Flags
	e.goalX, e.goalY = m.X, m.Y
}

// update reads an update packet, inflated.
func (c *Client) update(payload []byte) {
	if err := update.Parse(payload, c.decoder.visit); err != nil {
		c.violation(Undecodable, 0)
	}
}

func (c *Client) compressed(payload []byte) {
	inflated, err := update.InflateUpTo(maxRead, c.decoder.inflated[:0], payload)
	if err != nil {
		c.violation(Undecodable, 0)
		return
	}
	if len(inflated) > update.MaxInflated && len(payload) <= update.MaxInflated { // else it is counted already
		c.violation(Oversize, 0)
	}
	c.decoder.inflated = inflated
	c.update(inflated)
}

func (c *Client) block(b *update.Block) {
	switch b.Type {
	case update.Create, update.Create2:
		c.created(b)
	case update.OutOfRange:
		for _, guid := range b.GUIDs {
			c.gone(guid)
		}
	case update.Values, update.Movement:
		e := c.objects.find(b.GUID)
		if e == nil {
			c.violation(UnknownValues, b.GUID)
			return
		}
		c.fill(e, b)
	}
}

func (c *Client) created(b *update.Block) {
	if b.GUID == 0 {
		c.violation(Undecodable, 0)
		return
	}
	e := c.objects.find(b.GUID)
	switch {
	case e != nil && c.owns(b) && e.state&stateAgain == 0:
		e.state |= stateAgain
		c.violation(OwnAgain, b.GUID)
	case e != nil:
		c.violation(DuplicateCreate, b.GUID)
	default:
		if b.GUID != c.self && b.TypeID != typeItem && b.TypeID != typeContainer && c.objects.find(c.self) == nil {
			c.violation(LateSelf, b.GUID)
		}
		c.objects.insert(entry{guid: b.GUID})
		e = c.objects.find(b.GUID)
		if met := c.decoder.config.Met; met != nil && b.GUID != c.self {
			met(b.GUID)
		}
	}
	e.typeID = b.TypeID
	e.announced = 0
	if c.decoder.config.Keep {
		c.details[b.GUID] = new(detail)
	}
	if b.GUID == c.self && b.HasMovement {
		c.speed = b.Speeds[1]
	}
	c.fill(e, b)
}

// fill applies a block to a known object.
func (c *Client) fill(e *entry, b *update.Block) {
	if b.Type != update.Values {
		e.place(&b.Movement)
	}
	if d := c.details[e.guid]; d != nil {
		for _, f := range b.Fields {
			d.set(f.Index, f.Value)
		}
	}
	switch e.typeID {
	case typeItem, typeContainer:
		c.checkOwner(b)
	case typeUnit, typePlayer:
		c.live(e, b)
	case typeGameObject:
		c.checkGameObject(b)
	}
}

func (c *Client) gone(guid uint64) {
	if !c.objects.remove(guid) {
		c.violation(UnknownGone, guid)
		return
	}
	if number, ok := c.decoder.relays.number(guid); ok {
		c.movers.remove(number)
	}
	delete(c.details, guid)
}

func (c *Client) destroyed(payload []byte) {
	if len(payload) != 9 { // guid, on death
		c.violation(Undecodable, 0)
		return
	}
	c.gone(binary.LittleEndian.Uint64(payload))
}

// splinesAllowed are the flags of a path that every client reads alike: walk, and orientation fixed.
//
// Source: protocol.md 3.1.2, 4.4 and 7.10.
const splinesAllowed = 0x1000 | 0x4000

// path reads the path of a creature.
func (c *Client) path(payload []byte) {
	m := &c.decoder.monster
	r := wire.NewReader(wire.V12340, payload)
	m.Wire(&r)
	if !c.whole(&r) {
		return
	}
	e := c.objects.find(m.Mover)
	if e == nil {
		c.violation(UnknownPath, m.Mover)
		return
	}
	e.x, e.y, e.z = m.Start.X, m.Start.Y, m.Start.Z
	e.goalX, e.goalY = e.x, e.y
	if m.Facing != msg.FaceStop {
		if m.Flags&^splinesAllowed != 0 {
			c.violation(BadPath, m.Mover)
		}
		end := &m.Path[len(m.Path)-1]
		e.goalX, e.goalY = end.X, end.Y
	}
	if walked := c.decoder.config.Walked; walked != nil {
		walked(m)
	}
	if d := c.details[m.Mover]; d != nil {
		d.goal, d.pathMs = m.Start, 0
		if m.Facing != msg.FaceStop {
			d.goal, d.pathMs = m.Path[len(m.Path)-1], m.DurationMs
		}
	}
}

// bundle reads SMSG_MULTIPLE_MOVES: a size, then packets of at most 255 bytes with a header of their own.
func (c *Client) bundle(payload []byte) {
	if len(payload) < 4 || int(binary.LittleEndian.Uint32(payload)) != len(payload)-4 {
		c.violation(Undecodable, 0)
		return
	}
	for rest := payload[4:]; len(rest) > 0; {
		size := 1 + int(rest[0])
		if size < 3 || size > len(rest) {
			c.violation(Undecodable, 0)
			return
		}
		op := binary.LittleEndian.Uint16(rest[1:])
		if op != opMultipleMoves {
			c.packet(op, rest[3:size])
		}
		rest = rest[size:]
	}
}
