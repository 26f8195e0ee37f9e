package crypt

// ReconnectProof is the proof of a client that has its session key, in place of the exchange: the hash of its name,
// its own random bytes, the server's, and the key. Compare it in constant time.
//
// Source: AuthSession::HandleReconnectProof, AzerothCore.
func ReconnectProof(user string, clientData, serverData [16]byte, K [40]byte) [20]byte {
	return sum([]byte(Upper(user)), clientData[:], serverData[:], K[:])
}

// WorldProof is the digest in CMSG_AUTH_SESSION, which proves to the world server that the client has the session key.
// Compare it in constant time.
//
// Source: WorldSocket::HandleAuthSessionCallback, AzerothCore.
func WorldProof(user string, clientSeed, serverSeed [4]byte, K [40]byte) [20]byte {
	return sum([]byte(Upper(user)), make([]byte, 4), clientSeed[:], serverSeed[:], K[:])
}
