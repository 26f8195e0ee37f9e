package login

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"muster/net/protocol/crypt"
	"muster/net/protocol/wire"
)

// transcript is what a conversation made of its input.
type transcript struct {
	replies []byte
	used    int
	state   state
	refusal error
}

// talk feeds a conversation as a connection would, in pieces of the sizes in cuts, over and over.
func talk(t *testing.T, input, cuts []byte) transcript {
	source := rand.NewChaCha8([32]byte{4})
	s, err := New(Config{Realms: testRealms, OpenPassword: "open", Secret: []byte("fuzz"), Rand: source}, newAccounts("ALICE"))
	if err != nil {
		t.Fatal(err)
	}
	c := conversation{server: s}
	var out transcript
	for have, turn := 0, 0; ; turn++ {
		n, reply, refusal := c.take(context.Background(), input[out.used:have])
		if n < 0 || n > have-out.used {
			t.Fatalf("took %d of %d bytes", n, have-out.used)
		}
		out.replies = append(out.replies, reply...)
		out.used += n
		out.state, out.refusal = c.state, refusal
		if refusal != nil || n == 0 && have == len(input) {
			return out
		}
		if have-out.used > maxRequest {
			t.Fatalf("%d bytes and no packet", have-out.used)
		}
		if n == 0 {
			piece := 1
			if len(cuts) > 0 {
				piece += int(cuts[turn%len(cuts)])
			}
			have = min(have+piece, len(input), out.used+maxRequest)
		}
	}
}

// FuzzConversation feeds anything in any pieces: the pieces must make no difference, and nothing is read that is not
// there. So do the packets of either side.
func FuzzConversation(f *testing.F) {
	challenge := AppendChallenge(nil, "ALICE")
	reconnect := appendReconnectChallenge(nil, "ALICE")
	f.Add(challenge, []byte{0})
	f.Add(append(bytes.Clone(reconnect), appendReconnectProof(nil, [16]byte{}, [20]byte{})...), []byte{3, 9})
	f.Add(append(challengeOf(CommandChallenge, wire.V12340, "BOB"), AppendProof(nil, [32]byte{2}, [20]byte{})...), []byte{255})
	f.Add(challengeOf(CommandChallenge, wire.V5875, "BOB"), []byte{7})
	f.Add(append(fuzzLogin(f), AppendRealmListRequest(nil)...), []byte{1})
	for _, g := range goldens(f) {
		f.Add(unhex(f, g.Hex), []byte{2})
	}
	f.Fuzz(func(t *testing.T, input, cuts []byte) {
		roundTrip(t, input)
		whole, pieces := talk(t, input, []byte{255}), talk(t, input, cuts)
		if !bytes.Equal(whole.replies, pieces.replies) || whole.state != pieces.state || whole.refusal != pieces.refusal {
			t.Errorf("% x: %+v at once, %+v in pieces of % x", input, whole, pieces, cuts)
		}
		if why := reason(""); whole.refusal != nil && !errors.As(whole.refusal, &why) {
			t.Errorf("% x: refused without a reason: %v", input, whole.refusal)
		}
	})
}

// TestFuzzSeed makes sure that the fuzzer starts from a login that succeeds.
func TestFuzzSeed(t *testing.T) {
	if out := talk(t, append(fuzzLogin(t), AppendRealmListRequest(nil)...), nil); out.state != authenticated || out.refusal != nil || len(out.replies) != 119+32+43 {
		t.Errorf("the seed ends as %+v", out)
	}
}

// fuzzLogin is the client's side of a login to the server that talk makes.
func fuzzLogin(t testing.TB) []byte {
	salt := [32]byte{1, 2, 3}
	server, err := crypt.NewServer(rand.NewChaCha8([32]byte{4}), "ALICE", salt, crypt.Verifier("ALICE", "secret", salt))
	if err != nil {
		t.Fatal(err)
	}
	client, err := crypt.NewClient(rand.NewChaCha8([32]byte{5}), "ALICE", "secret")
	if err != nil {
		t.Fatal(err)
	}
	A, M1, _, _, err := client.Answer(server.Public(), salt)
	if err != nil {
		t.Fatal(err)
	}
	return AppendProof(AppendChallenge(nil, "ALICE"), A, M1)
}
