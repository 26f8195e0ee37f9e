package update

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"muster/components"
	"muster/internal/testseed"
	"muster/net/protocol/msg"
	"muster/net/protocol/wire"
)

// goldenCreate is the payload of a whole SMSG_UPDATE_OBJECT: a human warrior's own create.
//
// Source: smsg_update_object.wowm, test 1, wow_messages.
const goldenCreate = `01000000 03 0108 04 2100 00000000 0000 00000000 cdd70bc6 357e04c3 f90fa742 00000000 00000000
	0000803f 00008c42 00009040 00000000 00000000 00000000 00000000 d00f4940 00000000
	03 07000000 00008000 18000000 08000000 00000000 19000000 01000000 0c4d0000 0c4d0000`

// goldenBody is the object in goldenCreate.
func goldenBody() (*body, *Subject) {
	b := &body{}
	b.Object.GUID, b.Type = 8, components.MaskOfPlayer
	b.Faction, b.DisplayID, b.NativeDisplayID = 1, 0x4D0C, 0x4D0C
	return b, &Subject{
		GUID: 8, Self: true, Words: b.words(),
		Position: &components.Position{X: -8949.95, Y: -132.493, Z: 83.5312},
		Motion:   &components.Motion{},
		Speeds:   &components.Speeds{components.SpeedWalk: 1, components.SpeedRun: 70, components.SpeedRunBack: 4.5, components.SpeedTurn: 3.14159},
	}
}

func TestCreateGolden(t *testing.T) {
	b, s := goldenBody()
	want := unhex(t, goldenCreate)[4:]
	// The capture differs from what muster writes in two points. It lacks FlagStationary, which has no
	// part beside FlagLiving, and it has the upper word of the guid, which is zero: only words that are
	// not zero are sent (Object::BuildValuesUpdate, AzerothCore).
	want[4] |= byte(FlagStationary)
	mask := bytes.Index(want, unhex(t, "03 07000000"))
	want[mask+1] = 0x05
	want = slices.Delete(want, mask+1+12+4, mask+1+12+8)

	l := layoutOf(Player)
	if got := l.Create([]byte("before"), s); !bytes.Equal(got, append([]byte("before"), want...)) {
		t.Errorf("wrote\n% x, want\n% x", got, want)
	}
	b.Stats.Stat[0], b.Coinage = 5, 6 // for its own client
	s.Self = false
	want[4] &^= byte(FlagSelf)
	if got := l.Create(nil, s); !bytes.Equal(got, want) {
		t.Errorf("for others\n% x, want\n% x", got, want)
	}
}

func TestParseGolden(t *testing.T) {
	b, s := goldenBody()
	blocks := 0
	err := Parse(unhex(t, goldenCreate), func(got *Block) error {
		blocks++
		if got.Type != Create2 || got.GUID != 8 || got.TypeID != components.TypePlayer || got.UpdateFlags != FlagLiving|FlagSelf || !got.HasMovement {
			t.Errorf("block %+v", got)
		}
		if got.Movement != (msg.Movement{X: s.Position.X, Y: s.Position.Y, Z: s.Position.Z}) || got.Speeds != *s.Speeds {
			t.Errorf("movement %+v, speeds %v", got.Movement, got.Speeds)
		}
		want := []Field{{0, 8}, {1, 0}, {2, 0x19}, {0x37, b.Faction}, {0x43, b.DisplayID}, {0x44, b.NativeDisplayID}}
		if !slices.Equal(got.Fields, want) {
			t.Errorf("fields %v, want %v", got.Fields, want)
		}
		return nil
	})
	if err != nil || blocks != 1 {
		t.Errorf("%d blocks, %v", blocks, err)
	}
}

// TestCreateParse checks that a client reads what was written, for random objects in random motion.
func TestCreateParse(t *testing.T) {
	seed := testseed.Of(t)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 2000 {
		kind := Kind(r.IntN(2))
		var b body
		for range 3 {
			scribble(r, b.words())
		}
		o := components.Motion{
			Flags: r.Uint32(), Extra: uint16(r.Uint32()), FallTimeMs: r.Uint32(), Pitch: r.Float32(), JumpZ: r.Float32(),
			JumpSin: r.Float32(), JumpCos: r.Float32(), JumpXY: r.Float32(), Elevation: r.Float32(),
		}
		speeds := components.NormalSpeeds()
		s := Subject{
			GUID: r.Uint64(), Self: kind == Player && r.IntN(2) == 0, NowMs: r.Uint32(), Words: b.words(),
			Position: &components.Position{X: r.Float32(), Y: r.Float32(), Z: r.Float32(), O: r.Float32()},
			Motion:   &o, Speeds: &speeds,
		}
		want := make(map[uint16]uint32)
		for number, f := range plainFields(&b, kind) {
			if f.word != 0 && (f.public || f.private && s.Self) {
				want[uint16(number)] = f.word
			}
		}
		payload := layoutOf(kind).Create([]byte{1, 0, 0, 0}, &s)
		err := Parse(payload, func(got *Block) error {
			if got.Type != kind.create() || got.GUID != s.GUID || got.TypeID != kind.typeID() {
				t.Errorf("block %+v of %+v", got, s)
			}
			if living := got.UpdateFlags &^ FlagSelf; living != FlagLiving|FlagStationary || got.UpdateFlags&FlagSelf != 0 != s.Self {
				t.Errorf("update flags %#x", got.UpdateFlags)
			}
			m := got.Movement
			if m.Flags&(components.MoveSpline|components.MoveOnTransport) != 0 || uint32(m.Flags) != o.Flags&components.MoveKnown&^unsaid {
				t.Errorf("movement flags %#x of %#x", m.Flags, o.Flags)
			}
			if m.X != s.Position.X || m.O != s.Position.O || m.Time != s.NowMs || m.FallTime != o.FallTimeMs || got.Speeds != speeds {
				t.Errorf("movement %+v of %+v", m, s)
			}
			if m.Flags&components.MoveFalling != 0 && m.Jump != (msg.Jump{ZSpeed: o.JumpZ, Sin: o.JumpSin, Cos: o.JumpCos, XYSpeed: o.JumpXY}) {
				t.Errorf("jump %+v of %+v", m.Jump, o)
			}
			if m.Flags&(components.MoveSwimming|components.MoveFlying) != 0 && m.Pitch != o.Pitch ||
				m.Flags&components.MoveElevation != 0 && m.SplineElevation != o.Elevation || uint16(m.Extra) != o.Extra&components.MoveExtraKnown {
				t.Errorf("movement %+v of %+v", m, o)
			}
			if m.Y != s.Position.Y || m.Z != s.Position.Z {
				t.Errorf("movement %+v at %+v", m, s.Position)
			}
			if len(got.Fields) != len(want) {
				t.Errorf("%d words, want %d", len(got.Fields), len(want))
			}
			for _, f := range got.Fields {
				if want[f.Index] != f.Value {
					t.Errorf("word %#x is %#x, want %#x", f.Index, f.Value, want[f.Index])
				}
			}
			return nil
		})
		if err != nil || t.Failed() {
			t.Fatalf("seed %d: %v: % x", seed, err, payload)
		}
	}
}

// A create block with the tail that AppendTail made is that without, behind the movement of the moment.
func TestTail(t *testing.T) {
	b, s := goldenBody()
	b.Stats.Stat[0] = 5 // for its own client
	s.Self = false
	l := layoutOf(Player)
	tail := l.AppendTail([]byte("before"), s)
	want := l.Create(nil, s)
	if !bytes.HasPrefix(tail, []byte("before")) || !bytes.HasSuffix(want, tail[6:]) || len(tail) != 6+9*4+1+3*4+5*4 {
		t.Errorf("the tail is % x, of % x", tail, want)
	}
	s.Tail, s.Words, s.Speeds = tail[6:], nil, nil
	if got := l.Create(nil, s); !bytes.Equal(got, want) {
		t.Errorf("with a tail\n% x, want\n% x", got, want)
	}
}

// TestCreateLegible holds creates against the rules of protocol.md 3.1.2: of others less than 32 mask
// words.
func TestCreateLegible(t *testing.T) {
	var b body
	for _, part := range b.words() {
		for i := range part {
			part[i] = 1
		}
	}
	s := Subject{GUID: 8, Words: b.words(), Position: new(components.Position), Speeds: new(components.Speeds)}
	l := layoutOf(Player)
	const masks = 1 + 2 + 1 + 2 + 30 + 36 // type, packed guid, type id, update flags, MovementInfo, speeds
	if got := l.Create(nil, &s)[masks]; got != 11 {
		t.Errorf("a player's create has %d mask words for others, want 11", got)
	}
	s.Self = true
	if got := l.Create(nil, &s)[masks]; got != 40 {
		t.Errorf("a player's create has %d mask words for itself, want 40", got)
	}
}

func TestParseRefuses(t *testing.T) {
	stop := errors.New("stop")
	living := "02 0101 03 2000 " // a unit's create; then MovementInfo
	still := "00000000 0000 00000000 00000000 00000000 00000000 00000000 00000000 "
	speeds := "000000000000000000000000000000000000000000000000000000000000000000000000 "
	for _, c := range []struct {
		name, payload string
		err           error
		offset        int
	}{
		{"no count", "0000", wire.ErrShort, 0},
		{"no block", "01000000", wire.ErrShort, 4},
		{"too many blocks", "00000000 00", msg.ErrLong, 4},
		{"unknown block", "01000000 06", wire.ErrValue, 5},
		{"nothing to forget", "01000000 04 00000000", wire.ErrValue, 9},
		{"more to forget than there is", "01000000 04 FFFFFFFF 0101", wire.ErrShort, 11},
		{"unknown type", "01000000 02 0101 08 2000", wire.ErrValue, 8},
		{"unknown update flag", "01000000 02 0101 03 0008", wire.ErrValue, 10},
		{"unknown movement flag", "01000000 " + living + "00000080" + still[8:] + speeds + "00", wire.ErrValue, 40},
		{"a unit's 6th mask word", "01000000 " + living + still + speeds + "06", wire.ErrLimit, 77},
		{"a unit's field 0x94", "01000000 " + living + still + speeds + "05 00000000 00000000 00000000 00000000 00001000 01000000", wire.ErrValue, 97},
		{"a creature's field 0x94", "01000000 00 C030F1 05 00000000 00000000 00000000 00000000 00001000 01000000", wire.ErrValue, 29},
		{"a player's 43rd mask word", "01000000 00 0101 2B", wire.ErrLimit, 8},
		{"words missing", "01000000 00 0101 01 03000000 01000000", wire.ErrShort, 16},
		{"bytes left over", "01000000 00 0101 00 00", msg.ErrLong, 8},
		{"visit refuses", "02000000 00 0101 00 00 0101 00", stop, 0},
	} {
		err := Parse(unhex(t, c.payload), func(*Block) error {
			if c.err == stop {
				return stop
			}
			return nil
		})
		var at *ParseError
		if !errors.Is(err, c.err) || errors.As(err, &at) && at.Offset != c.offset {
			t.Errorf("%s: %v, want %v at byte %d", c.name, err, c.err, c.offset)
		}
	}
}

// TestParseForeign reads what muster never writes but other servers do.
func TestParseForeign(t *testing.T) {
	// A unit on a path with a final angle and two points, hurt by a victim, in a vehicle.
	spline := "00000200 00000040" + // flags, angle
		" 01000000 02000000 03000000 0000803F 0000803F 00000000 00000000" +
		" 02000000 000000000000000000000000 000000000000000000000000 00 000000000000000000000000"
	for _, payload := range []string{
		"01000000 02 0101 03 A400 00000008 0000 01000000 0000803F 00000040 00004040 00000000 00000000" +
			"000000000000000000000000000000000000000000000000000000000000000000000000" + spline +
			"0102 07000000 00000000 01 01000000 01000000",
		// A game object: POSITION form, low guid, rotation.
		"01000000 02 0101 05 5003 00 0000803F 00000040 00004040 0000803F 00000040 00004040 00000000 00000000" +
			"01000000 0000000000000000 01 01000000 01000000",
		// A game object that is a transport: STATIONARY form, low guid, progress, rotation.
		"01000000 02 0101 05 5202 0000803F 00000040 00004040 00000000" +
			"01000000 02000000 0000000000000000 01 01000000 01000000",
	} {
		err := Parse(unhex(t, payload), func(b *Block) error {
			m := b.Movement
			if m.X != 1 || m.Y != 2 || m.Z != 3 || b.HasMovement != (b.TypeID == components.TypeUnit) {
				t.Errorf("block %+v", b)
			}
			if word, ok := b.Value(0); word != 1 || !ok || len(b.Fields) != 1 {
				t.Errorf("fields %v", b.Fields)
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", payload, err)
		}
	}
}

func TestParseAllocs(t *testing.T) {
	payload := unhex(t, goldenCreate)
	visit := func(*Block) error { return nil }
	if n := testing.AllocsPerRun(100, func() {
		if Parse(payload, visit) != nil {
			t.Error("golden does not parse")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(unhex(f, goldenCreate))
	f.Add(unhex(f, "02000000 04 02000000 0101 0102 00 0103 01 03000000 01000000 02000000"))
	var w Writer
	w.Begin(nil)
	for _, b := range creates(20) {
		w.Block(b)
	}
	f.Add(w.End()[4:])
	f.Add([]byte{4, 0, 0, 0, 0x78, 0x01, 0, 0})
	f.Fuzz(func(t *testing.T, payload []byte) {
		inflates(t, payload)
		_ = Parse(payload, func(b *Block) error {
			if len(b.Fields) > 1326 || len(b.GUIDs) > len(payload) || len(b.Fields)*4 > len(payload) {
				t.Errorf("%d fields, %d guids from %d bytes", len(b.Fields), len(b.GUIDs), len(payload))
			}
			for i := range b.Fields[min(1, len(b.Fields)):] {
				if b.Fields[i].Index >= b.Fields[i+1].Index {
					t.Errorf("fields %d and %d", b.Fields[i].Index, b.Fields[i+1].Index)
				}
			}
			return nil
		})
	})
}
