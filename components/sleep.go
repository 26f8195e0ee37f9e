package components

// Sleep is whether an entity sleeps: no observer sees its cell, and nothing about it is simulated.
type Sleep struct{ SinceMs uint32 } // world time at which its cell fell asleep; 0 while it is awake
