package frame

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"muster/components"
	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/protocol/update"
	"muster/net/protocol/wire"
)

// The model is a small world that obeys docs/frames.md by construction: subjects with one public word
// and a position, observers among them, everything at random. It writes each tick twice: into a Builder,
// and as plain facts. From the facts, expected computes what an observer must receive, straight from the
// table and with all ticks' views in plain sight; mutants of it show that the checks can fail.

const (
	modelSubjects  = 18
	modelObservers = 6 // the first subjects
	modelYards     = 8 * grid.CellYards
	opEvent        = 0x14A // any opcode will do
)

type modelSubject struct {
	alive    bool
	x, y     float32
	layer    int
	word     uint32
	home     grid.Cell
	layers   uint8 // what an observer sees
	hadEvent bool
}

// A fact is what happened to one subject in one tick.
type fact struct {
	guid                                 uint64
	before, after                        grid.Cell
	events, values, moves, beats, create []byte
}

type modelTick struct {
	facts  []fact
	views  [modelObservers]grid.View // at the end of the tick
	resets [modelObservers]bool
	state  [modelSubjects]modelSubject // at the end of the tick
}

type model struct {
	r        *rand.Rand
	builder  Builder
	port     *Exchange
	subjects [modelSubjects]modelSubject
	ticks    []modelTick // from tick 1
	layout   *update.Layout
}

func newModel(seed uint64) *model {
	m := &model{r: rand.New(rand.NewPCG(seed, 6)), port: NewExchange()}
	m.layout = update.NewLayout(wire.V12340, update.Creature, components.CreatureParts()...)
	return m
}

func guidOf(i int) uint64 { return uint64(i + 1) }

// step runs one tick of the model.
func (m *model) step() {
	var t modelTick
	n := uint64(len(m.ticks) + 1)
	for i := range m.subjects {
		t.facts = append(t.facts, m.live(i, &t))
	}
	for i := range modelObservers {
		if s := &m.subjects[i]; s.alive {
			t.views[i] = grid.View{Center: s.home, Layers: s.layers}
		}
	}
	t.state = m.subjects
	m.ticks = append(m.ticks, t)
	m.write(n, &t)
}

// live changes a subject and records what happened to it.
func (m *model) live(i int, t *modelTick) fact {
	s := &m.subjects[i]
	f := fact{guid: guidOf(i), before: s.home}
	had := s.hadEvent
	s.hadEvent = false
	switch dice := m.r.IntN(100); {
	case !s.alive:
		if dice < 15 {
			*s = modelSubject{alive: true, x: m.r.Float32() * modelYards, y: m.r.Float32() * modelYards, word: m.r.Uint32()}
			s.layers = 1 << s.layer
			s.home = grid.At(s.x, s.y, s.layer)
		}
		f.after = s.home
		f.create = m.create(i)
		return f
	case dice < 4 && !had:
		*s = modelSubject{}
		return f // before is its last home cell, after is none
	case dice < 10: // teleport
		s.x, s.y = m.r.Float32()*modelYards*3, m.r.Float32()*modelYards
		s.home = grid.At(s.x, s.y, s.layer)
		f.moves = m.move(f.moves, i, msg.OpMoveTeleport)
		if i < modelObservers {
			t.resets[i] = true
		}
	case dice < 14: // another layer
		s.layer = 1 - s.layer
		s.layers = 1 << s.layer
		if m.r.IntN(2) == 0 {
			s.layers = 3
		}
		s.home = s.home.InLayer(s.layer)
	case dice < 60: // a step, of up to half a cell
		s.x = min(max(s.x+(m.r.Float32()*2-1)*grid.CellYards/2, 0), modelYards*3)
		s.y = min(max(s.y+(m.r.Float32()*2-1)*grid.CellYards/2, 0), modelYards)
		if m.r.IntN(3) == 0 {
			f.moves = m.move(f.moves, i, msg.OpMoveStop)
		} else {
			f.beats = m.move(f.beats, i, msg.OpMoveHeartbeat)
		}
		s.home = s.home.Track(s.x, s.y)
	}
	if m.r.IntN(4) == 0 || i < modelObservers && t.resets[i] {
		old := s.word
		s.word = m.r.Uint32()
		f.values = AppendBlock(nil, m.values(i))
		if m.r.IntN(2) == 0 && f.before != grid.None {
			s.hadEvent = true
			f.events = wire.AppendServerHeader(nil, opEvent, 12)
			f.events = binary.LittleEndian.AppendUint64(f.events, f.guid)
			f.events = binary.LittleEndian.AppendUint32(f.events, old)
		}
	}
	f.after = s.home
	f.create = m.create(i)
	return f
}

func (m *model) move(dst []byte, i int, op uint16) []byte {
	s := &m.subjects[i]
	return msg.Packet(dst, wire.V12340, op, &msg.Move{Mover: guidOf(i), Movement: msg.Movement{X: s.x, Y: s.y}})
}

func (m *model) words(i int) (components.Object, components.Vitals) {
	return components.Object{GUID: guidOf(i), Type: components.MaskOfCreature}, components.Vitals{Health: m.subjects[i].word}
}

func (m *model) values(i int) []byte {
	o, v := m.words(i)
	w := modelWords(&o, &v)
	image := make([]uint32, m.layout.ImageWords())
	m.layout.Fill(image, &w)
	v.Health++
	old := w
	v.Health--
	for k := range image { // an image that differs in the health alone
		if image[k] == v.Health {
			image[k]++
		}
	}
	b, _ := m.layout.Delta(nil, o.GUID, &old, components.DirtyVitals, image)
	return b
}

func modelWords(o *components.Object, v *components.Vitals) update.Words {
	return update.Words{
		components.Words(o), components.Words(v), components.Words(new(components.Unit)),
		components.Words(new(components.Stance)), components.Words(new(components.Target)),
	}
}

func (m *model) create(i int) []byte {
	s := &m.subjects[i]
	o, v := m.words(i)
	w := modelWords(&o, &v)
	speeds := components.NormalSpeeds()
	return m.layout.Create(nil, &update.Subject{
		GUID: guidOf(i), Words: &w, Position: &components.Position{X: s.x, Y: s.y}, Speeds: &speeds,
	})
}

// write files the tick as fanout would.
func (m *model) write(n uint64, t *modelTick) {
	d := &m.builder
	span := func(b []byte) Span {
		d.Bytes = append(d.Bytes, b...)
		return d.Cut()
	}
	var wanted grid.Set
	for i := range modelObservers {
		var before grid.View
		if n > 1 {
			before = m.ticks[n-2].views[i]
		}
		after := t.views[i]
		if t.resets[i] {
			wanted.AddView(before)
			wanted.AddView(after)
		} else {
			wanted.AddMinus(before, after)
			wanted.AddMinus(after, before)
		}
		if before != after || t.resets[i] {
			d.SetView(uint32(i), after, t.resets[i])
		}
	}
	for i := range t.facts {
		f := &t.facts[i]
		pieces := [parts][]byte{Events: f.events, Values: f.values, Moves: f.moves, Beats: f.beats}
		switch {
		case f.before == f.after && f.after == grid.None:
		case f.before == f.after:
			for part, b := range pieces {
				session := uint32(NoSession)
				if i < modelObservers && (Part(part) == Moves || Part(part) == Beats) {
					session = uint32(i)
				}
				if len(b) > 0 {
					d.AddOwnDelta(session, f.after, Part(part), span(b))
				}
			}
			if wanted.Has(f.after) {
				d.Resident(f.after, f.guid, span(f.create), Span{})
			}
		default:
			if f.before != grid.None {
				d.Leave(f.before, f.guid, f.after)
			}
			if f.after != grid.None {
				e := d.Enter(f.after, f.guid, f.before, span(f.create), Span{})
				for part, b := range pieces {
					if len(b) > 0 {
						d.EnterDelta(e, Part(part), span(b))
					}
				}
			}
		}
		if i < modelObservers && t.resets[i] { // own events and values are direct
			d.Send(uint32(i), Middle, span(f.events))
			var u update.Writer
			u.Begin(nil)
			addBlocks(&u, f.values)
			d.Send(uint32(i), Last, span(u.End()))
		}
	}
	frame := m.port.Write()
	d.Build(frame, n)
	m.port.Publish(frame)
}

// A mutant is a way to get the rules wrong.
type mutant int

const (
	noMutant mutant = iota
	newestView
	createOnEnter
	deltaAfterCreate
	eventsHoisted
	knownOverReset // a teleport leaves what is seen before and after it known
	ownLostInReset // and what concerns the player itself is not sent to it as an observer
	mutants
)

// expected is what observer i must receive for the ticks first to last, by the table.
func (m *model) expected(i int, first, last uint64, how mutant) []byte {
	var out []byte
	for n := first; n <= last && how == eventsHoisted; n++ {
		out = m.expectedEvents(out, i, n, m.viewBefore(i, n), m.ticks[n-1].views[i])
	}
	for n := first; n <= last; n++ {
		t := &m.ticks[n-1]
		before, after := m.viewBefore(i, n), t.views[i]
		if how == newestView {
			if before = m.ticks[last-1].views[i]; n == first {
				before = m.viewBefore(i, n)
			}
			after = m.ticks[last-1].views[i]
		}
		if how != eventsHoisted {
			out = m.expectedEvents(out, i, n, before, after)
		}
		var u update.Writer
		var destroys, moves, beats, last []byte
		u.Begin(nil)
		var blocks [][]byte
		for k := range t.facts {
			f := &t.facts[k]
			self := f.guid == guidOf(i)
			was, is := before.Has(f.before), after.Has(f.after)
			if self && t.resets[i] {
				var v update.Writer
				v.Begin(nil)
				if how != ownLostInReset {
					addBlocks(&v, f.values)
				}
				last = v.End()
				continue
			}
			gone := was && (!is || t.resets[i] && how != knownOverReset)
			created := is && (!was || t.resets[i])
			if how == createOnEnter && is && f.before != f.after {
				created = true
			}
			switch {
			case gone && !self && f.after == grid.None:
				destroys = msg.Packet(destroys, wire.V12340, msg.OpDestroyObject, &msg.DestroyObject{GUID: f.guid})
			case gone && !self:
				u.OutOfRange(f.guid)
			}
			if was && is && !t.resets[i] || how == deltaAfterCreate && created {
				if len(f.values) > 0 && f.before != grid.None {
					blocks = append(blocks, f.values[2:])
				}
				if !self {
					moves, beats = append(moves, f.moves...), append(beats, f.beats...)
				}
			}
			if created && !self {
				blocks = append(blocks, f.create)
			}
		}
		for _, b := range blocks {
			u.Block(b)
		}
		out = append(out, destroys...)
		out = append(out, u.End()...)
		out = append(append(append(out, moves...), beats...), last...)
	}
	return out
}

func (m *model) expectedEvents(out []byte, i int, n uint64, before, after grid.View) []byte {
	t := &m.ticks[n-1]
	for k := range t.facts {
		f := &t.facts[k]
		self := f.guid == guidOf(i)
		if before.Has(f.before) && after.Has(f.after) && !t.resets[i] || self && t.resets[i] {
			out = append(out, f.events...)
		}
	}
	return out
}

func (m *model) viewBefore(i int, n uint64) grid.View {
	if n < 2 {
		return grid.View{}
	}
	return m.ticks[n-2].views[i]
}

// A modelClient keeps what packets have created, and reports contradictions.
type modelClient struct {
	self  uint64
	word  uint32 // its own
	known map[uint64]modelSubject
}

func (c *modelClient) read(b []byte) error {
	for len(b) > 0 {
		op, n, header, ok := wire.ServerHeader(b)
		if !ok || n > wire.MaxPayload || header+n > len(b) {
			return fmt.Errorf("bad packet of %d bytes", n)
		}
		if err := c.packet(op, b[header:header+n]); err != nil {
			return err
		}
		b = b[header+n:]
	}
	return nil
}

func (c *modelClient) packet(op uint16, body []byte) error {
	switch op {
	case opEvent:
		guid, old := binary.LittleEndian.Uint64(body), binary.LittleEndian.Uint32(body[8:])
		have := c.known[guid].word
		if guid == c.self {
			have = c.word
		} else if _, ok := c.known[guid]; !ok {
			return fmt.Errorf("event of unknown %d", guid)
		}
		if have != old {
			return fmt.Errorf("event of %d explains a change from %d, but it is %d", guid, old, have)
		}
	case msg.OpDestroyObject:
		return c.forget(binary.LittleEndian.Uint64(body))
	case msg.OpCompressedUpdateObject:
		plain, err := update.Inflate(nil, body)
		if err != nil {
			return err
		}
		return update.Parse(plain, c.block)
	case msg.OpUpdateObject:
		return update.Parse(body, c.block)
	default:
		var move msg.Move
		if err := msg.Decode(wire.V12340, body, &move); err != nil {
			return err
		}
		s, ok := c.known[move.Mover]
		if move.Mover == c.self || !ok {
			return fmt.Errorf("move of %d, known %v, itself %v", move.Mover, ok, move.Mover == c.self)
		}
		s.x, s.y = move.X, move.Y
		c.known[move.Mover] = s
	}
	return nil
}

func (c *modelClient) forget(guid uint64) error {
	if _, ok := c.known[guid]; !ok {
		return fmt.Errorf("unknown %d is gone", guid)
	}
	delete(c.known, guid)
	return nil
}

func (c *modelClient) block(b *update.Block) error {
	s, ok := c.known[b.GUID]
	switch b.Type {
	case update.OutOfRange:
		for _, guid := range b.GUIDs {
			if err := c.forget(guid); err != nil {
				return err
			}
		}
		return nil
	case update.Values:
		if b.GUID == c.self {
			c.word = b.Fields[0].Value
			return nil
		}
		if !ok {
			return fmt.Errorf("values of unknown %d", b.GUID)
		}
	default:
		if ok || b.GUID == c.self {
			return fmt.Errorf("second create of %d", b.GUID)
		}
		s = modelSubject{x: b.Movement.X, y: b.Movement.Y}
	}
	for _, f := range b.Fields {
		if f.Index == 0x18 {
			s.word = f.Value
		}
	}
	c.known[b.GUID] = s
	return nil
}

// check compares a client with the world at the end of a tick.
func (c *modelClient) check(t *modelTick, i int) error {
	view := t.views[i]
	for k := range t.state {
		s, guid := &t.state[k], guidOf(k)
		have, known := c.known[guid]
		visible := k != i && s.alive && view.Has(s.home)
		switch {
		case known != visible:
			return fmt.Errorf("%d known %v, visible %v", guid, known, visible)
		case visible && (have.word != s.word || have.x != s.x || have.y != s.y):
			return fmt.Errorf("%d is known as %d at %v, %v, but is %d at %v, %v", guid, have.word, have.x, have.y, s.word, s.x, s.y)
		}
	}
	if c.word != t.state[i].word {
		return fmt.Errorf("its own word is known as %d, but is %d", c.word, t.state[i].word)
	}
	return nil
}

// watch runs a model and lets each observer be flushed at random times by replay. It returns the first
// complaint.
func watch(seed uint64, replay func(m *model, i int, c *Cursor) ([]byte, bool)) error {
	m := newModel(seed)
	flush := rand.New(rand.NewPCG(seed, 7))
	var cursors [modelObservers]Cursor
	var clients [modelObservers]*modelClient
	rare := flush.IntN(4) == 0 // seldom enough to lag behind
	for range 150 {
		m.step()
		for i := range modelObservers {
			s := &m.subjects[i]
			if !s.alive {
				clients[i] = nil
				continue
			}
			if clients[i] == nil { // a login: the client receives itself, and begins with nothing else
				before := uint64(len(m.ticks)) - 1
				cursors[i] = Cursor{Session: uint32(i), GUID: guidOf(i), Tick: before}
				clients[i] = &modelClient{self: guidOf(i), word: s.word, known: map[uint64]modelSubject{}}
			}
			behind := uint64(len(m.ticks)) - cursors[i].Tick
			if behind < 60 && (rare && flush.IntN(40) != 0 || !rare && flush.IntN(3) == 0) {
				continue
			}
			out, ok := replay(m, i, &cursors[i])
			if !ok {
				return fmt.Errorf("observer %d lost the stream", i+1)
			}
			if err := clients[i].read(out); err != nil {
				return fmt.Errorf("tick %d, observer %d: %w", len(m.ticks), i+1, err)
			}
			if err := clients[i].check(&m.ticks[len(m.ticks)-1], i); err != nil {
				return fmt.Errorf("tick %d, observer %d: %w", len(m.ticks), i+1, err)
			}
		}
	}
	return nil
}

const modelSeeds = 60

// After each flush a client knows exactly what is in its view, as it is; on the way it never receives
// updates of what it does not know, and every event comes between the values before and after it.
func TestReplayKeepsThePromises(t *testing.T) {
	var r Replayer
	for seed := range uint64(modelSeeds) {
		if err := watch(seed, func(m *model, _ int, c *Cursor) ([]byte, bool) {
			var w Window
			w.Open(m.port)
			defer w.Close()
			return r.Replay(nil, &w, c)
		}); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

func byTable(how mutant) func(m *model, i int, c *Cursor) ([]byte, bool) {
	return func(m *model, i int, c *Cursor) ([]byte, bool) {
		last := uint64(len(m.ticks))
		out := m.expected(i, c.Tick+1, last, how)
		c.Tick = last
		return out, true
	}
}

// The table itself keeps the promises, and getting it wrong in any known way breaks them on every seed:
// the checks above can fail.
func TestMutantsAreFound(t *testing.T) {
	for seed := range uint64(20) {
		if err := watch(seed, byTable(noMutant)); err != nil {
			t.Fatalf("the table, seed %d: %v", seed, err)
		}
	}
	for how := noMutant + 1; how < mutants; how++ {
		var survived []uint64
		for seed := range uint64(20) {
			if watch(seed, byTable(how)) == nil {
				survived = append(survived, seed)
			}
		}
		if len(survived) > 0 {
			t.Errorf("mutant %d is not found with seeds %v", how, survived)
		}
	}
}
