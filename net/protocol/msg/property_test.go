package msg

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"

	"muster/components"
	"muster/internal/testseed"
	"muster/net/protocol/wire"
)

func random(t *testing.T) *rand.Rand {
	s := testseed.Of(t)
	return rand.New(rand.NewPCG(s, s))
}

// What is written is what is read, for every row and any values.
func TestRoundTrip(t *testing.T) {
	rng := random(t)
	for i := range Table {
		r := &Table[i]
		for range 100 {
			in := r.New()
			fill(rng, reflect.ValueOf(in).Elem())
			prune(in)
			body := Append(nil, wire.V12340, in)
			out := r.New()
			if err := Decode(wire.V12340, body, out); err != nil {
				t.Fatalf("%s: %v\n%+v\n% x", r.Name, err, in, body)
			}
			if !reflect.DeepEqual(in, out) {
				t.Fatalf("%s: wrote %+v\nread %+v\n% x", r.Name, in, out, body)
			}
		}
	}
}

// A body that is cut off, or too long, is the matching error.
func TestTruncated(t *testing.T) {
	rng := random(t)
	for i := range Table {
		r := &Table[i]
		in := r.New()
		fill(rng, reflect.ValueOf(in).Elem())
		prune(in)
		body := Append(nil, wire.V12340, in)
		for n := range body {
			err := Decode(wire.V12340, body[:n], r.New())
			if err == nil {
				switch in.(type) {
				case *AuthSession, *UpdateAccountData, *AccountData, *WardenData, *UpdateObject, *CompressedUpdateObject,
					*SpellCooldown, *CastFailed, *AuraUpdate: // end with all that is left
				case *TransferPending, *TransferAborted, *AuthResponse, *AddonInfo, *JoinChannel, *TogglePvP, *GossipSelect: // have shorter forms
				default:
					t.Errorf("%s: % x is enough of % x", r.Name, body[:n], body)
				}
			} else if e, ok := err.(*DecodeError); !ok || e.Offset > n {
				t.Errorf("%s: %v", r.Name, err)
			}
		}
	}
}

// fill gives random values to all that a message holds. Strings have no NUL, floats are finite, empty
// slices are nil.
func fill(rng *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(rng, v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(rng, v.Index(i))
		}
	case reflect.Slice:
		if n := rng.IntN(4); n > 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			for i := range n {
				fill(rng, v.Index(i))
			}
		}
	case reflect.String:
		b := make([]byte, rng.IntN(8))
		for i := range b {
			b[i] = byte(1 + rng.IntN(255))
		}
		v.SetString(string(b))
	case reflect.Bool:
		v.SetBool(rng.IntN(2) == 0)
	case reflect.Float32:
		v.SetFloat(float64(rng.Int32()>>rng.IntN(31)) / 8)
	case reflect.Int8, reflect.Int32:
		v.SetInt(int64(rng.Uint64()) >> (64 - v.Type().Bits()))
	default:
		v.SetUint(rng.Uint64() >> (64 - v.Type().Bits()) & (rng.Uint64() | rng.Uint64()))
	}
}

// prune makes what fill made into something that a layout can express: parts that its own flags leave out
// become zero.
func prune(m Message) {
	switch m := m.(type) {
	case *Move:
		pruneMovement(&m.Movement)
	case *MoveAck:
		pruneMovement(&m.Movement)
	case *SpeedAck:
		pruneMovement(&m.Movement)
	case *MoveSpeed:
		pruneMovement(&m.Movement)
	case *Teleport:
		pruneMovement(&m.Movement)
	case *MonsterMove:
		pruneMonsterMove(m)
	case *AuthResponse:
		if !m.Billed {
			m.BillingTime, m.BillingFlags, m.BillingRested, m.Expansion = 0, 0, 0, 0
		}
		if !m.Queued {
			m.Position, m.FreeMigration = 0, false
		}
	case *AddonInfo:
		for i := range m.Verdicts {
			v := &m.Verdicts[i]
			if !v.UseCRC {
				v.Key, v.Zero = nil, 0
			}
			if v.Key != nil {
				v.Key = bytes.Repeat(v.Key[:1], 256)
			}
		}
	case *AccountDataTimes:
		for i := range m.Times {
			m.Times[i] *= m.Mask >> i & 1
		}
	case *ContactList:
		for i := range m.Contacts {
			f := &m.Contacts[i]
			if f.Flags&ContactFriend == 0 {
				f.Status = 0
			}
			if f.Status == 0 {
				f.Area, f.Level, f.Class = 0, 0, 0
			}
		}
	case *TalentsInfo:
		m.Specs = m.Specs[:min(len(m.Specs), maxSpecs)]
		keep(&m.Active, !m.Pet)
		keep(&m.Specs, !m.Pet)
		keep(&m.Talents, m.Pet)
	case *ActionButtons:
		if m.State == ClearButtons {
			m.Buttons = [144]uint32{}
		}
	case *AllAchievementData:
		for i := range m.Achievements {
			m.Achievements[i].ID &^= 1 << 31
		}
		for i := range m.Criteria {
			m.Criteria[i].ID &^= 1 << 31
		}
	case *TransferPending:
		if !m.OnTransport {
			m.Transport, m.OldMap = 0, 0
		}
	case *TransferAborted:
		if !m.HasArg {
			m.Arg = 0
		}
	case *NameQueryResponse:
		if m.Unknown {
			*m = NameQueryResponse{GUID: m.GUID, Unknown: true}
		}
		if !m.HasDeclined {
			m.Declined = [5]string{}
		}
	case *CreatureQueryResponse:
		m.Entry &^= unknownEntry
		if m.Unknown {
			*m = CreatureQueryResponse{Entry: m.Entry, Unknown: true}
		}
	case *GameObjectQueryResponse:
		m.Entry &^= unknownEntry
		if m.Unknown {
			*m = GameObjectQueryResponse{Entry: m.Entry, Unknown: true}
		}
	case *ChatMessage:
		m.Type %= 0x20
		if m.Type != uint32(ChatWhisper) && m.Type != uint32(ChatChannel) {
			m.To = ""
		}
	case *Chat:
		pruneChat(m, false)
	default:
		pruneFight(m)
	}
}

func pruneMovement(m *Movement) {
	if m.Flags&components.MoveOnTransport == 0 {
		m.Transport = Passenger{}
	}
	if m.Extra&components.MoveInterpolate == 0 {
		m.Transport.Time2 = 0
	}
	if m.Flags&(components.MoveSwimming|components.MoveFlying) == 0 && m.Extra&components.MoveAlwaysPitch == 0 {
		m.Pitch = 0
	}
	if m.Flags&components.MoveFalling == 0 {
		m.Jump = Jump{}
	}
	if m.Flags&components.MoveElevation == 0 {
		m.SplineElevation = 0
	}
}

func pruneMonsterMove(m *MonsterMove) {
	m.Facing %= FaceAngle + 1
	if m.Facing == FaceStop {
		*m = MonsterMove{Mover: m.Mover, Zero: m.Zero, Start: m.Start, ID: m.ID, Facing: FaceStop}
		return
	}
	if m.Facing != FaceSpot {
		m.Spot = wire.Vec3{}
	}
	if m.Facing != FaceTarget {
		m.Target = 0
	}
	if m.Facing != FaceAngle {
		m.Angle = 0
	}
	if m.Flags&components.SplineAnimation == 0 {
		m.Animation, m.AnimationStart = 0, 0
	}
	if m.Flags&components.SplineParabolic == 0 {
		m.VerticalAccel, m.ParabolicStart = 0, 0
	}
	if m.Path == nil {
		m.Path = make([]wire.Vec3, 1)
	}
	if m.Flags&splineUnpacked != 0 {
		return
	}
	// A packed path keeps quarter yards near its middle, which is a whole number here.
	m.Start, m.Path[len(m.Path)-1] = wire.Vec3{X: 100, Y: -200, Z: 30}, wire.Vec3{X: 300, Y: -300, Z: 32}
	for i := range m.Path[:len(m.Path)-1] {
		p := &m.Path[i]
		near := func(v, middle float32) float32 { return middle + float32(int(v)%500)/4 }
		*p = wire.Vec3{X: near(p.X, 200), Y: near(p.Y, -250), Z: near(p.Z, 31)}
	}
}

func pruneChat(m *Chat, gm bool) {
	if m.Type != ChatAchievement && m.Type != ChatGuildAchievement {
		m.Achievement = 0
	}
	if m.Type != ChatChannel {
		m.Channel = ""
	}
	if !m.Type.byMonster() && !gm {
		m.SenderName = ""
	}
	if !m.Type.byMonster() || !hasName(m.Target) {
		m.TargetName = ""
	}
}
