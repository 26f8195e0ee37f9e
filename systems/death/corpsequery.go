package death

import (
	"muster/components"
	"muster/components/life"
	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/sched"
)

// CorpseQueries answers where the corpses of players are.
//
// Source: WorldSession::HandleCorpseQueryOpcode, AzerothCore.
type CorpseQueries struct {
	out     change.Out
	empty   ecs.Events[change.Sent[msg.Empty]]
	records ecs.ReadRef[components.Record]

	corpse msg.CorpseQueryResponse // kept here, since a packet takes its message by reference
}

// OnEvents implements sched.Handler.
func (s *CorpseQueries) OnEvents(sched.Tick) {
	for _, sent := range s.empty.All() {
		if sent.Op != msg.OpCorpseQuery {
			continue
		}
		s.corpse = msg.CorpseQueryResponse{}
		if d := &s.records.Get(sent.By).Death; d.State == life.Ghost {
			s.corpse = msg.CorpseQueryResponse{
				Found: true, Map: int32(d.Body.Map), CorpseMap: int32(d.Body.Map),
				Position: wire.Vec3{X: d.Body.X, Y: d.Body.Y, Z: d.Body.Z},
			}
		}
		s.out.SendNow(sent.By, msg.OpCorpseQuery, &s.corpse)
	}
}
