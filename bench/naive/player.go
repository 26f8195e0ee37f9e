package naive

import (
	"encoding/binary"

	"muster/components/defs"
	"muster/net/msg"
	"muster/net/wire"
)

// A Player is a unit with a client.
type Player struct {
	Unit
	class  *defs.Class
	spells map[uint32]bool // known

	received []packet
	out      []byte // what the tick has for its client
	blocks   []byte // of its next update
	count    uint32 // of them
}

// A packet came from a client.
type packet struct {
	op   uint16
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

// send sends a packet, with a header of its own.
//
// Source: WorldSession::SendPacket, AzerothCore.
func (p *Player) send(op uint16, body []byte) {
	if p.world.Quiet {
		return
	}
	p.out = wire.AppendServerHeader(p.out, op, len(body))
	p.out = append(p.out, body...)
}

// flush sends the blocks that have come together.
//
// Source: UpdateData::BuildPacket, AzerothCore.
func (p *Player) flush() {
	if p.count > 0 {
		p.out = wire.AppendServerHeader(p.out, msg.OpUpdateObject, 4+len(p.blocks))
		p.out = binary.LittleEndian.AppendUint32(p.out, p.count)
		p.out = append(p.out, p.blocks...)
	}
	p.blocks, p.count = p.blocks[:0], 0
}

// update is a tick of a player.
func (p *Player) update() { p.updateUnit() }

// figures are those of its class, bare-handed; nobody here has stats or wears anything.
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
