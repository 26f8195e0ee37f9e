package console

import (
	"context"
	"fmt"
	"strings"

	"muster/net/gateway"
	"muster/net/protocol/command"
)

// A far is a command that moves a player to a place of another world than the caller's. It becomes commands of one
// world each, which reach it as all do: so that a log of inboxes replays it.
type far struct {
	mover gateway.OnlinePlayer // the player that moves
	to    gateway.OnlinePlayer // the player at the destination, if there is no place
	place string               // that has a name
}

// between is the far of a command about players in different worlds. It is not ok if it is none, or about no
// player in another world: then it is for the world of the character.
func (c *Console) between(v *command.Verb, character string, args command.Args) (f far, ok bool) {
	if v.Scope != command.Anywhere {
		return f, false
	}
	self, here := c.Realm.Find(character)
	other, there := c.Realm.Find(args.Word())
	if !there || here && self.Map == other.Map {
		return f, false
	}
	switch {
	case v.Path == "teleport name":
		f = far{mover: other, place: args.Rest()}
		return f, f.place != ""
	case !here || args.Len() > 0:
		return f, false
	case v.Path == "appear":
		return far{mover: self, to: other}, true
	}
	return far{mover: other, to: self}, true
}

// do moves the player.
func (f far) do(ctx context.Context, c *Console, level uint8) ([]string, error) {
	line := "teleport " + f.place
	if f.place == "" {
		at, err := c.spot(ctx, f.to, level)
		if err != nil {
			return nil, err
		}
		line = fmt.Sprintf("go xyz %f %f %f %d %f", at.x, at.y, at.z, f.to.Map, at.o)
	}
	said, err := refusals(c.Realm.Command(ctx, f.mover.Name, level, line))
	if err == nil && len(said) == 0 {
		said = []string{f.mover.Name + " is on the way."}
	}
	return said, err
}

// A spot is a position and orientation on a map.
type spot struct{ x, y, z, o float32 }

// spot is the position of a player, from its world.
func (c *Console) spot(ctx context.Context, player gateway.OnlinePlayer, level uint8) (at spot, err error) {
	said, err := refusals(c.Realm.Command(ctx, player.Name, level, "gps "+player.Name))
	if err != nil {
		return at, err
	}
	if len(said) < 2 {
		return at, Refusal(strings.Join(said, " "))
	}
	if _, err := fmt.Sscanf(said[1], "X: %f Y: %f Z: %f Orientation: %f", &at.x, &at.y, &at.z, &at.o); err != nil {
		return at, fmt.Errorf("console: where %s is: %w", player.Name, err)
	}
	return at, nil
}

// teleportAdd gives the caller's position a name in all worlds.
func (c *Console) teleportAdd(ctx context.Context, a *call) ([]string, error) {
	name := a.args.Rest()
	if err := a.args.End(); err != nil || name == "" {
		return nil, command.ErrSyntax
	}
	player, ok := c.Realm.Find(a.by.Name)
	if !ok {
		return nil, Refusal("You have no player in a world: name the place with teleport put.")
	}
	at, err := c.spot(ctx, player, a.by.Level)
	if err != nil {
		return nil, err
	}
	return refusals(c.Realm.Command(ctx, "", command.Console, fmt.Sprintf("teleport put %d %f %f %f %f %s", player.Map, at.x, at.y, at.z, at.o, name)))
}
