package control

import (
	"context"
	"math"
	"strings"

	"muster/components"
	"muster/loaders/store"
)

// A NewCharacter is the character to create.
type NewCharacter struct {
	Account string `json:"account" doc:"the name of the account that is to have it"`
	Name    string `json:"name" doc:"from 2 to 12 letters"`
	Race    uint8  `json:"race" doc:"1 human … 11 draenei, as clients number them"`
	Class   uint8  `json:"class" doc:"1 warrior … 11 druid, as clients number them; one that the race can be"`
	Gender  uint8  `json:"gender,omitempty" doc:"0 male, 1 female"`
	Level   uint8  `json:"level,omitempty" doc:"1 if it is left out"`
	At      *Place `json:"at,omitempty" doc:"where it begins; without it, where one of a client would"`
}

// A Place is a place of a map.
type Place struct {
	Map uint32  `json:"map"`
	X   float32 `json:"x" doc:"yards"`
	Y   float32 `json:"y"`
	Z   float32 `json:"z"`
	O   float32 `json:"o,omitempty" doc:"radians"`
}

// A CharacterPlace is a character that was created, and where it begins.
type CharacterPlace struct {
	GUID  uint64  `json:"guid"`
	Name  string  `json:"name" doc:"as it is stored, with one capital letter"`
	Level uint8   `json:"level"`
	Map   uint32  `json:"map"`
	X     float32 `json:"x"`
	Y     float32 `json:"y"`
	Z     float32 `json:"z"`
	O     float32 `json:"o"`
}

// maxLevel is the highest level of a player. Source: DEFAULT_MAX_LEVEL, DBCEnums.h, AzerothCore.
const maxLevel = 80

func (c *Control) createCharacter(ctx context.Context, q *NewCharacter) (p CharacterPlace, err error) {
	if q.Level > maxLevel {
		return p, malformed("level is at most 80")
	}
	a, err := c.find(ctx, q.Account)
	if err != nil {
		return p, err
	}
	made := store.Character{Account: a.ID, Name: q.Name, Race: q.Race, Class: q.Class, Gender: q.Gender, Level: max(q.Level, 1)}
	if q.At == nil {
		made, err = c.config.Gate.CreateCharacter(ctx, made)
	} else if err = c.place(&made, q.At); err == nil {
		made, err = c.config.Store.CreateCharacter(ctx, made)
	}
	return CharacterPlace{made.GUID, made.Name, made.Level, made.Map, made.X, made.Y, made.Z, made.O}, err
}

// place has a character begin at a place.
func (c *Control) place(made *store.Character, at *Place) error {
	position := components.Position{X: at.X, Y: at.Y, Z: at.Z}
	o, ok := components.Facing(at.O)
	switch {
	case c.world(at.Map) == nil:
		return errNoMap
	case !ok || !position.OnMap():
		return malformed("there is no such place on the map")
	}
	made.Map, made.Zone = at.Map, c.config.Zone(at.Map, at.X, at.Y)
	made.X, made.Y, made.Z, made.O = at.X, at.Y, at.Z, o
	return nil
}

// A StoredName names a character.
type StoredName struct {
	Name    string `json:"name" in:"path" doc:"its name, in any case"`
	Account string `json:"account,omitempty" in:"query" doc:"the name of its account, so that all others need not be read"`
}

// stored is the character of a name. Without the name of its account it takes a read of each account that there is.
func (c *Control) stored(ctx context.Context, q *StoredName) (found store.Character, err error) {
	in := func(id uint32) (ok bool, err error) {
		all, err := c.config.Store.Characters(ctx, id)
		for i := range all {
			if strings.EqualFold(all[i].Name, q.Name) {
				found, ok = all[i], true
			}
		}
		return ok, err
	}
	if q.Account != "" {
		a, err := c.find(ctx, q.Account)
		if err != nil {
			return found, err
		}
		if ok, err := in(a.ID); ok || err != nil {
			return found, err
		}
		return found, errUnknown
	}
	for _, p := range c.config.Gate.OnlinePlayers() {
		if strings.EqualFold(p.Name, q.Name) {
			return c.config.Store.Character(ctx, p.GUID)
		}
	}
	for after := ""; ; {
		page, err := c.config.Store.Accounts(ctx, after, math.MaxInt)
		if err != nil || len(page) == 0 {
			return found, orUnknown(err)
		}
		for i := range page {
			if ok, err := in(page[i].ID); ok || err != nil {
				return found, err
			}
		}
		after = page[len(page)-1].Name
	}
}

func orUnknown(err error) error {
	if err != nil {
		return err
	}
	return errUnknown
}

func (c *Control) deleteCharacter(ctx context.Context, q *StoredName) (n Nothing, err error) {
	found, err := c.stored(ctx, q)
	if err != nil {
		return n, err
	}
	return n, c.config.Gate.DeleteCharacter(ctx, found.Account, found.GUID)
}

// A CharacterName names a character in a world.
type CharacterName struct {
	Name string `json:"name" in:"path" doc:"its name, in any case"`
}

func (c *Control) kick(_ context.Context, q *CharacterName) (n Nothing, err error) {
	online, err := c.online(q.Name)
	if err == nil && !c.config.Gate.Kick(online.Name) {
		err = errOffline
	}
	return n, err
}
