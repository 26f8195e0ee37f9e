package swarm

import (
	"time"

	"muster/net/protocol/msg"
)

// A spells is what a client knows to cast, and what it has learnt of that by trying.
//
// Which spells there are depends on the server, so a client without game data tries what it knows on its target, and
// strikes off what is refused for good.
type spells struct {
	known   [maxSpells]spell
	n       uint8
	next    uint8 // the one to try next
	caster  bool  // the client casts at all
	count   uint8
	asked   uint32 // the spell that was asked for; 0: none
	askedAt moment
	free    moment // from then on the next can be asked for
	casting uint32 // begun, and not done
	until   moment // it is done by then
}

// maxSpells is how many spells of its book a client tries.
const maxSpells = 24

// spell is one page of the book.
type spell struct {
	id      uint32
	ready   moment
	refused uint8 // times in a row, for a reason that lasts
}

// Times between casts.
//
// Source: the global cooldown, Spell::TriggerGlobalCooldown, AzerothCore. The others are our own choice.
const (
	globalCooldown = 1500 * time.Millisecond
	castAgain      = 4 * time.Second // between two casts of one spell, as far as its cooldown is not known
	castLater      = 3 * time.Second // after a refusal
	castAnswer     = 2 * time.Second // a request without an answer is forgotten then
	castOverrun    = time.Second     // a cast may be pushed back so far
	refusals       = 2               // strike a spell off
)

// lasting are the reasons for which no second attempt helps.
var lasting = [256]bool{
	msg.CastBadTargets: true, msg.CastBadImplicitTargets: true, msg.CastNotKnown: true, msg.CastEquippedItemClass: true,
	msg.CastTargetFriendly: true, msg.CastTargetEnemy: true, msg.CastUnavailable: true, msg.CastError: true,
	msg.CastSpellLearned: true, msg.CastNotShapeshift: true, msg.CastOnlyShapeshift: true, msg.CastTargetNotDead: true,
	msg.CastTargetIsPlayer: true, msg.CastTargetNotPlayer: true, msg.CastNoValidTargets: true, msg.CastUnknown: true,
	msg.CastLowLevel: true, msg.CastLevelRequirement: true, msg.CastDontReport: true, msg.CastNotHere: true,
}

// learn adds a spell to the book.
func (k *spells) learn(id uint32) {
	if k.find(id) == nil && int(k.n) < len(k.known) {
		k.known[k.n] = spell{id: id}
		k.n++
	}
}

// unlearn takes one out of it.
func (k *spells) unlearn(id uint32) {
	if s := k.find(id); s != nil {
		k.n--
		*s = k.known[k.n]
	}
}

func (k *spells) find(id uint32) *spell {
	for i := range k.known[:k.n] {
		if k.known[i].id == id {
			return &k.known[i]
		}
	}
	return nil
}

// busy reports whether the client casts, or waits for the answer to its wish to.
func (k *spells) busy(due moment) bool {
	return k.casting != 0 && due < k.until || k.asked != 0 && due < k.askedAt+moment(castAnswer)
}

// forget ends whatever was under way.
func (k *spells) forget() { k.asked, k.casting = 0, 0 }

// cast asks for the next spell that is ready.
func (r *run) cast(c *client, due moment) {
	k := &c.grinder.spells
	if !k.caster || due < k.free || k.busy(due) {
		return
	}
	for range k.n {
		k.next = (k.next + 1) % k.n
		s := &k.known[k.next]
		if due < s.ready {
			continue
		}
		k.count++
		k.asked, k.askedAt, k.casting = s.id, due, 0
		k.free, s.ready = due+moment(globalCooldown), due+moment(castAgain)
		c.grinder.deeds.casts++
		r.put(c, msg.OpCastSpell, &msg.CastSpell{
			Count: k.count, Spell: s.id, Targets: msg.Targets{Mask: msg.TargetUnit, Unit: c.grinder.target},
		})
		return
	}
}

// begun notes that the client's spell has begun.
func (r *run) begun(c *client, m *msg.SpellStart) {
	k := &c.grinder.spells
	if m.Spell == k.asked {
		r.answered(c)
		k.casting, k.until = m.Spell, r.now+moment(time.Duration(m.CastMs)*time.Millisecond+castOverrun)
		if m.CastMs == 0 {
			k.casting = 0
		}
	}
}

// cast is done; of one that takes no time this may be the first that is heard of it.
func (r *run) done(c *client, spell uint32) {
	k := &c.grinder.spells
	c.grinder.deeds.done++
	if s := k.find(spell); s != nil {
		s.refused = 0
	}
	if spell == k.asked {
		r.answered(c)
	}
	if spell == k.casting {
		k.casting = 0
	}
}

// answered measures how long the first answer to a wish has taken.
func (r *run) answered(c *client) {
	k := &c.grinder.spells
	record(r.grinds.cast, time.Duration(r.now-k.askedAt))
	k.asked = 0
}

// refusedCast learns from a refusal.
func (r *run) refusedCast(c *client, spell uint32, why msg.CastResult) {
	k := &c.grinder.spells
	r.grinds.castFailures.count(why.Words())
	if spell == k.asked {
		r.answered(c)
	}
	if spell == k.casting && why != msg.CastInProgress {
		k.casting = 0
	}
	s := k.find(spell)
	if s == nil {
		return
	}
	s.ready = r.now + moment(castLater)
	if !lasting[why] {
		return
	}
	if s.refused++; s.refused >= refusals {
		k.unlearn(spell)
	}
}

// cooling keeps a spell back until it has cooled down.
func (r *run) cooling(c *client, spell uint32, d time.Duration) {
	if s := c.grinder.spells.find(spell); s != nil {
		s.ready = max(s.ready, r.now+moment(d))
	}
}
