package components

import "unsafe"

// Name is a player's name, up to 15 bytes of UTF-8.
type Name struct {
	Len  uint8
	Text [15]uint8
}

// Set stores a name. It reports false, and changes nothing, if the name is too long.
func (n *Name) Set(s string) bool {
	if len(s) > len(n.Text) {
		return false
	}
	*n = Name{Len: uint8(len(s))}
	copy(n.Text[:], s)
	return true
}

// Bytes is the name without copying: it aliases *n.
func (n *Name) Bytes() []byte { return n.Text[:n.Len] }

// String is a copy of the name.
func (n *Name) String() string { return string(n.Bytes()) }

// UnsafeString is the name without copying: it aliases *n, and is valid while *n stays unchanged in its place.
func (n *Name) UnsafeString() string { return unsafe.String(&n.Text[0], int(n.Len)) }
