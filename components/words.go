// Package components says what things are: flat structs of fixed size, without pointers, valid at zero.
//
// Most of them are pieces of what a client is told about an object: the update fields. A tag gives the
// number of a field's first word in a client build, `v12340:"0x18"`; who may see it is in the table of
// fields (Fields). A field without a tag never leaves the server by itself. A struct holds whole words
// and no implicit padding, so that Words can view it as what the wire wants: a row of words.
package components

import "unsafe"

// Words is a component seen as 32-bit words, without copying: it aliases *c. T must be made of whole
// words, as every component with tags is. The order is that of the wire on a little-endian machine;
// net/protocol/update refuses to start on any other.
func Words[T any](c *T) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(c)), unsafe.Sizeof(*c)/4)
}
