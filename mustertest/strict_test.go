package mustertest

import (
	"strings"
	"testing"

	"muster/net/protocol/msg"
)

// A bot that says what the server does not use fails a strict test, by a real server.
func TestStrict(t *testing.T) {
	for _, strict := range []bool{false, true} {
		said := try(t, func(tb testing.TB) {
			o := []Option{Flags("--creatures", "0")}
			if strict {
				o = append(o, Strict())
			}
			s := Start(tb, o...)
			s.CreateAccount("ANNA", "secret")
			c := s.Login("ANNA", "secret")
			c.Send(msg.OpSetSelection, &msg.Empty{}) // on the character screen
			c.Characters()
		})
		if failed := len(said) == 1 && strings.Contains(said[0], "CMSG_SET_SELECTION"); failed != strict || !strict && len(said) > 0 {
			t.Errorf("strict %t: %q", strict, said)
		}
	}
}
