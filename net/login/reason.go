package login

import (
	"errors"

	"muster/net/login/account"
)

// A reason is why a connection was refused. Config.Metric counts it under this name.
type reason string

const (
	timedOut       reason = "auth.timeout"         // a packet or the whole handshake took too long
	idle           reason = "auth.idle"            // nothing more after the login
	badPacket      reason = "auth.bad_packet"      // bytes that are no packet
	outOfOrder     reason = "auth.out_of_order"    // a command that is not expected now, or not supported
	wrongVersion   reason = "auth.version"         // another build
	badProof       reason = "auth.bad_proof"       // a wrong password
	badReconnect   reason = "auth.bad_reconnect"   // another session key, or none left
	unknownAccount reason = "auth.unknown_account" // no such account, answered like a wrong password
	suspended      reason = "auth.suspended"       // the account is banned for a time, or had too many wrong passwords
	banned         reason = "auth.banned"          // for ever
	elsewhere      reason = "auth.elsewhere"       // the account is locked to another address
	barred         reason = "auth.barred"          // the address had too many wrong passwords
	openFull       reason = "auth.open_full"       // no more accounts may be made
	storeFailed    reason = "auth.store"           // the store did not answer
	full           reason = "auth.full"            // MaxConns
	addressFull    reason = "auth.address_full"    // PerAddress
	acceptFailed   reason = "auth.accept"          // an error of the listener; it is tried again
	panicked       reason = "auth.panic"           // a mistake of ours; only that connection ends
)

// peerLeft is the end that is no refusal, and is not counted.
const peerLeft reason = "auth.peer"

// What went well.
const (
	loggedIn    = "auth.ok"
	reconnected = "auth.reconnected"
	created     = "auth.created"
)

// refused is the reason for each verdict of a guard, nil for none.
var refused = [...]error{
	account.Admitted: nil, account.Wrong: badProof, account.Suspended: suspended, account.Banned: banned,
	account.Elsewhere: elsewhere, account.Barred: barred,
}

// resultOf is the result that a refused client is sent. One from a barred address does not learn that.
func resultOf(err error) Result {
	if err == nil {
		return Success
	}
	why, _ := errors.AsType[reason](err)
	switch why {
	case wrongVersion:
		return VersionInvalid
	case storeFailed:
		return Busy
	case suspended, barred:
		return Suspended
	case banned:
		return Banned
	case elsewhere:
		return Locked
	}
	return UnknownAccount
}

func (r reason) Error() string { return "login: " + string(r) }

// counted are the names of all that a server counts.
func counted() []string {
	names := []string{loggedIn, reconnected, created}
	for _, why := range []reason{
		timedOut, idle, badPacket, outOfOrder, wrongVersion, badProof, badReconnect, unknownAccount, suspended,
		banned, elsewhere, barred, openFull, storeFailed, full, addressFull, acceptFailed, panicked,
	} {
		names = append(names, string(why))
	}
	return names
}
