package frame

// A Happening is something that has happened in a tick, for observers of the server: no client is sent it. Package change has its
// kinds.
type Happening struct {
	Kind    uint8
	Subject uint64 // GUID of the unit that it is about
	Other   uint64 // GUID of the other unit that took part, 0 none
	ID      uint32 // of a spell, or the entry of an item
	Amount  uint32
	Said    Span // of speech: the packet that the player itself is sent
}

// MaxHappenings bounds those of a tick, our own choice: what a fight of 300 players has in one. More are only counted.
const MaxHappenings = 256

// Happen adds what has happened.
func (d *Builder) Happen(h Happening) {
	if len(d.happenings) < MaxHappenings {
		d.happenings = append(d.happenings, h)
	} else {
		d.unlisted++
	}
}
