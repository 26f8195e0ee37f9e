package naive

import (
	"slices"
	"time"

	"muster/components"
	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/protocol/update"
	"muster/net/protocol/wire"
)

// Clients are asked for their clocks as muster asks them.
const (
	secondAsk = 5 * time.Second
	laterAsks = 10 * time.Second
)

// A relay is a move that is yet to be sent.
type relay struct {
	mover *Player
	*packet
}

// handleMove does what a client reports of itself, if it makes sense. That is believed without a look at how far it
// is, of which muster takes one.
//
// Source: WorldSession::HandleMovementOpcodes, AzerothCore.
func (p *Player) handleMove(it *packet) {
	var m msg.Move
	if msg.Decode(wire.V12340, it.body, &m) != nil || m.Mover != p.guid {
		return
	}
	at := components.Position{X: m.X, Y: m.Y, Z: m.Z}
	facing, ok := components.Facing(m.O)
	if !ok || !at.OnMap() {
		return
	}
	m.O, m.Time = facing, p.clock.World(m.Time, it.atMs)
	p.x, p.y, p.z, p.o, p.moving = m.X, m.Y, m.Z, m.O, m.Flags
	p.setCell()
	if !p.world.Quiet {
		p.world.relays = append(p.world.relays, relay{p, &packet{op: it.op, body: msg.Append(nil, wire.V12340, &m)}})
	}
}

func (p *Player) handleTimeSync(it *packet) {
	var m msg.TimeSyncResp
	if msg.Decode(wire.V12340, it.body, &m) == nil {
		p.clock.Answer(m.Counter, m.TimeMs, it.atMs)
	}
}

// askTime asks a client for its clock, when it is time.
//
// Source: WorldSession::SendTimeSync, AzerothCore.
func (p *Player) askTime() {
	t := &p.world.tick
	if t.N < p.askTick {
		return
	}
	again := laterAsks
	if p.askTick == 0 {
		again = secondAsk
	}
	p.askTick = t.After(again)
	p.send(msg.OpTimeSyncReq, msg.Append(nil, wire.V12340, &msg.TimeSyncReq{Counter: p.clock.Ask(t.NowMs)}))
}

// settle files a unit under its home.
func (u *Unit) settle(home grid.Cell) {
	x, y := home.Origin()
	u.home = home
	u.column, u.row = int32(x+half)/grid.CellYards, int32(y+half)/grid.CellYards
	u.cell = u.world.grid.at(u.column, u.row)
	u.world.crossed = append(u.world.crossed, place{u.column, u.row})
}

// half is how far the corner of the grid lies from the middle of the map, on either axis.
const half = grid.TilesPerAxis * grid.TileSide * grid.CellYards / 2

// A place is where a home is.
type place struct{ column, row int32 }

// setCell files a player elsewhere, if it has gone so far.
//
// Source: Map::PlayerRelocation, AzerothCore.
func (p *Player) setCell() {
	home := p.home.Track(p.x, p.y)
	if home == p.home {
		return
	}
	p.world.crossed = append(p.world.crossed, place{p.column, p.row})
	from := p.cell
	if p.settle(home); p.cell == from {
		return
	}
	last := len(from.players) - 1
	for i, other := range from.players {
		if other == p {
			from.players[i], from.players[last] = from.players[last], nil
			from.players = from.players[:last]
			break
		}
	}
	p.cell.players = append(p.cell.players, p)
}

// lookAround updates what players see: each of them whose turn it is, or those near which a unit has come or gone.
//
// Source: DynamicVisibilityMgr::GetVisibilityNotifyDelay, AzerothCore, for turns.
func (w *World) lookAround() {
	if w.Thrifty {
		for _, at := range w.crossed {
			w.grid.near(at.column, at.row, func(c *cell) {
				for _, p := range c.players {
					p.curious = true
				}
			})
		}
	}
	w.crossed = w.crossed[:0]
	for session, p := range w.players {
		if p.curious || !w.Thrifty && (w.tick.N+uint64(session))%max(w.LookTicks, 1) == 0 {
			p.curious = false
			p.look()
		}
	}
}

// look compares the units that a player sees with those that its client knows, and sends those that have come or
// gone.
//
// Source: VisibleNotifier and Player::UpdateVisibilityOf, AzerothCore.
func (p *Player) look() {
	var d updateData
	seen := 0
	p.world.grid.near(p.column, p.row, func(c *cell) {
		for _, other := range c.players {
			if other != p && sees(&p.Unit, &other.Unit) {
				seen++
				p.meet(&d, &other.Unit)
			}
		}
		for _, other := range c.creatures {
			if sees(&p.Unit, &other.Unit) {
				seen++
				p.meet(&d, &other.Unit)
			}
		}
	})
	if seen < len(p.known) {
		p.forget(&d)
	}
	d.send(p)
}

// meet makes a unit known to a player, unless it is.
func (p *Player) meet(d *updateData, u *Unit) {
	if _, ok := p.known[u]; ok {
		return
	}
	p.known[u] = p.world.tick.N
	p.world.link(p, u)
	if !p.world.Quiet {
		d.create(u, p)
	}
}

// forget removes units from a player's list that it sees no more.
func (p *Player) forget(d *updateData) {
	for u := range p.known {
		if !sees(&p.Unit, u) {
			delete(p.known, u)
			p.world.unlink(p, u)
			d.gone = append(d.gone, u.guid)
		}
	}
	slices.Sort(d.gone)
}

// relayMoves sends each move to the players that see the mover, and have done so before.
//
// Source: Player::SendMessageToSet and MessageDistDeliverer (HaveAtClient), AzerothCore.
func (w *World) relayMoves() {
	for _, it := range w.relays {
		if w.listed {
			for _, o := range it.mover.observers {
				if o.since < w.tick.N {
					o.send(it.op, it.body)
				}
			}
			continue
		}
		w.grid.playersNear(&it.mover.Unit, func(p *Player) {
			if since, ok := p.known[&it.mover.Unit]; ok && since < w.tick.N {
				p.send(it.op, it.body)
			}
		})
	}
	clear(w.relays)
	w.relays = w.relays[:0]
}

// appendGone appends the block of those that are out of sight.
//
// Source: UpdateData::AddOutOfRangeGUID, AzerothCore.
func (d *updateData) appendGone(dst []byte) []byte {
	dst = append(dst, update.OutOfRange)
	dst = append(dst, byte(len(d.gone)), byte(len(d.gone)>>8), byte(len(d.gone)>>16), byte(len(d.gone)>>24))
	for _, guid := range d.gone {
		dst = wire.AppendPackedGUID(dst, guid)
	}
	return dst
}
