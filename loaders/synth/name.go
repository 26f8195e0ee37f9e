package synth

import "strings"

// namer makes names, each once.
type namer struct {
	dice *dice
	used map[string]bool
}

func newNamer(d *dice) *namer { return &namer{d, make(map[string]bool)} }

var (
	onsets = strings.Fields("b br d dr f g gr h k l m n p r s st t tr v w")
	vowels = strings.Fields("a a e e i i o o u ae ei")
	codas  = strings.Fields("l m n n r r s nd rn ld th")
)

// name returns two or three syllables, of which the last is closed.
func (n *namer) name() string {
	for {
		var b strings.Builder
		for range 1 + n.dice.IntN(2) {
			b.WriteString(n.pick(onsets))
			b.WriteString(n.pick(vowels))
		}
		b.WriteString(n.pick(onsets))
		b.WriteString(n.pick(vowels))
		b.WriteString(n.pick(codas))
		s := b.String()
		if !n.used[s] {
			n.used[s] = true
			return strings.ToUpper(s[:1]) + s[1:]
		}
	}
}

func (n *namer) pick(from []string) string { return from[n.dice.IntN(len(from))] }
