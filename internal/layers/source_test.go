package layers

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// A file is one committed text file of the module.
type file struct {
	name string // from the root, with slashes
	text string
	ast  *ast.File // nil if it is not Go
}

func (f *file) test() bool  { return strings.HasSuffix(f.name, "_test.go") }
func (f *file) pkg() string { return path.Dir(f.name) }
func (f *file) imports() []string {
	var all []string
	for _, spec := range f.ast.Imports {
		p, _ := strconv.Unquote(spec.Path.Value)
		all = append(all, p)
	}
	return all
}

const moduleName = "muster"

// source is the files of the module, which are read once.
func source(t *testing.T) []*file {
	t.Helper()
	all, err := wholeModule()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 50 {
		t.Fatalf("only %d files: is this the module?", len(all))
	}
	return all
}

var wholeModule = sync.OnceValues(func() ([]*file, error) {
	root := filepath.Join("..", "..")
	skip := []string{".git", "bin", "bench/out"} // as .gitignore has it
	var all []*file
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		if slices.Contains(skip, name) {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil // .git of a worktree is a file
		}
		if d.IsDir() {
			return nil
		}
		if slices.Contains([]string{".test", ".prof", ".pprof"}, path.Ext(name)) {
			return nil
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		f := &file{name: name, text: string(text)}
		if path.Ext(name) == ".go" {
			if f.ast, err = parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments); err != nil {
				return err
			}
		}
		all = append(all, f)
		return nil
	})
	return all, err
})
