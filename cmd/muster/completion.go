package main

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"muster/cmd/internal/flags"
	"muster/net/protocol/command"
)

// The scripts ask this program for what can stand next, with completeVerb: none of them knows a verb or a flag.
var (
	//go:embed completion/muster.bash
	bashScript string
	//go:embed completion/muster.zsh
	zshScript string
	//go:embed completion/muster.fish
	fishScript string
)

type completionVerb struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"Of which shell: bash, zsh or fish."`
}

// Help is printed below the flags' own.
func (*completionVerb) Help() string {
	return `For this session: source <(muster completion bash), or the same with zsh; muster completion fish | source.`
}

func (v *completionVerb) Run(env *flags.Environment) error {
	script := map[string]string{"bash": bashScript, "zsh": zshScript, "fish": fishScript}[v.Shell]
	_, err := io.WriteString(env.Stdout, script)
	return err
}

// A completeVerb prints what can stand in the place of the last word: a candidate in each line, a tab, and what it is for.
// Nothing is printed where a file or a value of the user's own is expected.
type completeVerb struct {
	Words []string `arg:"" optional:"" help:"The words after muster."`
}

func (v *completeVerb) Run(env *flags.Environment) error {
	for _, c := range candidates(newParser(new(verbs), env).Model.Node, v.Words) {
		if _, err := fmt.Fprintf(env.Stdout, "%s\t%s\n", c.word, c.help); err != nil {
			return err
		}
	}
	return nil
}

// A candidate is a word that can stand next.
type candidate struct{ word, help string }

// candidates are those that begin with the last of words, in the order of the model.
func candidates(root *kong.Node, words []string) (found []candidate) {
	if len(words) == 0 {
		return nil
	}
	line, last := readWords(root, words[:len(words)-1]), words[len(words)-1]
	if line.flag != nil && last == "=" {
		last = "" // bash splits words at =
	}
	offer := func(word, help string) {
		if strings.HasPrefix(word, last) {
			found = append(found, candidate{word, help})
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
		child := childOf(t.node, word)
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

func childOf(node *kong.Node, name string) *kong.Node {
	for _, child := range node.Children {
		if child.Name == name {
			return child
		}
	}
	return nil
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
