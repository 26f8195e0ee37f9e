package swarm

import (
	"encoding/binary"
	"hash"
	"hash/fnv"
	"strings"

	"muster/net/protocol/msg"
)

// Characters are named after their account: letters only, six syllables, no letter twice in a row, so that every
// server's rule for names is met (12 letters at most).
const (
	nameSyllables  = 6
	nameConsonants = "bdfgklmnprstvz"
	nameVowels     = "aeiou"
)

// characterName is the name tried at the given attempt for an account: the same for every run, and another for every
// attempt.
func characterName(account string, attempt int) string {
	h := nameHash(account)
	h.Write([]byte{byte(attempt)})
	return capital(syllables(random(h.Sum64()), nameSyllables))
}

// freshSyllables are those of a fresh name that are drawn; the others follow from them and the account.
const freshSyllables = 4

// freshName is the name tried at the given attempt for an account, where run was drawn for a run. isFresh recognises it.
func freshName(account string, run uint64, attempt int) string {
	h := nameHash(account)
	h.Write(append(binary.LittleEndian.AppendUint64(nil, run), byte(attempt)))
	return freshWith(account, syllables(random(h.Sum64()), freshSyllables))
}

// freshWith is the fresh name of an account with these first syllables.
func freshWith(account, first string) string {
	h := nameHash(account)
	h.Write([]byte(first))
	return capital(first + syllables(random(h.Sum64()), nameSyllables-freshSyllables))
}

// isFresh reports whether a name is one of freshName for an account. Of other names made of such syllables, one in 4,900
// is taken for one.
func isFresh(account, name string) bool {
	return len(name) == 2*nameSyllables && name == freshWith(account, strings.ToLower(name[:2*freshSyllables]))
}

// nameHash is what the names of an account's characters are drawn from, with what else is written to it.
//
// Source: FNV-1a.
func nameHash(account string) hash.Hash64 {
	h := fnv.New64a()
	h.Write([]byte(account))
	return h
}

// syllables draws n syllables.
func syllables(r random, n int) string {
	s := make([]byte, 0, 2*n)
	for range n {
		s = append(s, nameConsonants[r.below(len(nameConsonants))], nameVowels[r.below(len(nameVowels))])
	}
	return string(s)
}

func capital(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// anotherName reports whether a character was refused for its name alone: a server may also hold it for a rude one.
func anotherName(result msg.Result) bool {
	return result == msg.CharNameInUse || result == msg.NameReserved || result == msg.NameProfane
}
