package frame

import "muster/net/wire"

// A Resume is the body of an OpResume. A connection may end before its world has read that, and the next one come: so each
// is told by its number, from 1 on, from those before.
type Resume struct{ Nth uint32 }

// Wire implements msg.Message.
func (r *Resume) Wire(c *wire.Codec) { wire.U32(c, &r.Nth) }
