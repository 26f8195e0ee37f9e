// Package gossip is what creatures say to players that talk to them: menus of options, which lead to other menus, and to
// vendors and trainers.
package gossip

import (
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
	defs     ecs.Res[defs.World]
	out      change.Out
	requests ecs.Events[request]
	talks    ecs.Emit[rules.Gossip]

	objects ecs.Read[components.Object]
	players ecs.Read[components.Unit]
	books   ecs.View[components.Spellbook]
	dialogs ecs.Write[components.Dialog]

	menu  msg.GossipMessage // kept here, since a packet takes its message by reference
	point msg.PointOfInterest
	done  msg.Empty

	unable sched.Counter `name:"gossip.unable"`
	closed sched.Counter `name:"gossip.closed"`
}

// OnEvents implements sched.Handler.
func (s *Gossip) OnEvents(sched.Tick) {
	for i, all := 0, s.requests.All(); i < len(all); i++ {
		s.answer(&all[i])
	}
}

// answer does what a message asks for, if its player can deal with the creature.
//
// Source: WorldSession::HandleGossipHelloOpcode and WorldSession::HandleGossipSelectOptionOpcode, AzerothCore.
func (s *Gossip) answer(r *request) {
	op := uint16(msg.OpGossipHello)
	if r.selected {
		op = msg.OpGossipSelect
	}
	e := r.creature
	if e == (ecs.Entity{}) {
		s.out.Refuse(r.by, op, &s.unable)
		return
	}
	if r.selected {
		s.choose(r, e)
		return
	}
	menu := s.template(e).GossipMenu
	s.show(r.by, e, menu)
	s.talks.Emit(rules.Gossip{By: r.by, Creature: e, GUID: r.guid, Menu: menu, N: r.n})
}

func (s *Gossip) template(e ecs.Entity) *defs.Creature {
	return s.defs.Get().Creature(s.objects.Get(e).Entry)
}

// options are those of a menu of a creature: if its own menu has none, those that all such have.
//
// Source: Player::PrepareGossipMenu, AzerothCore.
func (s *Gossip) options(e ecs.Entity, id uint32) []defs.GossipOption {
	world := s.defs.Get()
	if menu := world.GossipMenu(id); menu != nil && len(menu.Options) > 0 {
		return menu.Options
	}
	if menu := world.GossipMenu(0); menu != nil && s.template(e).GossipMenu == id {
		return menu.Options
	}
	return nil
}

// offers reports whether a creature has an option of its menus for a player.
func (s *Gossip) offers(player, e ecs.Entity, o *defs.GossipOption) bool {
	template := s.template(e)
	switch {
	case template.NPCFlags&o.NPCFlags == 0:
		return false
	case o.Opens == defs.GossipVendor:
		return template.NPCFlags&components.NPCVendor != 0 && s.defs.Get().Vendor(template.Entry) != nil
	case o.Opens == defs.GossipTrainer:
		return s.teaches(player, template)
	}
	return true
}

// teaches reports whether creatures of a template teach a player.
func (s *Gossip) teaches(player ecs.Entity, template *defs.Creature) bool {
	trainer := s.defs.Get().Trainer(template.Entry)
	if trainer == nil || template.NPCFlags&components.NPCTrainer == 0 {
		return false
	}
	bytes := s.players.Get(player).Bytes0
	return trainer.Teaches(bytes[components.ByteClass], bytes[components.ByteRace], s.books.Get(player).Knows)
}

// show sends a player a menu of a creature.
//
// Source: Player::SendPreparedGossip, AzerothCore.
func (s *Gossip) show(player, e ecs.Entity, id uint32) {
	s.menu = msg.GossipMessage{GUID: s.objects.Get(e).GUID, Menu: id, Text: defs.DefaultText, Options: s.menu.Options[:0]}
	if menu := s.defs.Get().GossipMenu(id); menu != nil {
		s.menu.Text = menu.Text
	}
	all := s.options(e, id)
	for i := range all {
		if o := &all[i]; len(s.menu.Options) < msg.MaxGossipOptions && s.offers(player, e, o) {
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
		all := s.options(e, r.menu)
		if i := slices.IndexFunc(all, func(o defs.GossipOption) bool { return o.ID == r.option }); i >= 0 && s.offers(r.by, e, &all[i]) {
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
		s.show(r.by, e, o.Menu)
	case o.Close:
		*d = components.Dialog{}
		s.out.SendNow(r.by, msg.OpGossipComplete, &s.done)
	}
	s.talks.Emit(rules.Gossip{
		By: r.by, Creature: e, GUID: r.guid, Menu: r.menu, Option: r.option, N: r.n, Opens: o.Opens, Selected: true,
	})
}
