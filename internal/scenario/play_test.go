package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"muster/components"
	"muster/components/defs"
	"muster/ecs/grid"
	"muster/internal/conformance"
	"muster/internal/metric"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/systems"
	"muster/systems/respawn"
)

// stepMs is a tick.
const stepMs = 50

// A play is a script on stage.
type play struct {
	script *script
	defs   *defs.World
	casts  uint8 // that were asked for
	world  *systems.World
	port   *frame.Exchange
	metric metric.Table
	counts map[string]uint64
	leased uint32 // GUIDs of items
	replay frame.Replayer
	actors []*actor // players, in the order in which they first entered
	eyes   []*conformance.Client
	names  map[uint64]string
	seen   []sight
	later  *defs.World // that parts of the definitions are reloaded from
}

// An actor is a player and its connection.
type actor struct {
	name   string
	guid   uint64
	eye    *conformance.Client
	every  uint64 // ticks between two flushes
	on     bool   // the stage
	cursor frame.Cursor
}

func newPlay(s *script) *play {
	p := &play{script: s, port: frame.NewExchange(), names: make(map[uint64]string), counts: make(map[string]uint64)}
	d := &defs.World{Maps: []defs.Map{{Half: grid.Limit}, {ID: 1, Half: grid.Limit}}, Players: defs.Players{
		DisplayID: [2]uint32{6, 7}, Faction: defs.FactionFriendly, BoundingRadius: 0.5, CombatReach: 1.5,
		Classes: classes(), NextXP: slices.Repeat([]uint32{500}, 60), MaxLevel: 60,
	}}
	d.Spells = spells()
	p.defs = d
	d.Items = things
	m := &d.Maps[0]
	for i, c := range s.creatures {
		entry := uint32(101 + i)
		d.Creatures = append(d.Creatures, defs.Creature{
			Entry: entry, Name: c.name, MinLevel: 1, MaxLevel: 1, Class: defs.ClassWarrior, Faction: defs.FactionHostile,
			DisplayID: 5, Scale: 1, BoundingRadius: 0.5, CombatReach: 1.5, WalkSpeed: 2.5, RunSpeed: 7,
			MinHealth: 40, MaxHealth: 40, AttackTimeMs: 2000, XP: 1,
			LootID: entry, MinMoney: c.copper, MaxMoney: c.copper, NPCFlags: c.services,
		})
		d.Loots = append(d.Loots, defs.Loot{ID: entry, Entries: c.loot})
		spawn := defs.Spawn{Entry: entry, X: c.nodes[0].x, Y: c.nodes[0].y, Z: c.nodes[0].z, Wander: c.wander, Path: -1}
		if len(c.nodes) > 1 {
			spawn.Path = int32(len(m.Paths))
			var path defs.Path
			for _, n := range c.nodes {
				path.Nodes = append(path.Nodes, defs.Node{X: n.x, Y: n.y, Z: n.z, PauseMs: uint32(n.rest / time.Millisecond)})
			}
			m.Paths = append(m.Paths, path)
		}
		for _, words := range c.traits {
			if words[0] == later {
				continue
			}
			if err := p.trait(m, &d.Creatures[i], &spawn, words); err != nil {
				panic(err)
			}
		}
		m.Spawns = append(m.Spawns, spawn)
		p.names[components.CreatureGUID(entry, respawn.FirstCounter+uint32(i))] = c.name
	}
	for _, words := range s.areas {
		if err := p.area(words); err != nil {
			panic(err)
		}
	}
	p.furnish(d, m)
	p.foresee()
	p.world = systems.New(systems.Config{Defs: d, Map: m, Seed: 1, Metric: &p.metric, Reclaim: s.reclaim})
	return p
}

func (p *play) run() error {
	events := p.script.events
	for n := uint64(1); n <= p.script.end; n++ {
		for ; len(events) > 0 && events[0].tick == n; events = events[1:] {
			if err := p.act(&events[0]); err != nil {
				return fmt.Errorf("%s: %w", events[0].text, err)
			}
		}
		p.world.Inbox().Seal()
		f := p.port.Write()
		p.world.Tick(n, f)
		p.port.Publish(f)
		if err := p.watch(n, f); err != nil {
			return err
		}
	}
	return nil
}

// act lets an actor do what the script says.
func (p *play) act(e *event) error {
	switch {
	case strings.HasPrefix(e.text, fmt.Sprintf("tick %d: the world is given", e.tick)):
		return p.lease(after(e.words, "given"))
	case len(e.words) > 1 && e.words[1] == "hurt":
		return p.hurt(e)
	case e.words[0] == "are" && len(e.words) == 2 && e.words[1] == "reloaded":
		return p.reload(e.subject)
	}
	if e.words[0] == "is" && len(e.words) > 1 && e.words[1] != "flushed" {
		return p.order(e)
	}
	a := p.actor(e.subject)
	switch verb := e.words[0]; {
	case verb == "is" && len(e.words) == 5: // flushed every 2 ticks
		every, err := strconv.ParseUint(e.words[3], 10, 32)
		if err != nil || every == 0 {
			return errors.New("how often?")
		}
		a.every = every
		return nil
	case verb == "enters" && (len(e.words) == 3 || strings.HasSuffix(e.text, " as game master")):
		return p.enter(a, e.words[2], len(e.words) > 3)
	case verb == "reconnects" && !a.on: // through the same gateway
		return p.reconnect(a, a.cursor.Session, frame.OpResume)
	case verb == "reconnects": // while its gateway is not there any more
		return p.reconnect(a, a.cursor.Session+100, frame.OpEnter)
	case !a.on:
		return fmt.Errorf("%s is not there", a.name)
	case verb == "leaves":
		return p.world.Inbox().Add(frame.Item{Session: a.cursor.Session, Op: frame.OpLeave})
	case verb == "disconnects":
		a.on = false
		return p.world.Inbox().Add(frame.Item{Session: a.cursor.Session, AtMs: p.nowMs(), Op: frame.OpDrop})
	case verb == "sends" && len(e.words) > 1:
		return p.send(a, e)
	}
	return errors.New("what is that?")
}

// actor is the player of a name; on its first mention it gets the next number.
func (p *play) actor(name string) *actor {
	for _, a := range p.actors {
		if a.name == name {
			return a
		}
	}
	guid := uint64(len(p.actors) + 1)
	a := &actor{name: name, guid: guid, every: 1}
	p.actors = append(p.actors, a)
	p.names[guid] = name
	p.names[components.CorpseGUID(guid)] = name + "'s corpse"
	return a
}

// enter brings a player in, with a connection that has just come from the character screen.
func (p *play) enter(a *actor, at string, master bool) error {
	spot, err := point(at)
	if err != nil {
		return err
	}
	p.connect(a, uint32(a.guid))
	c := frame.Character{GUID: a.guid, Name: a.name, Race: 1, Class: 1, Level: 1, X: spot.x, Y: spot.y, Z: spot.z}
	if master {
		c.SecurityLevel = 3
	}
	return p.post(a, frame.OpEnter, &c)
}

// connect gives an actor a connection that has just come from the character screen.
func (p *play) connect(a *actor, session uint32) {
	a.on = true
	a.cursor = frame.Cursor{Session: session, GUID: a.guid, Tick: p.port.Newest()}
	a.eye = conformance.New(conformance.Config{Keep: true})
	p.eyes = append(p.eyes, a.eye)
	a.eye.Packet(msg.OpAuthResponse, msg.Append(nil, wire.V12340, &msg.AuthResponse{Result: msg.AuthOK}))
	a.eye.Enter(a.guid)
}

// reconnect has another connection go on with an actor that is in the world, or go in with a stored character that is older.
func (p *play) reconnect(a *actor, session uint32, op uint16) error {
	p.connect(a, session)
	return p.post(a, op, &frame.Character{GUID: a.guid, Name: a.name, Race: 1, Class: 1, Level: 1, X: 50, Y: 50})
}

func (p *play) post(a *actor, op uint16, m msg.Message) error {
	return p.world.Inbox().Add(frame.Item{
		Session: a.cursor.Session, AtMs: p.nowMs(), Op: op, Body: msg.Append(nil, wire.V12340, m),
	})
}

// nowMs is the world's clock in the tick that comes.
func (p *play) nowMs() uint32 { return uint32(p.port.Newest()+1) * stepMs }

// send posts a message of a player's client.
func (p *play) send(a *actor, e *event) error {
	name, words := e.words[1], e.words[2:]
	i := slices.IndexFunc(msg.Table, func(r msg.Row) bool { return r.Name == name && r.Direction&msg.ToServer != 0 })
	if i < 0 {
		return errors.New("no such message")
	}
	m := msg.Table[i].New()
	switch m := m.(type) {
	case *msg.Move:
		if err := p.move(a, m, words); err != nil {
			return err
		}
	case *msg.TeleportAck, *msg.SpeedAck, *msg.MoveAck, *msg.CanFlyAck:
		if err := p.obey(a, m, words); err != nil {
			return err
		}
	case *msg.ChatMessage:
		if err := chatOf(m, e); err != nil {
			return err
		}
	case *msg.TextEmote:
		*m = msg.TextEmote{Text: 101, Emote: 1, Target: p.guid(after(words, "at"))}
		if which := after(words, "of"); which != "" {
			n, err := strconv.ParseUint(which, 10, 32)
			if err != nil {
				return err
			}
			m.Text = uint32(n)
		}
	case *msg.Emote:
		n, err := strconv.ParseUint(after(words, ""), 10, 32)
		if err != nil {
			return err
		}
		m.Emote = uint32(n)
	case *msg.SetSelection:
		if m.GUID = p.guid(after(words, "")); m.GUID == 0 && words[0] != "none" {
			return fmt.Errorf("no unit %s", words[0])
		}
	case *msg.AttackSwing:
		if m.GUID = p.guid(after(words, "")); m.GUID == 0 && words[0] != "none" {
			return fmt.Errorf("no unit %s", words[0])
		}
	case *msg.CastSpell:
		if err := p.castOf(m, words); err != nil {
			return err
		}
	case *msg.CancelCast:
		m.Spell, _ = p.spellNamed(after(words, ""))
	case *msg.CancelAura:
		m.Spell, _ = p.spellNamed(after(words, ""))
	case *msg.CancelChannelling:
		m.Spell, _ = p.spellNamed(after(words, ""))
	case *msg.SetSheathed:
		m.Sheath = uint32(words[0][0] - '0')
	case *msg.StandStateChange:
		m.State = uint32(words[0][0] - '0')
	case *msg.AreaTrigger:
		if n, err := strconv.ParseUint(after(words, ""), 10, 32); err == nil {
			m.ID = uint32(n)
		}
	case *msg.TimeSyncResp:
		counter, err := strconv.ParseUint(after(words, ""), 10, 32)
		if err != nil {
			return err
		}
		at, err := milliseconds(after(words, "at"))
		if err != nil {
			return err
		}
		*m = msg.TimeSyncResp{Counter: uint32(counter), TimeMs: at}
	}
	if err := p.handle(a, m, words); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	body, err := resize(msg.Append(nil, wire.V12340, m), words)
	if err != nil {
		return err
	}
	return p.world.Inbox().Add(frame.Item{Session: a.cursor.Session, AtMs: p.nowMs(), Op: msg.Table[i].Op, Body: body})
}

// resize reads "plus 2" or "minus 2", and adds so many bytes to a body or takes them away.
func resize(body []byte, words []string) ([]byte, error) {
	if more := after(words, "plus"); more != "" {
		n, err := strconv.ParseUint(more, 10, 8)
		return append(body, make([]byte, n)...), err
	}
	if less := after(words, "minus"); less != "" {
		n, err := strconv.ParseUint(less, 10, 8)
		return body[:max(len(body)-int(n), 0)], err
	}
	return body, nil
}

// move reads "3,1 as Bert at 90s facing 3.1 with 0x1".
func (p *play) move(a *actor, m *msg.Move, words []string) error {
	if len(words) == 0 {
		return errors.New("it needs a point")
	}
	*m = msg.Move{Mover: a.guid, Movement: msg.Movement{Time: p.nowMs()}}
	at, err := point(words[0])
	if err != nil {
		return err
	}
	m.X, m.Y, m.Z = at.x, at.y, at.z
	if as := after(words, "as"); as != "" {
		m.Mover = p.guid(as)
	}
	if when := after(words, "at"); when != "" {
		if m.Time, err = milliseconds(when); err != nil {
			return err
		}
	}
	if facing := after(words, "facing"); facing != "" {
		o, err := strconv.ParseFloat(facing, 32)
		if err != nil {
			return err
		}
		m.O = float32(o)
	}
	if with := after(words, "with"); with != "" {
		flags, err := strconv.ParseUint(with, 0, 32)
		if err != nil {
			return err
		}
		m.Flags = msg.MoveFlags(flags)
	}
	return nil
}

// after is the word after another, the first after "".
func after(words []string, key string) string {
	i := slices.Index(words, key)
	if key != "" && i < 0 || i+1 >= len(words) {
		return ""
	}
	return words[i+1]
}

func milliseconds(word string) (uint32, error) {
	d, err := time.ParseDuration(word)
	return uint32(d / time.Millisecond), err
}

// guid is the GUID of the entity with a name, 0 if there is none.
func (p *play) guid(name string) uint64 {
	for guid, n := range p.names {
		if n == name {
			return guid
		}
	}
	return 0
}

// watch reports what a tick has brought.
func (p *play) watch(n uint64, f *frame.Frame) error {
	p.metric.Each(func(name string, count uint64) {
		for ; p.counts[name] < count; p.counts[name]++ {
			if !strings.HasPrefix(name, "ai.") && name != "smartai.rows" && name != "smartai.texts" { // ai counts why creatures think
				p.say(n, "the world counts %s", name)
			}
		}
	})
	for _, a := range p.actors {
		if a.on && (n%a.every == 0 || slices.Contains(f.Now, a.cursor.Session)) {
			if err := p.show(a, n); err != nil {
				return err
			}
		}
	}
	for _, kick := range f.Kicks {
		p.say(n, "the world has %s's connection closed: %s", p.names[uint64(kick.Session)], kick.Reason)
	}
	for _, left := range f.Left {
		if left.Character.Len == 0 {
			p.say(n, "the world has %s in another session", p.names[uint64(left.Session)])
			continue
		}
		var c frame.Character
		if err := msg.Decode(wire.V12340, f.In(left.Character), &c); err != nil {
			return err
		}
		where := "at"
		if left.Away {
			where = fmt.Sprintf("to map %d at", c.Map)
		}
		p.say(n, "the world lets %s go %s %s", c.Name, where, place(c.X, c.Y, c.Z))
		p.actor(c.Name).on = false
	}
	return nil
}

func (p *play) say(n uint64, format string, args ...any) {
	p.seen = append(p.seen, sight{n, fmt.Sprintf(format, args...)})
}

// show flushes a connection.
func (p *play) show(a *actor, n uint64) error {
	var w frame.Window
	w.Open(p.port)
	defer w.Close()
	out, ok := p.replay.Replay(nil, &w, &a.cursor)
	if !ok {
		return fmt.Errorf("tick %d: %s has lost the stream", n, a.name)
	}
	for len(out) > 0 {
		op, payload, header, _ := wire.ServerHeader(out)
		body := out[header : header+payload]
		out = out[header+payload:]
		a.eye.Packet(op, body)
		text, loud, err := p.describe(a, op, body)
		if err != nil {
			return fmt.Errorf("tick %d: %s cannot read: %w", n, a.name, err)
		}
		if loud || p.script.showAll {
			p.say(n, "%s sees %s", a.name, text)
		}
	}
	return nil
}
