package components

// Record is what a player carries for its store and nobody sees: it goes out as it came in, but for
// what changed on the way.
type Record struct {
	Version       uint64 // of the stored character
	Account       uint32
	SecurityLevel uint32 // 0 player … 3 administrator
}
