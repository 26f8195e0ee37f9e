package layers

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPackageNamesSaySomething(t *testing.T) {
	for _, f := range source(t) {
		if f.ast == nil {
			continue
		}
		for _, name := range append(strings.Split(f.pkg(), "/"), strings.TrimSuffix(f.ast.Name.Name, "_test")) {
			if slices.Contains(banned, name) {
				t.Errorf("%s: %s says nothing about a package", f.name, name)
			}
		}
	}
}

// complain reports the lines of text files that match a pattern, but those of some folders.
func complain(t *testing.T, pattern *regexp.Regexp, why string, but ...string) {
	t.Helper()
	for _, f := range source(t) {
		allowed := slices.ContainsFunc(but, func(folder string) bool { return strings.HasPrefix(f.name, folder) })
		if !utf8.ValidString(f.text) || f.name == "go.sum" || allowed {
			continue
		}
		number := 0
		for line := range strings.Lines(f.text) {
			number++
			if pattern.MatchString(line) {
				t.Errorf("%s:%d: %s: %s", f.name, number, why, strings.TrimSpace(line))
			}
		}
	}
}

// The patterns are written so that they do not match themselves.

func TestWhatIsToDoHasAnIssue(t *testing.T) {
	complain(t, regexp.MustCompile(`\b(TOD[O]\b([^(]|\([^#]|\(#[^0-9])|FIXM[E]\b|XX[X]\b)`), "wants an issue, as in TOD"+"O(#12):")
}

func TestNoPathsOfOneMachine(t *testing.T) {
	complain(t, regexp.MustCompile(`(^|[\s"'=(:`+"`"+`])/(tm[p]|roo[t]|hom[e]|wor[k]|User[s])(/|\b)`), "a path of one machine", "deploy/") // which has paths of containers
}

// A test that sleeps is slow, or fails on a busy machine, or both; in a bubble time costs nothing.
func TestTestsDoNotSleep(t *testing.T) {
	for _, f := range source(t) {
		if f.ast == nil || !f.test() || slices.Contains(f.imports(), "testing/synctest") {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if call, ok := n.(*ast.SelectorExpr); ok && call.Sel.Name == "Sleep" {
				if x, ok := call.X.(*ast.Ident); ok && x.Name == "time" {
					t.Errorf("%s sleeps: poll with a deadline, or use testing/synctest", f.name)
				}
			}
			return true
		})
	}
}

// maxFuzz is how many fuzz functions there are time for.
const maxFuzz = 12

// Each fuzz function begins from a corpus that is committed, and that every test run goes through.
func TestFuzzing(t *testing.T) {
	corpora := make(map[string]int)
	for _, f := range source(t) {
		if strings.Contains(f.name, "/testdata/fuzz/") {
			corpora[path.Dir(f.name)]++
		}
	}
	n := 0
	for _, f := range source(t) {
		if f.ast == nil || !f.test() {
			continue
		}
		for _, decl := range f.ast.Decls {
			d, ok := decl.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(d.Name.Name, "Fuzz") {
				continue
			}
			n++
			corpus := f.pkg() + "/testdata/fuzz/" + d.Name.Name
			if corpora[corpus] == 0 {
				t.Errorf("%s: %s has no corpus in %s", f.name, d.Name.Name, corpus)
			}
			delete(corpora, corpus)
		}
	}
	if n > maxFuzz {
		t.Errorf("%d fuzz functions, at most %d are run: give simple readers what internal/corrupt makes", n, maxFuzz)
	}
	for corpus := range corpora {
		t.Errorf("%s is the corpus of nothing", corpus)
	}
}

// Only files with a stated reason read the time of day.
func TestDeadlinesDoNotJump(t *testing.T) {
	found := make(map[string]string)
	for _, f := range source(t) {
		if f.ast == nil || f.test() || f.pkg() == "loaders/store/storetest" {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 0 {
				if m, ok := call.Fun.(*ast.SelectorExpr); ok && strings.HasPrefix(m.Sel.Name, "Unix") {
					found[f.pkg()] = f.name
				}
			}
			return true
		})
	}
	for _, c := range calendars {
		if found[c.pkg] == "" || c.because == "" {
			t.Errorf("%s does not ask for the time of a day, or gives no reason", c.pkg)
		}
		delete(found, c.pkg)
	}
	for _, file := range found {
		t.Errorf("%s asks for the time of a day, which jumps when the clock is set: measure, or say why in calendars", file)
	}
}

// A package that starts goroutines has a test, around all of its others, that none is left.
func TestGoroutinesAreWatched(t *testing.T) {
	starts, watched := make(map[string]string), make(map[string]bool)
	for _, f := range source(t) {
		switch {
		case f.ast == nil:
		case !f.test():
			ast.Inspect(f.ast, func(n ast.Node) bool {
				if starting(n) {
					starts[f.pkg()] = f.name
				}
				return true
			})
		case slices.Contains(f.imports(), "go.uber.org/goleak"):
			watched[f.pkg()] = watched[f.pkg()] || slices.ContainsFunc(f.ast.Decls, func(d ast.Decl) bool {
				main, ok := d.(*ast.FuncDecl)
				return ok && main.Name.Name == "TestMain"
			})
		}
	}
	for _, e := range unwatched {
		if starts[e.pkg] == "" || watched[e.pkg] || e.because == "" {
			t.Errorf("%s starts no goroutine, or is watched, or gives no reason", e.pkg)
		}
		delete(starts, e.pkg)
	}
	if len(starts) < 5 {
		t.Fatalf("only %d packages start goroutines: %v", len(starts), starts)
	}
	for pkg, file := range starts {
		if !watched[pkg] {
			t.Errorf("%s: %s starts goroutines, and its tests have no TestMain with goleak", pkg, file)
		}
	}
}

// starting reports whether a node starts a goroutine: go f(), or x.Go(f) as of a sync.WaitGroup.
func starting(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GoStmt:
		return true
	case *ast.CallExpr:
		method, ok := n.Fun.(*ast.SelectorExpr)
		return ok && method.Sel.Name == "Go"
	}
	return false
}

func TestExportedNamesAreExplained(t *testing.T) {
	for _, f := range source(t) {
		if f.ast == nil || f.test() || f.ast.Name.Name == "main" {
			continue
		}
		for _, decl := range f.ast.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) && !obvious(d) {
					t.Errorf("%s: %s has no comment", f.name, d.Name.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if name := unexplained(d, spec); name != "" {
						t.Errorf("%s: %s has no comment", f.name, name)
					}
				}
			}
		}
	}
}

func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	of := d.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if generic, ok := of.(*ast.IndexExpr); ok {
		of = generic.X
	}
	name, ok := of.(*ast.Ident)
	return ok && name.IsExported()
}

// obvious are methods whose interface says all there is to say.
func obvious(d *ast.FuncDecl) bool {
	return d.Recv != nil && slices.Contains([]string{"Error", "Unwrap", "String", "Wire", "Run", "MarshalText", "UnmarshalText"}, d.Name.Name)
}

// unexplained is the first exported name of a declaration without a comment; a comment on a group
// explains its constants and variables.
func unexplained(d *ast.GenDecl, spec ast.Spec) string {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		if s.Name.IsExported() && s.Doc == nil && d.Doc == nil {
			return s.Name.Name
		}
	case *ast.ValueSpec:
		if d.Doc != nil || s.Doc != nil || s.Comment != nil || d.Tok == token.IMPORT {
			return ""
		}
		for _, name := range s.Names {
			if name.IsExported() {
				return name.Name
			}
		}
	}
	return ""
}

func TestFileNamesAreNouns(t *testing.T) {
	for _, f := range source(t) {
		if f.ast != nil && strings.ToLower(path.Base(f.name)) != path.Base(f.name) || f.ast != nil && strings.Contains(path.Base(f.name), "-") {
			t.Errorf("%s: lower case, no hyphen", f.name)
		}
	}
}

// Over 800 lines there are only tables and what a program wrote.
func TestFilesAreOfASizeToRead(t *testing.T) {
	for _, f := range source(t) {
		if n := strings.Count(f.text, "\n"); f.ast != nil && n > 800 && !ast.IsGenerated(f.ast) {
			t.Errorf("%s has %d lines: look for a second noun", f.name, n)
		}
	}
}

// docs/ARCHITECTURE.md names every folder with code.
func TestArchitectureHasEveryFolder(t *testing.T) {
	files := make(map[string]bool)
	var text string
	for _, f := range source(t) {
		files[f.name] = true
		if f.name == "docs/ARCHITECTURE.md" {
			text = f.text
		}
	}
	listed := make(map[string]bool)
	for _, r := range regexp.MustCompile("(?m)^\\| `([a-z/]+)(/\\*)?` \\|.*\\|(.*)\\|$").FindAllStringSubmatch(text, -1) {
		folder, all := r[1], r[2] != ""
		for _, name := range regexp.MustCompile("`([a-z_]+\\.go)`").FindAllStringSubmatch(r[3], -1) {
			if !files[folder+"/"+name[1]] {
				t.Errorf("%s is to be read from %s on, which is not there", folder, name[1])
			}
		}
		for _, p := range packages {
			if p.pkg == folder || all && path.Dir(p.pkg) == folder {
				listed[p.pkg] = true
			}
		}
	}
	for _, p := range packages {
		if !listed[p.pkg] && !listed[path.Dir(p.pkg)] {
			t.Errorf("docs/ARCHITECTURE.md does not list %s", p.pkg)
		}
	}
	for _, link := range regexp.MustCompile(`\]\(([a-z0-9/.-]+\.md)\)`).FindAllStringSubmatch(text, -1) {
		if !files["docs/"+link[1]] {
			t.Errorf("docs/ARCHITECTURE.md links to %s, which is not there", link[1])
		}
	}
}

// A test that is skipped proves nothing, and looks as if it did. What takes too long for every run is in a file with the
// build tag long, which make test-long has.
func TestTestsAreNotSkipped(t *testing.T) {
	for _, f := range source(t) {
		if f.ast == nil {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if s, ok := call.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"Skip", "Skipf", "SkipNow"}, s.Sel.Name) {
					t.Errorf("%s: a call of %s", f.name, s.Sel.Name)
				}
			}
			return true
		})
	}
}

// A clone is enough: no test reads what lies beside it.
func TestTestsReadTheCloneAlone(t *testing.T) {
	for _, f := range source(t) {
		if f.ast == nil {
			continue
		}
		depth := strings.Count(f.name, "/")
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING && strings.Count(text.Value, "../") > depth {
				t.Errorf("%s: %s is outside the clone", f.name, text.Value)
			}
			return true
		})
	}
}
