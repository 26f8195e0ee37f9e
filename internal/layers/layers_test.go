package layers

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// ours is the path of an import within the module.
func ours(imported string) (pkg string, ok bool) {
	return strings.CutPrefix(imported, moduleName+"/")
}

// outside reports whether an import is neither ours nor of the standard library.
func outside(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return strings.Contains(first, ".")
}

func find(pkg string) *row {
	for i := range packages {
		if packages[i].pkg == pkg {
			return &packages[i]
		}
	}
	return nil
}

func TestPackagesImportWhatTheirRowSays(t *testing.T) {
	found := make(map[string]map[string]bool)
	for _, f := range source(t) {
		if f.ast == nil || f.test() {
			continue
		}
		if found[f.pkg()] == nil {
			found[f.pkg()] = make(map[string]bool)
		}
		for _, imported := range f.imports() {
			if pkg, ok := ours(imported); ok {
				found[f.pkg()][pkg] = true
			}
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(found)) {
		imports := strings.Join(slices.Sorted(maps.Keys(found[pkg])), " ")
		switch r := find(pkg); {
		case r == nil:
			t.Errorf("%s has no row; it imports %q", pkg, imports)
		case r.imports != imports:
			t.Errorf("%s\n  may import %q\n  imports    %q", pkg, r.imports, imports)
		}
	}
	for _, r := range packages {
		if found[r.pkg] == nil {
			t.Errorf("%s has a row and no Go file", r.pkg)
		}
	}
	byName := func(a, b row) int { return strings.Compare(a.pkg, b.pkg) }
	if !slices.IsSortedFunc(packages, byName) {
		t.Error("the rows are not in alphabetical order")
	}
}

func TestKindsLeanOnWhatTheyMay(t *testing.T) {
	used := make([]bool, len(exceptions))
	excused := func(pkg, imports string) bool {
		i := slices.IndexFunc(exceptions, func(e exception) bool { return e.pkg == pkg && e.imports == imports })
		if i >= 0 {
			used[i] = true
		}
		return i >= 0
	}
	for _, r := range packages {
		for _, imports := range strings.Fields(r.imports) {
			to := find(imports)
			if to == nil {
				t.Errorf("%s imports %s, which has no row", r.pkg, imports)
			} else if !slices.Contains(leansOn[r.kind], to.kind) && !excused(r.pkg, imports) {
				t.Errorf("%s is of kind %s and may not import %s, which is of kind %s", r.pkg, r.kind, to.pkg, to.kind)
			}
		}
	}
	for i, e := range exceptions {
		if !used[i] || e.because == "" {
			t.Errorf("the exception of %s for %s is not needed, or gives no reason", e.pkg, e.imports)
		}
	}
}

// No package imports one of a higher stratum, and every package but those of internal and docs is in one.
func TestStrata(t *testing.T) {
	of := func(pkg string) int {
		return slices.IndexFunc(strata, func(s string) bool { return pkg == s || strings.HasPrefix(pkg, s+"/") })
	}
	for _, r := range packages {
		own := of(r.pkg)
		if own < 0 {
			if top, _, _ := strings.Cut(r.pkg, "/"); top != "internal" && top != "docs" {
				t.Errorf("%s is in no stratum", r.pkg)
			}
			continue
		}
		for _, imports := range strings.Fields(r.imports) {
			if of(imports) > own {
				t.Errorf("%s imports %s, which is in a higher stratum", r.pkg, imports)
			}
		}
	}
}

// The strata that docs/ARCHITECTURE.md shows are those of the table, the highest first.
func TestArchitectureShowsTheStrata(t *testing.T) {
	for _, f := range source(t) {
		if f.name != "docs/ARCHITECTURE.md" {
			continue
		}
		_, rest, _ := strings.Cut(f.text, "## The strata\n\n```\n")
		block, _, _ := strings.Cut(rest, "```")
		var shown []string
		for line := range strings.Lines(block) {
			name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			shown = append(shown, name)
		}
		if slices.Reverse(shown); !slices.Equal(shown, strata) {
			t.Errorf("docs/ARCHITECTURE.md shows %q, the table has %q", shown, strata)
		}
	}
}

// Tests may look at all of the module, but bring in no module that their package may not use.
func TestModulesStayAtHome(t *testing.T) {
	home := func(imported string) *module {
		for i := range modules {
			if m := &modules[i]; imported == m.path || strings.HasPrefix(imported, m.path+"/") {
				return m
			}
		}
		return nil
	}
	used := make(map[string]bool)
	for _, f := range source(t) {
		if f.ast == nil {
			continue
		}
		for _, imported := range f.imports() {
			if !outside(imported) {
				continue
			}
			m := home(imported)
			if m == nil {
				t.Errorf("%s imports %s, which is not listed", f.name, imported)
				continue
			}
			for _, h := range strings.Fields(m.homes) {
				if h == f.pkg() && !f.test() || h == "tests" && f.test() {
					used[m.path+" in "+h] = true
				}
			}
			homes := strings.Fields(m.homes)
			if !slices.Contains(homes, f.pkg()) && !(f.test() && slices.Contains(homes, "tests")) {
				t.Errorf("%s imports %s, which is at home in %s: %s", f.name, imported, m.homes, m.because)
			}
		}
	}
	for _, m := range modules {
		for _, h := range strings.Fields(m.homes) {
			if !used[m.path+" in "+h] {
				t.Errorf("%s is at home in %s and not used there", m.path, h)
			}
		}
		if m.because == "" {
			t.Errorf("%s gives no reason", m.path)
		}
	}
}

func TestDirectModulesAreListed(t *testing.T) {
	for _, f := range source(t) {
		if f.name != "go.mod" {
			continue
		}
		for line := range strings.Lines(f.text) {
			fields := strings.Fields(line)
			if len(fields) < 2 || !outside(fields[0]) || strings.Contains(line, "// indirect") {
				continue
			}
			if !slices.ContainsFunc(modules, func(m module) bool { return m.path == fields[0] }) {
				t.Errorf("go.mod requires %s, which is not listed", fields[0])
			}
		}
	}
}

func TestFoldersWithoutGoFiles(t *testing.T) {
	for _, f := range source(t) {
		if f.ast != nil && (f.pkg() == "." || slices.Contains(bare, f.pkg())) {
			t.Errorf("%s: this folder holds packages only", f.name)
		}
	}
}
