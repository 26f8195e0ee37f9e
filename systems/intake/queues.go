package intake

import (
	"errors"

	"muster/ecs"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/change"
	"muster/net/replication/frame"
)

// queues are those of client messages, one for each type.
type queues struct {
	moves         ecs.Emit[change.Sent[msg.Move]]
	times         ecs.Emit[change.Sent[msg.TimeSyncResp]]
	teleports     ecs.Emit[change.Sent[msg.TeleportAck]]
	speeds        ecs.Emit[change.Sent[msg.SpeedAck]]
	moveAcks      ecs.Emit[change.Sent[msg.MoveAck]]
	flights       ecs.Emit[change.Sent[msg.CanFlyAck]]
	chats         ecs.Emit[change.Sent[msg.ChatMessage]]
	textEmotes    ecs.Emit[change.Sent[msg.TextEmote]]
	emotes        ecs.Emit[change.Sent[msg.Emote]]
	played        ecs.Emit[change.Sent[msg.PlayedTime]]
	selections    ecs.Emit[change.Sent[msg.SetSelection]]
	swings        ecs.Emit[change.Sent[msg.AttackSwing]]
	sheaths       ecs.Emit[change.Sent[msg.SetSheathed]]
	poses         ecs.Emit[change.Sent[msg.StandStateChange]]
	casts         ecs.Emit[change.Sent[msg.CastSpell]]
	cancels       ecs.Emit[change.Sent[msg.CancelCast]]
	channels      ecs.Emit[change.Sent[msg.CancelChannelling]]
	auras         ecs.Emit[change.Sent[msg.CancelAura]]
	buttons       ecs.Emit[change.Sent[msg.SetActionButton]]
	loots         ecs.Emit[change.Sent[msg.Loot]]
	storedLoot    ecs.Emit[change.Sent[msg.AutoStoreLootItem]]
	lootReleases  ecs.Emit[change.Sent[msg.LootRelease]]
	equips        ecs.Emit[change.Sent[msg.AutoEquipItem]]
	swaps         ecs.Emit[change.Sent[msg.SwapItem]]
	slotSwaps     ecs.Emit[change.Sent[msg.SwapInvItem]]
	destroys      ecs.Emit[change.Sent[msg.DestroyItem]]
	uses          ecs.Emit[change.Sent[msg.UseItem]]
	repops        ecs.Emit[change.Sent[msg.RepopRequest]]
	reclaims      ecs.Emit[change.Sent[msg.ReclaimCorpse]]
	resurrections ecs.Emit[change.Sent[msg.ResurrectResponse]]
	spiritHealers ecs.Emit[change.Sent[msg.SpiritHealerActivate]]
	objectUses    ecs.Emit[change.Sent[msg.GameObjectUse]]
	objectReports ecs.Emit[change.Sent[msg.GameObjectReportUse]]
	gossipHellos  ecs.Emit[change.Sent[msg.GossipHello]]
	gossipSelects ecs.Emit[change.Sent[msg.GossipSelect]]
	trainerLists  ecs.Emit[change.Sent[msg.TrainerListQuery]]
	trainerBuys   ecs.Emit[change.Sent[msg.TrainerBuy]]
	vendorLists   ecs.Emit[change.Sent[msg.ListInventory]]
	buys          ecs.Emit[change.Sent[msg.BuyItem]]
	slotBuys      ecs.Emit[change.Sent[msg.BuyItemInSlot]]
	sales         ecs.Emit[change.Sent[msg.SellItem]]
	buybacks      ecs.Emit[change.Sent[msg.BuybackItem]]
	tradeAsks     ecs.Emit[change.Sent[msg.InitiateTrade]]
	tradeAccepts  ecs.Emit[change.Sent[msg.AcceptTrade]]
	tradeItems    ecs.Emit[change.Sent[msg.SetTradeItem]]
	tradeClears   ecs.Emit[change.Sent[msg.ClearTradeItem]]
	tradeGold     ecs.Emit[change.Sent[msg.SetTradeGold]]
	triggers      ecs.Emit[change.Sent[msg.AreaTrigger]]
	empties       ecs.Emit[change.Sent[msg.Empty]]
}

// takeAll lists the opcodes of the messages in each queue.
func (s *Intake) takeAll() {
	q := &s.queues
	for i := range msg.Table {
		if op := msg.Table[i].Op; msg.IsMove(op) {
			take(s, &q.moves, op)
		}
	}
	take(s, &q.triggers, msg.OpAreaTrigger)
	take(s, &q.times, msg.OpTimeSyncResp)
	take(s, &q.teleports, msg.OpMoveTeleportAck)
	take(s, &q.speeds, msg.OpForceWalkSpeedChangeAck, msg.OpForceRunSpeedChangeAck,
		msg.OpForceRunBackSpeedChangeAck, msg.OpForceSwimSpeedChangeAck, msg.OpForceSwimBackSpeedChangeAck,
		msg.OpForceFlightSpeedChangeAck, msg.OpForceTurnRateChangeAck)
	take(s, &q.moveAcks, msg.OpForceMoveRootAck, msg.OpForceMoveUnrootAck, msg.OpMoveKnockBackAck)
	take(s, &q.flights, msg.OpMoveSetCanFlyAck, msg.OpMoveWaterWalkAck)
	take(s, &q.chats, msg.OpChatMessage)
	take(s, &q.textEmotes, msg.OpTextEmote)
	take(s, &q.emotes, msg.OpEmote)
	take(s, &q.played, msg.OpPlayedTime)
	take(s, &q.selections, msg.OpSetSelection)
	take(s, &q.swings, msg.OpAttackSwing)
	take(s, &q.sheaths, msg.OpSetSheathed)
	take(s, &q.poses, msg.OpStandStateChange)
	take(s, &q.casts, msg.OpCastSpell)
	take(s, &q.cancels, msg.OpCancelCast)
	take(s, &q.channels, msg.OpCancelChannelling)
	take(s, &q.auras, msg.OpCancelAura)
	take(s, &q.buttons, msg.OpSetActionButton)
	take(s, &q.loots, msg.OpLoot)
	take(s, &q.storedLoot, msg.OpAutoStoreLootItem)
	take(s, &q.lootReleases, msg.OpLootRelease)
	take(s, &q.equips, msg.OpAutoEquipItem)
	take(s, &q.swaps, msg.OpSwapItem)
	take(s, &q.slotSwaps, msg.OpSwapInvItem)
	take(s, &q.destroys, msg.OpDestroyItem)
	take(s, &q.uses, msg.OpUseItem)
	take(s, &q.repops, msg.OpRepopRequest)
	take(s, &q.reclaims, msg.OpReclaimCorpse)
	take(s, &q.resurrections, msg.OpResurrectResponse)
	take(s, &q.spiritHealers, msg.OpSpiritHealerActivate)
	take(s, &q.objectUses, msg.OpGameObjectUse)
	take(s, &q.objectReports, msg.OpGameObjectReportUse)
	take(s, &q.gossipHellos, msg.OpGossipHello)
	take(s, &q.gossipSelects, msg.OpGossipSelect)
	take(s, &q.trainerLists, msg.OpTrainerListQuery)
	take(s, &q.trainerBuys, msg.OpTrainerBuy)
	take(s, &q.vendorLists, msg.OpListInventory)
	take(s, &q.buys, msg.OpBuyItem)
	take(s, &q.slotBuys, msg.OpBuyItemInSlot)
	take(s, &q.sales, msg.OpSellItem)
	take(s, &q.buybacks, msg.OpBuybackItem)
	take(s, &q.tradeAsks, msg.OpInitiateTrade)
	take(s, &q.tradeAccepts, msg.OpAcceptTrade)
	take(s, &q.tradeItems, msg.OpSetTradeItem)
	take(s, &q.tradeClears, msg.OpClearTradeItem)
	take(s, &q.tradeGold, msg.OpSetTradeGold)
	take(s, &q.empties, msg.OpLootMoney, msg.OpCorpseQuery, msg.OpLogoutRequest, msg.OpLogoutCancel, msg.OpPlayerLogout, msg.OpAttackStop, msg.OpCancelAutoRepeat,
		msg.OpBeginTrade, msg.OpBusyTrade, msg.OpIgnoreTrade, msg.OpUnacceptTrade, msg.OpCancelTrade)
}

// message is a pointer to a message type.
type message[M any] interface {
	*M
	Wire(*wire.Codec)
}

// take sets the queue for the messages with some opcodes.
func take[M any, P message[M]](s *Intake, q *ecs.Emit[change.Sent[M]], ops ...uint16) {
	for _, op := range ops {
		s.into[op] = func(by ecs.Entity, it *frame.Item) { push[M, P](s, q, by, it) }
	}
}

// push decodes a message into its queue. A message with bytes left over is accepted, and counted.
func push[M any, P message[M]](s *Intake, q *ecs.Emit[change.Sent[M]], by ecs.Entity, it *frame.Item) {
	sent := q.Next()
	sent.By, sent.AtMs, sent.Op, sent.N = by, it.AtMs, it.Op, s.n
	switch err := msg.Decode(wire.V12340, it.Body, any(P(&sent.Msg)).(msg.Message)); {
	case err == nil:
	case errors.Is(err, msg.ErrLong):
		s.out.Refuse(by, it.Op, &s.longBody)
	default:
		q.Drop()
		s.out.Refuse(by, it.Op, &s.badBody)
	}
}
