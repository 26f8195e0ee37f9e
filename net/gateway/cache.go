package gateway

import (
	"context"
	"encoding/binary"

	"muster/loaders/store"
	"muster/net/protocol/msg"
)

// caches are the settings that clients have left for an account, if guid is 0, or for a character.
func (g *Gate) caches(ctx context.Context, account uint32, guid uint64) (list []msg.UpdateAccountData, err error) {
	all, err := g.config.Store.Data(ctx, account, guid)
	for _, d := range all {
		if d.Type < store.DataTypes && len(d.Body) >= 4 { // others are written elsewhere
			list = append(list, msg.UpdateAccountData{
				Cache: uint32(d.Type), Time: d.Unix, Size: binary.LittleEndian.Uint32(d.Body), Stream: d.Body[4:],
			})
		}
	}
	return list, err
}

// dataOf is what the store keeps of a cache: the stream as it was received, so that it is sent back without being
// deflated anew. The session has inflated it once.
func dataOf(m *msg.UpdateAccountData) store.Data {
	d := store.Data{Type: uint8(m.Cache), Unix: m.Time}
	if m.Size > 0 {
		d.Body = append(binary.LittleEndian.AppendUint32(nil, m.Size), m.Stream...)
	}
	return d
}
