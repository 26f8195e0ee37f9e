// Package pin is what the tests of wire constants have in common.
package pin

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// A Pin is a constant of the wire and its value by a source outside this repository's code: server, scenario reader,
// conformance checker and swarm share the constant, so that no conversation between them shows a wrong one.
type Pin = struct {
	Of   string // what the constant is one of
	Got  any    // the constant, an integer
	Want uint64
}

// Compare compares each constant with its source.
func Compare(t testing.TB, pins []Pin) {
	t.Helper()
	for i, p := range pins {
		if got := number(p.Got); got != p.Want {
			t.Errorf("pin %d, %s: the constant is %#x, want %#x", i, p.Of, got, p.Want)
		}
	}
}

// number is the value of an integer constant.
func number(v any) uint64 {
	r := reflect.ValueOf(v)
	if r.CanInt() {
		return uint64(r.Int())
	}
	return r.Uint()
}

// Complete complains of the exported constants of the package in the current folder that pin_test.go does not name, in
// its pins or as one that never reaches the wire. Those of elsewhere are compared by another test.
func Complete(t testing.TB, elsewhere ...string) {
	t.Helper()
	pinned := elsewhere
	inspect(t, "pin_test.go", func(n ast.Node) {
		if s, ok := n.(*ast.SelectorExpr); ok {
			pinned = append(pinned, s.Sel.Name)
		}
	})
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		inspect(t, file, func(n ast.Node) {
			d, ok := n.(*ast.GenDecl)
			if !ok || d.Tok != token.CONST {
				return
			}
			for _, spec := range d.Specs {
				for _, name := range spec.(*ast.ValueSpec).Names {
					if name.IsExported() && !slices.Contains(pinned, name.Name) {
						t.Errorf("%s: %s is not pinned", file, name.Name)
					}
				}
			}
		})
	}
}

// Names are the identifiers in a file that begin with a prefix.
func Names(t testing.TB, file, prefix string) (names []string) {
	t.Helper()
	inspect(t, file, func(n ast.Node) {
		if id, ok := n.(*ast.Ident); ok && strings.HasPrefix(id.Name, prefix) {
			names = append(names, id.Name)
		}
	})
	return names
}

func inspect(t testing.TB, file string, each func(ast.Node)) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool { each(n); return true })
}
