package crypt

// ReconnectProof is what a client that kept its session key shows to skip the exchange: the hash of its name, its own
// random bytes, the server's, and the key. Compare it in constant time.
//
// Source: AuthSession::HandleReconnectProof, AzerothCore.
func ReconnectProof(user string, clientData, serverData [16]byte, K [40]byte) [20]byte {
	return sum([]byte(Upper(user)), clientData[:], serverData[:], K[:])
}

// WorldProof is the digest in CMSG_AUTH_SESSION, by which the world server knows that the client holds the session key.
// Compare it in constant time.
//
// Source: WorldSocket::HandleAuthSessionCallback, AzerothCore.
func WorldProof(user string, clientSeed, serverSeed [4]byte, K [40]byte) [20]byte {
	return sum([]byte(Upper(user)), make([]byte, 4), clientSeed[:], serverSeed[:], K[:])
}
