package intake

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

// players are those in the world, by session.
type players struct {
	world *ecs.World
	defs  *defs.World
	place *defs.Map
	space *space.Space
	log   *change.Log
	kind  *ecs.Kind

	bySession []ecs.Entity // no entity for none

	sessions  ecs.Column[components.Session]
	records   ecs.Column[components.Record]
	names     ecs.Column[components.Name]
	positions ecs.Column[components.Position]
	sights    ecs.Column[components.Sight]
	speeds    ecs.Column[components.Speeds]
	objects   ecs.Column[components.Object]
	vitals    ecs.Column[components.Vitals]
	units     ecs.Column[components.Unit]
	stances   ecs.Column[components.Stance]
	stats     ecs.Column[components.Stats]
	guises    ecs.Column[components.Guise]
	progress  ecs.Column[components.Progress]

	absent       *metric.Counter
	taken        *metric.Counter
	badCharacter *metric.Counter
}

func newPlayers(w *ecs.World) *players {
	counters := ecs.Shared[metric.Table](w)
	return &players{
		world:     w,
		defs:      ecs.Shared[defs.World](w),
		place:     ecs.Shared[defs.Map](w),
		space:     ecs.Shared[space.Space](w),
		log:       ecs.Shared[change.Log](w),
		kind:      ecs.NewKind(w, parts()...),
		sessions:  ecs.NewColumn[components.Session](w),
		records:   ecs.NewColumn[components.Record](w),
		names:     ecs.NewColumn[components.Name](w),
		positions: ecs.NewColumn[components.Position](w),
		sights:    ecs.NewColumn[components.Sight](w),
		speeds:    ecs.NewColumn[components.Speeds](w),
		objects:   ecs.NewColumn[components.Object](w),
		vitals:    ecs.NewColumn[components.Vitals](w),
		units:     ecs.NewColumn[components.Unit](w),
		stances:   ecs.NewColumn[components.Stance](w),
		stats:     ecs.NewColumn[components.Stats](w),
		guises:    ecs.NewColumn[components.Guise](w),
		progress:  ecs.NewColumn[components.Progress](w),

		absent:       counters.Counter("intake.no_player"),
		taken:        counters.Counter("intake.session_taken"),
		badCharacter: counters.Counter("intake.bad_character"),
	}
}

// parts are what a player is made of.
func parts() []ecs.Type {
	return slices.Concat(components.PlayerParts(),
		ecs.Of4[components.Session, components.Record, components.Name, components.Position](),
		ecs.Of4[components.Motion, components.Clock, components.Home, components.Sight](),
		ecs.Of4[components.Speeds, components.Departure, components.Touched, components.PlayerImage](),
		ecs.Of4[components.Voice, components.Bout, components.Prowess, components.Casting](),
		ecs.Of[components.Spellbook]())
}

// find is the player of a session.
func (p *players) find(session uint32) (ecs.Entity, bool) {
	if session >= uint32(len(p.bySession)) || !p.world.Alive(p.bySession[session]) {
		return ecs.Entity{}, false
	}
	return p.bySession[session], true
}

// enter brings a player in, at once: what its gateway posts next may be in the same inbox. A character
// that makes no sense is said good-bye to, so that its gateway does not wait for it.
func (p *players) enter(t sched.Tick, it frame.Item) {
	var c frame.Character
	err := msg.Decode(wire.V12340, it.Body, &c)
	at := components.Position{X: c.X, Y: c.Y, Z: c.Z}
	o, facing := components.Facing(c.O)
	_, taken := p.find(it.Session)
	switch {
	case taken:
		p.taken.Count()
		return
	case err != nil || c.Map != p.place.ID || !at.OnMap() || !facing:
		p.badCharacter.Count()
		p.log.Draft.Bytes = append(p.log.Draft.Bytes, it.Body...)
		p.log.Draft.Goodbye(it.Session, p.log.Draft.Cut())
		return
	}
	c.O, c.Zone = o, p.place.Zone(c.X, c.Y)
	p.spawn(t, p.kind.Spawn(), it.Session, &c)
}

// leave takes a player out; fanout says good-bye.
func (p *players) leave(session uint32) {
	if e, ok := p.find(session); ok {
		p.log.Leaving = append(p.log.Leaving, e)
	} else {
		p.absent.Count()
	}
}

// spawn makes a new entity the player of a session, and tells its client where it is.
func (p *players) spawn(t sched.Tick, e ecs.Entity, session uint32, c *frame.Character) {
	if n := int(session) + 1 - len(p.bySession); n > 0 {
		p.bySession = append(p.bySession, make([]ecs.Entity, n)...)
	}
	p.bySession[session] = e
	p.sessions.Get(e).ID = session
	*p.records.Get(e) = components.Record{
		Version: c.Version, Account: c.Account, SecurityLevel: uint32(c.SecurityLevel),
	}
	p.names.Get(e).Set(c.Name)
	*p.positions.Get(e) = components.Position{X: c.X, Y: c.Y, Z: c.Z, O: c.O}
	p.sights.Get(e).Layers = 1 << grid.Living
	*p.speeds.Get(e) = components.NormalSpeeds()
	p.embody(e, c)
	p.space.Enroll(c.GUID, e)
	p.space.Arrive(e)
	p.log.Rehome(t, e, grid.At(c.X, c.Y, grid.Living))
	p.log.Joined = append(p.log.Joined, e)
	p.log.Draft.Bytes = appendLogin(p.log.Draft.Bytes, t, c)
	p.log.Tell(e, frame.First)
	p.log.Draft.Bytes = appendWelcome(p.log.Draft.Bytes, c)
	p.log.Tell(e, frame.Last)
}

// embody gives a player the body of its class and level.
func (p *players) embody(e ecs.Entity, c *frame.Character) {
	body, level := &p.defs.Players, uint32(c.Level)
	model := body.DisplayID[c.Gender&1]
	health := body.Health + body.HealthPerLevel*level
	*p.objects.Get(e) = components.Object{GUID: c.GUID, Type: components.MaskOfPlayer, Scale: 1}
	v := p.vitals.Get(e)
	*v = components.Vitals{Health: health, MaxHealth: health}
	power := powerOf(c.Class)
	switch power {
	case components.PowerMana:
		v.MaxPower[power] = body.Mana + body.ManaPerLevel*level
		v.Power[power] = v.MaxPower[power]
	case components.PowerEnergy:
		v.MaxPower[power], v.Power[power] = fullEnergy, fullEnergy
	default: // begins at none
		v.MaxPower[power] = fullRage
	}
	*p.units.Get(e) = components.Unit{
		Bytes0: [4]uint8{c.Race, c.Class, c.Gender, power}, Level: level, Faction: body.Faction,
		Flags: components.UnitPlayerControlled, AttackTimeMs: [2]uint32{body.AttackTimeMs, body.AttackTimeMs},
		RangedAttackTimeMs: body.AttackTimeMs,
		BoundingRadius:     body.BoundingRadius, CombatReach: body.CombatReach,
		DisplayID: model, NativeDisplayID: model,
	}
	p.stances.Get(e).CastSpeed = 1
	*p.stats.Get(e) = components.Stats{
		MinDamage: body.MinDamage, MaxDamage: body.MaxDamage,
		Stat:     [5]uint32{body.Stat, body.Stat, body.Stat, body.Stat, body.Stat},
		BaseMana: v.MaxPower[components.PowerMana], BaseHealth: health,
	}
	*p.guises.Get(e) = components.Guise{
		Bytes:  [4]uint8{c.Skin, c.Face, c.HairStyle, c.HairColor},
		Bytes2: [4]uint8{components.ByteFacialHair: c.Facial},
		Bytes3: [4]uint8{components.ByteLookGender: c.Gender},
	}
	*p.progress.Get(e) = components.Progress{NextXP: body.NextXP, MaxLevel: body.MaxLevel}
}

// What a client takes for full, where its interface draws a scale of its own: rage and runic power are
// counted in tenths.
//
// Source: Player::InitStatsForLevel and GetCreatePowers, AzerothCore.
const (
	fullRage   = 1000
	fullEnergy = 100
)

// powerOf is the power that a class lives by, which clients know too.
//
// Source: power types of ChrClasses, build 12340.
func powerOf(class uint8) (power uint8) {
	switch class {
	case 1: // warrior
		return components.PowerRage
	case 4: // rogue
		return components.PowerEnergy
	case 6: // death knight
		return components.PowerRunic
	}
	return components.PowerMana
}
