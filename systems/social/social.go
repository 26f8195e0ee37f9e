// Package social is what players say and show to those around them. What reaches further, whispers and channels, is
// the gateway's business.
package social

import (
	"slices"

	"muster/components"
	"muster/components/change"
	"muster/components/defs"
	"muster/ecs"
	"muster/ecs/grid"
	"muster/ecs/space"
	"muster/internal/metric"
	"muster/net/frame"
	"muster/net/msg"
	"muster/net/wire"
	"muster/sched"
)

// System returns the system of a world.
func System(w *ecs.World) sched.System {
	counters := ecs.Shared[metric.Table](w)
	s := &system{
		world:     w,
		defs:      ecs.Shared[defs.World](w),
		space:     ecs.Shared[space.Space](w),
		log:       ecs.Shared[change.Log](w),
		chats:     ecs.QueueOf[change.Sent[msg.ChatMessage]](w),
		feelings:  ecs.QueueOf[change.Sent[msg.TextEmote]](w),
		gestures:  ecs.QueueOf[change.Sent[msg.Emote]](w),
		played:    ecs.QueueOf[change.Sent[msg.PlayedTime]](w),
		moves:     ecs.QueueOf[change.Sent[msg.Move]](w),
		objects:   ecs.NewColumn[components.Object](w),
		positions: ecs.NewColumn[components.Position](w),
		homes:     ecs.NewColumn[components.Home](w),
		sights:    ecs.NewColumn[components.Sight](w),
		sessions:  ecs.NewColumn[components.Session](w),
		vitals:    ecs.NewColumn[components.Vitals](w),
		names:     ecs.NewColumn[components.Name](w),
		records:   ecs.NewColumn[components.Record](w),
		voices:    ecs.NewColumn[components.Voice](w),
		guises:    ecs.NewColumn[components.Guise](w),
		stances:   ecs.NewColumn[components.Stance](w),

		unhandled: counters.Counter("chat.unhandled_type"),
		unable:    counters.Counter("chat.dead"),
		badText:   counters.Counter("chat.bad_text"),
		badLink:   counters.Counter("chat.bad_link"),
		badEmote:  counters.Counter("chat.bad_emote"),
		flood:     counters.Counter("chat.flood"),
	}
	return sched.System{
		Name: "social", Stage: sched.Act,
		Reads: slices.Concat(
			ecs.Of4[components.Object, components.Position, components.Home, components.Session](),
			ecs.Of4[components.Vitals, components.Name, components.Record, components.Sight](),
			ecs.Of4[defs.World, space.Space, ecs.Queue[change.Sent[msg.ChatMessage]], ecs.Queue[change.Sent[msg.TextEmote]]](),
			ecs.Of3[ecs.Queue[change.Sent[msg.Emote]], ecs.Queue[change.Sent[msg.PlayedTime]], ecs.Queue[change.Sent[msg.Move]]]()),
		Writes: append(ecs.Of4[components.Voice, components.Guise, components.Touched, change.Log](),
			ecs.Of2[components.Stance, metric.Table]()...),
		Self: s,
		Run:  s.run,
	}
}

type system struct {
	world     *ecs.World
	defs      *defs.World
	space     *space.Space
	log       *change.Log
	chats     *ecs.Queue[change.Sent[msg.ChatMessage]]
	feelings  *ecs.Queue[change.Sent[msg.TextEmote]]
	gestures  *ecs.Queue[change.Sent[msg.Emote]]
	played    *ecs.Queue[change.Sent[msg.PlayedTime]]
	moves     *ecs.Queue[change.Sent[msg.Move]]
	objects   ecs.Column[components.Object]
	positions ecs.Column[components.Position]
	homes     ecs.Column[components.Home]
	sights    ecs.Column[components.Sight]
	sessions  ecs.Column[components.Session]
	vitals    ecs.Column[components.Vitals]
	names     ecs.Column[components.Name]
	records   ecs.Column[components.Record]
	voices    ecs.Column[components.Voice]
	guises    ecs.Column[components.Guise]
	stances   ecs.Column[components.Stance]
	dancers   []ecs.Entity // who keeps a gesture up

	unhandled *metric.Counter
	unable    *metric.Counter // who was dead
	badText   *metric.Counter
	badLink   *metric.Counter
	badEmote  *metric.Counter
	flood     *metric.Counter

	chat   msg.Chat // kept here, since a packet takes its message by reference
	text   msg.TextEmoted
	emoted msg.Emoted
	time   msg.PlayedTimeResponse
}

func (s *system) run(t sched.Tick) {
	s.rest()
	for i, chats := 0, s.chats.All(); i < len(chats); i++ {
		if s.world.Alive(chats[i].By) {
			s.hear(t, chats[i].By, &chats[i].Msg)
		}
	}
	for i, feelings := 0, s.feelings.All(); i < len(feelings); i++ {
		if s.world.Alive(feelings[i].By) {
			s.feel(t, feelings[i].By, &feelings[i].Msg)
		}
	}
	for _, sent := range s.gestures.All() {
		if s.world.Alive(sent.By) {
			s.gesture(t, sent.By, sent.Msg.Emote)
		}
	}
	for _, sent := range s.played.All() {
		if s.world.Alive(sent.By) {
			s.time.Total, s.time.Level = s.records.Get(sent.By).Played(t.NowMs)
			s.time.Show = sent.Msg.Show
			s.log.Draft.Bytes = msg.Packet(s.log.Draft.Bytes, wire.V12340, msg.OpPlayedTimeResponse, &s.time)
			s.log.Answer(sent.By)
		}
	}
}

// around has everybody within some yards who could see a player hear the packets that were written last. The player
// itself, whose client waits for its own words, hears them at once, the others when it is their turn.
func (s *system) around(e ecs.Entity, yards float32) {
	packet := s.log.Draft.Cut()
	p, sees := s.positions.Get(e), uint32(1)<<s.homes.Get(e).Cell.Layer()
	for layer := range grid.Layers {
		s.space.Order.Within(p.X, p.Y, yards, layer, func(near ecs.Entity) {
			switch {
			case !s.world.Alive(near) || !s.sessions.Has(near) || s.sights.Get(near).Layers&sees == 0:
			case near == e:
				s.log.Draft.TellNow(s.sessions.Get(e).ID, frame.Middle, packet)
			default:
				s.log.Draft.Tell(s.sessions.Get(near).ID, frame.Middle, packet)
			}
		})
	}
}
