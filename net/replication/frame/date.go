package frame

import "muster/net/protocol/wire"

// A Date is the date at the tick whose inbox has it: the body of an OpDate.
type Date struct{ UnixMs uint64 }

// Wire walks the date.
func (d *Date) Wire(c *wire.Codec) { wire.U64(c, &d.UnixMs) }
