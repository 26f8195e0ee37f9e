package gm

import (
	"math"
	"slices"
	"strings"

	"muster/components"
	"muster/components/defs"
	"muster/components/move"
	"muster/ecs"
	"muster/net/replication/change"
	"muster/sched"
	"muster/systems/goods"
	"muster/systems/rules"
)

// GMFigures executes the commands that change levels, health, power, size, speeds, items and money of units, and the rate at
// which they get experience.
type GMFigures struct {
	group
	rules.Living

	defs       ecs.Res[defs.World]
	units      ecs.Read[components.Unit]
	vitals     ecs.Read[components.Vitals]
	objects    ecs.Write[components.Object]
	dirty      change.Dirty
	setLevels  ecs.Emit[rules.SetLevel]
	setRates   ecs.Emit[rules.SetXPRate]
	healths    ecs.Emit[rules.SetVitals]
	powers     ecs.Emit[rules.PowerChange]
	speeds     ecs.Emit[move.SetSpeed]
	itemGives  ecs.Emit[goods.GiveItem]
	itemTakes  ecs.Emit[goods.TakeItem]
	moneyGives ecs.Emit[goods.GiveMoney]
}

// OnEvents executes the commands of this group.
func (s *GMFigures) OnEvents(sched.Tick) { execute(&s.group, s, figures) }

var figures = []verb[GMFigures]{
	{"additem", (*GMCommands).player, (*GMFigures).addItem},
	{"character level", (*GMCommands).player, (*GMFigures).setLevel},
	{"levelup", (*GMCommands).player, (*GMFigures).levelUp},
	{"maxskill", nil, (*GMFigures).noSkills},
	{"modify energy", (*GMCommands).unit, modifyPower(components.PowerEnergy, 1, "energy")},
	{"modify health", (*GMCommands).unit, (*GMFigures).modifyHealth},
	{"modify hp", (*GMCommands).unit, (*GMFigures).modifyHealth},
	{"modify mana", (*GMCommands).unit, modifyPower(components.PowerMana, 1, "mana")},
	{"modify money", (*GMCommands).selected, (*GMFigures).modifyMoney},
	{"modify rage", (*GMCommands).unit, modifyPower(components.PowerRage, 10, "rage")},
	{"modify runicpower", (*GMCommands).unit, modifyPower(components.PowerRunic, 10, "runic power")},
	{"modify scale", (*GMCommands).unit, (*GMFigures).modifyScale},
	{"modify speed", (*GMCommands).selected, (*GMFigures).modifySpeed},
	{"npc health", (*GMCommands).byGUID, (*GMFigures).npcHealth},
	{"server set rate xp", nil, (*GMFigures).setXPRate},
	{"setskill", nil, (*GMFigures).noSkills},
}

// maxLevel limits the levels in arguments; what is more than a level can be is cut later.
const maxLevel = 255

func (s *GMFigures) levelUp(c *call) error {
	by := int64(1)
	if c.args.Len() > 0 {
		by = c.args.Int(-maxLevel, maxLevel)
	}
	if err := c.args.End(); err != nil {
		return err
	}
	s.give(c, int64(s.units.Get(c.of).Level)+by)
	return nil
}

func (s *GMFigures) setLevel(c *call) error {
	to := c.args.Int(1, maxLevel)
	if err := c.args.End(); err != nil {
		return err
	}
	s.give(c, to)
	return nil
}

// give sets a player's level.
func (s *GMFigures) give(c *call, to int64) {
	level := uint32(min(max(to, 1), int64(s.defs.Get().Players.MaxLevel)))
	s.setLevels.Emit(rules.SetLevel{Entity: c.of, Level: level})
	c.say("%s comes from level %d to level %d.", c.name, s.units.Get(c.of).Level, level)
}

// maxXPRate is the highest factor of experience, our own choice: with it most kills are a level.
const maxXPRate = 1000

// setXPRate changes the factor of the experience from kills in this world.
//
// Source: Rate.XP.Kill, worldserver.conf.dist, AzerothCore, which reload config reads again.
func (s *GMFigures) setXPRate(c *call) error {
	rate := c.args.Float(0, maxXPRate)
	if err := c.args.End(); err != nil || rate == 0 {
		return usage
	}
	s.setRates.Emit(rules.SetXPRate{Rate: rate})
	c.say("Kills give %g times the experience.", rate)
	return nil
}

// npcHealth sets the health of a creature of this world.
func (s *GMFigures) npcHealth(c *call) error {
	if c.of == (ecs.Entity{}) {
		c.args.Int(-math.MaxInt32, math.MaxInt32)
		return c.args.End()
	}
	return s.modifyHealth(c)
}

// modifyHealth sets a unit's health, within 1 and its maximum. A negative argument is subtracted from it.
func (s *GMFigures) modifyHealth(c *call) error {
	e := c.of
	n := c.args.Int(-math.MaxInt32, math.MaxInt32)
	if err := c.args.End(); err != nil {
		return err
	}
	v := s.vitals.Get(e)
	if !s.Alive(e) {
		return refusal("The dead have no health.")
	}
	if n < 0 {
		n += int64(v.Health)
	}
	health := uint32(min(max(n, 1), int64(v.MaxHealth)))
	s.healths.Emit(rules.SetVitals{Entity: e, Kind: rules.SetHealth, Health: health})
	c.say("%s has %d of %d health.", c.name, health, v.MaxHealth)
	return nil
}

// modifyPower sets a power, up to its maximum. It is stored so many times as large as the argument.
func modifyPower(power uint8, times int64, name string) func(*GMFigures, *call) error {
	return func(s *GMFigures, c *call) error {
		n := c.args.Int(0, math.MaxInt32)
		if err := c.args.End(); err != nil {
			return err
		}
		v := s.vitals.Get(c.of)
		most := int64(v.MaxPower[power])
		n = min(n*times, most)
		s.powers.Emit(rules.PowerChange{To: c.of, Power: power, Delta: int32(n - int64(v.Power[power])), Kind: rules.NoReport})
		c.say("%s has %d of %d %s.", c.name, n/times, most/times, name)
		return nil
	}
}

func (s *GMFigures) modifyMoney(c *call) error {
	e := c.of
	n := c.args.Int(-goods.MaxMoney, goods.MaxMoney)
	if err := c.args.End(); err != nil {
		return err
	}
	s.moneyGives.Emit(goods.GiveMoney{To: e, Copper: n, Ticket: c.wait(c.name, "")})
	c.say("%s is to have %d copper more.", c.name, n)
	return nil
}

func (s *GMFigures) modifyScale(c *call) error {
	e := c.of
	scale := c.args.Float(0.1, 10)
	if err := c.args.End(); err != nil {
		return err
	}
	s.objects.Get(e).Scale = scale
	s.dirty.Mark(e, components.DirtyObject)
	c.say("%s has scale %g.", c.name, scale)
	return nil
}

// gaits are the kinds of speed in arguments.
var gaits = [...]struct {
	name  string
	which []uint32
}{
	{"all", []uint32{components.SpeedWalk, components.SpeedRun, components.SpeedRunBack, components.SpeedSwim, components.SpeedSwimBack, components.SpeedFlight}},
	{"walk", []uint32{components.SpeedWalk}},
	{"run", []uint32{components.SpeedRun}},
	{"backwalk", []uint32{components.SpeedRunBack}},
	{"swim", []uint32{components.SpeedSwim}},
	{"fly", []uint32{components.SpeedFlight}},
}

// modifySpeed sets a player's speed to a multiple of its base speed, until the next change of its speed.
//
// Source: HandleModifySpeedCommand, cs_modify.cpp, AzerothCore (0.1 to 50; move.MaxSpeed is the bound here).
func (s *GMFigures) modifySpeed(c *call) error {
	e := c.of
	gait := gaits[2]
	for _, g := range gaits {
		if c.args.Len() > 1 && strings.EqualFold(c.args.Peek(), g.name) {
			gait = g
			c.args.Word()
			break
		}
	}
	rate := c.args.Float(0.1, 50)
	if err := c.args.End(); err != nil {
		return err
	}
	normal := components.NormalSpeeds()
	for _, which := range gait.which {
		speed := min(float32(normal[which]*rate), move.MaxSpeed)
		s.speeds.Emit(move.SetSpeed{Entity: e, Which: which, Speed: speed})
	}
	c.say("%s has %g times the normal speed: %s.", c.name, rate, gait.name)
	return nil
}

// addItem gives items to a player, or removes them.
func (s *GMFigures) addItem(c *call) error {
	e := c.of
	template, count := s.item(c), int64(1)
	if c.args.Len() > 0 {
		count = c.args.Int(-1000, 1000)
	}
	if err := c.args.End(); err != nil {
		return err
	}
	if template == nil {
		return refusal("There is no such item.")
	}
	ticket := c.wait(c.name, template.Name)
	if count < 0 {
		s.itemTakes.Emit(goods.TakeItem{From: e, Entry: template.Entry, Count: uint32(-count), Ticket: ticket})
		c.say("%s is to lose %d of %s.", c.name, -count, template.Name)
		return nil
	}
	s.itemGives.Emit(goods.GiveItem{To: e, Entry: template.Entry, Count: uint32(count), FromNPC: true, Ticket: ticket})
	c.say("%s is to get %d of %s.", c.name, count, template.Name)
	return nil
}

// item is the item template whose number, link or name in brackets is the next argument, nil if there is none.
//
// Source: HandleAddItemCommand, cs_misc.cpp, AzerothCore.
func (s *GMFigures) item(c *call) *defs.Item {
	if !strings.HasPrefix(c.args.Peek(), "[") {
		return s.defs.Get().Item(c.args.ID())
	}
	name, closed := strings.CutSuffix(c.args.Word()[1:], "]")
	if !closed {
		return nil
	}
	at := slices.IndexFunc(s.defs.Get().Items, func(it defs.Item) bool { return strings.EqualFold(it.Name, name) })
	if at < 0 {
		return nil
	}
	return &s.defs.Get().Items[at]
}

// noSkills answers commands for skills, which do not exist.
func (s *GMFigures) noSkills(c *call) error {
	c.say("There are no skills in this world.")
	return nil
}
