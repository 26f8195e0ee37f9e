package msg

import "muster/net/protocol/wire"

// The limits of a Who: places, words, and the bytes of a word or name.
//
// Source: WorldSession::HandleWhoOpcode, AzerothCore (10 and 4; the bytes are muster's own).
const (
	maxWhoZones = 10
	maxWhoWords = 4
	maxWhoText  = 128
)

// Who asks which players are in the world.
//
// Source: WorldSession::HandleWhoOpcode, AzerothCore.
type Who struct {
	LevelMin uint32
	LevelMax uint32
	Name     string // a part of it; "" for any
	Guild    string // a part of it; "" for any
	Races    uint32 // a mask
	Classes  uint32 // a mask
	Zones    []uint32
	Words    []string // any of which a name, guild or zone may have
}

// Wire walks the body.
func (m *Who) Wire(c *wire.Codec) {
	wire.U32(c, &m.LevelMin)
	wire.U32(c, &m.LevelMax)
	wire.CString(c, &m.Name, maxWhoText)
	wire.CString(c, &m.Guild, maxWhoText)
	wire.U32(c, &m.Races)
	wire.U32(c, &m.Classes)
	wire.Slice[uint32](c, &m.Zones, maxWhoZones, wire.U32)
	wire.Slice[uint32](c, &m.Words, maxWhoWords, wireWord)
}

func wireWord(c *wire.Codec, s *string) { wire.CString(c, s, maxWhoText) }

// maxWhoPlayers bounds a WhoResponse.
//
// Source: WorldSession::HandleWhoOpcode, AzerothCore (49 and one more).
const maxWhoPlayers = 50

// WhoResponse answers a Who.
//
// Source: WorldSession::HandleWhoOpcode, AzerothCore; protocol.md 6.4.
type WhoResponse struct {
	Players []WhoPlayer
	Matches uint32 // how many there are, of which Players has the first
}

// A WhoPlayer is one player of a WhoResponse.
type WhoPlayer struct {
	Name   string
	Guild  string
	Level  uint32
	Class  uint32
	Race   uint32
	Gender uint8
	Zone   uint32
}

// Wire walks the body. Its count of players is before Matches, not beside them.
func (m *WhoResponse) Wire(c *wire.Codec) {
	n := uint32(len(m.Players))
	wire.U32(c, &n)
	wire.U32(c, &m.Matches)
	if n > maxWhoPlayers {
		c.Fail(wire.ErrLimit)
		return
	}
	if c.Reading() && c.Err() == nil && n > 0 {
		m.Players = make([]WhoPlayer, n)
	}
	for i := range m.Players {
		wireWhoPlayer(c, &m.Players[i])
	}
}

func wireWhoPlayer(c *wire.Codec, p *WhoPlayer) {
	wire.CString(c, &p.Name, maxName)
	wire.CString(c, &p.Guild, maxWhoText)
	wire.U32(c, &p.Level)
	wire.U32(c, &p.Class)
	wire.U32(c, &p.Race)
	wire.U8(c, &p.Gender)
	wire.U32(c, &p.Zone)
}
