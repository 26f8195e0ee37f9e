package command

import (
	"fmt"
	"strings"
)

// Document is docs/VERBS.md.
func Document() string {
	var b strings.Builder
	b.WriteString(`# Verbs

Made from the table in net/protocol/command; ` + "`make golden`" + ` writes it anew.

In a chat a verb stands behind a dot or an exclamation mark, said or told to the guild, in any language:
` + "`.tele Windhollow`" + `. On the console of ` + "`muster serve`" + ` and behind ` + "`muster ctl`" + ` it stands alone:
` + "`muster ctl server info`" + `. There a verb that is about a character needs to be told whose, in front of it:
` + "`muster ctl '#Anna' levelup 5`" + ` is what Anna would have done, with her target and at her place.

Each word may be shortened as far as it stays the only one. If it does not, the answer lists what it could be. A
verb that is above somebody's level is not there for them. Levels are 0 player, 1 moderator, 2 game master,
3 administrator, 4 console. It is served by the gateway (server), in the world of whoever asks (world, and
character if it is about one), in all worlds, or anywhere: in the world of whoever asks, unless it names somebody who
is in another.

| verb | arguments | level | where | what it does |
|---|---|---|---|---|
`)
	for i := range Table {
		v := &Table[i]
		syntax := ""
		if v.Syntax != "" {
			syntax = "`" + strings.ReplaceAll(v.Syntax, "|", `\|`) + "`"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %d | %s | %s |\n", v.Path, syntax, v.Level, v.Scope, v.About)
	}
	return b.String()
}

func (s Scope) String() string {
	return [...]string{Server: "server", World: "world", Subject: "character", Worlds: "all worlds", Anywhere: "anywhere"}[s]
}
