package login

import "muster/net/protocol/wire"

// The client's side of build 12340, for simulated clients: what to send and how to read the answers, without a socket.
//
// The Append functions append one packet to dst. The Parse functions read the packet at the start of b, which is n bytes
// long. The error is wire.ErrShort if b ends before the packet does, so that more must be read; after any other error
// the stream is lost.

// AppendChallenge opens a login. The name has 1 to MaxName bytes, in upper case.
func AppendChallenge(dst []byte, name string) []byte {
	return appendOpening(dst, CommandChallenge, name)
}

func appendOpening(dst []byte, command Command, name string) []byte {
	return appendPacket(dst, wire.V12340, &Challenge{
		Command: command, Protocol: 8,
		Game: [4]byte{'W', 'o', 'W'}, Version: [3]uint8{3, 3, 5}, Build: wire.V12340,
		Platform: [4]byte{'6', '8', 'x'}, OS: [4]byte{'n', 'i', 'W'}, Locale: [4]byte{'S', 'U', 'n', 'e'},
		Address: [4]byte{127, 0, 0, 1}, Name: name,
	})
}

// AppendProof sends what crypt.Client.Answer made of a ChallengeReply.
func AppendProof(dst []byte, A [32]byte, M1 [20]byte) []byte {
	return appendPacket(dst, wire.V12340, &Proof{Public: A, Proof: M1})
}

// AppendRealmListRequest asks for the realms.
func AppendRealmListRequest(dst []byte) []byte {
	return appendPacket(dst, wire.V12340, &RealmListRequest{})
}

// ParseChallengeReply reads the answer to AppendChallenge.
func ParseChallengeReply(b []byte) (r ChallengeReply, n int, err error) {
	n, err = parsePacket(b, wire.V12340, &r)
	return r, n, err
}

// ParseProofReply reads the answer to AppendProof. The caller compares Proof with M2.
func ParseProofReply(b []byte) (r ProofReply, n int, err error) {
	n, err = parsePacket(b, wire.V12340, &r)
	return r, n, err
}

// ParseRealmList reads the answer to AppendRealmListRequest.
func ParseRealmList(b []byte) (realms []Realm, n int, err error) {
	var list RealmList
	n, err = parsePacket(b, wire.V12340, &list)
	return list.Realms, n, err
}
