package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// A pkg is a package as go list describes it.
type pkg struct {
	ImportPath, Dir, Name     string
	GoFiles                   []string
	TestGoFiles, XTestGoFiles []string
	Module                    struct{ Path, Dir string }
}

// path is that of the package within the module.
func (p *pkg) path() string {
	return strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, p.Module.Path), "/")
}

func (p *pkg) tested() bool { return len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 }

// list is what patterns match.
func list(patterns []string) (all []*pkg, err error) {
	cmd := exec.Command("go", append([]string{"list", "-json"}, patterns...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		p := new(pkg)
		if err := d.Decode(p); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// A build is a package with all its changes, in a folder of its own.
type build struct {
	pkg     *pkg
	folder  string
	overlay string
	changes []change
}

// broken finds the lines at which the compiler complains.
var broken = regexp.MustCompile(`(?m)^\S*?([^/\s]+\.go):(\d+):\d+: .*`)

// newBuild brings the changes of a package into it, but for those that do not compile.
func newBuild(p *pkg, folder string) (*build, error) {
	b := &build{pkg: p, folder: folder, overlay: filepath.Join(folder, "overlay.json")}
	skip := make(map[string]bool) // file:line
	for {
		if err := b.write(skip); err != nil {
			return nil, err
		}
		out, err := exec.Command("go", "build", "-gcflags=-e", "-overlay", b.overlay, p.ImportPath).CombinedOutput()
		if err == nil {
			return b, nil
		}
		before := len(skip)
		for _, m := range broken.FindAllStringSubmatch(string(out), -1) {
			skip[m[1]+":"+m[2]] = true
		}
		if len(skip) == before {
			return nil, fmt.Errorf("%w\n%s", err, out)
		}
	}
}

// write writes the files of the package with their changes, and the overlay that has the compiler read them.
func (b *build) write(skip map[string]bool) error {
	b.changes = nil
	replace := make(map[string]string)
	next := 0
	for _, name := range b.pkg.GoFiles {
		source, err := os.ReadFile(filepath.Join(b.pkg.Dir, name))
		if err != nil {
			return err
		}
		f := finder{fset: token.NewFileSet(), name: name, source: source, next: &next,
			skip: func(line int) bool { return skip[name+":"+strconv.Itoa(line)] }}
		if err := f.find(); err != nil {
			return err
		}
		b.changes = append(b.changes, f.changes...)
		if err := b.put(replace, name, f.text()); err != nil {
			return err
		}
	}
	text := fmt.Sprintf("package %s\n"+support, b.pkg.Name, next+1)
	if err := b.put(replace, "mutant_support.go", []byte(text)); err != nil {
		return err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(b.overlay, overlay, 0o600)
}

func (b *build) put(replace map[string]string, name string, text []byte) error {
	file := filepath.Join(b.folder, name)
	replace[filepath.Join(b.pkg.Dir, name)] = file
	return os.WriteFile(file, text, 0o600)
}

// binary compiles the tests of a package with the changes.
func (b *build) binary(of *pkg) (string, error) {
	name := filepath.Join(b.folder, strings.ReplaceAll(of.path(), "/", "_")+".test")
	out, err := exec.Command("go", "test", "-c", "-vet=off", "-overlay", b.overlay, "-o", name, of.ImportPath).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return name, nil
}
