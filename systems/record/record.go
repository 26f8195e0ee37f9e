// Package record converts between the components of a player and its frame.Character: the one place to extend when a
// component is added that is saved.
//
// A value that is always saved goes into Put and Take, and into life.State with State, so that its changes are
// noticed. A list goes into Put, and into Take where its bit is requested; the systems that change it mark it with
// change.Unsaved, and its bit goes into Lists.
package record

import (
	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/net/replication/frame"
	"muster/sched"
)

// Lists are the lists of a life.Life that components hold. Others are not saved, and stay as they are stored.
const Lists = life.All

// A Loader puts characters into new players, in one world.
type Loader struct {
	defs  ecs.Res[defs.World]
	auras ecs.ResMut[ecs.Slab[components.Auras]]

	objects      ecs.Fill[components.Object]
	cheats       ecs.Fill[components.Cheats]
	vitals       ecs.Fill[components.Vitals]
	units        ecs.Fill[components.Unit]
	stances      ecs.Fill[components.Stance]
	appearances  ecs.Fill[components.PlayerAppearance]
	progress     ecs.Fill[components.Progress]
	records      ecs.Fill[components.Record]
	names        ecs.Fill[components.Name]
	positions    ecs.Fill[components.Position]
	items        ecs.Fill[components.Inventory]
	carried      ecs.Fill[components.Carried]
	visibleItems ecs.Fill[components.VisibleItems]
	spells       ecs.Fill[components.Spellbook]
	cooldowns    ecs.Fill[components.Cooldowns]
	actions      ecs.Fill[components.Actions]
	unitAuras    ecs.Fill[components.UnitAuras]

	homeless sched.Counter `name:"record.homeless_item"`
}

// A Saver takes characters out of players, in one world.
type Saver struct {
	StateSaver
	ListSaver

	objects     ecs.Read[components.Object]
	appearances ecs.Read[components.PlayerAppearance]
	names       ecs.ReadRef[components.Name] `inplace:"the result of Take points into it"`
	cheats      ecs.Read[components.Cheats]
}

// A StateSaver takes the values that are always saved out of players.
type StateSaver struct {
	place     ecs.Res[defs.Map]
	vitals    ecs.Read[components.Vitals]
	units     ecs.Read[components.Unit]
	progress  ecs.Read[components.Progress]
	records   ecs.ReadRef[components.Record]
	positions ecs.Read[components.Position]
}

// A ListSaver takes the Lists out of players.
type ListSaver struct {
	defs      ecs.Res[defs.World]
	auras     ecs.Res[ecs.Slab[components.Auras]]
	items     ecs.ReadRef[components.Inventory]
	spells    ecs.ReadRef[components.Spellbook]
	cooldowns ecs.ReadRef[components.Cooldowns]
	actions   ecs.ReadRef[components.Actions]
	unitAuras ecs.Read[components.UnitAuras]
}

// Put makes a new entity, whose components are zero, the player of a character on this map. It returns the lists that
// differ from the stored ones: all of a new character, and those that run on by themselves.
func (k *Loader) Put(t sched.Tick, e ecs.Entity, c *frame.Character) (unsaved life.Set) {
	if !c.Begun {
		unsaved = life.All
	}
	if len(c.Cooldowns) > 0 {
		unsaved |= life.Cooldowns
	}
	if len(c.Auras) > 0 {
		unsaved |= life.Auras
	}
	*k.records.Get(e) = components.Record{
		Version: c.Version, Account: c.Account, SecurityLevel: uint32(c.SecurityLevel),
		Death: c.Death, ReclaimMs: t.NowMs + c.Death.ReclaimLeftMs, Bind: c.Bind,
		PlayedSec: c.PlayedSec, LevelPlayedSec: c.LevelPlayedSec, EnteredMs: t.NowMs, LevelMs: t.NowMs,
	}
	if c.Begun {
		k.records.Get(e).Begun = 1
	}
	k.names.Get(e).Set(c.Name)
	*k.positions.Get(e) = components.Position{X: c.X, Y: c.Y, Z: c.Z, O: c.O}
	k.putStats(e, c)
	k.putFlags(e, c)
	k.giveFirstSpells(c)
	if !k.putItems(e, c.Items) { // what is saved has two items in one place, or one in none
		unsaved |= life.Items
	}
	k.putSpells(t, e, c)
	return unsaved
}

// Take writes a player into a character, with those of the Lists that are in told. The name is the entity's own and
// valid until the stage ends; the lists reuse the memory of those in into.
func (k *Saver) Take(t sched.Tick, e ecs.Entity, into *frame.Character, told life.Set) {
	s, unit, appearance, r := k.State(e), k.units.Get(e), k.appearances.Get(e), k.records.Get(e)
	k.Complete(t, e, &s)
	*into = frame.Character{
		GUID: k.objects.Get(e).GUID, Account: r.Account, SecurityLevel: uint8(r.SecurityLevel),
		Name: k.names.Get(e).UnsafeString(),
		Race: unit.Bytes0[components.ByteRace], Class: unit.Bytes0[components.ByteClass],
		Gender: unit.Bytes0[components.ByteGender],
		Skin:   appearance.Bytes[components.ByteSkin], Face: appearance.Bytes[components.ByteFace],
		HairStyle: appearance.Bytes[components.ByteHairStyle], HairColor: appearance.Bytes[components.ByteHairColor],
		Facial: appearance.Bytes2[components.ByteFacialHair], Level: uint8(s.Level),
		Map: s.At.Map, Zone: s.At.Zone, X: s.At.X, Y: s.At.Y, Z: s.At.Z, O: s.At.O,
		Version: r.Version, Told: told & Lists, Flags: appearance.Flags & keptFlags, States: uint32(k.cheats.Get(e).Set & keptCheats),
		Life: life.Life{
			Begun: s.Begun != 0, XP: s.XP, MoneyCopper: s.MoneyCopper, Health: s.Health, Power: s.Power,
			Death: s.Death, Bind: s.Bind, PlayedSec: s.PlayedSec, LevelPlayedSec: s.LevelPlayedSec,
			Spells: into.Spells, Cooldowns: into.Cooldowns, Auras: into.Auras, Actions: into.Actions, Items: into.Items,
		},
	}
	k.TakeLists(t, e, &into.Life, into.Told)
}

// TakeLists writes those of a player's Lists that are in told; the others become empty. They reuse the memory of
// those in into.
func (k *ListSaver) TakeLists(t sched.Tick, e ecs.Entity, into *life.Life, told life.Set) {
	into.Spells, into.Cooldowns, into.Auras = into.Spells[:0], into.Cooldowns[:0], into.Auras[:0]
	into.Actions, into.Items = into.Actions[:0], into.Items[:0]
	if told&life.Items != 0 {
		into.Items = appendItems(into.Items, k.items.Get(e))
	}
	k.takeSpells(t, e, into, told)
}

// State is what Take always writes, as components.SavedState has it.
func (k *StateSaver) State(e ecs.Entity) (s life.State) {
	at, v, p, r := k.positions.Get(e), k.vitals.Get(e), k.progress.Get(e), k.records.Get(e)
	s.At.X, s.At.Y, s.At.Z, s.At.O = at.X, at.Y, at.Z, at.O
	s.Health, s.Power = v.Health, v.Power
	s.Level, s.XP, s.MoneyCopper = k.units.Get(e).Level, p.XP, p.Coinage
	s.Death, s.Bind, s.Begun = r.Death, r.Bind, r.Begun
	return s
}

// Complete adds to a State the values that change by themselves.
func (k *StateSaver) Complete(t sched.Tick, e ecs.Entity, s *life.State) {
	r := k.records.Get(e)
	place := k.place.Get()
	s.At.Map, s.At.Zone = place.ID, place.Zone(s.At.X, s.At.Y)
	s.Death = r.DeathAt(t.NowMs)
	s.PlayedSec, s.LevelPlayedSec = r.Played(t.NowMs)
}
