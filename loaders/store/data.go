package store

import "errors"

// Limits of the data that clients store on the server: settings, key bindings, macros, window layouts.
const (
	// DataTypes is how many blocks there are, of an account and of each of its characters.
	//
	// Source: NUM_ACCOUNT_DATA_TYPES, WorldSession.h, AzerothCore.
	DataTypes = 8

	// MaxDataBlock is the length of a block in bytes. It is that of a block that does not deflate.
	//
	// Source: WorldSession::HandleUpdateAccountData, AzerothCore; FAULTS.md row 13.
	MaxDataBlock = 65535

	// MaxData is how many bytes an account can store in all, its characters' blocks included. A client with many
	// macros stores some 50 KiB.
	MaxData = 1 << 20
)

// Errors of a block of data.
var (
	ErrDataType  = errors.New("store: no such type of data")
	ErrDataLarge = errors.New("store: a block of data is too large")
	ErrDataQuota = errors.New("store: the account leaves too much data")
)

// Data is a block that a client stores and asks for later. The server does not interpret it.
type Data struct {
	Type uint8  // below DataTypes
	Unix uint32 // when it was made, as the client says
	Body []byte // as the client deflated it, after its length when inflated
}

// CheckData checks whether a block can be kept: ErrDataType or ErrDataLarge if not.
func CheckData(d *Data) error {
	switch {
	case d.Type >= DataTypes:
		return ErrDataType
	case len(d.Body) > MaxDataBlock:
		return ErrDataLarge
	}
	return nil
}
