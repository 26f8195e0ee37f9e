package scenario

import (
	"errors"
	"fmt"
	"strconv"

	"muster/components"
	"muster/components/life"
	"muster/components/move"
	"muster/net/protocol/msg"
	"muster/systems"
	"muster/systems/goods"
)

// order changes a player or a creature as other systems would: "Anna is teleported to 100,0 on 1", "Rock is rooted".
func (p *play) order(e *event) error {
	guid := p.guid(e.subject)
	entity := p.world.Find(guid)
	if guid == 0 {
		return fmt.Errorf("no unit %s", e.subject)
	}
	words := e.words[1:]
	number := func(key string) float32 {
		f, _ := strconv.ParseFloat(after(words, key), 32)
		return float32(f)
	}
	switch words[0] {
	case "rooted", "unrooted":
		systems.Ask(p.world, move.Root{Entity: entity, On: words[0] == "rooted"})
	case "able", "unable": // to fly
		systems.Ask(p.world, move.Fly{Entity: entity, On: words[0] == "able"})
	case "knocked": // back
		systems.Ask(p.world, move.KnockBack{Entity: entity, Angle: number("towards"), Speed: number("at"), Up: number("up")})
	case "paid": // 100, by a game master
		systems.Ask(p.world, goods.GiveMoney{To: entity, Copper: int64(number("paid"))})
	case "teleported":
		at, err := point(after(words, "to"))
		if err != nil {
			return err
		}
		systems.Ask(p.world, move.Teleport{Entity: entity, To: life.Place{
			Map: uint32(number("on")), X: at.x, Y: at.y, Z: at.z, O: number("facing"),
		}})
	case "given":
		which, ok := map[string]uint32{
			"walk": components.SpeedWalk, "run": components.SpeedRun, "swim": components.SpeedSwim,
			"flight": components.SpeedFlight, "turn": components.SpeedTurn,
		}[after(words, "given")]
		if !ok {
			return errors.New("which speed?")
		}
		systems.Ask(p.world, move.SetSpeed{Entity: entity, Which: which, Speed: number("speed")})
	default:
		return errors.New("what is that?")
	}
	return nil
}

// obey fills the answers to orders: "sends MSG_MOVE_TELEPORT_ACK 3", "sends CMSG_FORCE_RUN_SPEED_CHANGE_ACK 1 speed 14".
func (p *play) obey(a *actor, m msg.Message, words []string) error {
	n, _ := strconv.ParseUint(after(words, ""), 10, 32)
	counter := uint32(n)
	now := msg.Movement{Time: p.nowMs()}
	switch m := m.(type) {
	case *msg.TeleportAck:
		*m = msg.TeleportAck{Mover: a.guid, Counter: counter, TimeMs: p.nowMs()}
	case *msg.SpeedAck:
		speed, err := strconv.ParseFloat(after(words, "speed"), 32)
		*m = msg.SpeedAck{Mover: a.guid, Counter: counter, Movement: now, Speed: float32(speed)}
		return err
	case *msg.MoveAck:
		*m = msg.MoveAck{Mover: a.guid, Counter: counter, Movement: now}
	case *msg.CanFlyAck:
		*m = msg.CanFlyAck{Mover: a.guid, Counter: counter, Movement: now, Applied: 1}
	}
	return nil
}

// describeOrder describes a packet about the movement of a unit, "" for any other packet.
func (p *play) describeOrder(m msg.Message) string {
	switch m := m.(type) {
	case *msg.Teleport:
		return fmt.Sprintf("%d %s %s", m.Counter, p.names[m.Mover], motion(&m.Movement))
	case *msg.ForceRunSpeed:
		return fmt.Sprintf("%d %s %s", m.Counter, p.names[m.Mover], number(m.Speed))
	case *msg.ForceSpeed:
		return fmt.Sprintf("%d %s %s", m.Counter, p.names[m.Mover], number(m.Speed))
	case *msg.MoveSpeed:
		return fmt.Sprintf("%s %s at %s", p.names[m.Mover], number(m.Speed), motion(&m.Movement))
	case *msg.SplineSpeed:
		return fmt.Sprintf("%s %s", p.names[m.Mover], number(m.Speed))
	case *msg.SplineOrder:
		return p.names[m.Mover]
	case *msg.Rooting:
		return fmt.Sprintf("%d %s", m.Counter, p.names[m.Mover])
	case *msg.CanFly:
		return fmt.Sprintf("%d %s", m.Counter, p.names[m.Mover])
	case *msg.KnockBack:
		return fmt.Sprintf("%d %s cos %s sin %s speed %s z %s", m.Counter, p.names[m.Mover],
			number(m.Cos), number(m.Sin), number(m.Speed), number(m.ZSpeed))
	case *msg.KnockedBack:
		return fmt.Sprintf("%s at %s cos %s sin %s speed %s z %s", p.names[m.Mover], motion(&m.Movement),
			number(m.Cos), number(m.Sin), number(m.Speed), number(m.ZSpeed))
	case *msg.TransferPending:
		return fmt.Sprintf("to map %d", m.Map)
	case *msg.TransferAborted:
		return fmt.Sprintf("to map %d, reason %#x", m.Map, m.Reason)
	case *msg.EnvironmentalDamageLog:
		return fmt.Sprintf("%s %d of kind %d", p.names[m.GUID], m.Damage, m.Kind)
	}
	return ""
}
