package login

import "muster/net/protocol/wire"

// appendReconnectChallenge asks to reconnect with the session key of an earlier login.
func appendReconnectChallenge(dst []byte, name string) []byte {
	return appendOpening(dst, CommandReconnectChallenge, name)
}

// appendReconnectProof sends the client's random bytes and crypt.ReconnectProof of them.
func appendReconnectProof(dst []byte, data [16]byte, proof [20]byte) []byte {
	return appendPacket(dst, wire.V12340, &ReconnectProof{Data: data, Proof: proof})
}

// parseReconnectReply reads the answer to appendReconnectChallenge.
func parseReconnectReply(b []byte) (r ReconnectReply, n int, err error) {
	n, err = parsePacket(b, wire.V12340, &r)
	return r, n, err
}

// parseReconnectProofReply reads the answer to appendReconnectProof.
func parseReconnectProofReply(b []byte) (r ReconnectProofReply, n int, err error) {
	n, err = parsePacket(b, wire.V12340, &r)
	return r, n, err
}
