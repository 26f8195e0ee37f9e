package vendor

import (
	"muster/components/defs"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/sched"
	"muster/systems/rules"
)

// An admitted is a request of which it is known what is sold to its player. System vendor takes it.
type admitted struct{ Request }

// VendorConditions finds out which items are sold to the player of a request, and hands it to system vendor. They stay in their order.
type VendorConditions struct {
	defs     ecs.Res[defs.World]
	requests ecs.Requests[Request]
	queries  ecs.Emit[rules.ConditionQuery]
	answers  ecs.EventReader[rules.ConditionAnswer]
	admitted ecs.Emit[admitted]

	waits []waiting `snapshot:"-"` // in their order; none is left at the end of a tick
}

// A waiting request has so many conditions of which it is not known whether they hold.
type waiting struct {
	Request
	unknown int
}

// React implements sched.Reactor.
func (s *VendorConditions) React(sched.Tick) {
	for _, r := range s.requests.Take() {
		s.waits = append(s.waits, waiting{r, s.ask(&r)})
	}
	for _, a := range s.answers.Next() {
		if a.For == rules.ForVendor {
			s.answer(&a)
		}
	}
	n := 0
	for ; n < len(s.waits) && s.waits[n].unknown == 0; n++ {
		s.admitted.Emit(admitted{s.waits[n].Request})
	}
	s.waits = append(s.waits[:0], s.waits[n:]...)
}

// ask asks for the conditions of what a player is to see or buys, and returns how many these are.
func (s *VendorConditions) ask(r *Request) (n int) {
	v := s.defs.Get().Vendor(r.Entry)
	if v == nil || r.Verb != List && r.Verb != Buy && r.Verb != BuyInto {
		return 0
	}
	for i := range v.Items[:min(len(v.Items), msg.MaxVendorItems)] {
		if list := v.Items[i].Conditions; list != 0 && (r.Verb == List || r.Slot == uint32(i)+1) {
			s.queries.Emit(rules.ConditionQuery{List: list, First: r.By, Second: r.Vendor, For: rules.ForVendor, A: r.N, B: uint32(i)})
			n++
		}
	}
	return n
}

func (s *VendorConditions) answer(a *rules.ConditionAnswer) {
	for i := range s.waits {
		if w := &s.waits[i]; w.N == a.A && w.By == a.First {
			w.unknown--
			if a.Holds {
				w.Allowed.add(a.B)
			}
		}
	}
}
