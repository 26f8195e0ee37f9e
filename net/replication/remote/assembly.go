package remote

import (
	"slices"

	"muster/net/replication/frame"
)

// An assembly is a frame that is on its way.
type assembly struct {
	previous   uint64
	shared     pieces // empty if it is divided; of both halves if it is sent again
	again      bool
	hasPrivate bool // there is a private half
	private    []byte
	looks      []frame.Region // that new views of the gateway's sessions touch
	regions    []frame.Region // that the shared half is divided into, nil if it is whole
	divided    map[frame.Region]*pieces
}

// pieces is bytes that come in several messages.
type pieces struct {
	parts   [][]byte
	missing int
}

// put adds a part. It is not used if the others are of another division.
func (p *pieces) put(part, parts uint64, body []byte) {
	if p.parts == nil {
		p.parts, p.missing = make([][]byte, parts), int(parts)
	}
	if len(p.parts) == int(parts) && p.parts[part] == nil {
		p.parts[part] = body
		p.missing--
	}
}

func (p *pieces) complete() bool { return p != nil && p.parts != nil && p.missing == 0 }

// whole is the bytes of all parts.
func (p *pieces) whole() []byte {
	if len(p.parts) == 1 {
		return p.parts[0]
	}
	return slices.Concat(p.parts...)
}

// complete reports whether all of it has come but for regions.
func (a *assembly) complete() bool { return a.shared.complete() && (!a.hasPrivate || a.private != nil) }

// missing visits the regions that have not come, of those that the gateway needs, for views of before or of this frame.
func (a *assembly) missing(needed map[frame.Region]int, visit func(frame.Region)) {
	for _, r := range a.regions {
		if (needed[r] > 0 || slices.Contains(a.looks, r)) && !a.divided[r].complete() {
			visit(r)
		}
	}
}

// halves are what has come of the shared half.
func (a *assembly) halves() (shared [][]byte) {
	if a.regions == nil {
		return [][]byte{a.shared.whole()}
	}
	for _, r := range a.regions {
		if p := a.divided[r]; p.complete() {
			shared = append(shared, p.whole())
		}
	}
	return shared
}
