package worlddb

import (
	"fmt"
	"slices"
	"strings"

	"muster/loaders/worlddb/sqldump"
)

// A translation makes expressions of MySQL into those of SQLite, for the rows of a table.
type translation struct {
	strings.Builder
	tables map[string]*table
	of     *table
}

func (t *translation) expr(e *sqldump.Expr) error {
	switch e.Op {
	case sqldump.Constant:
		return t.constant(e.Value)
	case sqldump.Name:
		if _, ok := t.of.index[e.Column]; !ok {
			return fmt.Errorf("no column %s", e.Column)
		}
		t.WriteString(quote(e.Column))
		return nil
	case sqldump.In:
		return t.among(e)
	case sqldump.Not:
		return t.join("(NOT ", e.Args, ")")
	case sqldump.Negative:
		return t.join("(-", e.Args, ")")
	case sqldump.Is:
		return t.join("(", e.Args, " IS NULL)")
	case sqldump.Between:
		return t.join("(", e.Args, " BETWEEN ", " AND ", ")")
	case sqldump.Like:
		return t.join("(", e.Args, " LIKE ", ` ESCAPE '\')`)
	case sqldump.Same:
		return t.join("(", e.Args, " IS ", ")")
	case sqldump.Over:
		return t.join("(1.0 * ", e.Args, " / ", ")")
	case sqldump.Div:
		return t.join("CAST(", e.Args, " / ", " AS INTEGER)")
	case sqldump.Xor:
		twice := []sqldump.Expr{e.Args[0], e.Args[1], e.Args[0], e.Args[1]}
		return t.join("((", twice, " | ", ") - (", " & ", "))")
	case sqldump.Both, sqldump.Either, sqldump.Equal, sqldump.Unequal, sqldump.Less, sqldump.Greater, sqldump.AtMost, sqldump.AtLeast,
		sqldump.Plus, sqldump.Minus, sqldump.Times, sqldump.Mod, sqldump.And, sqldump.Or, sqldump.Left, sqldump.Right:
		return t.join("(", e.Args, " "+string(e.Op)+" ", ")")
	}
	return fmt.Errorf("%s is not executed", e.Op)
}

// join writes the arguments, each with what stands behind it.
func (t *translation) join(before string, args []sqldump.Expr, behind ...string) error {
	t.WriteString(before)
	for i := range args {
		if err := t.expr(&args[i]); err != nil {
			return err
		}
		t.WriteString(behind[i])
	}
	return nil
}

func (t *translation) among(e *sqldump.Expr) error {
	if err := t.join("(", e.Args[:1], " IN ("); err != nil {
		return err
	}
	if e.Select == nil {
		separators := slices.Repeat([]string{", "}, len(e.Args)-1)
		separators[len(separators)-1] = "))"
		return t.join("", e.Args[1:], separators...)
	}
	inner := t.tables[e.Select.Table]
	if inner == nil {
		return fmt.Errorf("a SELECT of %s, which is not there", e.Select.Table)
	}
	outer := t.of
	t.of = inner
	defer func() { t.of = outer }()
	t.WriteString("SELECT ")
	if err := t.expr(&sqldump.Expr{Op: sqldump.Name, Column: e.Select.Column}); err != nil {
		return err
	}
	t.WriteString(" FROM " + quote(inner.name))
	if err := t.where(e.Select.Where); err != nil {
		return err
	}
	t.WriteString("))")
	return nil
}

func (t *translation) where(e *sqldump.Expr) error {
	if e == nil {
		return nil
	}
	t.WriteString(" WHERE ")
	return t.expr(e)
}

func (t *translation) constant(v sqldump.Value) error {
	switch v.Kind {
	case sqldump.Null:
		t.WriteString("NULL")
	case sqldump.Int:
		t.WriteString(literal(v.Int))
	case sqldump.Float:
		t.WriteString(literal(v.Float))
	case sqldump.Text:
		s := unicode(v.Bytes)
		if strings.IndexByte(s, 0) >= 0 {
			return fmt.Errorf("a zero byte in a text")
		}
		t.WriteString(literal(s))
	case sqldump.Binary:
		n, ok := v.Number()
		if !ok {
			return fmt.Errorf("a binary text of %d bytes", len(v.Bytes))
		}
		t.WriteString(literal(n.Int))
	default:
		return fmt.Errorf("%v in an expression", v)
	}
	return nil
}

// deletion is a DELETE for SQLite.
func deletion(tables map[string]*table, s *sqldump.Statement) (string, error) {
	t := translation{tables: tables, of: tables[s.Table]}
	t.WriteString("DELETE FROM " + quote(s.Table))
	err := t.where(s.Where)
	return t.String(), err
}

// updating is an UPDATE for SQLite. MySQL assigns from left to right, SQLite all at once: where that differs, it fails.
func updating(tables map[string]*table, s *sqldump.Statement) (string, error) {
	of := tables[s.Table]
	t := translation{tables: tables, of: of}
	t.WriteString("UPDATE ")
	if s.Ignore {
		t.WriteString("OR IGNORE ")
	}
	t.WriteString(quote(s.Table) + " SET ")
	var assigned []string
	for i, a := range s.Set {
		at, ok := of.index[a.Column]
		if !ok {
			return "", fmt.Errorf("no column %s", a.Column)
		}
		if name := reads(&a.Expr, assigned); name != "" {
			return "", fmt.Errorf("column %s is read behind its assignment", name)
		}
		if i > 0 {
			t.WriteString(", ")
		}
		t.WriteString(quote(a.Column) + " = ")
		if a.Expr.Op == sqldump.Constant {
			v := a.Expr.Value
			if err := of.columns[at].fit(&v); err != nil {
				return "", err
			}
			t.WriteString(literal(boxed(v)))
		} else if err := t.expr(&a.Expr); err != nil {
			return "", err
		}
		assigned = append(assigned, a.Column)
	}
	err := t.where(s.Where)
	return t.String(), err
}

// reads is one of some columns that an expression reads, "" if it reads none.
func reads(e *sqldump.Expr, names []string) string {
	if e.Op == sqldump.Name && slices.Contains(names, e.Column) {
		return e.Column
	}
	for i := range e.Args {
		if name := reads(&e.Args[i], names); name != "" {
			return name
		}
	}
	return ""
}
