package msg

// A Result is what came of a request on the way into the world.
//
// Source: ResponseCodes, SharedDefines.h, AzerothCore.
type Result uint8

// The results that muster sends or reads.
const (
	AuthOK              Result = 0x0C
	AuthFailed          Result = 0x0D // wrong digest
	AuthReject          Result = 0x0E
	AuthUnavailable     Result = 0x10
	AuthVersionMismatch Result = 0x14
	AuthUnknownAccount  Result = 0x15
	AuthWaitQueue       Result = 0x1B
	AuthBanned          Result = 0x1C
	AuthAlreadyOnline   Result = 0x1D
	AuthLocked          Result = 0x22
	AuthRealmNotFound   Result = 0x27

	CharCreated      Result = 0x2F
	CharCreateError  Result = 0x30
	CharCreateFailed Result = 0x31
	CharNameInUse    Result = 0x32
	CharDisabled     Result = 0x33
	CharServerLimit  Result = 0x35
	CharAccountLimit Result = 0x36
	CharRestricted   Result = 0x3E // race or class

	CharDeleted      Result = 0x47
	CharDeleteFailed Result = 0x48

	LoginNoWorld     Result = 0x4E
	LoginDuplicate   Result = 0x4F // the character is in the world already
	LoginFailed      Result = 0x51
	LoginNoCharacter Result = 0x53

	NameMissing          Result = 0x59
	NameTooShort         Result = 0x5A
	NameTooLong          Result = 0x5B
	NameInvalidCharacter Result = 0x5C
	NameMixedLanguages   Result = 0x5D
	NameProfane          Result = 0x5E
	NameReserved         Result = 0x5F
	NameThreeLetters     Result = 0x62 // the same letter three times in a row
)
