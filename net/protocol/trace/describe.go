package trace

import (
	"encoding/json"
	"errors"
	"fmt"

	"muster/net/protocol/msg"
	"muster/net/protocol/update"
	"muster/net/protocol/wire"
)

// errNoRow is the error of an opcode that the message table does not have.
var errNoRow = errors.New("trace: no row in the message table")

// describe is a message in a line.
func describe(d msg.Direction, op uint32, body []byte) string {
	text, err := message(d, op, body)
	if err != nil {
		return fmt.Sprintf("(%v) % x", err, body)
	}
	return string(text)
}

// message is a message as JSON. The error is that of the body; a message with bytes left over has both.
func message(d msg.Direction, op uint32, body []byte) (json.RawMessage, error) {
	row := msg.Lookup(d, op)
	if row == nil {
		return nil, errNoRow
	}
	m := row.New()
	err := msg.Decode(wire.V12340, body, m)
	if err != nil && !errors.Is(err, msg.ErrLong) {
		return nil, err
	}
	var v any = m
	switch m.(type) {
	case *msg.UpdateObject:
		v, err = blocks(body)
	case *msg.CompressedUpdateObject:
		if body, err = update.Inflate(nil, body); err == nil {
			v, err = blocks(body)
		}
	}
	text, failed := json.Marshal(v)
	if failed != nil { // a number that JSON has not
		text, failed = json.Marshal(fmt.Sprintf("%+v", v))
	}
	return text, errors.Join(err, failed)
}

// A block is one of an update, as JSON has it.
type block struct {
	Update string            `json:"update"`
	GUID   string            `json:"guid,omitempty"`
	GUIDs  []string          `json:"guids,omitempty"`
	At     *wire.Vec3        `json:"at,omitempty"`
	Fields map[uint16]uint32 `json:"fields,omitempty"`
}

func guid(g uint64) string { return fmt.Sprintf("%#x", g) }

var updates = [...]string{"values", "movement", "create", "create_new", "out_of_range", "near"}

// blocks are those of an update.
func blocks(payload []byte) (all []block, err error) {
	err = update.Parse(payload, func(b *update.Block) error {
		one := block{Update: updates[b.Type]}
		for _, g := range b.GUIDs {
			one.GUIDs = append(one.GUIDs, guid(g))
		}
		if len(b.GUIDs) == 0 {
			one.GUID = guid(b.GUID)
		}
		if b.Type != update.Values && len(b.GUIDs) == 0 {
			one.At = &wire.Vec3{X: b.Movement.X, Y: b.Movement.Y, Z: b.Movement.Z}
		}
		for _, f := range b.Fields {
			if one.Fields == nil {
				one.Fields = make(map[uint16]uint32)
			}
			one.Fields[f.Index] = f.Value
		}
		all = append(all, one)
		return nil
	})
	return all, err
}
