package console

import (
	"context"
	"fmt"
	"strings"

	"muster/net/gate"
	"muster/net/verb"
)

// A far is a verb that has somebody go to a place of another world than the asker's. It comes to verbs of one world
// each, which reach it as all do: so that a log of inboxes replays it.
type far struct {
	who   gate.Somebody // goes
	to    gate.Somebody // where somebody is, if there is no place
	place string        // that has a name
}

// between is what a verb comes to that is about players in different worlds. It is not ok if it is none, or about
// nobody who is far away: then it is for the world of the character.
func (c *Console) between(v *verb.Verb, character string, args verb.Args) (f far, ok bool) {
	if v.Scope != verb.Anywhere {
		return f, false
	}
	self, here := c.find(character)
	other, there := c.find(args.Word())
	if !there || here && self.Map == other.Map {
		return f, false
	}
	switch {
	case v.Path == "teleport name":
		f = far{who: other, place: args.Rest()}
		return f, f.place != ""
	case !here || args.Len() > 0:
		return f, false
	case v.Path == "appear":
		return far{who: self, to: other}, true
	}
	return far{who: other, to: self}, true
}

// find is the player of a name.
func (c *Console) find(name string) (who gate.Somebody, ok bool) {
	for _, who := range c.Realm.Everybody() {
		if strings.EqualFold(who.Name, name) {
			return who, true
		}
	}
	return gate.Somebody{}, false
}

// do has somebody go.
func (f far) do(ctx context.Context, c *Console, level uint8) ([]string, error) {
	line := "teleport " + f.place
	if f.place == "" {
		at, err := c.Realm.Command(ctx, f.to.Name, level, "gps "+f.to.Name)
		if err != nil {
			return nil, err
		}
		var x, y, z, o float32
		if len(at) < 2 {
			return nil, Refusal(strings.Join(at, " "))
		}
		if _, err := fmt.Sscanf(at[1], "X: %f Y: %f Z: %f Orientation: %f", &x, &y, &z, &o); err != nil {
			return nil, fmt.Errorf("console: where %s is: %w", f.to.Name, err)
		}
		line = fmt.Sprintf("go xyz %f %f %f %d %f", x, y, z, f.to.Map, o)
	}
	said, err := c.Realm.Command(ctx, f.who.Name, level, line)
	if err == nil && len(said) == 0 {
		said = []string{f.who.Name + " is on the way."}
	}
	return said, err
}
