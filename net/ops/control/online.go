package control

import (
	"strings"

	"muster/net/gateway"
)

// world is the world of a map, nil if there is none.
func (c *Control) world(mapID uint32) *World {
	for i := range c.config.Worlds {
		if c.config.Worlds[i].Map == mapID {
			return &c.config.Worlds[i]
		}
	}
	return nil
}

// online is the character of a name in a world, at whichever gateway.
func (c *Control) online(name string) (gateway.OnlinePlayer, error) {
	if p, ok := c.config.Gate.Find(name); ok {
		return p, nil
	}
	return gateway.OnlinePlayer{}, errOffline
}

// here is the character of a name in a world through this gateway.
func (c *Control) here(name string) (gateway.OnlinePlayer, error) {
	for _, p := range c.config.Gate.OnlinePlayers() {
		if strings.EqualFold(p.Name, name) {
			return p, nil
		}
	}
	return gateway.OnlinePlayer{}, errOffline
}
