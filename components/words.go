// Package components has the components of entities: flat structs of fixed size, without pointers, valid at zero.
//
// Most of them are parts of what a client is sent about an object: the update fields. A tag gives the number of a
// field's first word in a client build, `v12340:"0x18"`; its audience is in the table of fields (Fields). A field
// without a tag is not sent as such. A struct holds whole words and no implicit padding, so that Words can view it as
// the wire has it: a row of words.
package components

import "unsafe"

// Words is a component seen as 32-bit words, without copying: it aliases *c. T must be made of whole
// words, as every component with tags is. The order is that of the wire on a little-endian machine;
// net/protocol/update refuses to start on any other.
func Words[T any](c *T) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(c)), unsafe.Sizeof(*c)/4)
}
