package main

import "muster/net/gateway"

// A twoSides is what the factions may do with each other, under the names that AzerothCore has for it.
type twoSides struct {
	Chat    bool `name:"allow-two-side.interaction.chat" help:"Players of one faction may whisper to those of the other."`
	Channel bool `name:"allow-two-side.interaction.channel" help:"The factions have the same channels."`
	WhoList bool `name:"allow-two-side.who-list" help:"CMSG_WHO shows the players of both."`
}

func (s *twoSides) config() gateway.TwoSides {
	return gateway.TwoSides{Chat: s.Chat, Channel: s.Channel, WhoList: s.WhoList}
}
