package swarm

import "hash/fnv"

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
	h := fnv.New64a()
	h.Write([]byte(account))
	h.Write([]byte{byte(attempt)})
	r := random(h.Sum64())
	name := make([]byte, 0, 2*nameSyllables)
	for range nameSyllables {
		name = append(name, nameConsonants[r.below(len(nameConsonants))], nameVowels[r.below(len(nameVowels))])
	}
	name[0] -= 'a' - 'A'
	return string(name)
}
