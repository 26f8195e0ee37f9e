// Package record says how the components of a player and its frame.Character go together: the one place to extend
// when a component is added that is to outlive a visit.
//
// A value that is always told goes into Put and Take, and into life.State with State, so that a change of it is
// noticed. A list goes into Put and into Take where its bit is asked for; the systems that change it say so with
// change.Log.Unsave, and its bit goes into Lists.
package record

import (
	"slices"

	"muster/components"
	"muster/components/defs"
	"muster/components/life"
	"muster/ecs"
	"muster/internal/metric"
	"muster/net/frame"
	"muster/sched"
)

// Lists are those of a life that components hold. The others are never told, and so stay as they are stored.
const Lists = life.All

// Parts are the components that Put writes and Take reads, all of which a player must have.
func Parts() []ecs.Type {
	return slices.Concat(
		ecs.Of4[components.Object, components.Vitals, components.Unit, components.Stance](),
		ecs.Of3[components.Guise, components.Progress, components.Record](),
		ecs.Of4[components.Name, components.Position, components.Inventory, components.Carried](),
		ecs.Of4[components.Worn, components.Spellbook, components.Actions, components.Bout]())
}

// Shared are the shared values that a Taker needs.
func Shared() []ecs.Type {
	return ecs.Of4[defs.World, defs.Map, metric.Table, ecs.Slab[components.Auras]]()
}

// A Taker puts characters into players and takes them out again, in one world.
type Taker struct {
	defs  *defs.World
	place *defs.Map
	auras *ecs.Slab[components.Auras]

	objects   ecs.Column[components.Object]
	vitals    ecs.Column[components.Vitals]
	units     ecs.Column[components.Unit]
	stances   ecs.Column[components.Stance]
	guises    ecs.Column[components.Guise]
	progress  ecs.Column[components.Progress]
	records   ecs.Column[components.Record]
	names     ecs.Column[components.Name]
	positions ecs.Column[components.Position]
	items     ecs.Column[components.Inventory]
	carried   ecs.Column[components.Carried]
	worn      ecs.Column[components.Worn]
	spells    ecs.Column[components.Spellbook]
	actions   ecs.Column[components.Actions]
	bouts     ecs.Column[components.Bout]

	homeless *metric.Counter
}

// New returns the taker of a world. The system that asks for it names Parts and Shared.
func New(w *ecs.World) *Taker {
	return &Taker{
		defs:      ecs.Shared[defs.World](w),
		place:     ecs.Shared[defs.Map](w),
		auras:     ecs.Shared[ecs.Slab[components.Auras]](w),
		objects:   ecs.NewColumn[components.Object](w),
		vitals:    ecs.NewColumn[components.Vitals](w),
		units:     ecs.NewColumn[components.Unit](w),
		stances:   ecs.NewColumn[components.Stance](w),
		guises:    ecs.NewColumn[components.Guise](w),
		progress:  ecs.NewColumn[components.Progress](w),
		records:   ecs.NewColumn[components.Record](w),
		names:     ecs.NewColumn[components.Name](w),
		positions: ecs.NewColumn[components.Position](w),
		items:     ecs.NewColumn[components.Inventory](w),
		carried:   ecs.NewColumn[components.Carried](w),
		worn:      ecs.NewColumn[components.Worn](w),
		spells:    ecs.NewColumn[components.Spellbook](w),
		actions:   ecs.NewColumn[components.Actions](w),
		bouts:     ecs.NewColumn[components.Bout](w),
		homeless:  ecs.Shared[metric.Table](w).Counter("record.homeless_item"),
	}
}

// Put makes a new entity, whose Parts are zero, the player of a character that stands on this map. It returns the
// lists that are no longer as they are stored: all of a new character, and those that go on by themselves.
func (k *Taker) Put(t sched.Tick, e ecs.Entity, c *frame.Character) (unsaved life.Set) {
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
	k.embody(e, c)
	k.manner(e, c)
	k.enrol(c)
	k.pack(e, c.Items)
	k.study(t, e, c)
	return unsaved
}

// Take writes how a player is into a character, with those of the Lists that are told. The name is the entity's
// own and good until the stage ends; the lists take the memory of those that into has.
func (k *Taker) Take(t sched.Tick, e ecs.Entity, into *frame.Character, told life.Set) {
	s, unit, guise, r := k.State(e), k.units.Get(e), k.guises.Get(e), k.records.Get(e)
	k.Complete(t, e, &s)
	*into = frame.Character{
		GUID: k.objects.Get(e).GUID, Account: r.Account, SecurityLevel: uint8(r.SecurityLevel),
		Name: k.names.Get(e).View(),
		Race: unit.Bytes0[components.ByteRace], Class: unit.Bytes0[components.ByteClass],
		Gender: unit.Bytes0[components.ByteGender],
		Skin:   guise.Bytes[components.ByteSkin], Face: guise.Bytes[components.ByteFace],
		HairStyle: guise.Bytes[components.ByteHairStyle], HairColor: guise.Bytes[components.ByteHairColor],
		Facial: guise.Bytes2[components.ByteFacialHair], Level: uint8(s.Level),
		Map: s.At.Map, Zone: s.At.Zone, X: s.At.X, Y: s.At.Y, Z: s.At.Z, O: s.At.O,
		Version: r.Version, Told: told & Lists, Flags: guise.Flags & manners, States: uint32(k.bouts.Get(e).States & cheats),
		Life: life.Life{
			Begun: s.Begun != 0, XP: s.XP, MoneyCopper: s.MoneyCopper, Health: s.Health, Power: s.Power,
			Death: s.Death, Bind: s.Bind, PlayedSec: s.PlayedSec, LevelPlayedSec: s.LevelPlayedSec,
			Spells: into.Spells, Cooldowns: into.Cooldowns, Auras: into.Auras, Actions: into.Actions, Items: into.Items,
		},
	}
	k.TakeLists(t, e, &into.Life, into.Told)
}

// TakeLists writes those of a player's Lists that are told; the others become empty. They take the memory of those
// that into has.
func (k *Taker) TakeLists(t sched.Tick, e ecs.Entity, into *life.Life, told life.Set) {
	into.Spells, into.Cooldowns, into.Auras = into.Spells[:0], into.Cooldowns[:0], into.Auras[:0]
	into.Actions, into.Items = into.Actions[:0], into.Items[:0]
	if told&life.Items != 0 {
		into.Items = unpack(into.Items, k.items.Get(e))
	}
	k.recite(t, e, into, told)
}

// State is what Take always tells of a player, as components.Kept has it.
func (k *Taker) State(e ecs.Entity) (s life.State) {
	at, v, p, r := k.positions.Get(e), k.vitals.Get(e), k.progress.Get(e), k.records.Get(e)
	s.At.X, s.At.Y, s.At.Z, s.At.O = at.X, at.Y, at.Z, at.O
	s.Health, s.Power = v.Health, v.Power
	s.Level, s.XP, s.MoneyCopper = k.units.Get(e).Level, p.XP, p.Coinage
	s.Death, s.Bind, s.Begun = r.Death, r.Bind, r.Begun
	return s
}

// Complete adds to a State what changes by itself.
func (k *Taker) Complete(t sched.Tick, e ecs.Entity, s *life.State) {
	r := k.records.Get(e)
	s.At.Map, s.At.Zone = k.place.ID, k.place.Zone(s.At.X, s.At.Y)
	s.Death = r.DeathAt(t.NowMs)
	s.PlayedSec, s.LevelPlayedSec = r.Played(t.NowMs)
}
