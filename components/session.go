package components

// Session is the connection whose player an entity is; 0 is none.
type Session struct{ ID uint32 }
