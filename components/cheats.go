package components

// Cheats is which rules a player is exempt from. System gmcommands alone writes it.
type Cheats struct{ Set uint16 }

// The bits of Cheats.Set. They go with a player to other maps.
const (
	CheatGod         = 1 << (6 + iota) // health stays at least 1
	CheatInstantCast                   // casts take no time
	CheatNoCooldown                    // has no cooldowns
	CheatNoCost                        // casts cost nothing
	CheatTaxi                          // knows all taxi paths, of which there are none yet
)
