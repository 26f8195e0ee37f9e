package swarm

import (
	"crypto/rand"
	"fmt"
	"time"

	"muster/net/protocol/crypt"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

const (
	// pingPeriod is the time between pings, after one in the first few seconds in the world. Source: protocol.md
	// 3.1.1 and 3.2, AzerothGhost and wowchat.
	pingPeriod = 30 * time.Second

	// maxNames is how many names are tried for a new character.
	maxNames = 10
)

// packet reads one packet of the world server.
func (r *run) packet(c *client, op uint16, payload []byte) {
	r.reading = c
	if c.framed && c.stage == stageInWorld {
		r.report.Sample.Framed++
	} else {
		c.checker.Packet(op, payload)
	}
	if r.config.Behaviour == Grind {
		r.event(c, op, payload)
	}
	if r.config.Behaviour == Trade {
		r.traded(c, op, payload)
	}
	switch op {
	case msg.OpAuthChallenge:
		r.session(c, payload)
	case msg.OpAuthResponse:
		r.welcome(c, payload)
	case msg.OpCharEnum:
		r.choose(c, payload)
	case msg.OpCharCreateResult:
		r.named(c, payload)
	case msg.OpCharDeleteResult:
		r.deleted(c, payload)
	case msg.OpCharacterLoginFailed:
		var m msg.CharResult
		if c.stage == stageEntering && r.decode(c, payload, &m) {
			r.refused(c, m.Result)
		}
	case msg.OpLoginVerifyWorld:
		c.entered = true
	case msg.OpTimeSyncReq:
		r.synchronise(c, payload)
	case msg.OpPong:
		r.pong(c, payload)
	case msg.OpMoveTeleportAck:
		r.teleported(c, payload)
	case msg.OpNewWorld:
		r.travelled(c, payload)
	case msg.OpForceRunSpeedChange:
		r.hurried(c, payload)
	default:
		r.obey(c, op, payload)
	}
	if c.stage == stageEntering && c.entered {
		r.enter(c)
	}
}

// decode reads a packet the client has to understand to go on; if it cannot, it leaves.
func (r *run) decode(c *client, payload []byte, m msg.Message) bool {
	if err := msg.Decode(wire.V12340, payload, m); err != nil {
		r.leave(c, c.stage.String()+": "+err.Error())
		return false
	}
	return true
}

// ms is the client's clock in a packet: milliseconds since the run began.
func ms(at moment) uint32 { return uint32(time.Duration(at) / time.Millisecond) }

// session answers SMSG_AUTH_CHALLENGE. From here on headers are encrypted.
func (r *run) session(c *client, payload []byte) {
	var challenge msg.AuthChallenge
	if c.stage != stageWorld || !r.decode(c, payload, &challenge) {
		return
	}
	session := msg.AuthSession{Build: uint32(wire.V12340), Account: c.account, Realm: c.realmID}
	_, _ = rand.Read(session.ClientSeed[:]) // crypto/rand does not fail
	session.Digest = crypt.WorldProof(c.account, session.ClientSeed, challenge.Seed, c.key)
	c.fromThem, c.toThem = crypt.ServerToClient(c.key), crypt.ClientToServer(c.key)
	r.put(c, msg.OpAuthSession, &session)
	c.encrypted = true
	c.stage = stageSession
	r.flush(c)
}

// welcome reads SMSG_AUTH_RESPONSE; in a queue the client waits for the next one. It has as much patience anew whenever
// it has moved.
func (r *run) welcome(c *client, payload []byte) {
	var m msg.AuthResponse
	if c.stage != stageSession && c.stage != stageQueue || !r.decode(c, payload, &m) {
		return
	}
	if c.stage == stageQueue || m.Result == msg.AuthWaitQueue {
		c.patience = r.now + moment(r.config.Login)
	}
	switch m.Result {
	case msg.AuthOK:
		r.put(c, msg.OpReadyForAccountDataTimes, &msg.Empty{})
		r.put(c, msg.OpRealmSplitQuery, &msg.RealmSplitQuery{Choice: 0xFFFFFFFF})
		r.askCharacters(c)
	case msg.AuthWaitQueue:
		if c.stage == stageSession {
			r.report.Logins.Queued++
		}
		c.stage = stageQueue
	default:
		r.refused(c, m.Result)
	}
}

func (r *run) askCharacters(c *client) {
	c.stage = stageEnum
	r.put(c, msg.OpCharEnumQuery, &msg.Empty{})
	r.flush(c)
}

// refused leaves with the code by which the server says no.
func (r *run) refused(c *client, result msg.Result) {
	r.leave(c, fmt.Sprintf("%v: %v", c.stage, code(result)))
}

// choose enters the world with the first character, or makes one.
func (r *run) choose(c *client, payload []byte) {
	var m msg.CharEnum
	if c.stage != stageEnum || !r.decode(c, payload, &m) {
		return
	}
	switch {
	case r.config.Fresh:
		r.chooseFresh(c, m.Characters)
	case len(m.Characters) == 0:
		r.create(c)
	default:
		r.enterAs(c, m.Characters[0].GUID)
	}
}

// enterAs asks to enter the world with a character.
func (r *run) enterAs(c *client, guid uint64) {
	c.guid = guid
	c.stage = stageEntering
	c.checker.Enter(c.guid)
	r.put(c, msg.OpPlayerLogin, &msg.PlayerLogin{GUID: c.guid})
	r.flush(c)
}

func (r *run) create(c *client) {
	c.stage = stageCreate
	// Human warriors, and mages to cast, of either gender, every server has.
	look := msg.Look{Race: 1, Class: warrior, Gender: uint8(c.id & 1)}
	if r.config.Behaviour == Grind && c.grinder.spells.caster {
		look.Class, look.Gender = mage, uint8(c.id>>1&1)
	}
	c.name = characterName(c.account, int(c.attempt))
	if r.config.Fresh {
		c.name = freshName(c.account, r.fresh, int(c.attempt))
	}
	r.put(c, msg.OpCharCreate, &msg.CharCreate{Name: c.name, Look: look})
	c.attempt++
	r.flush(c)
}

// named reads the answer to the creation of a character.
func (r *run) named(c *client, payload []byte) {
	var m msg.CharResult
	if c.stage != stageCreate || !r.decode(c, payload, &m) {
		return
	}
	switch {
	case m.Result == msg.CharCreated:
		r.askCharacters(c)
	case anotherName(m.Result) && c.attempt < maxNames:
		r.create(c)
	default:
		r.refused(c, m.Result)
	}
}

// enter begins to live in the world, once the client's own object was created.
func (r *run) enter(c *client) {
	self, ok := c.checker.Self()
	if !ok {
		return
	}
	record(r.login, time.Duration(r.now-c.due))
	r.report.Logins.OK++
	r.settled++
	r.inWorld++
	c.stage = stageInWorld
	r.byGUID[c.guid] = c.id

	w := &c.walker
	if !r.hasHeart {
		r.hasHeart, r.heartX, r.heartY = true, float64(self.X), float64(self.Y)
	}
	w.homeX, w.homeY = r.heartX, r.heartY
	w.place(self.X, self.Y, self.Z, self.O)
	w.setSpeed(c.checker.RunSpeed())

	r.put(c, msg.OpSetActiveMover, &msg.SetActiveMover{GUID: c.guid})
	r.flush(c)
	r.timers.push(timer{at: r.now + phase(w, c.walker.behaviour.period()), client: c.id, kind: timerMove})
	r.timers.push(timer{at: r.now + phase(w, 2*time.Second), client: c.id, kind: timerPing})
}

// Classes of characters. Source: enum Classes, SharedDefines.h, AzerothCore.
const (
	warrior = 1
	mage    = 8
)

// phase is a client's own point in a period.
func phase(w *walker, period time.Duration) moment {
	return moment(w.random.unit() * float64(period))
}

// move sends one step of the schedule, which was due at that moment.
func (r *run) move(c *client, due moment) {
	if c.stage != stageInWorld {
		return
	}
	defer r.flush(c)
	r.timers.push(timer{at: due + moment(c.walker.behaviour.period()), client: c.id, kind: timerMove})
	if c.walker.behaviour == Grind {
		r.grind(c, due)
		return
	}
	if c.walker.behaviour == Trade {
		r.trade(c, due)
		return
	}
	strides, n := c.walker.next()
	m := &r.packets.move
	for i := range strides[:n] {
		s := &strides[i]
		*m = msg.Move{Mover: c.guid, Movement: msg.Movement{Flags: s.flags, Time: ms(due), X: s.x, Y: s.y, Z: s.z, O: s.o}}
		r.put(c, s.op, m)
		if s.fresh {
			r.trails[c.id].add(s.op, s.x, s.y, due)
		}
	}
}

func (r *run) sendPing(c *client, due moment) {
	if c.stage != stageInWorld {
		return
	}
	c.pings++
	c.pingDue = due
	r.packets.ping = msg.Ping{Sequence: c.pings}
	r.put(c, msg.OpPing, &r.packets.ping)
	r.timers.push(timer{at: due + moment(pingPeriod), client: c.id, kind: timerPing})
	r.flush(c)
}

func (r *run) pong(c *client, payload []byte) {
	m := &r.packets.pong
	if r.decode(c, payload, m) && m.Sequence > c.answered && m.Sequence <= c.pings {
		record(r.ping, time.Duration(r.now-c.pingDueAt(m.Sequence)))
		c.answered = m.Sequence
	}
}

// pingDueAt is when the n-th ping was due, of those that were sent.
func (c *client) pingDueAt(n uint32) moment {
	return c.pingDue - moment(c.pings-n)*moment(pingPeriod)
}

// synchronise answers SMSG_TIME_SYNC_REQ with the client's clock.
func (r *run) synchronise(c *client, payload []byte) {
	m := &r.packets.syncReq
	if !r.decode(c, payload, m) {
		return
	}
	r.packets.syncResp = msg.TimeSyncResp{Counter: m.Counter, TimeMs: ms(r.now)}
	r.put(c, msg.OpTimeSyncResp, &r.packets.syncResp)
	r.flush(c)
}

// teleported moves the client where the server wants it, on the same map.
func (r *run) teleported(c *client, payload []byte) {
	var m msg.Teleport
	if !r.decode(c, payload, &m) {
		return
	}
	c.walker.place(m.X, m.Y, m.Z, m.O)
	c.grinder.leg = leg{}
	r.put(c, msg.OpMoveTeleportAck, &msg.TeleportAck{Mover: c.guid, Counter: m.Counter, TimeMs: ms(r.now)})
	r.flush(c)
}

// travelled goes on where the server wants the client, on another map.
func (r *run) travelled(c *client, payload []byte) {
	var m msg.Place
	if !r.decode(c, payload, &m) {
		return
	}
	c.walker.place(m.Position.X, m.Position.Y, m.Position.Z, m.Orientation)
	c.grinder.leg = leg{}
	r.put(c, msg.OpMoveWorldportAck, &msg.Empty{})
	r.flush(c)
}

// hurried takes another run speed.
func (r *run) hurried(c *client, payload []byte) {
	var m msg.ForceRunSpeed
	if !r.decode(c, payload, &m) || m.Mover != c.guid {
		return
	}
	at := r.here(c)
	c.walker.setSpeed(m.Speed)
	c.grinder.leg.hurry(&at, r.now, c.walker.speed())
	r.put(c, msg.OpForceRunSpeedChangeAck, &msg.SpeedAck{Mover: c.guid, Counter: m.Counter, Speed: m.Speed, Movement: at})
	r.flush(c)
}

// packets are messages that are read or written all the time, so that they are not allocated each time. Of those
// that are read, what is not on the wire keeps what was there.
type packets struct {
	move     msg.Move
	ping     msg.Ping
	pong     msg.Pong
	syncReq  msg.TimeSyncReq
	syncResp msg.TimeSyncResp
	start    msg.SpellStart
	done     msg.SpellGo
	damage   msg.SpellDamageLog
	attack   msg.AttackStart
	loot     msg.LootResponse
}
