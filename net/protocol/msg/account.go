package msg

import "muster/net/protocol/wire"

// The caches of settings that a client keeps on the server, as masks of AccountDataTimes.
//
// Source: GLOBAL_CACHE_MASK and PER_CHARACTER_CACHE_MASK, WorldSession.h, AzerothCore.
const (
	GlobalCaches    = 0x15
	CharacterCaches = 0xEA
)

// AccountDataTimes has when each cache was saved last, so that the client can ask for the newer ones.
//
// Source: WorldSession::SendAccountDataTimes, AzerothCore.
type AccountDataTimes struct {
	Now   uint32     // Unix time; not in 5875, like the next two
	One   uint8      // always 1
	Mask  uint32     // which of Times are there
	Times [32]uint32 // Unix time, 0 for never; 5875 has all of them
}

// Wire walks the body.
func (m *AccountDataTimes) Wire(c *wire.Codec) {
	mask := ^uint32(0)
	if c.Version >= wire.V12340 {
		wire.U32(c, &m.Now)
		wire.U8(c, &m.One)
		wire.U32(c, &m.Mask)
		mask = m.Mask
	}
	for i := range m.Times {
		if mask&(1<<i) != 0 {
			wire.U32(c, &m.Times[i])
		}
	}
}

// RequestAccountData asks for one cache. AccountData answers it.
type RequestAccountData struct{ Cache uint32 }

// Wire walks the body.
func (m *RequestAccountData) Wire(c *wire.Codec) { wire.U32(c, &m.Cache) }

// UpdateAccountData saves one cache. AccountDataSaved answers it.
//
// Source: WorldSession::HandleUpdateAccountData, AzerothCore.
type UpdateAccountData struct {
	Cache  uint32
	Time   uint32 // Unix time
	Size   uint32 // bytes when inflated; 0 deletes the cache
	Stream []byte // zlib
}

// Wire walks the body.
func (m *UpdateAccountData) Wire(c *wire.Codec) {
	wire.U32(c, &m.Cache)
	wire.U32(c, &m.Time)
	wire.U32(c, &m.Size)
	wire.Remainder(c, &m.Stream, wire.MaxClientPayload)
}

// AccountData is the content of one cache.
//
// Source: WorldSession::HandleRequestAccountData, AzerothCore.
type AccountData struct {
	GUID   uint64 // of the character, 0 on the character screen
	Cache  uint32
	Time   uint32 // Unix time
	Size   uint32 // bytes when inflated
	Stream []byte // zlib
}

// Wire walks the body.
func (m *AccountData) Wire(c *wire.Codec) {
	wire.U64(c, &m.GUID)
	wire.U32(c, &m.Cache)
	wire.U32(c, &m.Time)
	wire.U32(c, &m.Size)
	wire.Remainder(c, &m.Stream, wire.MaxPayload)
}

// AccountDataSaved confirms that a cache is saved.
type AccountDataSaved struct {
	Cache uint32
	Zero  uint32
}

// Wire walks the body.
func (m *AccountDataSaved) Wire(c *wire.Codec) {
	wire.U32(c, &m.Cache)
	wire.U32(c, &m.Zero)
}

// TutorialFlags is which tips a player has seen, one bit each. All ones means no tips.
//
// Source: WorldSession::SendTutorialsData, AzerothCore.
type TutorialFlags struct{ Seen [8]uint32 }

// Wire walks the body.
func (m *TutorialFlags) Wire(c *wire.Codec) {
	for i := range m.Seen {
		wire.U32(c, &m.Seen[i])
	}
}

// TutorialFlag reports that a player has seen one tip.
type TutorialFlag struct{ Tip uint32 }

// Wire walks the body.
func (m *TutorialFlag) Wire(c *wire.Codec) { wire.U32(c, &m.Tip) }
