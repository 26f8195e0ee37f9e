package components

// Position is where something is, in yards, and where it faces, in radians within [0, 2π).
type Position struct{ X, Y, Z, O float32 }

// A Vec is a point in yards.
type Vec struct{ X, Y, Z float32 }

// Vec is the point without the orientation.
func (p *Position) Vec() Vec { return Vec{p.X, p.Y, p.Z} }
