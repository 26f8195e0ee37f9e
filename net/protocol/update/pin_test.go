package update_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"muster/net/protocol/update"
)

// A pin is a constant of the wire and its value by a source outside this repository's code: server, scenario reader,
// conformance checker and swarm share the constant, so that no conversation between them shows a wrong one.
type pin struct {
	of   string
	got  any
	want uint64
}

func TestPins(t *testing.T) {
	for i, p := range pins {
		if got := number(p.got); got != p.want {
			t.Errorf("pin %d, %s: the constant is %#x, want %#x", i, p.of, got, p.want)
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

// Each exported constant of the package is pinned, or is listed as one that never reaches the wire.
func TestAllPinned(t *testing.T) {
	pinned := make(map[string]bool)
	names := func(file string, each func(n ast.Node)) {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool { each(n); return true })
	}
	names("pin_test.go", func(n ast.Node) {
		if s, ok := n.(*ast.SelectorExpr); ok {
			pinned[s.Sel.Name] = true
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
		names(file, func(n ast.Node) {
			d, ok := n.(*ast.GenDecl)
			if !ok || d.Tok != token.CONST {
				return
			}
			for _, spec := range d.Specs {
				for _, name := range spec.(*ast.ValueSpec).Names {
					if name.IsExported() && !pinned[name.Name] {
						t.Errorf("%s: %s is not pinned", file, name.Name)
					}
				}
			}
		})
	}
}

// _ are the constants that never reach the wire; TestAllPinned reads their names from this file.
var _ = []any{
	update.MaxComponents,
	update.Creature,
	update.Player,
	update.Item,
	update.Container,
	update.Corpse,
	update.Verify,
}

// pins are the constants of the wire.
var pins = []pin{
	// Source: docs/protocol.md 4.2.
	{"block type", update.Values, 0},
	{"block type", update.Movement, 1},
	{"block type", update.Create, 2},
	{"block type", update.Create2, 3},
	{"block type", update.OutOfRange, 4},
	{"block type", update.NearObjects, 5},

	// Source: docs/protocol.md 4.2, movement block.
	{"update flags", update.FlagSelf, 0x1},
	{"update flags", update.FlagTransport, 0x2},
	{"update flags", update.FlagTarget, 0x4},
	{"update flags", update.FlagUnknown, 0x8},
	{"update flags", update.FlagLowGUID, 0x10},
	{"update flags", update.FlagLiving, 0x20},
	{"update flags", update.FlagStationary, 0x40},
	{"update flags", update.FlagVehicle, 0x80},
	{"update flags", update.FlagPosition, 0x100},
	{"update flags", update.FlagRotation, 0x200},
	{"update flags", update.FlagNoBirthAnim, 0x400},

	// Source: docs/protocol.md 2.1 and 4.2, compression: cmangos' limit.
	{"longest payload", update.MaxInflated, 32766},
}
