package systems

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/systems/respawn"
)

// people are what players are in these worlds.
var people = defs.Players{
	DisplayID: [2]uint32{6, 7}, Faction: defs.FactionFriendly, BoundingRadius: 0.5, CombatReach: 1.5,
	Classes: classes(), NextXP: slices.Repeat([]uint32{500}, 60), MaxLevel: 60,
}

// classes are alike but for their powers.
func classes() (all [defs.MaxClass + 1]defs.Class) {
	powers := [defs.MaxClass + 1]uint8{1: components.PowerRage, 4: components.PowerEnergy, 6: components.PowerRunic}
	for i := range all {
		all[i] = defs.Class{
			Power: powers[i], Health: defs.Growth{First: 60, PerLevel: 10}, Mana: defs.Growth{First: 70, PerLevel: 10},
			Damage: defs.Growth{First: 6}, Spread: 0.5, SwingMs: 2000,
		}
	}
	return all
}

// meadow is a world with creatures of all habits within ±reach yards of its middle, and some of them in
// a corner of the map.
func meadow(r *rand.Rand, creatures int, reach float32) *defs.World {
	d := &defs.World{Maps: []defs.Map{{Half: grid.Limit}}, Players: people, Spells: magic(), Creatures: []defs.Creature{{
		Entry: 7, Name: "Grazer", MinLevel: 1, MaxLevel: 9, Class: defs.ClassWarrior, Faction: defs.FactionHostile,
		DisplayID: 5, Scale: 1, BoundingRadius: 0.5, CombatReach: 1.5, WalkSpeed: 7, RunSpeed: 14,
		MinHealth: 40, MaxHealth: 360, AttackTimeMs: 2000, MinDamage: 2, MaxDamage: 4, DamagePerLevel: 1,
	}}}
	m := &d.Maps[0]
	for range creatures {
		x, y := somewhere(r, reach)
		s := defs.Spawn{Entry: 7, X: x, Y: y, O: r.Float32() * 6, Path: -1}
		switch r.IntN(8) {
		case 0: // stands
		case 1, 2, 3:
			s.Path = int32(len(m.Paths))
			m.Paths = append(m.Paths, path(r, x, y))
		default:
			s.Wander = 5 + 40*r.Float32()
		}
		m.Spawns = append(m.Spawns, s)
	}
	return d
}

// path leads from a point through others with pauses, short ones and long ones.
func path(r *rand.Rand, x, y float32) (p defs.Path) {
	for range 2 + r.IntN(4) {
		p.Nodes = append(p.Nodes, defs.Node{X: x, Y: y, PauseMs: uint32(r.IntN(3)) * 2100})
		x = min(max(x+between(r, 60)+1, -grid.Limit), grid.Limit)
		y = min(max(y+between(r, 60)+1, -grid.Limit), grid.Limit)
	}
	return p
}

func between(r *rand.Rand, reach float32) float32 { return (r.Float32()*2 - 1) * reach }

func somewhere(r *rand.Rand, reach float32) (x, y float32) {
	if r.IntN(6) == 0 {
		return grid.Limit - r.Float32()*100, r.Float32()*100 - grid.Limit
	}
	return between(r, reach), between(r, reach)
}

// A crowd is players that act at random in each tick, by valid and invalid requests.
type crowd struct {
	r       *rand.Rand
	reach   float32
	players []player
}

// A player is one character and its connection.
type player struct {
	guid    uint64
	session uint32
	name    string
	here    bool // it has entered, and has not left
	going   bool // it has left, or its wish to do so is on its way
	at      components.Position
}

func newCrowd(r *rand.Rand, players int, reach float32) *crowd {
	c := &crowd{r: r, reach: reach}
	for i := range players {
		c.players = append(c.players, player{guid: uint64(i + 1), session: uint32(i), name: "Walker" + strconv.Itoa(i)})
	}
	return c
}

// act posts what the crowd does before tick n, and visits the players that enter.
func (c *crowd) act(in *frame.Inbox, n uint64, enters func(*player)) {
	for i := range c.players {
		p := &c.players[i]
		switch {
		case !p.here && c.r.IntN(10) == 0:
			p.here, p.going = true, false
			p.at = components.Position{O: c.r.Float32() * 6}
			p.at.X, p.at.Y = somewhere(c.r, c.reach)
			c.post(in, p, n, frame.OpEnter, &frame.Character{
				GUID: p.guid, Name: p.name, Race: 1, Class: uint8(1 + i%9), Level: uint8(1 + i), SecurityLevel: 1, X: p.at.X, Y: p.at.Y, O: p.at.O,
				Told: life.Spells, Life: life.Life{Spells: grimoire()},
			})
			enters(p)
		case p.here && !p.going:
			for range c.r.IntN(3) {
				c.do(in, p, n)
			}
		}
	}
}

// do posts one thing that a player's client sends.
func (c *crowd) do(in *frame.Inbox, p *player, n uint64) {
	switch dice := c.r.IntN(240); {
	case dice < 130:
		c.walk(in, p, n)
	case dice < 146:
		c.post(in, p, n, msg.OpAttackSwing, &msg.AttackSwing{GUID: c.anyGUID()})
	case dice < 148:
		c.post(in, p, n, msg.OpAttackStop, &msg.Empty{})
	case dice < 149:
		c.post(in, p, n, msg.OpSetSheathed, &msg.SetSheathed{Sheath: uint32(c.r.IntN(4))})
	case dice < 150:
		c.post(in, p, n, msg.OpStandStateChange, &msg.StandStateChange{State: uint32(c.r.IntN(10))})
	case dice < 160:
		c.post(in, p, n, msg.OpSetSelection, &msg.SetSelection{GUID: c.anyGUID()})
	case dice < 170:
		c.post(in, p, n, msg.OpChatMessage, &msg.ChatMessage{Type: uint32(msg.ChatSay), Text: "I am " + p.name})
	case dice < 174:
		c.post(in, p, n, msg.OpLogoutRequest, &msg.Empty{})
	case dice < 178:
		c.post(in, p, n, msg.OpLogoutCancel, &msg.Empty{})
	case dice < 180:
		p.going = true
		c.post(in, p, n, msg.OpPlayerLogout, &msg.Empty{})
	case dice < 182:
		p.going = true
		in.Add(frame.Item{Session: p.session, AtMs: uint32(n) * 50, Op: frame.OpLeave})
	case dice < 186:
		c.post(in, p, n, msg.OpTimeSyncResp, &msg.TimeSyncResp{Counter: uint32(c.r.IntN(3)), TimeMs: c.r.Uint32()})
	case dice < 226:
		c.conjure(in, p, n)
	default:
		c.stumble(in, p, n)
	}
}

// anyGUID is a random GUID.
func (c *crowd) anyGUID() uint64 {
	if c.r.IntN(2) == 0 {
		return components.CreatureGUID(7, respawn.FirstCounter+uint32(c.r.IntN(300)))
	}
	return uint64(c.r.IntN(len(c.players)))
}

var steps = []uint16{
	msg.OpMoveHeartbeat, msg.OpMoveHeartbeat, msg.OpMoveHeartbeat, msg.OpMoveStartForward, msg.OpMoveStop,
	msg.OpMoveJump, msg.OpMoveFallLand, msg.OpMoveSetFacing,
	msg.OpMoveFallReset, msg.OpMoveSetFly, msg.OpMoveChangeTransport, msg.OpMoveNotActiveMover,
}

// walk posts a step, now and then a wide one.
func (c *crowd) walk(in *frame.Inbox, p *player, n uint64) {
	far := float32(4)
	if c.r.IntN(10) == 0 {
		far = 40
	}
	at := components.Position{X: p.at.X + between(c.r, far), Y: p.at.Y + between(c.r, far), Z: between(c.r, 2), O: between(c.r, 20)}
	m := msg.Move{Mover: p.guid, Movement: msg.Movement{
		Flags: msg.MoveFlags(c.r.Uint32()) &^ msg.MoveOnTransport, Extra: msg.MoveExtra(c.r.Uint32()),
		Time: c.r.Uint32(), X: at.X, Y: at.Y, Z: at.Z, O: at.O,
	}}
	op := steps[c.r.IntN(len(steps))]
	c.post(in, p, n, op, &m)
	if grid.Inside(at.X, at.Y) && op != msg.OpMoveNotActiveMover {
		p.at = at
		p.at.O, _ = components.Facing(at.O)
	}
}

// stumble posts what no world should believe.
func (c *crowd) stumble(in *frame.Inbox, p *player, n uint64) {
	m := msg.Move{Mover: p.guid, Movement: msg.Movement{X: p.at.X, Y: p.at.Y}}
	switch c.r.IntN(5) {
	case 0:
		m.X = float32(math.NaN())
	case 1:
		m.Y = float32(math.Inf(1))
	case 2:
		m.X = grid.Limit + 1
	case 3:
		m.Mover = uint64(1 + c.r.IntN(len(c.players)))
		m.Mover += boolean(m.Mover == p.guid)
	case 4: // cut off
		body := msg.Append(nil, wire.V12340, &m)
		in.Add(frame.Item{Session: p.session, Op: msg.OpMoveStop, Body: body[:c.r.IntN(len(body))]})
		return
	}
	c.post(in, p, n, msg.OpMoveStop, &m)
}

func boolean(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (c *crowd) post(in *frame.Inbox, p *player, n uint64, op uint16, m msg.Message) {
	in.Add(frame.Item{Session: p.session, AtMs: uint32(n) * 50, Op: op, Body: msg.Append(nil, wire.V12340, m)})
}
