package control

import (
	"strings"

	"muster/net/gateway"
)

// online is the character of a name in a world.
func (c *Control) online(name string) (gateway.OnlinePlayer, error) {
	for _, p := range c.config.Gate.OnlinePlayers() {
		if strings.EqualFold(p.Name, name) {
			return p, nil
		}
	}
	return gateway.OnlinePlayer{}, errOffline
}
