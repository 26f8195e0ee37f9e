// Package trainer is what trainers do: they list what they teach, and teach it for money.
//
// A spell is paid for first, all or nothing, and taught within the same stage: no tick ends between the two.
package trainer

import (
	"cmp"
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/goods"
	"muster/systems/rules"
)

// Trainer executes the requests of clients to trainers.
type Trainer struct {
	entities   ecs.Entities
	defs       ecs.Res[defs.World]
	out        change.Out
	requests   ecs.Requests[Request]
	money      ecs.Emit[goods.GiveMoney]
	moneyGiven ecs.EventReader[goods.MoneyGiven]
	teaches    ecs.Emit[rules.TeachSpell]
	books      ecs.ReadRef[components.Spellbook]

	lessons []lesson // in the order of their tickets: those that are being paid for
	ticket  uint32   // of the last one

	known  []uint32        `snapshot:"-"` // by the player of the request that is executed, ascending
	list   msg.TrainerList // kept here, since a packet takes its message by reference
	bought msg.TrainerBought
	failed msg.TrainerBuyFailed

	unable sched.Counter `name:"trainer.unable"`
}

// A lesson is a spell that a player is about to pay for.
type lesson struct {
	Ticket uint32
	By     ecs.Entity
	GUID   uint64 // of the trainer
	Spell  uint32
}

// React implements sched.Reactor.
func (s *Trainer) React(sched.Tick) {
	requests := s.requests.Take()
	for i := range requests {
		if r := &requests[i]; s.entities.Exists(r.By) {
			s.execute(r)
		}
	}
	for i, all := 0, s.moneyGiven.Next(); i < len(all); i++ {
		at := slices.IndexFunc(s.lessons, func(l lesson) bool { return l.Ticket == all[i].Ticket })
		if at < 0 {
			continue
		}
		l := s.lessons[at]
		s.lessons = slices.Delete(s.lessons, at, at+1)
		if s.entities.Exists(l.By) {
			s.paid(&l, all[i].OK)
		}
	}
}

// execute lists what a trainer teaches, or has a spell paid for.
//
// Source: WorldSession::HandleTrainerListOpcode and WorldSession::HandleTrainerBuySpellOpcode, AzerothCore.
func (s *Trainer) execute(r *Request) {
	trainer := s.defs.Get().Trainer(r.Entry)
	s.learn(r.By)
	if trainer == nil || !trainer.Teaches(r.Class, r.Race, s.knows) {
		s.out.Refuse(r.By, r.Op, &s.unable)
		return
	}
	if r.Op == msg.OpTrainerBuy {
		s.buy(r, trainer)
		return
	}
	s.list = msg.TrainerList{GUID: r.GUID, Kind: uint32(trainer.Kind), Greeting: trainer.Greeting, Spells: s.list.Spells[:0]}
	for i := range trainer.Spells {
		of := &trainer.Spells[i]
		if len(s.list.Spells) == msg.MaxTrainerSpells || !s.fits(of, r.Class) {
			continue
		}
		s.list.Spells = append(s.list.Spells, msg.TrainerSpell{
			Spell: of.Spell, State: s.state(r, of), Copper: of.Copper, Level: of.Level, Skill: of.Skill, SkillRank: of.SkillRank, Abilities: of.Abilities,
		})
	}
	s.out.SendNow(r.By, msg.OpTrainerList, &s.list)
}

// buy begins a lesson.
//
// Source: Trainer::TeachSpell, AzerothCore.
func (s *Trainer) buy(r *Request, trainer *defs.Trainer) {
	at, found := slices.BinarySearchFunc(trainer.Spells, r.Spell, func(of defs.TrainerSpell, id uint32) int { return cmp.Compare(of.Spell, id) })
	switch {
	case !found:
		s.fail(r.By, r.GUID, r.Spell, msg.TrainerNoService)
		return
	case s.state(r, &trainer.Spells[at]) != msg.TrainerAvailable, !s.room(r.By):
		s.fail(r.By, r.GUID, r.Spell, msg.TrainerNotEnough)
		return
	}
	s.ticket = max(s.ticket, goods.TrainerTickets) + 1
	l := lesson{s.ticket, r.By, r.GUID, r.Spell}
	price := trainer.Spells[at].Copper
	if price == 0 {
		s.paid(&l, true)
		return
	}
	s.lessons = append(s.lessons, l)
	s.money.Emit(goods.GiveMoney{To: r.By, Copper: -int64(price), Ticket: l.Ticket, Exact: true})
}

// paid teaches a spell that was paid for.
func (s *Trainer) paid(l *lesson, ok bool) {
	if !ok {
		s.fail(l.By, l.GUID, l.Spell, msg.TrainerTooExpensive)
		return
	}
	for _, id := range s.taught(l.Spell) {
		if id != 0 {
			s.teaches.Emit(rules.TeachSpell{Entity: l.By, Spell: id})
		}
	}
	s.bought = msg.TrainerBought{GUID: l.GUID, Spell: l.Spell}
	s.out.SendNow(l.By, msg.OpTrainerBought, &s.bought)
}

func (s *Trainer) fail(player ecs.Entity, trainer uint64, spell uint32, why msg.TrainerResult) {
	s.failed = msg.TrainerBuyFailed{GUID: trainer, Spell: spell, Result: why}
	s.out.SendNow(player, msg.OpTrainerBuyFailed, &s.failed)
}

// taught are the spells that are learned with one of a trainer: those that its effects teach, else itself. 0 is none.
func (s *Trainer) taught(id uint32) (all [defs.MaxEffects]uint32) {
	sp, teaches := s.defs.Get().Spell(id), false
	for i := 0; sp != nil && i < len(sp.Effects); i++ {
		if e := &sp.Effects[i]; e.Kind == defs.EffectLearn && e.Trigger != 0 {
			all[i], teaches = e.Trigger, true
		}
	}
	if !teaches {
		all[0] = id
	}
	return all
}

// room reports whether a player's spell book has room for one more lesson, besides those that are being paid for.
func (s *Trainer) room(player ecs.Entity) bool {
	n := s.books.Get(player).Count + defs.MaxEffects
	for i := range s.lessons {
		if s.lessons[i].By == player {
			n += defs.MaxEffects
		}
	}
	return n <= life.MaxSpells
}

// maxRanks bounds how many lower ranks of a spell are known with it.
const maxRanks = 64

// learn notes which spells a player knows: those of its spell book with their lower ranks, and those that it is paying for.
func (s *Trainer) learn(player ecs.Entity) {
	s.known = s.known[:0]
	add := func(id uint32) {
		for range maxRanks {
			s.known = append(s.known, id)
			sp := s.defs.Get().Spell(id)
			if sp == nil || sp.Replaces == 0 {
				return
			}
			id = sp.Replaces
		}
	}
	book := s.books.Get(player)
	for _, id := range book.Spells[:book.Count] {
		add(id)
	}
	for i := range s.lessons {
		if s.lessons[i].By != player {
			continue
		}
		for _, id := range s.taught(s.lessons[i].Spell) {
			if id != 0 {
				add(id)
			}
		}
	}
	slices.Sort(s.known)
}

func (s *Trainer) knows(id uint32) bool {
	_, found := slices.BinarySearch(s.known, id)
	return found
}

// fits reports whether a class can learn a spell.
func (s *Trainer) fits(of *defs.TrainerSpell, class uint8) bool {
	for _, id := range s.taught(of.Spell) {
		if sp := s.defs.Get().Spell(id); id != 0 && (sp == nil || sp.Class != 0 && sp.Class != class) {
			return false
		}
	}
	return true
}

// state is whether a player can learn a spell. No player has skills.
//
// Source: Trainer::GetSpellState, AzerothCore.
func (s *Trainer) state(r *Request, of *defs.TrainerSpell) msg.TrainerState {
	known, ready := true, s.fits(of, r.Class) && r.Level >= uint32(of.Level) && of.Skill == 0
	for _, id := range s.taught(of.Spell) {
		if id == 0 {
			continue
		}
		known = known && s.knows(id)
		if sp := s.defs.Get().Spell(id); sp != nil && sp.Replaces != 0 && !s.knows(sp.Replaces) {
			ready = false
		}
	}
	for _, id := range of.Abilities {
		ready = ready && (id == 0 || s.knows(id))
	}
	switch {
	case known:
		return msg.TrainerKnown
	case ready:
		return msg.TrainerAvailable
	}
	return msg.TrainerUnavailable
}
