package crypt

import (
	"bytes"
	"encoding/hex"
	"math/big"
	"slices"
	"testing"

	"muster/internal/vectors"
)

// A row is one line of a known-answer file.
type row struct {
	t      *testing.T
	fields []string
}

func (r row) text(i int) string { return r.fields[i] }

// le is a field written as bytes in wire order, be one written as a number.
func (r row) le(i int) []byte {
	b, err := hex.DecodeString(r.fields[i])
	if err != nil {
		r.t.Fatal(err)
	}
	return b
}

func (r row) be(i int) []byte {
	s := r.fields[i]
	if len(s)%2 == 1 {
		s = "0" + s
	}
	b, err := hex.DecodeString(s)
	if err != nil {
		r.t.Fatal(err)
	}
	slices.Reverse(b)
	return b
}

func (r row) number(i int) *big.Int { return number(r.be(i)) }

// pad fits bytes in wire order into an array.
func pad[A [4]byte | [16]byte | [20]byte | [32]byte | [40]byte](b []byte) (a A) {
	switch p := any(&a).(type) {
	case *[4]byte:
		copy(p[:], b)
	case *[16]byte:
		copy(p[:], b)
	case *[20]byte:
		copy(p[:], b)
	case *[32]byte:
		copy(p[:], b)
	case *[40]byte:
		copy(p[:], b)
	}
	return a
}

func (r row) equal(what string, got, want []byte) {
	r.t.Helper()
	if !bytes.Equal(got, want) {
		r.t.Errorf("%s of %v is %x, want %x", what, r.fields, got, want)
	}
}

// vectorTests is the checks, by the file of package vectors.
var vectorTests = map[string]func(row){
	"srp6/A_values": func(r row) {
		A := little(power(generator, r.number(0)))
		r.equal("A", A[:], r.be(1))
	},
	"srp6/B_values": func(r row) {
		B := serverPublic(r.number(0), r.number(1))
		r.equal("B", B[:], r.be(2))
	},
	"srp6/x_values": func(r row) {
		salt, _ := hex.DecodeString("cac94af32d817ba64b13f18fdedef92ad4ed7ef7ab0e19e9f2ae13c828aeaf57")
		slices.Reverse(salt)
		x := exponent(r.text(0), r.text(1), [32]byte(salt))
		if x.Cmp(r.number(2)) != 0 {
			r.t.Errorf("x of %v is %X", r.fields, x)
		}
	},
	"srp6/v_values": func(r row) {
		v := Verifier(r.text(0), r.text(1), pad[[32]byte](r.be(2)))
		r.equal("v", v[:], r.be(3))
	},
	"srp6/u_values": func(r row) {
		u := scramble(pad[[32]byte](r.be(0)), pad[[32]byte](r.be(1)))
		if u.Cmp(r.number(2)) != 0 {
			r.t.Errorf("u of %v is %X", r.fields, u)
		}
	},
	"srp6/S_values": func(r row) {
		S := serverSecret(r.number(0), r.number(1), r.number(2), r.number(3))
		r.equal("S", S[:], r.be(4))
	},
	"srp6/client_S_values": func(r row) {
		S := clientSecret(r.number(0), r.number(2), r.number(1), r.number(3))
		r.equal("S", S[:], r.be(4))
	},
	"srp6/interleaved_values": func(r row) {
		K := interleave(pad[[32]byte](r.le(0)))
		r.equal("K", K[:], r.le(1))
	},
	"srp6/session_key_values": func(r row) {
		A, v, b := pad[[32]byte](r.le(0)), number(r.le(1)), number(r.le(2))
		K := interleave(serverSecret(number(A[:]), v, scramble(A, serverPublic(v, b)), b))
		r.equal("K", K[:], r.le(3))
	},
	"srp6/M1_values": func(r row) {
		M1 := clientProof(r.text(0), pad[[32]byte](r.be(4)), pad[[32]byte](r.be(2)), pad[[32]byte](r.be(3)), pad[[40]byte](r.le(1)))
		r.equal("M1", M1[:], r.be(5))
	},
	"srp6/M2_values": func(r row) {
		M2 := serverProof(pad[[32]byte](r.be(0)), pad[[20]byte](r.be(1)), pad[[40]byte](r.le(2)))
		r.equal("M2", M2[:], r.be(3))
	},
	"srp6/reconnection_values": func(r row) {
		p := ReconnectProof(r.text(0), pad[[16]byte](r.le(1)), pad[[16]byte](r.le(2)), pad[[40]byte](r.le(3)))
		r.equal("proof", p[:], r.le(4))
	},
	"srp6/world_server_proof": func(r row) {
		p := WorldProof(r.text(0), pad[[4]byte](r.le(3)), pad[[4]byte](r.le(2)), pad[[40]byte](r.le(1)))
		r.equal("proof", p[:], r.le(4))
	},
	"headers/wrath_values": func(r row) {
		for i, c := range []Cipher{ClientToServer(pad[[40]byte](r.le(0))), ServerToClient(pad[[40]byte](r.le(0)))} {
			plain := r.le(1)
			c.XOR(plain)
			r.equal("stream", plain, r.le(2+i))
		}
	},
}

// TestVectors runs the known answers of wow_srp.
func TestVectors(t *testing.T) {
	for name, check := range vectorTests {
		t.Run(name, func(t *testing.T) {
			for _, fields := range vectors.Rows(t, name) {
				check(row{t, fields})
			}
		})
	}
}
