package msg

import (
	"bytes"
	"compress/zlib"
	"io"

	"muster/net/protocol/wire"
)

// AuthChallenge opens the connection. It is sent plain.
//
// Source: WorldSocket::HandleSendAuthSession, AzerothCore.
type AuthChallenge struct {
	One    uint32 // always 1; not in 5875
	Seed   [4]byte
	Random [32]byte // means nothing to a client; not in 5875
}

// Wire walks the body.
func (m *AuthChallenge) Wire(c *wire.Codec) {
	if c.Version < wire.V12340 {
		wire.Fixed(c, m.Seed[:])
		return
	}
	wire.U32(c, &m.One)
	wire.Fixed(c, m.Seed[:])
	wire.Fixed(c, m.Random[:])
}

// AuthSession is the client's answer to the challenge, sent plain. What follows it is encrypted in both
// directions.
//
// Source: WorldSocket::HandleAuthSession, AzerothCore.
type AuthSession struct {
	Build       uint32
	LoginServer uint32
	Account     string
	LoginType   uint32 // not in 5875, like the next three
	Region      uint32
	Battlegroup uint32
	Realm       uint32
	ClientSeed  [4]byte
	DOSResponse uint64 // not in 5875
	Digest      [20]byte
	AddonSize   uint32 // bytes of the inflated block; 0 for none
	AddonBlock  []byte // zlib, see Addons
}

// Wire walks the body.
func (m *AuthSession) Wire(c *wire.Codec) {
	wire.U32(c, &m.Build)
	wire.U32(c, &m.LoginServer)
	wire.CString(c, &m.Account, 255)
	if c.Version >= wire.V12340 {
		wire.U32(c, &m.LoginType)
	}
	wire.Fixed(c, m.ClientSeed[:])
	if c.Version >= wire.V12340 {
		wire.U32(c, &m.Region)
		wire.U32(c, &m.Battlegroup)
		wire.U32(c, &m.Realm)
		wire.U64(c, &m.DOSResponse)
	}
	wire.Fixed(c, m.Digest[:])
	wire.U32(c, &m.AddonSize)
	wire.Remainder(c, &m.AddonBlock, wire.MaxClientPayload)
}

// MaxAddonBlock bounds the inflated block of addons, in bytes.
//
// Source: WorldSession::ReadAddonsInfo, AzerothCore.
const MaxAddonBlock = 0xFFFFF

// Addons inflates and reads the block of addons; none is no error. It fails with an error of zlib, or
// with a *DecodeError. It takes memory for the inflated block, at most 1 MiB.
func (m *AuthSession) Addons(v wire.Version) (AddonList, error) {
	var list AddonList
	if m.AddonSize == 0 {
		return list, nil
	}
	if m.AddonSize > MaxAddonBlock {
		return list, &DecodeError{Name: "CMSG_AUTH_SESSION", Err: wire.ErrLimit}
	}
	z, err := zlib.NewReader(bytes.NewReader(m.AddonBlock))
	if err != nil {
		return list, err
	}
	block, err := io.ReadAll(io.LimitReader(z, int64(m.AddonSize)))
	if err != nil {
		return list, err
	}
	return list, Decode(v, block, &list)
}

// An AddonList is the inflated block of AuthSession. It has no row: it is never a message of its own.
type AddonList struct {
	Addons     []Addon
	LastBanned uint32 // Unix time of the newest entry in the client's list of banned addons; not in 5875
}

// An Addon is what a client reports of one addon of the game's own.
type Addon struct {
	Name    string
	Enabled bool
	CRC     uint32 // of its public key
	URLCRC  uint32
}

// MaxAddons bounds a list of addons. A client has about 20.
const MaxAddons = 1024

// Wire walks the block.
func (m *AddonList) Wire(c *wire.Codec) {
	if c.Version >= wire.V12340 {
		wire.Slice[uint32](c, &m.Addons, MaxAddons, wireAddon)
		wire.U32(c, &m.LastBanned)
		return
	}
	each(c, &m.Addons, MaxAddons, func() bool { return c.Rest() > 0 }, wireAddon)
}

func wireAddon(c *wire.Codec, a *Addon) {
	wire.CString(c, &a.Name, 255)
	wire.Bool(c, &a.Enabled)
	wire.U32(c, &a.CRC)
	wire.U32(c, &a.URLCRC)
}

// each walks the elements of a list without a count. Reading continues for as long as more returns true;
// more than limit elements are ErrLimit.
func each[T any](c *wire.Codec, s *[]T, limit int, more func() bool, element func(*wire.Codec, *T)) {
	if !c.Reading() {
		for i := range *s {
			element(c, &(*s)[i])
		}
		return
	}
	for c.Err() == nil && more() {
		if len(*s) == limit {
			c.Fail(wire.ErrLimit)
			return
		}
		var e T
		element(c, &e)
		*s = append(*s, e)
	}
}

// AuthResponse lets a client in, makes it wait, or refuses it. It has four forms: a Result alone; with
// Billed, the answer to AuthOK; with Billed and Queued, the first AuthWaitQueue; with Queued, the later
// ones.
//
// Source: WorldSession::SendAuthResponse, AzerothCore.
type AuthResponse struct {
	Result        Result
	Billed        bool   // the next four are there
	BillingTime   uint32 // minutes
	BillingFlags  uint8
	BillingRested uint32
	Expansion     uint8 // 0 to 2; not in 5875
	Queued        bool  // the next two are there
	Position      uint32
	FreeMigration bool // not in 5875
}

// Wire walks the body. Reading distinguishes the forms by length.
func (m *AuthResponse) Wire(c *wire.Codec) {
	billed, queued := 10, 5
	if c.Version < wire.V12340 {
		billed, queued = 9, 4
	}
	wire.U8(c, &m.Result)
	if c.Reading() {
		switch rest := c.Rest(); {
		case rest >= billed+queued:
			m.Billed, m.Queued = true, true
		case rest >= billed:
			m.Billed = true
		case rest >= queued:
			m.Queued = true
		}
	}
	if m.Billed {
		wire.U32(c, &m.BillingTime)
		wire.U8(c, &m.BillingFlags)
		wire.U32(c, &m.BillingRested)
		if c.Version >= wire.V12340 {
			wire.U8(c, &m.Expansion)
		}
	}
	if m.Queued {
		wire.U32(c, &m.Position)
		if c.Version >= wire.V12340 {
			wire.Bool(c, &m.FreeMigration)
		}
	}
}

// AddonInfo judges the addons of AuthSession, in its order. We ban none: the list of banned addons at the
// end, which 5875 does not have, is empty.
//
// Source: WorldSession::SendAddonsInfo, AzerothCore.
type AddonInfo struct {
	Verdicts []AddonVerdict
	Banned   uint32 // addons in the list that would follow; 0
}

// An AddonVerdict is the answer to one addon.
type AddonVerdict struct {
	State  uint8  // 2: may be used
	UseCRC bool   // the next two are there
	Key    []byte // nil, or the 256 bytes of a public key
	Zero   uint32
	URL    string // "" for none
}

// Wire walks the body. It has no count of verdicts; reading takes all but the last four bytes for
// verdicts.
func (m *AddonInfo) Wire(c *wire.Codec) {
	tail := 4
	if c.Version < wire.V12340 {
		tail = 0
	}
	each(c, &m.Verdicts, MaxAddons, func() bool { return c.Rest() > tail }, wireAddonVerdict)
	if tail > 0 {
		wire.U32(c, &m.Banned)
	}
}

func wireAddonVerdict(c *wire.Codec, v *AddonVerdict) {
	wire.U8(c, &v.State)
	wire.Bool(c, &v.UseCRC)
	if v.UseCRC {
		hasKey := v.Key != nil
		if wire.Bool(c, &hasKey); hasKey {
			if c.Reading() {
				v.Key = make([]byte, 256)
			}
			wire.Fixed(c, v.Key)
		}
		wire.U32(c, &v.Zero)
	}
	hasURL := v.URL != ""
	if wire.Bool(c, &hasURL); hasURL {
		wire.CString(c, &v.URL, 255)
	}
}

// ClientCacheVersion makes a client drop its cache of queries if the number differs from the last one.
// Source: WorldSession::SendClientCacheVersion, AzerothCore.
type ClientCacheVersion struct{ Version uint32 }

// Wire walks the body.
func (m *ClientCacheVersion) Wire(c *wire.Codec) { wire.U32(c, &m.Version) }

// Ping asks for a Pong. A client sends it every 30 seconds, and may do so at any time.
//
// Source: WorldSocket::HandlePing, AzerothCore.
type Ping struct {
	Sequence  uint32
	LatencyMs uint32 // as the client measured it with the last ping
}

// Wire walks the body.
func (m *Ping) Wire(c *wire.Codec) {
	wire.U32(c, &m.Sequence)
	wire.U32(c, &m.LatencyMs)
}

// Pong answers a Ping with its number.
type Pong struct{ Sequence uint32 }

// Wire walks the body.
func (m *Pong) Wire(c *wire.Codec) { wire.U32(c, &m.Sequence) }
