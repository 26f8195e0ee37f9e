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

In a chat a command follows a dot or an exclamation mark, in say or guild chat, in any language:
` + "`.tele Windhollow`" + `. On the console of ` + "`muster serve`" + ` and after ` + "`muster ctl`" + ` it has neither:
` + "`muster ctl server info`" + `. There a command about a character needs the character's name in front of it:
` + "`muster ctl '#Anna' levelup 5`" + ` does the same as if Anna had entered it, with her target and at her position.

Each word may be shortened as long as it is unambiguous. If it is not, the answer lists the candidates. A
command above the caller's level does not exist for it. Levels are 0 player, 1 moderator, 2 game master,
3 administrator, 4 console. A command is executed by the gateway (server), in the caller's world (world, and
character if it is about one), in all worlds, or anywhere: in the caller's world, unless it names a player
in another.

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
