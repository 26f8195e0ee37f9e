package logon

// A reason is why a connection was refused. Config.Metric counts it under this name.
type reason string

const (
	timedOut       reason = "auth.timeout"         // a packet or the whole handshake took too long
	idle           reason = "auth.idle"            // nothing more after the login
	badPacket      reason = "auth.bad_packet"      // bytes that are no packet
	outOfOrder     reason = "auth.out_of_order"    // a command that does not come now, or is not spoken
	wrongVersion   reason = "auth.version"         // another build
	badProof       reason = "auth.bad_proof"       // a wrong password
	badReconnect   reason = "auth.bad_reconnect"   // another session key, or none left
	unknownAccount reason = "auth.unknown_account" // no such account, told like a wrong password
	openFull       reason = "auth.open_full"       // no more accounts may be made
	storeFailed    reason = "auth.store"           // the store did not answer
	full           reason = "auth.full"            // MaxConns
	addressFull    reason = "auth.address_full"    // PerAddress
	acceptFailed   reason = "auth.accept"          // an error of the listener; it is tried again
	panicked       reason = "auth.panic"           // a mistake of ours; only that connection ends
)

// What went well.
const (
	loggedIn    = "auth.ok"
	reconnected = "auth.reconnected"
	created     = "auth.created"
)

func (r reason) Error() string { return "logon: " + string(r) }
