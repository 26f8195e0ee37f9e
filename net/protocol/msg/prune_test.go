package msg

// pruneFight is prune for the messages of combat, spells, loot and items.
func pruneFight(m Message) {
	switch m := m.(type) {
	case *GMChat:
		pruneChat((*Chat)(m), true)
	case *KnockedBack:
		pruneMovement(&m.Movement)
	case *CanFlyAck:
		pruneMovement(&m.Movement)
	case *CastSpell:
		pruneTargets(&m.Targets)
		pruneMissile(&m.Missile, m.Flags)
	case *UseItem:
		pruneTargets(&m.Targets)
		pruneMissile(&m.Missile, m.Flags)
	case *SpellStart:
		pruneTargets(&m.Targets)
		keep(&m.Power, m.Flags&CastPower != 0)
		keep(&m.Ammo, m.Flags&CastAmmo != 0)
		keep(&m.Extra, m.Flags&CastExtra != 0)
	case *SpellGo:
		pruneSpellGo(m)
	case *CastFailed:
		m.Extra = m.Extra[:min(len(m.Extra), maxCastExtra)]
	case *AttackerState:
		pruneAttackerState(m)
	case *AuraUpdate:
		for i := range m.Records {
			r := &m.Records[i]
			if r.Spell == 0 {
				*r = AuraRecord{Slot: r.Slot}
			}
			keep(&r.Caster, r.Flags&AuraOwn == 0)
			keep(&r.MaxMs, r.Flags&AuraHasTime != 0)
			keep(&r.LeftMs, r.Flags&AuraHasTime != 0)
		}
	case *PeriodicAuraLog:
		for i := range m.Ticks {
			pruneTick(&m.Ticks[i])
		}
	case *ChannelNotify:
		pruneChannelNotify(m)
	case *CorpseQueryResponse:
		keep(m, m.Found)
	case *LootResponse:
		if m.Type %= 2; m.Type == LootNone {
			m.Copper, m.Items = 0, nil
		} else {
			m.Error = 0
		}
	case *TradeStatus:
		keep(&m.Trader, m.State == TradeBegins)
		keep(&m.ID, m.State == TradeOpens)
		keep(&m.Result, m.State == TradeCloses)
		keep(&m.TargetError, m.State == TradeCloses)
		keep(&m.Category, m.State == TradeCloses)
		keep(&m.Slot, m.State == TradeOnlyConjured || m.State == TradeNotEligible)
	case *VendorList:
		keep(&m.Error, len(m.Items) == 0)
	case *XPGain:
		m.Kind %= 2
		keep(&m.Base, m.Kind == XPKill)
		keep(&m.Group, m.Kind == XPKill)
	case *ItemQueryResponse:
		m.Entry &^= unknownEntry
		if m.Unknown {
			*m = ItemQueryResponse{Entry: m.Entry, Unknown: true}
		}
	case *InventoryChangeFailure:
		m.Result = []InventoryResult{InventoryOK, InventoryLevel, InventoryConfirmBind, InventoryFull}[m.Result%4]
		keep(m, m.Result != InventoryOK)
		keep(&m.Detail, m.Result == InventoryLevel)
		keep(&m.Source, m.Result == InventoryConfirmBind)
		keep(&m.Slot, m.Result == InventoryConfirmBind)
		keep(&m.Dest, m.Result == InventoryConfirmBind)
	case *TogglePvP:
		m.On = m.On && m.Explicit
	}
}

// keep makes a value zero unless it is there.
func keep[T any](v *T, there bool) {
	if !there {
		*v = *new(T)
	}
}

func pruneTargets(t *Targets) {
	keep(&t.Unit, t.Mask&targetObject != 0)
	keep(&t.Item, t.Mask&targetAnyItem != 0)
	keep(&t.Src, t.Mask&TargetSource != 0)
	keep(&t.Dst, t.Mask&TargetDest != 0)
	keep(&t.Text, t.Mask&TargetString != 0)
}

func pruneMissile(m *Missile, flags uint8) {
	keep(m, flags&CastHasMissile != 0)
	keep(&m.Op, m.Moved)
	keep(&m.Move, m.Moved)
	pruneMovement(&m.Move.Movement)
}

func pruneSpellGo(m *SpellGo) {
	pruneTargets(&m.Targets)
	for i := range m.Misses {
		keep(&m.Misses[i].Reflect, m.Misses[i].Reason == MissReflect)
	}
	keep(&m.Power, m.Flags&CastPower != 0)
	keep(&m.Runes, m.Flags&CastRunes != 0)
	for i := range m.Runes.Cooldowns {
		keep(&m.Runes.Cooldowns[i], m.Runes.Before>>i&1 == 1 && m.Runes.After>>i&1 == 0)
	}
	keep(&m.Trajectory, m.Flags&CastTrajectory != 0)
	keep(&m.Ammo, m.Flags&CastAmmo != 0)
	keep(&m.Chain, m.Flags&CastChain != 0)
	keep(&m.Dest, m.Targets.Mask&TargetDest != 0)
}

func pruneAttackerState(m *AttackerState) {
	m.HitInfo &^= hitDebug
	m.Count %= 3
	for i := range m.Subs {
		s := &m.Subs[i]
		keep(s, i < int(m.Count))
		keep(&s.Absorbed, m.HitInfo&hitAbsorb != 0)
		keep(&s.Resisted, m.HitInfo&hitResist != 0)
	}
	keep(&m.Blocked, m.HitInfo&HitBlock != 0)
	keep(&m.Rage, m.HitInfo&HitRageGain != 0)
}

func pruneTick(t *PeriodicTick) {
	switch t.Type % 4 {
	case 0:
		*t = PeriodicTick{Type: PeriodicDamage, Amount: t.Amount, Over: t.Over, School: t.School,
			Absorbed: t.Absorbed, Resisted: t.Resisted, Critical: t.Critical}
	case 1:
		*t = PeriodicTick{Type: PeriodicHeal, Amount: t.Amount, Over: t.Over, Absorbed: t.Absorbed, Critical: t.Critical}
	case 2:
		*t = PeriodicTick{Type: PeriodicEnergize, Power: t.Power, Amount: t.Amount}
	case 3:
		*t = PeriodicTick{Type: PeriodicManaLeech, Power: t.Power, Amount: t.Amount, Gain: t.Gain}
	}
}

func pruneChannelNotify(m *ChannelNotify) {
	one := ChannelNotify{Event: m.Event % (ChannelVoiceOff + 1), Name: m.Name}
	switch one.Event {
	case ChannelYouJoined:
		one.Flags, one.ID, one.Unused = m.Flags, m.ID, m.Unused
	case ChannelYouLeft:
		one.ID, one.Constant = m.ID, m.Constant
	case ChannelModeChange:
		one.GUID, one.OldFlags, one.Flags = m.GUID, m.OldFlags, m.Flags
	case ChannelPlayerKicked, ChannelPlayerBanned, ChannelPlayerUnbanned:
		one.GUID, one.By = m.GUID, m.By
	case ChannelPlayerNotFound, ChannelOwner, ChannelPlayerNotBanned, ChannelPlayerInvited, ChannelPlayerInviteBanned:
		one.Player = m.Player
	case ChannelWrongPassword, ChannelNotMember, ChannelNotModerator, ChannelNotOwner, ChannelMuted, ChannelBanned,
		ChannelInviteWrongFaction, ChannelWrongFaction, ChannelInvalidName, ChannelNotModerated, ChannelThrottled,
		ChannelNotInArea, ChannelNotInLFG:
	default:
		one.GUID = m.GUID
	}
	*m = one
}
