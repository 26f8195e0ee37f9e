package gateway

import (
	"muster/net/protocol/command"
	"muster/net/protocol/msg"
	"muster/net/replication/frame"
)

// A TwoSides is what players of one faction may do with those of the other. Zero is nothing.
//
// Source: AllowTwoSide.Interaction.Chat, AllowTwoSide.Interaction.Channel and AllowTwoSide.WhoList,
// worldserver.conf.dist, AzerothCore.
type TwoSides struct {
	Chat    bool // whisper
	Channel bool // be on the same channels
	WhoList bool // see each other in the answer to CMSG_WHO
}

// A faction is one of the two that players are of.
type faction uint8

const (
	horde faction = 1 + iota
	alliance
)

// factionOf is that of a race.
//
// Source: Player::TeamIdForRace, AzerothCore.
func factionOf(race uint8) faction {
	const races = 1<<1 | 1<<3 | 1<<4 | 1<<7 | 1<<11 // human, dwarf, night elf, gnome, draenei
	if race < 32 && races>>race&1 != 0 {
		return alliance
	}
	return horde
}

// apart reports whether two characters are of two factions and both players: those of accounts with a level see all.
func apart(a, b *frame.Character) bool {
	return factionOf(a.Race) != factionOf(b.Race) && a.SecurityLevel == command.Player && b.SecurityLevel == command.Player
}

// wrongFaction is the answer to a whisper to a player of the other faction.
//
// Source: WorldSession::SendWrongFactionNotice, AzerothCore.
func wrongFaction() []byte { return packet(msg.OpChatWrongFaction, &msg.Empty{}) }
