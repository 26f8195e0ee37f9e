package mustertest_test

import (
	"testing"
	"time"

	"muster/mustertest"
	"muster/net/protocol/msg"
)

// Anna greets, and Bert, who stands beside her, hears it.
func TestGreeting(t *testing.T) {
	server := mustertest.Start(t, mustertest.Flags("--start", "one"))
	server.CreateAccount("ANNA", "secret")
	server.CreateAccount("BERT", "secret")

	anna := server.Login("ANNA", "secret")
	anna.CreateCharacter("Anna")
	anna.Enter("Anna")

	bert := server.Login("BERT", "secret")
	bert.CreateCharacter("Bert")
	bert.Enter("Bert")

	anna.Say("hello")
	if text, from := bert.Hear(); text != "hello" || from != anna.GUID {
		t.Errorf("Bert heard %q from %d, want hello from %d", text, from, anna.GUID)
	}
}

// Each case begins with the same character, and sees nothing of the others.
func TestLevels(t *testing.T) {
	server := mustertest.Start(t)
	server.CreateMaster("ANNA", "secret") // may use the commands of game masters
	server.Login("ANNA", "secret").CreateCharacter("Anna")
	server.Snapshot("begun")

	for _, c := range []struct {
		verb string
		want uint8
	}{
		{".levelup", 2},
		{".levelup 9", 10},
	} {
		server.Reset("begun") // takes some 50 ms, and closes all sessions
		anna := server.Login("ANNA", "secret")
		anna.Enter("Anna")
		anna.Say(c.verb)
		anna.Logout()
		if level := anna.Characters()[0].Level; level != c.want {
			t.Errorf("after %s Anna has level %d, want %d", c.verb, level, c.want)
		}
	}
}

// Anna kills a boar. The clock of the worlds runs 20 times as fast as that of the machine.
func TestKill(t *testing.T) {
	server := mustertest.Start(t, mustertest.VirtualClock(), mustertest.Flags("--creatures", "0"))
	server.RunClock(20)
	server.CreateAccount("ANNA", "secret")
	at := mustertest.Place{Map: 0, X: 50, Y: 60, Z: 40} // she looks along x
	server.CreateCharacter(mustertest.NewCharacter{Account: "ANNA", Name: "Anna", Race: 1, Class: 1, Level: 3, At: &at})
	anna := server.Login("ANNA", "secret")
	anna.Enter("Anna")

	at.X += 2
	boar := server.Spawn(111, at)
	begun := server.Mark()
	anna.Send(msg.OpAttackSwing, &msg.AttackSwing{GUID: uint64(boar)})
	if kill := server.WaitFor(begun, "kill", "Anna"); kill.Other != boar {
		t.Errorf("Anna has killed %v, want %v", kill.Other, boar)
	}
	server.RunUntil(`session("Anna").xp > 0 && !session("Anna").in_combat`, time.Minute)
}
