package mustertest_test

import (
	"testing"

	"muster/mustertest"
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
