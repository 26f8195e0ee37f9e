// Package gossip is what creatures say to players that talk to them: menus of options, which lead to other menus, and to
// vendors and trainers.
package gossip

import (
	"cmp"
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/rules"
)

// Gossip shows menus, and does what their options do. What else an option opens, and what scripts do about it, other systems do that
// read rules.Gossip.
type Gossip struct {
	entities ecs.Entities
	defs     ecs.Res[defs.World]
	out      change.Out
	requests ecs.Requests[request]
	answers  ecs.EventReader[rules.ConditionAnswer]
	shows    ecs.Requests[rules.ShowGossip]
	talks    ecs.Emit[rules.Gossip]

	objects ecs.Read[components.Object]
	players ecs.Read[components.Unit]
	stances ecs.Read[components.Stance]
	books   ecs.ReadRef[components.Spellbook]
	dialogs ecs.Write[components.Dialog]

	held  []held            `snapshot:"-"` // conditions that hold, of the messages of this tick, by message and question
	menu  msg.GossipMessage // kept here, since a packet takes its message by reference
	point msg.PointOfInterest
	done  msg.Empty

	closed sched.Counter `name:"gossip.closed"`
}

// A held is a condition that holds: of a message, by its index, and a question.
type held struct{ n, question uint32 }

func (h held) compare(other held) int {
	return cmp.Or(cmp.Compare(h.n, other.n), cmp.Compare(h.question, other.question))
}

// React implements sched.Reactor.
func (s *Gossip) React(sched.Tick) {
	s.held = s.held[:0]
	for _, a := range s.answers.Next() {
		if a.For == rules.ForGossip && a.Holds {
			s.held = append(s.held, held{a.A, a.B})
		}
	}
	slices.SortFunc(s.held, held.compare)
	for _, r := range s.requests.Take() {
		if s.entities.Exists(r.by) && s.entities.Exists(r.creature) {
			s.answer(&r)
		}
	}
	s.held = s.held[:0] // what scripts show has no conditions
	for _, it := range s.shows.Take() {
		s.script(&it)
	}
}

// holds reports whether conditions hold that GossipRequests has asked for.
func (s *Gossip) holds(r *request, list, question uint32) bool {
	if list == 0 {
		return true
	}
	_, ok := slices.BinarySearchFunc(s.held, held{r.n, question}, held.compare)
	return ok
}

// answer does what a message asks for.
func (s *Gossip) answer(r *request) {
	if r.selected {
		s.choose(r, r.creature)
		return
	}
	s.show(r, r.creature, r.menu)
	s.talks.Emit(rules.Gossip{By: r.by, Creature: r.creature, GUID: r.guid, Menu: r.menu, N: r.n})
}

// script shows a player what the script of a creature wants, or closes its window.
//
// Source: SMART_ACTION_SEND_GOSSIP_MENU and SMART_ACTION_CLOSE_GOSSIP, SmartScript::ProcessAction, AzerothCore.
func (s *Gossip) script(it *rules.ShowGossip) {
	switch {
	case !s.entities.Exists(it.Player) || !s.dialogs.Has(it.Player):
	case it.Close:
		*s.dialogs.Get(it.Player) = components.Dialog{}
		s.out.SendNow(it.Player, msg.OpGossipComplete, &s.done)
	case s.entities.Exists(it.Creature) && s.template(it.Creature) != nil:
		s.showText(&request{by: it.Player}, it.Creature, it.Menu, it.Text)
	}
}

func (s *Gossip) template(e ecs.Entity) *defs.Creature {
	return s.defs.Get().Creature(s.objects.Get(e).Entry)
}

// offers reports whether a creature has an option of its menus for a player.
func (s *Gossip) offers(player, e ecs.Entity, o *defs.GossipOption) bool {
	template, flags := s.template(e), s.stances.Get(e).NPCFlags
	switch {
	case flags&o.NPCFlags == 0:
		return false
	case o.Opens == defs.GossipVendor:
		world := s.defs.Get()
		return flags&components.NPCVendor != 0 && (world.Vendor(template.Entry) != nil || len(world.EventWaresOf(template.Entry)) > 0)
	case o.Opens == defs.GossipTrainer:
		return flags&components.NPCTrainer != 0 && s.teaches(player, template)
	}
	return true
}

// teaches reports whether creatures of a template teach a player.
func (s *Gossip) teaches(player ecs.Entity, template *defs.Creature) bool {
	trainer := s.defs.Get().Trainer(template.Entry)
	if trainer == nil {
		return false
	}
	bytes := s.players.Get(player).Bytes0
	return trainer.Teaches(bytes[components.ByteClass], bytes[components.ByteRace], s.books.Get(player).Knows)
}

// show sends a player a menu of a creature.
//
// Source: Player::SendPreparedGossip, AzerothCore.
func (s *Gossip) show(r *request, e ecs.Entity, id uint32) {
	s.showText(r, e, id, 0)
}

// showText sends a player a menu of a creature with another text, unless that is 0.
func (s *Gossip) showText(r *request, e ecs.Entity, id, text uint32) {
	player := r.by
	s.menu = msg.GossipMessage{GUID: s.objects.Get(e).GUID, Menu: id, Text: defs.DefaultText, Options: s.menu.Options[:0]}
	if menu := s.defs.Get().GossipMenu(id); menu != nil {
		s.menu.Text = menu.Text
		for i := range menu.Texts {
			if it := &menu.Texts[i]; s.holds(r, it.Conditions, firstText+uint32(i)) {
				s.menu.Text = it.Text
			}
		}
	}
	if text != 0 {
		s.menu.Text = text
	}
	all := options(s.defs.Get(), s.template(e), id)
	for i := range all {
		if o := &all[i]; len(s.menu.Options) < msg.MaxGossipOptions && s.offers(player, e, o) && s.holds(r, o.Conditions, uint32(i)) {
			s.menu.Options = append(s.menu.Options, msg.GossipOption{ID: o.ID, Icon: o.Icon, Text: o.Text, BoxText: o.BoxText})
		}
	}
	s.out.SendNow(player, msg.OpGossipMessage, &s.menu)
	*s.dialogs.Get(player) = components.Dialog{Creature: s.menu.GUID, Menu: id}
}

// choose does what an option does that a player was shown.
//
// Source: Player::OnGossipSelect, AzerothCore.
func (s *Gossip) choose(r *request, e ecs.Entity) {
	d := s.dialogs.Get(r.by)
	var o *defs.GossipOption
	if d.Creature == r.guid && d.Menu == r.menu {
		all := options(s.defs.Get(), s.template(e), r.menu)
		i := slices.IndexFunc(all, func(o defs.GossipOption) bool { return o.ID == r.option })
		if i >= 0 && s.offers(r.by, e, &all[i]) && s.holds(r, all[i].Conditions, chosen) {
			o = &all[i]
		}
	}
	if o == nil {
		s.out.Refuse(r.by, msg.OpGossipSelect, &s.closed)
		return
	}
	if p := s.defs.Get().PointOfInterest(o.Point); o.Point != 0 && p != nil {
		s.point = msg.PointOfInterest{Flags: p.Flags, X: p.X, Y: p.Y, Icon: p.Icon, Data: p.Data, Name: p.Name}
		s.out.SendNow(r.by, msg.OpPointOfInterest, &s.point)
	}
	switch {
	case o.Menu != 0:
		s.show(r, e, o.Menu)
	case o.Close:
		*d = components.Dialog{}
		s.out.SendNow(r.by, msg.OpGossipComplete, &s.done)
	}
	s.talks.Emit(rules.Gossip{
		By: r.by, Creature: e, GUID: r.guid, Menu: r.menu, Option: r.option, N: r.n, Opens: o.Opens, Selected: true,
	})
}
