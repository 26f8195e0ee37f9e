// Package completion says which words can stand next on a command line.
package completion

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"muster/cmd/internal/flags"
	"muster/net/protocol/command"
)

// A Candidate is a word that can stand next.
type Candidate struct {
	Word string
	Help string // what it is for, "" for a value
}

// Candidates are those that begin with the last of words, in the order of the model.
func Candidates(root *kong.Node, words []string) (found []Candidate) {
	if len(words) == 0 {
		return nil
	}
	line, last := readWords(root, words[:len(words)-1]), words[len(words)-1]
	if line.flag != nil && last == "=" {
		last = "" // bash splits words at =
	}
	offer := func(word, help string) {
		if strings.HasPrefix(word, last) {
			found = append(found, Candidate{word, help})
		}
	}
	name, _, assigned := strings.Cut(last, "=")
	switch dashed := strings.HasPrefix(last, "-"); {
	case line.flag != nil:
		for _, word := range line.flag.EnumSlice() {
			offer(word, "")
		}
	case line.passes() && (!dashed || len(line.said) > 0):
		if line.node.Name == "ctl" {
			offerCommands(line.said, offer)
		}
	case dashed && assigned:
		if f := flagOf(line.node, name); f != nil {
			for _, word := range f.EnumSlice() {
				offer(name+"="+word, "")
			}
		}
	case dashed:
		for _, group := range line.node.AllFlags(true) {
			for _, f := range group {
				offer("--"+f.Name, f.Help)
			}
		}
	default:
		for _, child := range line.node.Children {
			if !child.Hidden && len(line.said) == 0 {
				offer(child.Name, child.Help)
			}
		}
		if n := len(line.said); n < len(line.node.Positional) {
			for _, word := range line.node.Positional[n].EnumSlice() {
				offer(word, "")
			}
		}
	}
	return found
}

// A typed is what the words before the last one mean.
type typed struct {
	node *kong.Node
	flag *kong.Flag // of which the next word is the value, or nil
	said []string   // arguments of the verb
}

// passes reports whether the verb takes all that follows its first argument as arguments, also what begins like a flag.
func (t *typed) passes() bool {
	return len(t.node.Positional) > 0 && t.node.Positional[0].Passthrough
}

func readWords(root *kong.Node, words []string) typed {
	t := typed{node: root}
	for _, word := range words {
		child := flags.Child(t.node, word)
		switch {
		case t.flag != nil && word == "=":
		case t.flag != nil:
			t.flag = nil
		case strings.HasPrefix(word, "-") && !(t.passes() && len(t.said) > 0):
			if f := flagOf(t.node, word); f != nil && !f.IsBool() {
				t.flag = f
			}
		case child != nil && len(t.said) == 0:
			t.node = child
		default:
			t.said = append(t.said, word)
		}
	}
	return t
}

// flagOf is the flag that a word names and gives no value, nil if there is none.
func flagOf(node *kong.Node, word string) *kong.Flag {
	for _, group := range node.AllFlags(false) {
		for _, f := range group {
			if word == "--"+f.Name {
				return f
			}
		}
	}
	return nil
}

// offerCommands offers the next words of commands to a running server.
func offerCommands(said []string, offer func(word, help string)) {
	var seen []string
	for _, c := range command.Table {
		path := strings.Fields(c.Path)
		if len(path) <= len(said) || !slices.Equal(path[:len(said)], said) {
			continue
		}
		next, help := path[len(said)], ""
		if slices.Contains(seen, next) {
			continue
		}
		if len(path) == len(said)+1 {
			help = c.About
		}
		seen = append(seen, next)
		offer(next, help)
	}
}
