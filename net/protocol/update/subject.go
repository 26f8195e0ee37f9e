package update

import (
	"muster/components"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// A Subject is an object to be created: the parts of its create block that are not in its Layout.
// Create reads through the pointers and keeps none.
type Subject struct {
	GUID     uint64
	Self     bool   // the receiver is the object itself, or owns it: it learns the private words too
	NowMs    uint32 // server time
	Words    *Words
	Position *components.Position // nil for items
	Motion   *components.Motion   // nil: it stands still
	Speeds   *components.Speeds   // nil for what does not move
	// Tail is what AppendTail made of the subject's Words and Speeds, if it is still true: Create copies it
	// and reads neither. It has no private words, so a subject that is Self has none.
	Tail []byte

	Rotation uint64 // of a game object: components.PackRotation
	Appears  bool   // of a game object: with the effect of appearing
}

// Create appends a create block with all words that are not zero. It has the object's position and free
// movement, never a path: clients disagree on how to read paths in there, so the remaining path goes
// after it as a message of its own. Apart from growing dst it does not allocate.
//
// Source: protocol.md 4.2, 3.1.2 and 7.10.
func (l *Layout) Create(dst []byte, s *Subject) []byte {
	if l.kind > Player {
		return l.createStill(dst, s)
	}
	dst = beginBlock(dst, l.kind.create(), s.GUID)
	flags, words := FlagLiving|FlagStationary, &l.public
	if s.Self {
		flags, words = flags|FlagSelf, &l.own
	}
	dst = append(dst, l.kind.typeID(), byte(flags), byte(flags>>8))

	c := wire.NewWriter(wire.V12340, dst)
	m := s.movement()
	m.Wire(&c)
	if s.Tail != nil {
		return append(c.Bytes(), s.Tail...)
	}
	return words.appendTail(c.Bytes(), s)
}

// AppendTail appends the end of a subject's create block for others: what follows the movement, and does
// not change with every step.
func (l *Layout) AppendTail(dst []byte, s *Subject) []byte { return l.public.appendTail(dst, s) }

func (w *section) appendTail(dst []byte, s *Subject) []byte {
	c := wire.NewWriter(wire.V12340, dst)
	for i := range s.Speeds {
		wire.F32(&c, &s.Speeds[i])
	}
	return w.appendAll(c.Bytes(), s.Words)
}

// unsaid are the movement flags that call for what a create block of muster does not have.
const unsaid = components.MoveSpline | components.MoveOnTransport

// movement is how the subject moves by itself.
func (s *Subject) movement() msg.Movement {
	p := s.Position
	m := msg.Movement{Time: s.NowMs, X: p.X, Y: p.Y, Z: p.Z, O: p.O}
	if o := s.Motion; o != nil {
		m.Flags = msg.MoveFlags(o.Flags & components.MoveKnown &^ unsaid)
		m.Extra = msg.MoveExtra(o.Extra & components.MoveExtraKnown)
		m.Pitch = o.Pitch
		m.FallTime = o.FallTimeMs
		m.Jump = msg.Jump{ZSpeed: o.JumpZ, Sin: o.JumpSin, Cos: o.JumpCos, XYSpeed: o.JumpXY}
		m.SplineElevation = o.Elevation
	}
	return m
}
