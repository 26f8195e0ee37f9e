package intake

import (
	"cmp"
	"time"

	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
	"muster/net/replication/frame"
	"muster/sched"
)

// The world has no calendar: its clock begins at noon of the first day that the wire can represent.
var noon = time.Date(2000, time.January, 1, 12, 0, 0, 0, time.UTC)

// welcomes is the number of packets at the front of the login sequence that a client gets only when it comes from the
// character screen, not from another map.
//
// Source: WorldSession::HandlePlayerLoginFromDB and HandleMoveWorldportAck, AzerothCore; protocol.md 4.3.
const welcomes = 6

// appendLogin appends the packets that a client gets before its own create block, in the order that clients expect. The
// times of its caches are beside the time of the gateway, as they are on the character screen.
//
// Source: protocol.md 2.4.
func appendLogin(b []byte, t sched.Tick, c *frame.Character, arrives bool) []byte {
	now := noon.Add(time.Duration(t.N) * t.Quantum) // NowMs goes round in 49 days
	at := wire.Vec3{X: c.X, Y: c.Y, Z: c.Z}
	caches := msg.AccountDataTimes{Now: cmp.Or(c.NowUnix, uint32(now.Unix())), One: 1, Mask: msg.CharacterCaches}
	copy(caches.Times[:], c.Caches[:])
	for i, p := range []struct {
		op uint16
		m  msg.Message
	}{
		{msg.OpSetDungeonDifficulty, &msg.DungeonDifficulty{One: 1}},
		{msg.OpLoginVerifyWorld, &msg.Place{Map: c.Map, Position: at, Orientation: c.O}},
		{msg.OpAccountDataTimes, &caches},
		{msg.OpFeatureSystemStatus, &msg.FeatureSystemStatus{Complaints: 2}},
		{msg.OpMOTD, &msg.MOTD{Lines: []string{"This is a muster world: synthetic, and here to be measured."}}},
		{msg.OpLearnedDanceMoves, &msg.LearnedDanceMoves{}},
		{msg.OpContactList, &msg.ContactList{Kinds: msg.ContactFriend | msg.ContactIgnored | msg.ContactMuted}},
		{msg.OpBindPointUpdate, &msg.BindPoint{Position: at, Map: c.Map, Area: c.Zone}},
		{msg.OpTalentsInfo, &msg.TalentsInfo{Specs: []msg.TalentSpec{{Glyphs: make([]uint16, 6)}}}},
		{msg.OpInstanceDifficulty, &msg.InstanceDifficulty{}},
		{msg.OpInitialSpells, initialSpells(c)},
		{msg.OpSendUnlearnSpells, &msg.SendUnlearnSpells{}},
		{msg.OpActionButtons, actionButtons(c)},
		{msg.OpInitializeFactions, &msg.InitializeFactions{}},
		{msg.OpAllAchievementData, &msg.AllAchievementData{}},
		{msg.OpEquipmentSetList, &msg.EquipmentSetList{}},
		{msg.OpLoginSetTimeSpeed, &msg.LoginSetTimeSpeed{Time: msg.PackTime(now), Speed: msg.RealTime}},
		{msg.OpSetForcedReactions, &msg.SetForcedReactions{}},
	} {
		if !arrives || i >= welcomes {
			b = msg.Packet(b, wire.V12340, p.op, p.m)
		}
	}
	return b
}

// initialSpells has a player's spells and cooldowns, which have run on while it was away.
func initialSpells(c *frame.Character) *msg.InitialSpells {
	m := new(msg.InitialSpells)
	for _, id := range c.Spells {
		m.Spells = append(m.Spells, msg.KnownSpell{ID: id})
	}
	for _, w := range c.Cooldowns {
		left := c.Left(w.LeftMs)
		if left == 0 {
			continue
		}
		wait := msg.Cooldown{Spell: w.Spell, Category: uint16(w.Category), Ms: left}
		if w.Category != 0 {
			wait.Ms, wait.CategoryMs = 0, left
		}
		m.Cooldowns = append(m.Cooldowns, wait)
	}
	return m
}

// actionButtons has a player's action bars.
func actionButtons(c *frame.Character) *msg.ActionButtons {
	m := &msg.ActionButtons{State: 1}
	for _, a := range c.Actions {
		if int(a.Button) < len(m.Buttons) {
			m.Buttons[a.Button] = a.Packed
		}
	}
	return m
}
