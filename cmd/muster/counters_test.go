package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"muster/net/ops/admin"
	"muster/net/protocol/msg"
)

// notCounted are constants of the packages that count which look like a name of a counter, and are none.
var notCounted = map[string]bool{"unknown": true, "auth.peer": true}

// counterNames are what the code counts: constants of text in the packages that count reasons, literals given to Count, Add,
// Counter and Kick of any, and the tags of systems.
func counterNames(t *testing.T) map[string]string {
	t.Helper()
	name := regexp.MustCompile(`^[a-z][a-z_]*(\.[a-z_]+)*$`)
	reasons := map[string]bool{"net/gateway": true, "net/gateway/session": true, "net/login": true, "net/login/account": true, "net/ops/admin": true}
	all := make(map[string]string)
	add := func(e ast.Expr, where string) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil && name.MatchString(text) && !notCounted[text] {
				all[text] = where
			}
		}
	}
	for _, root := range []string{"net", "systems", "loaders", "cmd"} {
		err := filepath.WalkDir(filepath.Join("../..", root), func(path string, _ os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			dir := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "../../")
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.GenDecl:
					for _, spec := range n.Specs {
						if v, ok := spec.(*ast.ValueSpec); ok && n.Tok == token.CONST && reasons[dir] {
							for _, e := range v.Values {
								add(e, path)
							}
						}
					}
				case *ast.CallExpr:
					if f, ok := n.Fun.(*ast.SelectorExpr); ok && len(n.Args) > 0 && regexp.MustCompile(`^(Count|Counter|Add)$`).MatchString(f.Sel.Name) {
						add(n.Args[0], path)
					} else if ok && len(n.Args) == 2 && f.Sel.Name == "Kick" {
						add(n.Args[1], path)
					}
				case *ast.Field:
					if s, ok := n.Type.(*ast.SelectorExpr); ok && s.Sel.Name == "Counter" && n.Tag != nil {
						if m := regexp.MustCompile(`name:"([^"]+)"`).FindStringSubmatch(n.Tag.Value); m != nil {
							all[m[1]] = path
						}
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// A server that has done nothing yet exports every counter, with every label that is known, at zero: a rate over the first
// event of a kind needs the zero before it.
func TestCountersAreThereFromTheStart(t *testing.T) {
	s := serve(t, "--creatures", "100")
	_, text := s.ask("/metrics", "")
	has := func(family string, labels ...string) bool {
		line := regexp.MustCompile(`(?m)^` + family + `\{[^}]*` + strings.Join(labels, `[^}]*`) + `[^}]*\} (\S+)$`).FindStringSubmatch(text)
		return line != nil && (line[1] == "0" || family == "muster_rung_seconds_total")
	}
	for _, f := range admin.ServerFamilies {
		if f.Type == "counter" && !has(f.Name) {
			t.Errorf("%s is not there, or not 0", f.Name)
		}
	}
	names := counterNames(t)
	for counted := range maps.Keys(names) {
		reason := `reason="` + regexp.QuoteMeta(strings.TrimPrefix(counted, "closed.")) + `"`
		auth := `result="` + regexp.QuoteMeta(strings.TrimPrefix(counted, "auth.")) + `"`
		if !has("muster_events_total", reason) && !has("muster_sessions_closed_total", reason) && !has("muster_auth_attempts_total", auth) {
			t.Errorf("%s is counted in %s, and not exported at first", counted, names[counted])
		}
	}
	if len(names) < 100 {
		t.Errorf("only %d names were found", len(names))
	}
	for dir, d := range map[string]msg.Direction{"in": msg.ToServer, "out": msg.ToClient} {
		for op := range uint32(0x600) {
			if row := msg.Lookup(d, op); row != nil && !has("muster_packets_total", `dir="`+dir+`"`, `opcode="`+row.Name+`"`) {
				t.Errorf("packets %s of %s are not exported at first", dir, row.Name)
			}
		}
	}
}
