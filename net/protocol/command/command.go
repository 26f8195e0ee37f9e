// Package command is the commands of game masters and operators: their table, and how a line of text is matched with
// one of them. It executes nothing itself: the gateway executes some commands, worlds execute the others, and both
// read the same table.
//
// A line is the path of a command and its arguments. Each word of a path may be shortened as long as it is
// unambiguous, and its case does not matter: te is teleport. In a chat a line follows a dot or an exclamation mark.
//
// Source: ChatCommandNode::TryExecuteCommand, ChatCommand.cpp, and ChatHandler::ParseCommands, Chat.cpp, AzerothCore.
package command

import (
	"slices"
	"strings"
)

// MaxLine bounds a line, in bytes.
const MaxLine = 1024

// What the lines between a gateway and a world begin with.
const (
	// OfSelf begins the line of an operator that is about the character itself, whatever that has selected.
	OfSelf = "@"
	// NotDone begins the answer of a world to a line of an operator that it has not executed.
	NotDone = "\x15"
)

// The levels of callers.
//
// Source: AccountTypes, Common.h, AzerothCore.
const (
	Player        uint8 = 0
	Moderator     uint8 = 1
	GameMaster    uint8 = 2
	Administrator uint8 = 3
	Console       uint8 = 4
)

// A Scope is where a command is executed.
type Scope uint8

// The scopes.
const (
	Server   Scope = iota // the gateway: it is about accounts, players anywhere, or the process
	World                 // the world that the asker's character is in
	Subject               // the caller's world, too, and it is about a character: the caller, or its selection
	Worlds                // all worlds
	Anywhere              // as Subject; the gateway, if it names a player in another world
)

// A Verb is a row of Table.
type Verb struct {
	Path   string // words separated by a space
	Level  uint8  // from which on it is there
	Scope  Scope
	Syntax string // of its arguments
	About  string // what it does
}

// An Outcome is the result of matching a line.
type Outcome uint8

// The outcomes.
const (
	Found     Outcome = iota
	Unknown           // no command, or none for that level
	Ambiguous         // several: Candidates
	Partial           // the beginning of several: Candidates
)

// A Match is what a line means.
type Match struct {
	Outcome    Outcome
	Verb       *Verb    // if it is Found
	Args       string   // what follows the path
	Candidates []string // paths, ascending
}

// Line is the line in a chat message. It is not ok if there is none: a lone sign, several of them, or a sign
// with nothing behind it are chat.
//
// Source: ChatHandler::ParseCommands, AzerothCore.
func Line(text string) (line string, ok bool) {
	if len(text) < 2 || text[0] != '.' && text[0] != '!' {
		return "", false
	}
	switch text[1] {
	case '.', '!', ' ':
		return "", false
	}
	return text[1:], true
}

// Find matches a line of a caller with a level. Commands above the level are not found.
func Find(line string, level uint8) Match {
	if len(line) > MaxLine {
		return Match{Outcome: Unknown}
	}
	rows := Table
	for depth := 0; ; depth++ {
		word, rest := cut(line)
		words, exact := branches(rows, depth, word, level)
		switch {
		case word == "" || len(words) == 0:
			return end(rows, depth, line, word, level)
		case len(words) > 1 && !exact:
			return Match{Outcome: Ambiguous, Candidates: paths(rows, depth, words, level)}
		}
		rows, line = under(rows, depth, words[0]), rest
	}
}

// end is the match of a line when none of the rows has its next word.
func end(rows []Verb, depth int, line, word string, level uint8) Match {
	if depth == 0 {
		return Match{Outcome: Unknown}
	}
	for i := range rows {
		v := &rows[i]
		if depthOf(v.Path) != depth || v.Level > level {
			continue
		}
		if v.Syntax == "" && word != "" && len(rows) > 1 {
			break // no argument, but the word of a command that does not exist, or not for that level
		}
		return Match{Verb: v, Args: strings.TrimSpace(line)}
	}
	if word != "" {
		return Match{Outcome: Unknown}
	}
	words, _ := branches(rows, depth, "", level)
	if len(words) == 0 {
		return Match{Outcome: Unknown}
	}
	return Match{Outcome: Partial, Candidates: paths(rows, depth, words, level)}
}

// branches are the next words of paths that begin as a word does; an exact one is the only one.
func branches(rows []Verb, depth int, word string, level uint8) (words []string, exact bool) {
	for i := range rows {
		next := wordAt(rows[i].Path, depth)
		if next == "" || rows[i].Level > level || !hasPrefix(next, word) || slices.Contains(words, next) {
			continue
		}
		if len(next) == len(word) {
			return []string{next}, true
		}
		words = append(words, next)
	}
	return words, false
}

// Below is the verb of a path, and those that begin with it.
func Below(path string) (rows []Verb) {
	for _, v := range Table {
		if v.Path == path || strings.HasPrefix(v.Path, path+" ") {
			rows = append(rows, v)
		}
	}
	return rows
}

// under are the rows whose path has a word at a depth. Rows with a common beginning are adjacent.
func under(rows []Verb, depth int, word string) []Verb {
	first := slices.IndexFunc(rows, func(v Verb) bool { return wordAt(v.Path, depth) == word })
	n := 1
	for first+n < len(rows) && wordAt(rows[first+n].Path, depth) == word {
		n++
	}
	return rows[first : first+n]
}

// paths are the whole paths of the rows that go on with one of some words.
func paths(rows []Verb, depth int, words []string, level uint8) (all []string) {
	for i := range rows {
		if rows[i].Level <= level && slices.Contains(words, wordAt(rows[i].Path, depth)) {
			all = append(all, rows[i].Path)
		}
	}
	return all
}

// cut takes the first word of a line.
func cut(line string) (word, rest string) {
	line = strings.TrimLeft(line, " ")
	word, rest, _ = strings.Cut(line, " ")
	return word, strings.TrimLeft(rest, " ")
}

func wordAt(path string, depth int) string {
	for ; depth > 0; depth-- {
		_, path, _ = strings.Cut(path, " ")
	}
	word, _, _ := strings.Cut(path, " ")
	return word
}

func depthOf(path string) int { return 1 + strings.Count(path, " ") }

// hasPrefix compares ASCII letters without their case.
func hasPrefix(s, prefix string) bool {
	return len(prefix) <= len(s) && strings.EqualFold(s[:len(prefix)], prefix)
}

// Usage is the syntax of a command.
func (v *Verb) Usage() string { return strings.TrimSpace("Use: " + v.Path + " " + v.Syntax) }

// Explain is the answer to a line that matches no command.
func (m *Match) Explain() []string {
	switch m.Outcome {
	case Ambiguous:
		return append([]string{"That could be:"}, m.Candidates...)
	case Partial:
		return append([]string{"That goes on with:"}, m.Candidates...)
	}
	return []string{"There is no such verb."}
}
