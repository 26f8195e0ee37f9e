package control

import (
	"context"
	"errors"
	"strings"

	"muster/net/replication/inspect"
)

// A moment has the values of a condition at one time: each world is asked once for each character, creature or map.
type moment struct {
	ctx       context.Context
	control   *Control
	sessions  map[string]*Character     // by name in lower case; nil of one that is in no world
	creatures map[uint64]*CreatureState // nil of one that is in no world
	maps      map[uint32]*mapState      // nil of one that there is not
	counts    map[*operand]*count       // of events; they go on from moment to moment
	gap       bool                      // events are missing in the counts
}

// A count is how many events an operand has seen.
type count struct {
	after uint64 // the last that it has looked at
	n     int
}

// newMoment returns a moment before anything is asked, whose events are those after a number.
func (c *Control) newMoment(ctx context.Context, of *condition, after uint64) *moment {
	m := &moment{
		ctx: ctx, control: c, sessions: make(map[string]*Character), creatures: make(map[uint64]*CreatureState),
		maps: make(map[uint32]*mapState), counts: make(map[*operand]*count),
	}
	for _, o := range of.operands {
		m.counts[o] = &count{after: after}
	}
	return m
}

// pass makes the moment another one, later.
func (m *moment) pass() {
	clear(m.sessions)
	clear(m.creatures)
	clear(m.maps)
}

func (m *moment) time() (value, error) {
	return value{kind: number, number: float64(m.control.config.Now().Milliseconds())}, nil
}

func (m *moment) players() (value, error) {
	return value{kind: number, number: float64(len(m.control.config.Gate.OnlinePlayers()))}, nil
}

func (m *moment) events(of *operand, f *filter) (value, error) {
	c := m.counts[of]
	n, last, ok := m.control.config.Happenings.count(c.after, f)
	c.n, c.after = c.n+n, last
	m.gap = m.gap || !ok
	return value{kind: number, number: float64(c.n)}, nil
}

// session is the state of a character in a world, nil if it is in none.
func (m *moment) session(name string) (*Character, error) {
	name = strings.ToLower(name)
	if s, ok := m.sessions[name]; ok {
		return s, nil
	}
	var s *Character
	if p, err := m.control.here(name); err == nil {
		is, err := m.control.state(m.ctx, p)
		switch {
		case err == nil:
			s = &is
		case !errors.Is(err, errOffline): // between two worlds
			return nil, err
		}
	}
	m.sessions[name] = s
	return s, nil
}

// creature is the state of a creature, nil if it is in no world.
func (m *moment) creature(guid uint64) (*CreatureState, error) {
	s, ok := m.creatures[guid]
	if ok {
		return s, nil
	}
	s, err := m.control.findCreature(m.ctx, guid)
	if err == nil {
		m.creatures[guid] = s
	}
	return s, err
}

// A mapState counts what is on a map.
type mapState struct{ tick, players, awake, asleep float64 }

// mapOf is the state of a map, nil if there is none.
func (m *moment) mapOf(id uint32) (*mapState, error) {
	if s, ok := m.maps[id]; ok {
		return s, nil
	}
	var s *mapState
	if of := m.control.world(id); of != nil {
		var q inspect.Query
		if err := of.ask(m.ctx, &q); err != nil {
			return nil, err
		}
		s = &mapState{float64(q.Tick), float64(q.Players), float64(q.Awake), float64(q.Asleep)}
	}
	m.maps[id] = s
	return s, nil
}
