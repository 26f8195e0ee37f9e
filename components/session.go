package components

// Session is the connection of a player entity: only players have the component, and any number is valid.
type Session struct{ ID uint32 }
