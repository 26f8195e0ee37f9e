package main

import (
	"fmt"
	"go/token"
	"testing"
)

// Each kind of change, and the code that has it behind its number.
func TestChanges(t *testing.T) {
	for _, c := range []struct {
		code, text string
		what       []string
	}{
		{"if a < 5 { }", "if mutantLess(1, a , 5) { }", []string{"< became <="}},
		{"x := a + b*c", "x := mutantAdd(1, a , mutantMul(2, b,c))", []string{"+ became -", "* became +"}},
		{"x := a == b", "x := ((a == b) != mutantOn(1))", []string{"== became !="}},
		{"x := a && b", "x := ((a) || mutantOn(1)) && ((b) || mutantOn(2))",
			[]string{"left of && became true", "right of && became true"}},
		{"x := a || b", "x := ((a) && !mutantOn(1)) || ((b) && !mutantOn(2))",
			[]string{"left of || became false", "right of || became false"}},
		{"x := !a", "x := (!a != mutantOn(1))", []string{"removed !"}},
		{"x := true", "x := (true != mutantOn(1))", []string{"true negated"}},
		{"x := min(a, b)", "x := mutantMin(1, a, b)", []string{"min became max"}},
		{"if ok() { }", "if (ok() != mutantOn(1)) { }", []string{"condition negated"}},
		{"f(); a = 1; a++", "if !mutantOn(1) { f() }; if !mutantOn(2) { a = 1 }; if !mutantOn(3) { a++ }",
			[]string{"statement left out", "statement left out", "statement left out"}},
		{"panic(a); x := b; const k = 1 + 2; var s [1 + 2]int; _ = s",
			"panic(a); x := b; const k = 1 + 2; var s [1 + 2]int; _ = s", nil},
	} {
		next := 0
		const head, tail = "package p\n\nfunc _() { ", " }\n"
		f := finder{fset: token.NewFileSet(), name: "p.go", source: []byte(head + c.code + tail), next: &next,
			skip: func(int) bool { return false }}
		if err := f.find(); err != nil {
			t.Fatal(err)
		}
		var what []string
		for _, m := range f.changes {
			what = append(what, m.what)
			if m.line != 3 {
				t.Errorf("%s: a change is in line %d", c.code, m.line)
			}
		}
		if got, want := string(f.text()), head+c.text+tail; got != want || fmt.Sprint(what) != fmt.Sprint(c.what) {
			t.Errorf("%s became\n%swith %q, want\n%swith %q", c.code, got, what, want, c.what)
		}
	}
}

// A line whose changes do not compile has none.
func TestSkippedLines(t *testing.T) {
	next := 0
	f := finder{fset: token.NewFileSet(), name: "p.go", source: []byte("package p\n\nvar a = b < c\nvar d = b < c\n"), next: &next,
		skip: func(line int) bool { return line == 3 }}
	if err := f.find(); err != nil || len(f.changes) != 1 || f.changes[0].line != 4 {
		t.Errorf("%+v, %v", f.changes, err)
	}
}
