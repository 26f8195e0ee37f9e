package scenario

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"muster/components"
	"muster/net/protocol/msg"
	"muster/net/protocol/update"
	"muster/net/protocol/wire"
)

// describe describes a packet for an actor, whose client has already read it. Packets that are not loud come with every
// login and are left out of most transcripts.
func (p *play) describe(a *actor, op uint16, body []byte) (text string, loud bool, err error) {
	row := msg.Lookup(msg.ToClient, uint32(op))
	if row == nil {
		return "", false, fmt.Errorf("opcode %#x", op)
	}
	m := row.New()
	if err := msg.Decode(wire.V12340, body, m); err != nil {
		return "", false, err
	}
	detail := ""
	loud = true
	switch m := m.(type) {
	case *msg.UpdateObject:
		detail, err = p.describeUpdate(a, body)
	case *msg.CompressedUpdateObject:
		if body, err = update.Inflate(nil, body); err == nil {
			detail, err = p.describeUpdate(a, body)
		}
	case *msg.DestroyObject:
		detail = p.names[m.GUID]
	case *msg.Move:
		detail = fmt.Sprintf("%s %s at %dms", p.names[m.Mover], motion(&m.Movement), m.Time)
		if m.O != 0 {
			detail += " facing " + number(m.O)
		}
	case *msg.MonsterMove:
		if m.Facing == msg.FaceStop {
			detail = fmt.Sprintf("%s stops at %s", p.names[m.Mover], place(m.Start.X, m.Start.Y, m.Start.Z))
			break
		}
		var path []string
		for _, v := range m.Path {
			path = append(path, place(v.X, v.Y, v.Z))
		}
		detail = fmt.Sprintf("%s from %s to %s in %v", p.names[m.Mover], place(m.Start.X, m.Start.Y, m.Start.Z),
			strings.Join(path, " then "), time.Duration(m.DurationMs)*time.Millisecond)
	case *msg.GMChat:
		detail = p.describeChat((*msg.Chat)(m)) + " by name of " + m.SenderName
	case *msg.Chat:
		detail = p.describeChat(m)
	case *msg.TextEmoted:
		detail = fmt.Sprintf("%s feels %d", p.names[m.GUID], m.Text)
		if m.Name != "" {
			detail += " for " + m.Name
		}
	case *msg.Emoted:
		detail = fmt.Sprintf("%s shows %d", p.names[m.GUID], m.Emote)
	case *msg.LogoutResponse:
		detail = fmt.Sprintf("reason %d, instant %v", m.Reason, m.Instant)
	case *msg.Empty:
	case *msg.Place:
		detail, loud = place(m.Position.X, m.Position.Y, m.Position.Z), false
	case *msg.TimeSyncReq:
		detail, loud = strconv.Itoa(int(m.Counter)), false
	default:
		if detail, loud = p.describeSpell(m); loud {
			break
		}
		if detail, loud = p.describeFight(m); !loud {
			detail, loud = p.describeLoot(m)
		}
		if !loud {
			if detail = p.describeTrade(m) + p.describeExchange(m) + p.describeTalk(m); detail == "" {
				detail = p.describeOrder(m)
			}
			loud = detail != ""
		}
	}
	return strings.TrimSpace(row.Name + " " + detail), loud, err
}

// describeUpdate says what the blocks of an update object are.
func (p *play) describeUpdate(a *actor, payload []byte) (string, error) {
	var blocks []string
	err := update.Parse(payload, func(b *update.Block) error {
		m := &b.Movement
		switch name := p.name(b.GUID); {
		case b.Type == update.OutOfRange:
			var gone []string
			for _, guid := range b.GUIDs {
				gone = append(gone, p.names[guid])
			}
			blocks = append(blocks, "out of range "+strings.Join(gone, " and "))
		case b.Type == update.Values:
			blocks = append(blocks, "values "+name+p.describeFields(a, b))
		case b.UpdateFlags&update.FlagSelf != 0:
			blocks = append(blocks, "create self "+motion(m))
		case b.TypeID == components.TypeGameObject:
			blocks = append(blocks, fmt.Sprintf("create %s %s turned %#x", name, motion(m), b.Rotation)+p.describeFields(a, b))
		default:
			blocks = append(blocks, "create "+name+" "+motion(m))
		}
		return nil
	})
	return strings.Join(blocks, ", "), err
}

// name is the name of an entity. A summoned creature or game object has the name of its template, and a number.
func (p *play) name(guid uint64) string {
	name, ok := p.names[guid]
	kind, entry := "", uint32(guid>>24&0xFFFFFF)
	switch high := components.GUIDHigh(guid); {
	case ok:
		return name
	case high == components.HighCreature:
		kind = p.defs.Creature(entry).Name
	case high == components.HighGameObject:
		kind = p.defs.GameObject(entry).Name
	default:
		return ""
	}
	n := 2
	for p.guid(fmt.Sprint(kind, n)) != 0 {
		n++
	}
	p.names[guid] = fmt.Sprint(kind, n)
	return p.names[guid]
}

// describeFields names the fields of which a block has words, with their values as the actor now knows
// them.
func (p *play) describeFields(a *actor, b *update.Block) string {
	o, _ := a.eye.Object(b.GUID)
	var text strings.Builder
	var last *components.Field
	for _, word := range b.Fields {
		f := components.FieldAt(o.TypeID, word.Index)
		if f == last {
			continue
		}
		last = f
		value := fmt.Sprintf("%#x", word.Value)
		switch f.Type {
		case components.Long:
			value = "none"
			if guid := uint64(o.Words[f.Number]) | uint64(o.Words[f.Number+1])<<32; guid != 0 {
				value = p.names[guid]
			}
		case components.Float:
			value = number(math.Float32frombits(word.Value))
		}
		fmt.Fprintf(&text, " %s=%s", f.Name, value)
	}
	return text.String()
}

// motion writes where something is, and what it does if it does something.
func motion(m *msg.Movement) string {
	at := place(m.X, m.Y, m.Z)
	if m.Flags != 0 {
		at += fmt.Sprintf(" with %#x", uint32(m.Flags))
	}
	return at
}

// place writes a point to a hundredth of a yard, without its height on the ground.
func place(x, y, z float32) string {
	if z == 0 {
		return number(x) + "," + number(y)
	}
	return number(x) + "," + number(y) + "," + number(z)
}

func number(v float32) string {
	return strconv.FormatFloat(math.Round(float64(v)*100)/100+0, 'f', -1, 64)
}
