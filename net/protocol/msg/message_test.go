package msg

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"muster/components"
	"muster/net/protocol/wire"
)

func TestDecodeError(t *testing.T) {
	for _, test := range []struct {
		m    Message
		body []byte
		want DecodeError
		text string
	}{
		{new(Ping), []byte{1, 2, 3, 4, 5}, DecodeError{"CMSG_PING", 4, wire.ErrShort},
			"msg: CMSG_PING at byte 4: wire: body too short"},
		{new(Pong), []byte{1, 2, 3, 4, 5}, DecodeError{"SMSG_PONG", 4, ErrLong},
			"msg: SMSG_PONG at byte 4: msg: bytes left over"},
		{new(ChatMessage), append(make([]byte, 8), bytes.Repeat([]byte{'a'}, 300)...),
			DecodeError{"CMSG_MESSAGECHAT", 8, wire.ErrLimit},
			"msg: CMSG_MESSAGECHAT at byte 8: wire: over a limit"},
		{new(TalentsInfo), []byte{2, 0, 0, 0, 0, 0, 0}, DecodeError{"SMSG_TALENTS_INFO", 1, wire.ErrValue},
			"msg: SMSG_TALENTS_INFO at byte 1: wire: impossible value"},
		// A type with several rows has no name of its own.
		{new(Empty), []byte{1}, DecodeError{"*msg.Empty", 0, ErrLong},
			"msg: *msg.Empty at byte 0: msg: bytes left over"},
	} {
		err := Decode(wire.V12340, test.body, test.m)
		var e *DecodeError
		if !errors.As(err, &e) || *e != test.want || e.Error() != test.text || !errors.Is(err, test.want.Err) {
			t.Errorf("%T of % x: %v, want %v", test.m, test.body, err, test.text)
		}
	}
	p := new(Pong)
	if Decode(wire.V12340, []byte{1, 0, 0, 0, 9}, p); p.Sequence != 1 {
		t.Errorf("a message with bytes left over is %+v", p)
	}
}

func TestAppendPanics(t *testing.T) {
	for name, write := range map[string]func(){
		"characters": func() { Append(nil, wire.V12340, &CharEnum{make([]Character, maxCharacters+1)}) },
		"specs":      func() { Append(nil, wire.V12340, &TalentsInfo{Specs: make([]TalentSpec, maxSpecs+1)}) },
		"256 specs":  func() { Append(nil, wire.V12340, &TalentsInfo{Specs: make([]TalentSpec, 256)}) },
		"no path":    func() { AppendMonsterMove(nil, &MonsterMove{}) },
		"long path":  func() { AppendMonsterMove(nil, &MonsterMove{Path: make([]wire.Vec3, maxPath+1)}) },
		"facing":     func() { AppendMonsterMove(nil, &MonsterMove{Facing: FaceAngle + 1}) },
		"damages":    func() { Append(nil, wire.V12340, &AttackerState{Count: 3}) },
		"debug":      func() { Append(nil, wire.V12340, &AttackerState{HitInfo: hitDebug}) },
		"hits":       func() { Append(nil, wire.V12340, &SpellGo{Hits: make([]uint64, maxHits+1)}) },
		"auras":      func() { Append(nil, wire.V12340, &AuraUpdate{Records: make([]AuraRecord, maxAuras+1)}) },
		"details":    func() { Append(nil, wire.V12340, &CastFailed{Extra: make([]uint32, maxCastExtra+1)}) },
		"no tick":    func() { Append(nil, wire.V12340, &PeriodicAuraLog{Ticks: make([]PeriodicTick, 1)}) },
		"who":        func() { Append(nil, wire.V12340, &WhoResponse{Players: make([]WhoPlayer, maxWhoPlayers+1)}) },
	} {
		func() {
			defer func() {
				if _, ok := recover().(*DecodeError); !ok {
					t.Errorf("%s: no panic", name)
				}
			}()
			write()
		}()
	}
}

// Source: protocol.md 2.1 for the headers.
func TestPacket(t *testing.T) {
	if got, want := Packet([]byte{9}, wire.V12340, OpPong, &Pong{7}),
		[]byte{9, 0, 6, 0xDD, 0x01, 7, 0, 0, 0}; !bytes.Equal(got, want) {
		t.Errorf("% x, want % x", got, want)
	}
	if got, want := ClientPacket([]byte{9}, wire.V12340, OpPing, &Ping{7, 8}),
		[]byte{9, 0, 12, 0xDC, 0x01, 0, 0, 7, 0, 0, 0, 8, 0, 0, 0}; !bytes.Equal(got, want) {
		t.Errorf("% x, want % x", got, want)
	}
	blocks := bytes.Repeat([]byte{1, 2, 3}, 11000)
	got := Packet([]byte{9}, wire.V12340, OpUpdateObject, &UpdateObject{blocks})
	if want := append([]byte{9, 0x80, 0x80, 0xEA, 0xA9, 0x00}, blocks...); !bytes.Equal(got, want) {
		t.Errorf("a large packet begins with % x", got[:12])
	}
}

// Source: protocol.md 2.4 has the bits. 2010-11-12 was a Friday.
func TestPackTime(t *testing.T) {
	if got, want := PackTime(date(2010, 11, 12, 13, 14)), PackedTime(10<<24|10<<20|11<<14|5<<11|13<<6|14); got != want {
		t.Errorf("%#x, want %#x", got, want)
	}
}

// Nothing of the hot messages is allocated, on the concrete type or behind the interface.
func TestAllocs(t *testing.T) {
	move := &Move{Mover: 8, Movement: Movement{Flags: MoveForward | MoveOnTransport | components.MoveFalling, X: 1, Y: 2, Z: 3}}
	path := &MonsterMove{Mover: 0xF130000001000002, DurationMs: 1, Path: make([]wire.Vec3, 5)}
	hit := &AttackerState{HitInfo: HitAffectsVictim | HitPartialAbsorb, Attacker: 8, Victim: 0xF130000001000002, Damage: 5,
		Count: 2, Subs: [2]SubDamage{{School: 1, Damage: 3}, {School: 4, Damage: 2}}, VictimState: VictimHit}
	cast := &SpellStart{Source: 8, Caster: 8, Spell: 133, Flags: CastPower, CastMs: 3500, Targets: Targets{Mask: TargetUnit, Unit: 9}}
	spell := &SpellGo{Source: 8, Caster: 8, Spell: 133, Flags: CastDone | CastRunes, Hits: make([]uint64, 10),
		Misses: make([]SpellMiss, 10), Targets: Targets{Mask: TargetDest | TargetString, Text: "a"}}
	auras := &AuraUpdate{Unit: 8, Records: []AuraRecord{{Slot: 1, Spell: 168, Flags: AuraHasTime, Caster: 9}, {Slot: 2}}}
	damage := &SpellDamageLog{Target: 8, Attacker: 9, Spell: 133, Damage: 500}
	ticks := &PeriodicAuraLog{Target: 8, Caster: 9, Spell: 348, Ticks: []PeriodicTick{{Type: PeriodicDamage}}}
	cooldowns := &SpellCooldown{Caster: 8, Spells: make([]CooldownSpell, 3)}
	failed := &CastFailed{Spell: 133, Result: CastOutOfRange}
	threats := &ThreatUpdate{Unit: 8, Threats: make([]Threat, 3)}
	loot := &LootResponse{GUID: 8, Type: LootCorpse, Items: make([]LootItem, 3)}
	body := Append(nil, wire.V12340, move)
	dst := make([]byte, 0, 1024)
	decoded := new(Move)
	for name, run := range map[string]func(){
		"read a Move": func() {
			var m Move
			c := wire.NewReader(wire.V12340, body)
			if m.Wire(&c); c.Err() != nil || m.X != 1 {
				t.Fatal(c.Err())
			}
		},
		"write a Move": func() {
			m := *move
			c := wire.NewWriter(wire.V12340, dst)
			if m.Wire(&c); c.Err() != nil {
				t.Fatal(c.Err())
			}
		},
		"append a MonsterMove": func() {
			m := *path
			AppendMonsterMove(dst, &m)
		},
		"packet of a Move":     func() { Packet(dst, wire.V12340, OpMoveHeartbeat, move) },
		"decode a Move":        func() { _ = Decode(wire.V12340, body, decoded) },
		"look up a row":        func() { Lookup(ToServer, OpMoveHeartbeat) },
		"packet of a hit":      func() { Packet(dst, wire.V12340, OpAttackerState, hit) },
		"packet of a cast":     func() { Packet(dst, wire.V12340, OpSpellStart, cast) },
		"packet of a SpellGo":  func() { Packet(dst, wire.V12340, OpSpellGo, spell) },
		"packet of auras":      func() { Packet(dst, wire.V12340, OpAuraUpdateAll, auras) },
		"packet of damage":     func() { Packet(dst, wire.V12340, OpSpellDamageLog, damage) },
		"packet of a tick":     func() { Packet(dst, wire.V12340, OpPeriodicAuraLog, ticks) },
		"packet of cooldowns":  func() { Packet(dst, wire.V12340, OpSpellCooldown, cooldowns) },
		"packet of a failure":  func() { Packet(dst, wire.V12340, OpCastFailed, failed) },
		"packet of threats":    func() { Packet(dst, wire.V12340, OpThreatUpdate, threats) },
		"packet of loot":       func() { Packet(dst, wire.V12340, OpLootResponse, loot) },
		"packet of a constant": func() { Packet(dst, wire.V12340, OpLogoutComplete, (*Empty)(nil)) },
	} {
		if n := testing.AllocsPerRun(100, run); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// Whatever a body holds: reading does not panic, and what is read can be written and read again.
func FuzzDecode(f *testing.F) {
	f.Add(uint16(OpAuthSession), true, []byte{0x34, 0x30, 0, 0, 0, 0, 0, 0, 'A', 0, 0, 0, 0, 0, 1, 2, 3, 4})
	f.Add(uint16(OpMoveHeartbeat), true, []byte{1, 8, 0, 0x12, 0x20, 4, 0, 4, 1, 2, 3, 4})
	f.Add(uint16(OpMonsterMove), false, Append(nil, wire.V12340, &MonsterMove{Mover: 1, Path: make([]wire.Vec3, 3)}))
	f.Add(uint16(OpCharEnum), false, Append(nil, wire.V12340, &CharEnum{make([]Character, 2)}))
	f.Add(uint16(OpTalentsInfo), false, []byte{1, 3, 0, 0, 0, 2, 0xB6, 0, 0, 0, 2, 5, 1, 0, 0, 0})
	f.Add(uint16(OpAllAchievementData), false, []byte{1, 0, 0, 0, 2, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255})
	f.Add(uint16(OpChat), false, Append(nil, wire.V12340, &Chat{Type: ChatMonsterSay, Target: 1 << 63, Text: "hm"}))
	f.Add(uint16(OpCastSpell), true, Append(nil, wire.V12340, &CastSpell{Flags: CastHasMissile, Missile: Missile{Moved: true}}))
	f.Add(uint16(OpUseItem), true, Append(nil, wire.V12340, &UseItem{Targets: Targets{Mask: TargetString | TargetDest, Text: "a"}}))
	f.Add(uint16(OpWho), true, Append(nil, wire.V12340, &Who{Zones: make([]uint32, 2), Words: []string{"a", ""}}))
	f.Add(uint16(OpAttackerState), false, Append(nil, wire.V12340, &AttackerState{HitInfo: hitAbsorb | HitBlock, Count: 2}))
	f.Add(uint16(OpSpellGo), false, Append(nil, wire.V12340, &SpellGo{Flags: CastRunes, Hits: make([]uint64, 2),
		Misses: []SpellMiss{{Reason: MissReflect}}, Runes: Runes{Before: 0x3F}}))
	f.Add(uint16(OpAuraUpdateAll), false, Append(nil, wire.V12340, &AuraUpdate{Records: make([]AuraRecord, 2)}))
	f.Add(uint16(OpItemQueryResponse), false, Append(nil, wire.V12340, &ItemQueryResponse{Stats: make([]ItemStat, 2)}))
	f.Add(uint16(OpChannelNotify), false, Append(nil, wire.V12340, &ChannelNotify{Event: ChannelOwner, Player: "a"}))
	f.Add(uint16(OpTradeStatus), false, Append(nil, wire.V12340, &TradeStatus{State: TradeCloses, Result: 50, TargetError: true}))
	f.Add(uint16(OpTradeOffer), false, Append(nil, wire.V12340, &TradeOffer{Count: TradeSlots, Items: [TradeSlots]TradeItem{{Entry: 1, Count: 2}}}))
	f.Fuzz(func(t *testing.T, op uint16, toServer bool, body []byte) {
		d := ToClient
		if toServer {
			d = ToServer
		}
		r := Lookup(d, uint32(op))
		if r == nil {
			return
		}
		for _, v := range []wire.Version{wire.V12340, wire.V5875} {
			m := r.New()
			if err := Decode(v, body, m); err != nil && !errors.Is(err, ErrLong) {
				continue
			}
			once := Append(nil, v, m)
			again := r.New()
			if err := Decode(v, once, again); err != nil {
				t.Fatalf("%s: %v\n% x became\n% x", r.Name, err, body, once)
			}
			if twice := Append(nil, v, again); !bytes.Equal(once, twice) {
				t.Fatalf("%s: % x became\n% x and then\n% x", r.Name, body, once, twice)
			}
		}
	})
}

func BenchmarkMove(b *testing.B) {
	m := Move{Mover: 8, Movement: Movement{Flags: MoveForward, X: 1, Y: 2, Z: 3}}
	dst := make([]byte, 0, 64)
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			c := wire.NewWriter(wire.V12340, dst)
			m.Wire(&c)
			dst = c.Bytes()[:0]
		}
	})
	body := Append(nil, wire.V12340, &m)
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			c := wire.NewReader(wire.V12340, body)
			m.Wire(&c)
		}
	})
}

func BenchmarkAppendMonsterMove(b *testing.B) {
	m := MonsterMove{Mover: 0xF130000001000002, DurationMs: 1, Path: make([]wire.Vec3, 4)}
	dst := make([]byte, 0, 128)
	for b.Loop() {
		dst = AppendMonsterMove(dst[:0], &m)
	}
}

func date(year int, month time.Month, day, hour, minute int) time.Time {
	return time.Date(year, month, day, hour, minute, 59, 0, time.UTC)
}
