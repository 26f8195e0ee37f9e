package msg_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"muster/components"
	"muster/internal/golden"
	"muster/internal/vectors"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// rowOf is the row that a golden is of.
func rowOf(t *testing.T, g golden.Packet) *msg.Row {
	t.Helper()
	to := msg.Both
	switch g.To {
	case "server":
		to = msg.ToServer
	case "client":
		to = msg.ToClient
	}
	var found *msg.Row
	for i := range msg.Table {
		if r := &msg.Table[i]; r.Name == g.Name && r.Direction&to != 0 {
			if found != nil {
				t.Fatalf("%s: %s has a row for each direction", g.File, g.Name)
			}
			found = r
		}
	}
	if found == nil {
		t.Fatalf("%s: no row for %s", g.File, g.Name)
	}
	return found
}

// Every row has a golden of its own, and testdata/read.txt has what is read from each: the bytes alone would
// not distinguish bodies of the same layout.
func TestGolden(t *testing.T) {
	have := make(map[*msg.Row]bool)
	var read bytes.Buffer
	for _, g := range golden.Load(t, "testdata/*.pkt") {
		r := rowOf(t, g)
		if g.Version == wire.V12340 {
			have[r] = true
		}
		m := r.New()
		if err := msg.Decode(g.Version, g.Bytes, m); err != nil {
			t.Errorf("%s: %v", g.File, err)
		} else if got := msg.Append(nil, g.Version, m); !bytes.Equal(got, g.Bytes) {
			t.Errorf("%s: wrote % x, want % x", g.File, got, g.Bytes)
		}
		fmt.Fprintf(&read, "%s %T%+v\n", filepath.Base(g.File), m, reflect.ValueOf(m).Elem())
	}
	golden.Compare(t, "testdata/read.txt", read.Bytes())
	for i := range msg.Table {
		if r := &msg.Table[i]; !have[r] {
			t.Errorf("%s (%#x) has no golden", r.Name, r.Op)
		}
	}
}

// Whether a walk reads and writes the same bytes is one question; whether the fields hold what they should
// is another. These are the goldens where it is easy to get wrong.
func TestGoldenFields(t *testing.T) {
	middle := wire.Vec3{X: 10, Y: -20, Z: 12}
	for file, want := range map[string]msg.Message{
		"cmsg_auth_session": &msg.AuthSession{Build: 12340, Account: "PLAYER1", Realm: 1,
			ClientSeed: [4]byte{1, 2, 3, 4}, Digest: digest(0x20)},
		"smsg_auth_response_in":          &msg.AuthResponse{Result: msg.AuthOK, Billed: true, Expansion: 2},
		"smsg_auth_response_wait":        &msg.AuthResponse{Result: msg.AuthWaitQueue, Billed: true, Expansion: 2, Queued: true, Position: 17},
		"smsg_auth_response_wait_update": &msg.AuthResponse{Result: msg.AuthWaitQueue, Queued: true, Position: 16},
		"smsg_auth_response_5875_in":     &msg.AuthResponse{Result: msg.AuthOK, Billed: true, BillingTime: 0xDEADBEEF},
		"smsg_auth_response_5875_wait":   &msg.AuthResponse{Result: msg.AuthWaitQueue, Queued: true, Position: 0xDEADBEEF},
		"cmsg_char_create": &msg.CharCreate{Name: "Deadbeef",
			Look: msg.Look{Race: 1, Class: 1, Gender: 1, Skin: 8, HairStyle: 0xE, HairColor: 2, FacialStyle: 4}},
		"msg_move_heartbeat": &msg.Move{Mover: 0x2A, Movement: msg.Movement{Flags: components.MoveForward, Time: 24785222,
			X: 1.5, Y: -2.5, Z: 3.25, O: 0.5, FallTime: 901}},
		"msg_move_heartbeat_all": &msg.Move{Mover: 0x1000000000000203, Movement: msg.Movement{
			Flags: components.MoveOnTransport | components.MoveFalling | components.MoveFlying | components.MoveElevation,
			Extra: components.MoveInterpolate | components.MoveAlwaysPitch, Time: 24785222,
			X: 1.5, Y: -2.5, Z: 3.25, O: 0.5,
			Transport: msg.Passenger{GUID: 0x1FC0000000000005, X: 1, Y: 2, Z: 3, O: 0.25, Time: 777, Seat: -1, Time2: 778},
			Pitch:     0.25, FallTime: 5,
			Jump:            msg.Jump{ZSpeed: -7.955547, Sin: 0.5, Cos: 0.25, XYSpeed: 7},
			SplineElevation: 1.75}},
		"smsg_monster_move_packed": &msg.MonsterMove{Mover: 0xF130001234000007, Start: wire.Vec3{Z: 10}, ID: 9,
			Flags: components.SplineWalk, DurationMs: 4000, Path: []wire.Vec3{
				{X: middle.X - 6, Y: middle.Y + 10, Z: middle.Z - 1},
				{X: middle.X + 5, Y: middle.Y - 10.25, Z: middle.Z + 0.5},
				{X: 20, Y: -40, Z: 14}}},
		"smsg_messagechat_channel": &msg.Chat{Type: msg.ChatChannel, Sender: 0x2B, Channel: "world", Target: 0x2B,
			Text: "all", Tag: msg.TagAFK},
		"smsg_messagechat_monster_target": &msg.Chat{Type: msg.ChatMonsterSay, Sender: 0xF130001234000007,
			SenderName: "A wolf", Target: 0xF130001234000008, TargetName: "A sheep", Text: "grr"},
		"cmsg_cast_spell_missile": &msg.CastSpell{Count: 4, Spell: 51421, Flags: msg.CastHasMissile,
			Targets: msg.Targets{Mask: msg.TargetSource | msg.TargetDest, Src: msg.TargetSpot{Position: wire.Vec3{X: 1.5, Y: -2.5, Z: 3.25}},
				Dst: msg.TargetSpot{Transport: 0x1FC0000000000005, Position: wire.Vec3{X: 10, Y: 20, Z: 30}}},
			Missile: msg.Missile{Elevation: 0.5, Speed: 30, Moved: true, Op: msg.OpMoveStop, Move: msg.Move{Mover: 0x2A,
				Movement: msg.Movement{Time: 24785222, X: 1.5, Y: -2.5, Z: 3.25, O: 0.5, FallTime: 901}}}},
		"smsg_attackerstateupdate_all": &msg.AttackerState{
			HitInfo:  msg.HitAffectsVictim | msg.HitPartialAbsorb | msg.HitPartialResist | msg.HitBlock | msg.HitRageGain,
			Attacker: 0xF130001234000007, Victim: 0x2A, Damage: 30, Overkill: 4, Count: 2, Subs: [2]msg.SubDamage{
				{School: 1, Damage: 20, Absorbed: 5, Resisted: 7}, {School: 4, Damage: 10, Absorbed: 6, Resisted: 8}},
			VictimState: msg.VictimBlocks, Spell: 78, Blocked: 9, Rage: 11},
		"smsg_spell_go": &msg.SpellGo{Source: 0x2A, Caster: 0x2A, Count: 3, Spell: 133, Flags: msg.CastDone, TimeMs: 24785222,
			Hits: []uint64{0xF130001234000007}, Misses: []msg.SpellMiss{{Target: 0xF130001234000008, Reason: msg.MissResist},
				{Target: 0x2B, Reason: msg.MissReflect, Reflect: msg.MissMiss}},
			Targets: msg.Targets{Mask: msg.TargetUnit, Unit: 0xF130001234000007}},
		"smsg_spell_go_all": &msg.SpellGo{Source: 0x2A, Caster: 0x2A, Spell: 45462, TimeMs: 24785222,
			Flags: msg.CastDone | msg.CastPower | msg.CastRunes | msg.CastTrajectory | msg.CastAmmo | msg.CastChain,
			Targets: msg.Targets{Mask: msg.TargetItem | msg.TargetDest, Item: 0x4000000000000011,
				Dst: msg.TargetSpot{Position: wire.Vec3{X: 10, Y: 20, Z: 30}}},
			Power: 77, Runes: msg.Runes{Before: 0x3F, After: 0x2D, Cooldowns: [6]uint8{1: 255, 4: 128}},
			Trajectory: msg.Trajectory{Elevation: 0.5, DelayMs: 600}, Ammo: msg.Ammo{Display: 5996, Type: 24}, Chain: [2]uint32{5, 6}},
		"smsg_aura_update_all": &msg.AuraUpdate{Unit: 0x2A, Records: []msg.AuraRecord{
			{Spell: 168, Flags: msg.AuraEffect0 | msg.AuraOwn | msg.AuraPositive | msg.AuraHasTime, Level: 80, MaxMs: 1800000, LeftMs: 1700000},
			{Slot: 1, Spell: 1126, Flags: msg.AuraEffect0 | msg.AuraEffect1 | msg.AuraPositive, Level: 70, Caster: 0x2B}}},
		"smsg_aura_update_gone": &msg.AuraUpdate{Unit: 0xF130001234000007, Records: []msg.AuraRecord{{Slot: 4}}},
		"smsg_spell_failure":    &msg.SpellFailure{Caster: 0x2A, Count: 3, Spell: 133, Result: msg.CastInterrupted},
		"smsg_spell_delayed":    &msg.SpellDelayed{Caster: 0x2A, DelayMs: 500},
		"smsg_cast_failed":      &msg.CastFailed{Count: 3, Spell: 133, Result: msg.CastOutOfRange},
		"smsg_cast_failed_extra": &msg.CastFailed{Count: 3, Spell: 78, Result: msg.CastEquippedItemClass,
			Extra: []uint32{2, 0x2A5F3}},
		"smsg_loot_response": &msg.LootResponse{GUID: 0xF130001234000007, Type: msg.LootCorpse, Copper: 123, Items: []msg.LootItem{
			{Item: 2589, Count: 2, Display: 7000},
			{Slot: 3, Item: 1482, Count: 1, Display: 20152, Suffix: 5, Property: 0xFFFFFFFB, Kind: msg.LootSlotRoll}}},
		"smsg_loot_response_error": &msg.LootResponse{GUID: 0xF130001234000007, Error: msg.LootTooFar},
		"smsg_item_push_result": &msg.ItemPushResult{GUID: 0x2A, Show: 1, Bag: msg.NoBag, Slot: -1, Item: 2589, Property: -5,
			Count: 2, Total: 7},
		"smsg_log_xpgain":                         &msg.XPGain{Victim: 0xF130001234000007, Total: 100, Base: 50, Group: 1},
		"smsg_superceded_spell":                   &msg.SupercededSpell{Old: 133, New: 143},
		"smsg_channel_notify_mode":                &msg.ChannelNotify{Event: msg.ChannelModeChange, Name: "world", GUID: 0x2B, Flags: 2},
		"msg_corpse_query_none":                   &msg.CorpseQueryResponse{},
		"cmsg_swap_inv_item":                      &msg.SwapInvItem{ToSlot: 15, FromSlot: 23},
		"cmsg_toggle_pvp_empty":                   &msg.TogglePvP{},
		"smsg_spline_set_run_speed":               &msg.SplineSpeed{Mover: 6, Speed: 7},
		"smsg_item_query_single_response_unknown": &msg.ItemQueryResponse{Entry: 25, Unknown: true},
		"smsg_inventory_change_failure_level": &msg.InventoryChangeFailure{Result: msg.InventoryLevel, Item: 0x4000000000000011,
			Detail: 60},
		"cmsg_messagechat_whisper":             &msg.ChatMessage{Type: 7, Language: 7, To: "Bob", Text: "hi"},
		"smsg_creature_query_response_unknown": &msg.CreatureQueryResponse{Entry: 0x1234, Unknown: true},
		"smsg_name_query_response_unknown":     &msg.NameQueryResponse{GUID: 0xF130001234000007, Unknown: true},
		"smsg_name_query_response_5875":        &msg.NameQueryResponse{GUID: 0xDEADBEEF, Name: "Asdf", Realm: "A", Race: 1, Class: 1},
	} {
		g := golden.Load(t, "testdata/"+file+".pkt")[0]
		m := rowOf(t, g).New()
		if err := msg.Decode(g.Version, g.Bytes, m); err != nil || !reflect.DeepEqual(m, want) {
			t.Errorf("%s: %v\nread %+v\nwant %+v", file, err, m, want)
		}
	}
}

func digest(from byte) (d [20]byte) {
	for i := range d {
		d[i] = from + byte(i)
	}
	return d
}

// Clients that send less than the layout, or more, and are valid.
func TestLenient(t *testing.T) {
	// Source: protocol.md 3.3 (tentacli leaves the password out).
	join := new(msg.JoinChannel)
	if err := msg.Decode(wire.V12340, []byte("\x1a\x00\x00\x00\x00\x01world\x00"), join); err != nil || join.ID != 26 || join.Name != "world" {
		t.Errorf("%+v, %v", join, err)
	}
}

// The addons of a real client, and of one that announces some and has none.
func TestAddons(t *testing.T) {
	read := func(file string) *msg.AuthSession {
		g := golden.Load(t, "testdata/"+file+".pkt")[0]
		m := new(msg.AuthSession)
		if err := msg.Decode(g.Version, g.Bytes, m); err != nil {
			t.Fatal(err)
		}
		return m
	}
	list, err := read("cmsg_auth_session_5875").Addons(wire.V5875)
	if err != nil || len(list.Addons) != 12 {
		t.Fatalf("%+v, %v", list, err)
	}
	if got, want := list.Addons[11], (msg.Addon{Name: "Blizzard_TrainerUI", Enabled: true, CRC: 1276933997}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	list, err = read("cmsg_auth_session_addons").Addons(wire.V12340)
	if err != nil || len(list.Addons) != 2 || list.LastBanned != 0x4C21D4A5 || list.Addons[1].Name != "Second_Addon" {
		t.Errorf("%+v, %v", list, err)
	}
	if list, err = read("cmsg_auth_session").Addons(wire.V12340); err != nil || len(list.Addons) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
	m := read("cmsg_auth_session_addons")
	for what, spoil := range map[string]func(){
		"not zlib":       func() { m.AddonBlock = []byte{1, 2, 3} },
		"cut off":        func() { m.AddonBlock = m.AddonBlock[:20] },
		"size too small": func() { m.AddonSize = 9 },
		"size too large": func() { m.AddonSize = 0x100000 },
	} {
		m = read("cmsg_auth_session_addons")
		if spoil(); len(m.AddonBlock) == 0 {
			t.Fatal("nothing to spoil")
		}
		if list, err := m.Addons(wire.V12340); err == nil {
			t.Errorf("%s: %+v", what, list)
		}
	}
}

// Packets with their headers.
//
// Source: wow_messages, its tests for 3.3.5.
func TestVectors(t *testing.T) {
	all := vectors.Packets(t, "packets/world_12340")
	seen := 0
	for _, v := range all {
		packet, err := hex.DecodeString(v.Hex)
		if err != nil {
			t.Fatal(err)
		}
		d, op, payload, n := msg.ToClient, uint32(0), 0, wire.ServerHeaderLen
		if strings.HasPrefix(v.Name, "CMSG_") {
			d, n = msg.ToServer, wire.ClientHeaderLen
			op, payload, _ = wire.ClientHeader(packet)
		} else {
			var short uint16
			short, payload, n, _ = wire.ServerHeader(packet)
			op = uint32(short)
		}
		if payload != len(packet)-n {
			t.Errorf("%s: payload %d of %d bytes", v.Name, payload, len(packet))
		}
		r := msg.Lookup(d, op)
		if r == nil {
			continue // of a later tier
		}
		seen++
		if v.Name == "CMSG_SETSHEATHED" {
			v.Name = "CMSG_SET_SHEATHED" // protocol.md 6.4
		}
		m := r.New()
		if err := msg.Decode(wire.V12340, packet[n:], m); err != nil {
			t.Errorf("%s: %v", v.Name, err)
			continue
		}
		write := msg.Packet
		if d == msg.ToServer {
			write = msg.ClientPacket
		}
		if got := write(nil, wire.V12340, r.Op, m); r.Name != v.Name || !bytes.Equal(got, packet) {
			t.Errorf("%s: %s, wrote % x, want % x", v.Name, r.Name, got, packet)
		}
	}
	if seen < 10 {
		t.Errorf("only %d of %d have a row", seen, len(all))
	}
}

func ExampleDecode() {
	m := new(msg.Ping)
	err := msg.Decode(wire.V12340, []byte{1, 0, 0, 0, 90, 0}, m)
	fmt.Println(err)
	// Output: msg: CMSG_PING at byte 4: wire: body too short
}
