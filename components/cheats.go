package components

// Cheats is which rules a player is exempt from. System gm alone writes it.
type Cheats struct{ Set uint16 }

// The bits of Cheats.Set. They are stored with the character.
const (
	CheatGod         = 1 << (6 + iota) // health stays at least 1
	CheatInstantCast                   // casts take no time
	CheatNoCooldown                    // has no cooldowns
	CheatNoCost                        // casts cost nothing
)
