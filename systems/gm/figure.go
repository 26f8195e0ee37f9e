package gm

import (
	"math"
	"slices"
	"strings"

	"muster/components"
	"muster/components/defs"
	"muster/components/move"
	"muster/ecs"
	"muster/systems/goods"
	"muster/systems/rules"
)

// maxLevel limits the levels in arguments; what is more than a level can be is cut later.
const maxLevel = 255

func (s *System) levelUp(c *call) error {
	e, err := s.player(c)
	if err != nil {
		return err
	}
	by := int64(1)
	if c.args.Len() > 0 {
		by = c.args.Int(-maxLevel, maxLevel)
	}
	if err := c.args.End(); err != nil {
		return err
	}
	s.give(e, int64(s.units.Get(e).Level)+by)
	return nil
}

func (s *System) setLevel(c *call) error {
	e, err := s.player(c)
	if err != nil {
		return err
	}
	to := c.args.Int(1, maxLevel)
	if err := c.args.End(); err != nil {
		return err
	}
	s.give(e, to)
	return nil
}

// give sets a player's level.
func (s *System) give(e ecs.Entity, to int64) {
	level := uint32(min(max(to, 1), int64(s.defs.Get().Players.MaxLevel)))
	s.setLevels.Emit(rules.SetLevel{Entity: e, Level: level})
	s.say("%s comes from level %d to level %d.", s.nameOf(e), s.units.Get(e).Level, level)
}

// modifyHealth sets a player's health, within 1 and its maximum. A negative argument is subtracted from it.
func (s *System) modifyHealth(c *call) error {
	e, err := s.unit(c)
	if err != nil {
		return err
	}
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
	s.healths.Emit(rules.SetHealth{Entity: e, Health: health})
	s.say("%s has %d of %d health.", s.nameOf(e), health, v.MaxHealth)
	return nil
}

func (s *System) modifyMana(c *call) error {
	e, err := s.unit(c)
	if err != nil {
		return err
	}
	n := c.args.Int(0, math.MaxInt32)
	if err := c.args.End(); err != nil {
		return err
	}
	v := s.vitals.Get(e)
	n = min(n, int64(v.MaxPower[components.PowerMana]))
	s.powers.Emit(rules.PowerChange{
		To: e, Power: components.PowerMana, Delta: int32(n - int64(v.Power[components.PowerMana])), Kind: rules.NoReport,
	})
	s.say("%s has %d of %d mana.", s.nameOf(e), n, v.MaxPower[components.PowerMana])
	return nil
}

func (s *System) modifyMoney(c *call) error {
	e, err := s.selected(c)
	if err != nil {
		return err
	}
	n := c.args.Int(-goods.MaxMoney, goods.MaxMoney)
	if err := c.args.End(); err != nil {
		return err
	}
	s.moneyGives.Emit(goods.GiveMoney{To: e, Copper: n, Ticket: s.wait(c, s.nameOf(e), "")})
	s.say("%s is to have %d copper more.", s.nameOf(e), n)
	return nil
}

func (s *System) modifyScale(c *call) error {
	e, err := s.unit(c)
	if err != nil {
		return err
	}
	scale := c.args.Float(0.1, 10)
	if err := c.args.End(); err != nil {
		return err
	}
	s.objects.Get(e).Scale = scale
	s.dirty.Mark(e, components.DirtyObject)
	s.say("%s has scale %g.", s.nameOf(e), scale)
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
func (s *System) modifySpeed(c *call) error {
	e, err := s.selected(c)
	if err != nil {
		return err
	}
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
	s.say("%s has %g times the normal speed: %s.", s.nameOf(e), rate, gait.name)
	return nil
}

// addItem gives items to a player, or removes them.
func (s *System) addItem(c *call) error {
	e, err := s.player(c)
	if err != nil {
		return err
	}
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
	ticket := s.wait(c, s.nameOf(e), template.Name)
	if count < 0 {
		s.itemTakes.Emit(goods.TakeItem{From: e, Entry: template.Entry, Count: uint32(-count), Ticket: ticket})
		s.say("%s is to lose %d of %s.", s.nameOf(e), -count, template.Name)
		return nil
	}
	s.itemGives.Emit(goods.GiveItem{To: e, Entry: template.Entry, Count: uint32(count), FromNPC: true, Ticket: ticket})
	s.say("%s is to get %d of %s.", s.nameOf(e), count, template.Name)
	return nil
}

// item is the item template whose number, link or name in brackets is the next argument, nil if there is none.
//
// Source: HandleAddItemCommand, cs_misc.cpp, AzerothCore.
func (s *System) item(c *call) *defs.Item {
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
func (s *System) noSkills(*call) error {
	s.say("There are no skills in this world.")
	return nil
}
