// Package combat is what units do to each other with their weapons, and whom they have in their sights. Players and
// creatures swing alike: what makes them begin is a request of the one and system ai for the other.
package combat

import (
	"slices"

	"muster/components"
	"muster/components/change"
	"muster/components/move"
	"muster/ecs"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/net/frame"
	"muster/net/msg"
	"muster/net/wire"
	"muster/sched"
	"muster/systems/rules"
)

// System returns the system of a world.
func System(w *ecs.World) sched.System {
	counters := ecs.Shared[metric.Table](w)
	s := &system{
		world: w,
		space: ecs.Shared[space.Space](w),
		log:   ecs.Shared[change.Log](w),
		book:  rules.New(w),

		selections: ecs.QueueOf[change.Sent[msg.SetSelection]](w),
		swings:     ecs.QueueOf[change.Sent[msg.AttackSwing]](w),
		wishes:     ecs.QueueOf[change.Sent[msg.Empty]](w),
		sheaths:    ecs.QueueOf[change.Sent[msg.SetSheathed]](w),
		poses:      ecs.QueueOf[change.Sent[msg.StandStateChange]](w),
		teleports:  ecs.QueueOf[move.Teleported](w),

		objects:  ecs.NewColumn[components.Object](w),
		units:    ecs.NewColumn[components.Unit](w),
		stances:  ecs.NewColumn[components.Stance](w),
		bouts:    ecs.NewColumn[components.Bout](w),
		castings: ecs.NewColumn[components.Casting](w),

		dead:      counters.Counter("combat.dead"),
		missing:   counters.Counter("combat.no_target"),
		badStance: counters.Counter("combat.bad_stance"),
	}
	return sched.System{
		Name: "combat", Stage: sched.Act,
		Reads: slices.Concat(rules.Reads(),
			ecs.Of4[ecs.Queue[change.Sent[msg.SetSelection]], ecs.Queue[change.Sent[msg.AttackSwing]], ecs.Queue[change.Sent[msg.Empty]], ecs.Queue[change.Sent[msg.SetSheathed]]](),
			ecs.Of4[ecs.Queue[change.Sent[msg.StandStateChange]], ecs.Queue[move.Teleported], components.Casting, space.Space]()),
		Writes: rules.Writes(),
		Self:   s,
		Run:    s.run,
	}
}

type system struct {
	world *ecs.World
	space *space.Space
	log   *change.Log
	book  *rules.Book

	selections *ecs.Queue[change.Sent[msg.SetSelection]]
	swings     *ecs.Queue[change.Sent[msg.AttackSwing]]
	wishes     *ecs.Queue[change.Sent[msg.Empty]]
	sheaths    *ecs.Queue[change.Sent[msg.SetSheathed]]
	poses      *ecs.Queue[change.Sent[msg.StandStateChange]]
	teleports  *ecs.Queue[move.Teleported]

	objects  ecs.Column[components.Object]
	units    ecs.Column[components.Unit]
	stances  ecs.Column[components.Stance]
	bouts    ecs.Column[components.Bout]
	castings ecs.Column[components.Casting]

	dead, missing, badStance *metric.Counter

	state   msg.AttackerState
	posture msg.StandStateUpdate
}

func (s *system) run(t sched.Tick) {
	s.choose()
	s.disengage(t)
	s.request(t)
	for _, e := range s.book.Swinging(t) {
		if s.world.Alive(e) {
			s.turn(t, e)
		}
	}
}

// disengage has players who were teleported attack no more. To another map they leave their fights behind; on this one
// their foes come after them as far as they go.
//
// Source: Player::TeleportTo and Unit::CombatStop, AzerothCore.
func (s *system) disengage(t sched.Tick) {
	for _, it := range s.teleports.All() {
		switch {
		case !s.world.Alive(it.Entity):
		case it.Away != 0:
			s.book.Depart(t, it.Entity)
		default:
			s.book.Cease(it.Entity)
		}
	}
}

// choose gives players the targets they have chosen, for everybody to see. A target need not exist: a
// client may choose what has just gone, and is corrected by nothing but its own eyes.
//
// Source: WorldSession::HandleSetSelectionOpcode, AzerothCore.
func (s *system) choose() {
	selections := s.selections.All()
	for i := range selections {
		if by := selections[i].By; s.world.Alive(by) {
			s.book.Aim(by, selections[i].Msg.GUID)
		}
	}
}

// request does what players have asked for. Starts and stops come in the order in which they arrived.
func (s *system) request(t sched.Tick) {
	swings, wishes := s.swings.All(), s.wishes.All()
	for len(swings) > 0 || len(wishes) > 0 {
		if len(wishes) == 0 || len(swings) > 0 && swings[0].N < wishes[0].N {
			if it := &swings[0]; s.world.Alive(it.By) {
				s.attack(t, it.By, it.Msg.GUID)
			}
			swings = swings[1:]
			continue
		}
		if it := &wishes[0]; it.Op == msg.OpAttackStop && s.world.Alive(it.By) {
			s.book.Stop(it.By)
		}
		wishes = wishes[1:]
	}
	for i := range s.sheaths.All() {
		if it := &s.sheaths.All()[i]; s.world.Alive(it.By) {
			s.sheathe(it.By, it.Msg.Sheath)
		}
	}
	for i := range s.poses.All() {
		if it := &s.poses.All()[i]; s.world.Alive(it.By) {
			s.pose(it.By, it.Msg.State)
		}
	}
}

// answer tells a player something that has no body.
func (s *system) answer(e ecs.Entity, op uint16) {
	s.log.Draft.Bytes = msg.Packet(s.log.Draft.Bytes, wire.V12340, op, &nothing)
	s.log.Tell(e, frame.Middle)
}

func (s *system) send(e ecs.Entity, op uint16, m msg.Message) {
	s.log.Draft.Bytes = msg.Packet(s.log.Draft.Bytes, wire.V12340, op, m)
	s.log.Tell(e, frame.Middle)
}

var nothing msg.Empty
