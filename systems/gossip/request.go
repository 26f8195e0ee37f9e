package gossip

import (
	"cmp"
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// GossipRequests hands the messages of clients to system gossip, in the order of their arrival, and asks whether the conditions hold that
// their answers depend on.
type GossipRequests struct {
	rules.Interaction

	defs    ecs.Res[defs.World]
	out     change.Out
	hellos  ecs.Events[change.Sent[msg.GossipHello]]
	selects ecs.Events[change.Sent[msg.GossipSelect]]
	queries ecs.Emit[rules.ConditionQuery]
	asked   ecs.Emit[request]

	objects ecs.Read[components.Object]
	homes   ecs.Read[components.HomeCell]

	all []request `snapshot:"-"` // in this tick

	unable sched.Counter `name:"gossip.unable"`
}

// A request is a message about gossip. System gossip takes it.
type request struct {
	n            uint32 // its index among all messages of the tick
	by, creature ecs.Entity
	guid         uint64
	menu, option uint32
	selected     bool
}

// anyService are all NPC flags: a creature without one does not talk.
const anyService = 1<<32 - 1

// OnEvents implements sched.Handler.
func (s *GossipRequests) OnEvents(t sched.Tick) {
	s.all = s.all[:0]
	for _, m := range s.hellos.All() {
		s.all = append(s.all, request{n: m.N, by: m.By, guid: m.Msg.GUID})
	}
	for _, m := range s.selects.All() {
		s.all = append(s.all, request{n: m.N, by: m.By, guid: m.Msg.GUID, menu: m.Msg.Menu, option: m.Msg.Option, selected: true})
	}
	slices.SortFunc(s.all, func(a, b request) int { return cmp.Compare(a.n, b.n) })
	for i := range s.all {
		s.take(t, &s.all[i])
	}
}

// take asks system gossip to answer a message, if its player can deal with the creature.
//
// Source: WorldSession::HandleGossipHelloOpcode and WorldSession::HandleGossipSelectOptionOpcode, AzerothCore.
func (s *GossipRequests) take(t sched.Tick, r *request) {
	op := uint16(msg.OpGossipHello)
	if r.selected {
		op = msg.OpGossipSelect
	}
	r.creature = s.Find(r.by, r.guid, anyService)
	if r.creature == (ecs.Entity{}) || s.homes.Get(r.by).Before(uint32(t.N)) == grid.None {
		s.out.Refuse(r.by, op, &s.unable)
		return
	}
	world := s.defs.Get()
	template := world.Creature(s.objects.Get(r.creature).Entry)
	if !r.selected {
		r.menu = template.GossipMenu
		s.ask(r, world.GossipMenu(r.menu), options(world, template, r.menu), 0)
	} else if all := options(world, template, r.menu); all != nil {
		if i := slices.IndexFunc(all, func(o defs.GossipOption) bool { return o.ID == r.option }); i >= 0 {
			s.query(r, all[i].Conditions, chosen)
			if next := all[i].Menu; next != 0 {
				s.ask(r, world.GossipMenu(next), options(world, template, next), 0)
			}
		}
	}
	s.asked.Emit(*r)
}

// The questions of a request: whether each option holds of the menu that is shown, whether each text does, and whether the option does that
// was chosen.
const (
	firstText = msg.MaxGossipOptions
	chosen    = 63
)

// ask asks for the conditions of a menu.
func (s *GossipRequests) ask(r *request, menu *defs.GossipMenu, all []defs.GossipOption, first uint32) {
	for i := range all {
		s.query(r, all[i].Conditions, first+uint32(i))
	}
	if menu != nil {
		for i := range menu.Texts {
			s.query(r, menu.Texts[i].Conditions, firstText+uint32(i))
		}
	}
}

func (s *GossipRequests) query(r *request, list, question uint32) {
	if list != 0 {
		s.queries.Emit(rules.ConditionQuery{List: list, First: r.by, Second: r.creature, For: rules.ForGossip, A: r.n, B: question})
	}
}

// options are those of a menu of a creature: if its own menu has none, those that all such have.
//
// Source: Player::PrepareGossipMenu, AzerothCore.
func options(world *defs.World, template *defs.Creature, id uint32) []defs.GossipOption {
	if menu := world.GossipMenu(id); menu != nil && len(menu.Options) > 0 {
		return menu.Options
	}
	if menu := world.GossipMenu(0); menu != nil && template.GossipMenu == id {
		return menu.Options
	}
	return nil
}
