package realm

import (
	"context"
	"errors"

	"muster/net/gateway"
	"muster/net/gateway/claims"
	"muster/net/gateway/relay"
)

// A wideGate is a gateway for operators: it reaches the players of other gateways, too.
type wideGate struct {
	*gateway.Gate
	claims *claims.Claims // nil if there are no others
	relay  *relay.Relay   // the same
}

// wide is the gateway as operators have it.
func (r *Realm) wide() wideGate { return wideGate{r.gate, r.claims, r.relay} }

// Find is the player of a name in a world, wherever it is.
func (g wideGate) Find(name string) (gateway.OnlinePlayer, bool) {
	p, ok := g.Gate.Find(name)
	if !ok && g.relay != nil {
		return g.relay.Find(name)
	}
	return p, ok
}

// FindGUID is the player of a GUID in a world, wherever it is.
func (g wideGate) FindGUID(guid uint64) (gateway.OnlinePlayer, bool) {
	p, ok := g.Gate.FindGUID(guid)
	if !ok && g.relay != nil {
		return g.relay.FindGUID(guid)
	}
	return p, ok
}

// Kick closes the connection of a player, wherever it is. It reports whether there is one of that name.
func (g wideGate) Kick(name string) bool {
	return g.Gate.Kick(name) || g.relay != nil && g.relay.Kick(name)
}

// Command gives a line to the world of a character, wherever it is, as gateway.Gate.
func (g wideGate) Command(ctx context.Context, character string, level uint8, line string) ([]string, error) {
	said, err := g.Gate.Command(ctx, character, level, line)
	if errors.Is(err, gateway.ErrNoPlayer) && g.relay != nil {
		return g.relay.Command(ctx, character, level, line)
	}
	return said, err
}

// KickAccount closes the connection of an account wherever it is. It reports whether there was one here.
func (g wideGate) KickAccount(account uint32) bool {
	if g.claims != nil {
		g.claims.KickAccount(account)
	}
	return g.Gate.KickAccount(account)
}

// Announce sends a line of text to all players in worlds.
func (g wideGate) Announce(line string) {
	if g.claims != nil {
		g.claims.Announce(line)
	}
	g.Gate.Announce(line)
}
