package components

// Session is the connection whose player an entity is: only players have the component, and any number is one.
type Session struct{ ID uint32 }
