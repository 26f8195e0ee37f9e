package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"muster/internal/golden"
	"muster/internal/refuse"
	"muster/net/gateway"
	"muster/net/gateway/session"
	"muster/net/login"
	"muster/net/replication/frame"
	"muster/systems"
)

// refusals are the lists of docs/REFUSALS.md.
var refusals = []struct {
	name, says string
	list       []refuse.Reason
}{
	{"At the login server", "The message is `login: closed`; `opcode` is the last command.", login.Reasons()},
	{"In a session", "The message is `gateway: refused` for a packet, and `gateway: closed` for the connection.", session.Reasons()},
	{"At the gateway", "The messages are the same.", gateway.Reasons()},
	{"In a world", "The message is `gateway: refused`.", systems.Reasons()},
}

// The page of refusals is what the code goes by.
func TestRefusals(t *testing.T) {
	var b bytes.Buffer
	fmt.Fprintf(&b, `# Why was I refused?

Every packet that is not used and every connection that is closed is a line in the log of the server:

%[1]s
level=INFO msg="gateway: refused" reason=wrong_state session=3 account=ANNA from=127.0.0.1 state=select opcode=CMSG_MESSAGECHAT
level=INFO msg="gateway: closed" reason=closed.bad_header session=3 account=ANNA from=127.0.0.1 state=world opcode=0xffff after=2.1s
%[1]s

`+"`session`"+` is the number of the connection, also in `+"`/api/sessions`"+` and for `+"`muster trace --session`"+`; logins have numbers of their
own. `+"`opcode`"+` is the packet, or the last one that was read before the end. `+"`reason`"+` is a row below, and what
[`+"`/metrics`"+`](METRICS.md) counts. Ends that are no fault are at level debug: `+"`muster serve --log-level debug`"+` shows them, and
`+"`--log-format json`"+` writes objects. Of one reason there are at most %[2]d lines in %[3]v, and then one that says how many were left out.

What the game itself answers is not in the log: a spell that cannot be cast, an item that does not fit, a player that is not there.
Of what one step of a world refuses, the log has %[4]d packets at most; all are counted.
`, "```", refuse.Lines, refuse.Period, frame.MaxRefusals)
	for _, part := range refusals {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| reason | level | why | what becomes of it | what to do |\n|---|---|---|---|---|\n", part.name, part.says)
		for _, r := range part.list {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", r.Name, strings.ToLower(r.Level.String()), strings.ReplaceAll(r.Why, "`|`", "vertical bar"),
				r.Does, strings.ReplaceAll(r.Do, "`||`", "two of them"))
			if r.Why == "" || r.Does == "" || r.Do == "" {
				t.Errorf("%s says too little", r.Name)
			}
		}
	}
	golden.Compare(t, "../../docs/REFUSALS.md", b.Bytes())
}

// counted are names that are not about what a client did.
var counted = []string{"gate.panic", "queue.failed", "flush.superseded", "save_failed", "ban_failed", "lease_failed", "batch_failed", "trace_full", "unknown",
	"auth.ok", "auth.reconnected", "auth.created", "claim.held", "claim.lost", "claim.not_given", "claim.given_up",
	"handover.begun", "handover.done", "handover.refused", "handover.returned", "handover.dropped", "handover.left_twice"}

// Every reason that is declared has a row, and each row a reason.
func TestEveryReasonHasARow(t *testing.T) {
	rows := make(map[string]int)
	for _, part := range refusals[:3] { // TestEveryRefusalOfAWorldHasARow has the last
		for _, r := range part.list {
			if rows[r.Name]++; rows[r.Name] > 1 {
				t.Errorf("%s has %d rows", r.Name, rows[r.Name])
			}
		}
	}
	found := 0
	has := func(name string) bool {
		if rows[name] > 0 {
			rows[name]++
			found++
			return true
		}
		return false
	}
	for _, folder := range []string{"../../net/login", "../../net/gateway", "../../net/gateway/session", "../../systems/movement"} {
		declared, given := literals(t, folder)
		for _, name := range given {
			if !has(name) && !has("closed."+name) {
				t.Errorf("%s: %q is given as a reason, and has no row", folder, name)
			}
		}
		if folder == "../../systems/movement" {
			continue
		}
		for _, name := range declared {
			if strings.ContainsAny(name, " ,:%=") || name == "" {
				continue
			}
			drop, end := has(name), has("closed."+name)
			if !drop && !end && !slices.Contains(counted, name) {
				t.Errorf("%s: %q is neither a row nor of what is only counted", folder, name)
			}
		}
	}
	for _, class := range session.Rates {
		has("flood." + class.Name)
	}
	for _, name := range []string{"chat.bad_text", "chat.bad_link"} { // of package speech
		has(name)
	}
	for name, n := range rows {
		if n < 2 {
			t.Errorf("%s is a row without a reason", name)
		}
	}
	if found < 50 {
		t.Errorf("only %d reasons are found", found)
	}
}

// reporters are the functions that are given a reason.
var reporters = []string{"ignore", "unhandled", "close", "refuse", "markClosing", "Kick", "Admit"}

// literals are the strings of a package that are declared as constants, and those that are given to reporters.
func literals(t *testing.T, folder string) (declared, given []string) {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no files: %v", folder, err)
	}
	text := func(e ast.Expr, into *[]string) {
		if l, ok := e.(*ast.BasicLit); ok && l.Kind == token.STRING {
			s, _ := strconv.Unquote(l.Value)
			*into = append(*into, s)
		}
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GenDecl:
				for _, s := range n.Specs {
					if v, ok := s.(*ast.ValueSpec); ok && n.Tok == token.CONST {
						for _, e := range v.Values {
							text(e, &declared)
						}
					}
				}
			case *ast.CallExpr:
				if to, ok := n.Fun.(*ast.SelectorExpr); ok && slices.Contains(reporters, to.Sel.Name) {
					for _, e := range n.Args[:min(2, len(n.Args))] { // what follows is a detail
						text(e, &given)
					}
				}
			}
			return true
		})
	}
	return declared, given
}

// Every counter of a system that is given as the reason of a refusal has a row, and each row of systems has such a counter.
func TestEveryRefusalOfAWorldHasARow(t *testing.T) {
	rows := make(map[string]bool)
	for _, part := range refusals {
		for _, r := range part.list {
			if rows[r.Name] {
				t.Errorf("%s has two rows", r.Name)
			}
			rows[r.Name] = true
		}
	}
	given := make(map[string]bool)
	folders, err := filepath.Glob("../../systems/*")
	if err != nil || len(folders) < 20 {
		t.Fatalf("%d systems: %v", len(folders), err)
	}
	for _, folder := range folders {
		for name := range countersGiven(t, folder) {
			if strings.HasPrefix(name, "ai.") { // why creatures take steps: no client asks for them
				continue
			}
			if given[name] = true; !rows[name] {
				t.Errorf("%s refuses for %q, which has no row", folder, name)
			}
		}
	}
	for _, r := range systems.Reasons() {
		if !given[r.Name] {
			t.Errorf("no system refuses for %q", r.Name)
		}
	}
	if len(given) < 30 {
		t.Errorf("only %d reasons were found", len(given))
	}
}

// countersGiven is the names of the counters of a folder of which a pointer is taken: that is how refusals are given.
func countersGiven(t *testing.T, folder string) map[string]bool {
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	names, given := make(map[string]string), make(map[string]bool)
	var pointers []string
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Field:
				if of, ok := n.Type.(*ast.SelectorExpr); ok && of.Sel.Name == "Counter" && n.Tag != nil {
					tag, _ := strconv.Unquote(n.Tag.Value)
					names[n.Names[0].Name] = reflect.StructTag(tag).Get("name")
				}
			case *ast.UnaryExpr:
				if of, ok := n.X.(*ast.SelectorExpr); ok && n.Op == token.AND {
					pointers = append(pointers, of.Sel.Name)
				}
			}
			return true
		})
	}
	for _, field := range pointers {
		if name := names[field]; name != "" {
			given[name] = true
		}
	}
	return given
}
