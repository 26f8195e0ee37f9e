package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/limitlist"
	"muster/internal/golden"
	"muster/internal/metric"
)

// The page of limits is what the code goes by.
func TestLimits(t *testing.T) {
	var b bytes.Buffer
	if err := limitlist.Print(&b); err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, "../../docs/LIMITS.md", b.Bytes())
	settings := make(map[string]bool)
	for _, verb := range newParser(new(verbs), &flags.Environment{Stdout: &b, Stderr: &b}).Model.Children {
		for _, f := range verb.Flags {
			settings[f.Name] = settings[f.Name] || verb.Name == "serve"
		}
	}
	counters := make(map[string]bool)
	for _, part := range limitlist.Parts {
		for _, l := range part.Limits {
			pkg, name, _ := strings.Cut(l.Test, " ")
			switch {
			case l.Name == "" || l.Breach == "" || l.Text() == "" || strings.Contains(l.Text(), "%"):
				t.Errorf("%+v says too little", l)
			case l.Setting != "" && !settings[l.Setting]:
				t.Errorf("%s: muster serve has no --%s", l.Name, l.Setting)
			case !declares(t, pkg, name):
				t.Errorf("%s: %s has no %s", l.Name, pkg, name)
			}
			counters[l.Counter] = true
		}
	}
	if len(counters) < 20 || len(counters) > metric.MaxNames/4 {
		t.Errorf("%d counters, and %d names for all there are", len(counters), metric.MaxNames)
	}
}

// declares reports whether a package has a test.
func declares(t *testing.T, pkg, name string) bool {
	files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pkg), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if regexp.MustCompile(`(?m)^func ` + name + `\(t \*testing\.T\)`).Match(text) {
			return true
		}
	}
	return false
}
