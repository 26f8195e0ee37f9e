package naive

import (
	"encoding/binary"

	"muster/components"
	"muster/components/defs"
	"muster/net/protocol/crypt"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// A Player is a unit with a client.
type Player struct {
	Unit
	class  *defs.Class
	spells map[uint32]bool // known

	known   map[*Unit]uint64 // the units that its client knows, and the tick since when
	curious bool             // it is to look around
	clock   components.Clock
	askTick uint64 // of the next question for its time

	received []*packet
	queue    []*packet // to its client
	out      []byte    // the same as bytes, once it is written
	cipher   crypt.Cipher
}

// A packet came from a client, or goes to one.
type packet struct {
	op   uint16
	atMs uint32 // of arrival
	body []byte
}

func (p *Player) base() *Unit     { return &p.Unit }
func (p *Player) player() *Player { return p }

// handle handles what the client has sent.
//
// Source: WorldSession::Update, AzerothCore.
func (p *Player) handle() {
	for _, it := range p.received {
		switch it.op {
		case msg.OpAttackSwing:
			p.handleAttackSwing(it.body)
		case msg.OpAttackStop:
			p.stopAttack()
		case msg.OpCastSpell:
			p.handleCastSpell(it.body)
		case msg.OpTimeSyncResp:
			p.handleTimeSync(it)
		default:
			if msg.IsMove(it.op) {
				p.handleMove(it)
			}
		}
	}
	p.received = p.received[:0]
}

func (p *Player) handleAttackSwing(body []byte) {
	var m msg.AttackSwing
	if msg.Decode(wire.V12340, body, &m) != nil || !p.alive() {
		return
	}
	switch b := p.world.units[m.GUID]; {
	case b == nil:
		p.send(msg.OpAttackSwingCantAttack, nil)
	case p.victim == b.base() && p.swinging:
	case !b.base().alive():
		p.send(msg.OpAttackSwingDeadTarget, nil)
	case !p.attack(b.base()):
		p.send(msg.OpAttackSwingCantAttack, nil)
	}
}

func (p *Player) handleCastSpell(body []byte) {
	var m msg.CastSpell
	if msg.Decode(wire.V12340, body, &m) != nil {
		return
	}
	wish := wish{spell: m.Spell, count: m.Count, asked: true}
	if b := p.world.units[m.Targets.Unit]; b != nil && m.Targets.Mask&msg.TargetUnit != 0 {
		wish.target = b.base()
	}
	p.wishes = append(p.wishes, wish)
}

// send queues a copy of a packet: each session has its own.
//
// Source: WorldSession::SendPacket and WorldSocket::SendPacket (EncryptablePacket), AzerothCore.
func (p *Player) send(op uint16, body []byte) {
	if !p.world.Quiet {
		p.queue = append(p.queue, &packet{op: op, body: append([]byte(nil), body...)})
	}
}

// write turns the queue into bytes, each packet with a header of its own.
//
// Source: WorldSocket::Update, AzerothCore.
func (p *Player) write() {
	p.out = p.out[:0]
	for i, it := range p.queue {
		at := len(p.out)
		p.out = wire.AppendServerHeader(p.out, it.op, len(it.body))
		if p.world.Encipher {
			p.cipher.XOR(p.out[at:])
		}
		p.out = append(p.out, it.body...)
		p.queue[i] = nil
	}
	p.queue = p.queue[:0]
}

// An updateData is the blocks of one packet to one player.
//
// Source: UpdateData, AzerothCore.
type updateData struct {
	blocks []byte
	count  uint32
	gone   []uint64

	dynamic int // where the dynamic flags lie in the last block of values, if they have changed
}

// send sends the blocks that have come together.
//
// Source: UpdateData::BuildPacket, AzerothCore.
func (d *updateData) send(p *Player) {
	if d.count > 0 || len(d.gone) > 0 {
		count := d.count
		if len(d.gone) > 0 {
			count++
		}
		body := binary.LittleEndian.AppendUint32(make([]byte, 0, 4+len(d.blocks)), count)
		if len(d.gone) > 0 {
			body = d.appendGone(body)
		}
		p.send(msg.OpUpdateObject, append(body, d.blocks...))
	}
}

// update is a tick of a player.
func (p *Player) update() {
	p.updateUnit()
	p.askTime()
}

// figures are those of its class, bare-handed; no player here has stats or wears anything.
func (p *Player) figures() {
	c, u := p.class, &p.Unit
	level := u.level()
	mean := c.Damage.At(level)
	power := max(max(c.Melee.Flat+float32(c.Melee.PerLevel*float32(level)), 0)+float32(u.auraSum(defs.AuraAttackPower)), 0)
	u.arm(mean-float32(mean*c.Spread), mean+float32(mean*c.Spread), c.SwingMs, power)
	u.dodge, u.parry, u.block, u.crit, u.blockValue = c.Dodge, c.Parry, 0, c.Crit, 0
	u.armor = float32(u.auraSum(defs.AuraResistance))
	u.set(fieldAttackPower, uint32(power+0.5))
	u.setFloat(fieldMinDamage, u.minDamage)
	u.setFloat(fieldMaxDamage, u.maxDamage)
}
