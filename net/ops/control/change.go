package control

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"muster/net/ops/console"
)

// affect executes a command about a character in a world, whatever that has selected, and returns its state after the tick of it.
func (c *Control) affect(ctx context.Context, name, format string, args ...any) (s Character, err error) {
	p, err := c.online(name)
	if err != nil {
		return s, err
	}
	if _, err := c.command(ctx, "#"+p.Name+" @"+fmt.Sprintf(format, args...)); err != nil {
		return s, refusal(err)
	}
	return c.state(ctx, p)
}

// refusal is the error of a command that was refused.
func refusal(err error) error {
	if console.IsRefusal(err) {
		return &Error{Text: err.Error(), Reason: "refused", status: http.StatusConflict}
	}
	return err
}

// A Teleport moves a character.
type Teleport struct {
	Name string  `json:"name" in:"path" doc:"its name, in any case"`
	Map  uint32  `json:"map"`
	X    float32 `json:"x" doc:"yards"`
	Y    float32 `json:"y"`
	Z    float32 `json:"z"`
	O    float32 `json:"o,omitempty" doc:"radians"`
}

func (c *Control) teleport(ctx context.Context, q *Teleport) (n Nothing, err error) {
	p, err := c.online(q.Name)
	if err == nil {
		_, err = c.command(ctx, fmt.Sprintf("#%s @go xyz %f %f %f %d %f", p.Name, q.X, q.Y, q.Z, q.Map, q.O))
	}
	return n, refusal(err)
}

// A Level is another level of a character.
type Level struct {
	Name  string `json:"name" in:"path" doc:"its name, in any case"`
	Level uint8  `json:"level" doc:"from 1 to 80"`
}

func (c *Control) level(ctx context.Context, q *Level) (Character, error) {
	return c.affect(ctx, q.Name, "character level %d", q.Level)
}

// An Amount is of health, of mana, or of copper.
type Amount struct {
	Name   string `json:"name" in:"path" doc:"its name, in any case"`
	Amount int32  `json:"amount"`
}

// A Sum is what a character is to have.
type Sum struct {
	Name   string `json:"name" in:"path" doc:"its name, in any case"`
	Copper uint32 `json:"copper"`
}

// moneyTries bounds how often the money of a character is set that gets or pays some at the same time.
const moneyTries = 5

// setMoney gives a character what it lacks of a sum, or takes what is more.
func (c *Control) setMoney(ctx context.Context, q *Sum) (s Character, err error) {
	p, err := c.online(q.Name)
	if err == nil {
		s, err = c.state(ctx, p)
	}
	for range moneyTries {
		if err != nil || s.Money == q.Copper {
			return s, err
		}
		s, err = c.affect(ctx, q.Name, "modify money %d", int64(q.Copper)-int64(s.Money))
	}
	return s, &Error{Text: "its money changes all the time", Reason: "changed", status: http.StatusConflict}
}

// A Power is how much a character has of a power.
type Power struct {
	Name   string `json:"name" in:"path" doc:"its name, in any case"`
	Power  string `json:"power" doc:"mana, rage, energy or runic_power"`
	Amount int32  `json:"amount" doc:"at most the maximum"`
}

// powerVerbs are the commands for powers.
var powerVerbs = map[string]string{"mana": "modify mana", "rage": "modify rage", "energy": "modify energy", "runic_power": "modify runicpower"}

func (c *Control) power(ctx context.Context, q *Power) (s Character, err error) {
	verb := powerVerbs[q.Power]
	if verb == "" || q.Amount < 0 {
		return s, malformed("power is mana, rage, energy or runic_power, and amount not less than 0")
	}
	return c.affect(ctx, q.Name, "%s %d", verb, q.Amount)
}

func (c *Control) health(ctx context.Context, q *Amount) (Character, error) {
	return c.affect(ctx, q.Name, "modify hp %d", q.Amount)
}

func (c *Control) mana(ctx context.Context, q *Amount) (Character, error) {
	return c.affect(ctx, q.Name, "modify mana %d", q.Amount)
}

func (c *Control) money(ctx context.Context, q *Amount) (Character, error) {
	return c.affect(ctx, q.Name, "modify money %d", q.Amount)
}

// Items are items to give or to take.
type Items struct {
	Name  string `json:"name" in:"path" doc:"its name, in any case"`
	Entry uint32 `json:"entry" doc:"of the template"`
	Count int32  `json:"count" doc:"less than 0 takes them; within 1000"`
}

func (c *Control) items(ctx context.Context, q *Items) (Character, error) {
	return c.affect(ctx, q.Name, "additem %d %d", q.Entry, q.Count)
}

// A Spell is to be learned, or its auras are to be had.
type Spell struct {
	Name  string `json:"name" in:"path" doc:"its name, in any case"`
	Spell uint32 `json:"spell"`
}

// A SpellPath is to be forgotten, or its auras are to go.
type SpellPath struct {
	Name  string `json:"name" in:"path" doc:"its name, in any case"`
	Spell uint32 `json:"spell" in:"path"`
}

func (c *Control) learn(ctx context.Context, q *Spell) (Character, error) {
	return c.affect(ctx, q.Name, "learn %d", q.Spell)
}

func (c *Control) unlearn(ctx context.Context, q *SpellPath) (Character, error) {
	return c.affect(ctx, q.Name, "unlearn %d", q.Spell)
}

func (c *Control) aura(ctx context.Context, q *Spell) (Character, error) {
	return c.affect(ctx, q.Name, "aura %d", q.Spell)
}

func (c *Control) unaura(ctx context.Context, q *SpellPath) (Character, error) {
	return c.affect(ctx, q.Name, "unaura %d", q.Spell)
}

func (c *Control) revive(ctx context.Context, q *CharacterName) (Character, error) {
	return c.affect(ctx, q.Name, "revive")
}

func (c *Control) kill(ctx context.Context, q *CharacterName) (Character, error) {
	return c.affect(ctx, q.Name, "die")
}

// An Announcement is a text for all players.
type Announcement struct {
	Text string `json:"text"`
}

func (c *Control) announce(ctx context.Context, q *Announcement) (n Nothing, err error) {
	_, err = c.command(ctx, "announce "+strings.TrimSpace(q.Text))
	return n, refusal(err)
}
