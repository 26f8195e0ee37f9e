package speech

// The flags of Away are those of a player.
//
// Source: PLAYER_FLAGS_AFK and PLAYER_FLAGS_DND, Player.h, AzerothCore.
const (
	AFK uint32 = 0x2
	DND uint32 = 0x4
)

// Away is a player's flags after a message that it is AFK or DND with a text. A player with that flag that gives
// a text changes only the text; no player has both flags.
//
// Source: WorldSession::HandleMessagechatOpcode (CHAT_MSG_AFK, CHAT_MSG_DND), AzerothCore.
func Away(flags, which uint32, text string) uint32 {
	if flags&which != 0 && text != "" {
		return flags
	}
	flags ^= which
	if flags&which != 0 {
		flags &^= (AFK | DND) &^ which
	}
	return flags
}
