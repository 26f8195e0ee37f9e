// Package manual writes manual pages of the program and its verbs.
package manual

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"

	"muster/cmd/internal/release"
)

// WriteAll writes the page of the program and of each verb.
func WriteAll(root *kong.Node, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, node := range append([]*kong.Node{root}, root.Children...) {
		if node.Hidden {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, pageName(node)+".1"), Page(node), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func pageName(node *kong.Node) string {
	if node.Parent == nil {
		return node.Name
	}
	return node.Parent.Name + "-" + node.Name
}

// Page is the manual page of the program, or of a verb, with macros of man(7). It is the same whenever it is made.
func Page(node *kong.Node) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, ".TH %s 1 \"\" %s\n", roffQuoted(strings.ToUpper(pageName(node))), roffQuoted("muster "+release.Version()))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(pageName(node)), roff(strings.TrimSuffix(node.Help, ".")))
	var lines []string
	for _, leaf := range calls(node) {
		call := leaf.Summary()
		if leaf.Parent != nil {
			call = "muster " + call
		}
		lines = append(lines, ".B "+roff(call)+"\n")
	}
	b.WriteString(".SH SYNOPSIS\n" + strings.Join(lines, ".br\n"))
	if node.Detail != "" {
		fmt.Fprintf(&b, ".SH DESCRIPTION\n%s\n", roffLines(node.Detail))
	}
	commands, title := node.Children, "VERBS"
	if node.Parent != nil {
		title = "COMMANDS"
	}
	if len(commands) > 0 {
		fmt.Fprintf(&b, ".SH %s\n", title)
	}
	for _, child := range commands {
		if !child.Hidden {
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(child.Name), roffLines(child.Help))
		}
	}
	for _, of := range append([]*kong.Node{node}, commands...) {
		if of == node || node.Parent != nil {
			options(&b, of, of != node)
		}
	}
	b.WriteString(".SH SEE ALSO\n")
	if node.Parent != nil {
		fmt.Fprintf(&b, ".BR %s (1)\n", roff(node.Parent.Name))
		return b.Bytes()
	}
	var others []string
	for _, child := range commands {
		if !child.Hidden {
			others = append(others, fmt.Sprintf(".BR %s (1)", roff(pageName(child))))
		}
	}
	b.WriteString(strings.Join(others, " ,\n") + "\n")
	return b.Bytes()
}

// calls are what can be called: a node without commands itself.
func calls(node *kong.Node) []*kong.Node {
	if node.Parent == nil || len(node.Children) == 0 {
		return []*kong.Node{node}
	}
	return node.Leaves(true)
}

// options lists arguments and flags of a node, named if it is one of several.
func options(b *bytes.Buffer, node *kong.Node, named bool) {
	title := "OPTIONS"
	if named {
		title = strings.ToUpper(node.Name)
	}
	lines := new(bytes.Buffer)
	for _, p := range node.Positional {
		fmt.Fprintf(lines, ".TP\n.I %s\n%s\n", roff(p.Summary()), roffLines(p.Help))
	}
	for _, f := range node.Flags {
		if !f.Hidden {
			fmt.Fprintf(lines, ".TP\n.B %s\n%s\n", roff(f.String()), roffLines(f.Help))
		}
	}
	if lines.Len() > 0 {
		fmt.Fprintf(b, ".SH %s\n%s", title, lines)
	}
}

// roff is text within a line: backslashes, and hyphens that are typed, as roff wants them.
func roff(s string) string {
	return strings.NewReplacer(`\`, `\e`, `-`, `\-`, "\n", " ").Replace(s)
}

// roffLines is text as lines of its own. None is taken for a macro.
func roffLines(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for i, line := range lines {
		line = strings.NewReplacer(`\`, `\e`, `-`, `\-`).Replace(strings.TrimSpace(line))
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			line = `\&` + line
		}
		lines[i] = line
	}
	return strings.Join(lines, "\n")
}

func roffQuoted(s string) string { return `"` + roff(s) + `"` }
