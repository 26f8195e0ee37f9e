package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// A change is a small difference in the code that a test should notice.
type change struct {
	id   int
	file string // within the package
	line int
	col  int
	what string
}

// An edit replaces some bytes of a file. It leaves the lines as they are, so that errors of the compiler have the line of
// what causes them.
type edit struct {
	at, remove int
	closes     bool // what another edit at the same place, before it, has opened
	text       string
}

// A finder lists the changes of a file and the edits that bring them in, each behind mutantOn of its number.
type finder struct {
	fset    *token.FileSet
	name    string
	source  []byte
	skip    func(line int) bool // lines whose changes do not compile
	next    *int
	changes []change
	edits   []edit
}

// operators are the functions of support.go that stand for an operator with a change, and what it changes to.
var operators = map[token.Token]struct{ function, to string }{
	token.LSS: {"mutantLess", "<="}, token.LEQ: {"mutantAtMost", "<"}, token.GTR: {"mutantMore", ">="}, token.GEQ: {"mutantAtLeast", ">"},
	token.ADD: {"mutantAdd", "-"}, token.SUB: {"mutantSub", "+"}, token.MUL: {"mutantMul", "+"}, token.QUO: {"mutantQuo", "*"},
	token.REM: {"mutantRem", "+"}, token.AND: {"mutantAnd", "|"}, token.OR: {"mutantOr", "&"}, token.AND_NOT: {"mutantAndNot", "&"},
	token.SHL: {"mutantShl", ">>"}, token.SHR: {"mutantShr", "<<"},
}

// find parses a file, and finds its changes.
func (f *finder) find() error {
	file, err := parser.ParseFile(f.fset, f.name, f.source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	ast.Inspect(file, f.visit)
	return nil
}

func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok == token.VAR
	case *ast.ArrayType, *ast.FuncType, *ast.ImportSpec:
		return false
	case *ast.BlockStmt:
		f.statements(n.List)
	case *ast.CaseClause:
		f.statements(n.Body)
	case *ast.IfStmt:
		f.condition(n.Cond)
	case *ast.ForStmt:
		f.condition(n.Cond)
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			f.wrap(n, "removed !", "(", " != mutantOn(%d))")
		}
	case *ast.Ident:
		if n.Name == "true" || n.Name == "false" {
			f.wrap(n, n.Name+" negated", "(", " != mutantOn(%d))")
		}
	case *ast.CallExpr:
		if name, ok := n.Fun.(*ast.Ident); ok && (name.Name == "min" || name.Name == "max") && len(n.Args) == 2 {
			to := map[string]string{"min": "max", "max": "min"}[name.Name]
			if id := f.add(n, name.Name+" became "+to); id != 0 {
				f.edit(edit{at: f.offset(n.Fun.Pos()), remove: 3, text: "mutant" + strings.ToUpper(name.Name[:1]) + name.Name[1:]})
				f.edit(edit{at: f.offset(n.Lparen) + 1, text: fmt.Sprintf("%d, ", id)})
			}
		}
	case *ast.BinaryExpr:
		f.binary(n)
	}
	return true
}

// binary changes an operator, or takes away a part of a condition.
func (f *finder) binary(n *ast.BinaryExpr) {
	switch n.Op {
	case token.LAND:
		f.wrap(n.X, "left of && became true", "((", ") || mutantOn(%d))")
		f.wrap(n.Y, "right of && became true", "((", ") || mutantOn(%d))")
	case token.LOR:
		f.wrap(n.X, "left of || became false", "((", ") && !mutantOn(%d))")
		f.wrap(n.Y, "right of || became false", "((", ") && !mutantOn(%d))")
	case token.EQL:
		f.wrap(n, "== became !=", "((", ") != mutantOn(%d))")
	case token.NEQ:
		f.wrap(n, "!= became ==", "((", ") != mutantOn(%d))")
	default:
		o, ok := operators[n.Op]
		if !ok {
			return
		}
		if id := f.addAt(n.OpPos, n.Op.String()+" became "+o.to); id != 0 {
			f.edit(edit{at: f.offset(n.Pos()), text: fmt.Sprintf("%s(%d, ", o.function, id)})
			f.edit(edit{at: f.offset(n.OpPos), remove: len(n.Op.String()), text: ","})
			f.edit(edit{at: f.offset(n.End()), closes: true, text: ")"})
		}
	}
}

// condition negates one that has no operator of its own.
func (f *finder) condition(e ast.Expr) {
	switch e.(type) {
	case *ast.CallExpr, *ast.Ident, *ast.SelectorExpr:
		f.wrap(e, "condition negated", "(", " != mutantOn(%d))")
	}
}

// statements leaves some out that do something.
func (f *finder) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				continue
			}
			if name, ok := s.Lhs[0].(*ast.Ident); ok && name.Name == "_" {
				continue
			}
		case *ast.IncDecStmt:
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); ok {
				if name, ok := call.Fun.(*ast.Ident); ok && name.Name == "panic" {
					continue
				}
			}
		default:
			continue
		}
		f.wrap(s, "statement left out", "if !mutantOn(%d) { ", " }")
	}
}

// wrap notes a change that is made by text before and after a node. One of the two has the number.
func (f *finder) wrap(n ast.Node, what, before, after string) {
	id := f.add(n, what)
	if id == 0 {
		return
	}
	number := func(text string) string { return strings.Replace(text, "%d", fmt.Sprint(id), 1) }
	f.edit(edit{at: f.offset(n.Pos()), text: number(before)})
	f.edit(edit{at: f.offset(n.End()), closes: true, text: number(after)})
}

func (f *finder) add(n ast.Node, what string) int { return f.addAt(n.Pos(), what) }

func (f *finder) addAt(pos token.Pos, what string) int {
	p := f.fset.Position(pos)
	if f.skip(p.Line) {
		return 0
	}
	*f.next++
	f.changes = append(f.changes, change{id: *f.next, file: f.name, line: p.Line, col: p.Column, what: what})
	return *f.next
}

func (f *finder) edit(e edit)              { f.edits = append(f.edits, e) }
func (f *finder) offset(pos token.Pos) int { return f.fset.Position(pos).Offset }

// text is the file with all its edits. Of those that close at one place, the one that was opened last comes first.
func (f *finder) text() []byte {
	order := make([]int, len(f.edits))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := &f.edits[i], &f.edits[j]
		switch {
		case a.at != b.at:
			return a.at - b.at
		case a.closes && b.closes:
			return j - i
		case a.closes:
			return -1
		case b.closes:
			return 1
		}
		return i - j
	})
	var out []byte
	at := 0
	for _, i := range order {
		e := &f.edits[i]
		out = append(append(out, f.source[at:e.at]...), e.text...)
		at = e.at + e.remove
	}
	return append(out, f.source[at:]...)
}
