package sqldump

import "slices"

// A Verb says what a Statement does.
type Verb string

// The verbs. Rows of an Insert and a Replace are read with Reader.Row.
const (
	Insert   Verb = "INSERT"
	Replace  Verb = "REPLACE"
	Delete   Verb = "DELETE"
	Update   Verb = "UPDATE"
	Create   Verb = "CREATE TABLE"
	Alter    Verb = "ALTER TABLE"
	Drop     Verb = "DROP TABLE"
	Truncate Verb = "TRUNCATE"
	nothing  Verb = "" // changes no table
)

// A Statement is all of a statement but its rows. Texts in expressions are the reader's until the next statement.
type Statement struct {
	Verb    Verb
	Line    int
	Table   string   // lower case, as all names are
	Tables  []string // of Drop
	Columns []string // of an Insert or Replace, in the order of its values; nil for all columns of the table
	Ignore  bool     // INSERT IGNORE, UPDATE IGNORE, IF EXISTS, IF NOT EXISTS
	Where   *Expr    // of Delete and Update; nil for all rows
	Set     []Assignment
	Create  *Definition
	Alter   []Change

	OnDuplicate bool // when the rows are read: it says what becomes of rows that are there already
	Row         int  // the line of the row that was read last
	set         bool // INSERT … SET
}

// An Assignment gives a column the value of an expression.
type Assignment struct {
	Column string
	Expr   Expr
}

// changing are the first words of statements that change tables in ways that are not read.
var changing = []string{"CALL", "LOAD", "MERGE", "HANDLER", "EXECUTE", "IMPORT"}

// readStatement reads a statement up to its rows, or up to anything behind it that is skipped.
func (r *Reader) readStatement(s *Statement) error {
	if r.delimiter != ";" {
		return r.fail("a stored program is not executed")
	}
	switch {
	case r.takeWord("INSERT"):
		return r.readInsert(s, Insert)
	case r.takeWord("REPLACE"):
		return r.readInsert(s, Replace)
	case r.takeWord("DELETE"):
		return r.readDelete(s)
	case r.takeWord("UPDATE"):
		return r.readUpdate(s)
	case r.takeWord("SET"):
		r.readSet()
		return nil
	case r.takeWord("CREATE"):
		return r.readCreate(s)
	case r.takeWord("ALTER"):
		return r.readAlter(s)
	case r.takeWord("DROP"):
		return r.readDrop(s)
	case r.takeWord("TRUNCATE"):
		r.takeWord("TABLE")
		return r.readTable(s, Truncate)
	case r.takeWord("RENAME"):
		return r.readRename(s)
	}
	for _, word := range changing {
		if r.isWord(word) {
			return r.fail("%s is not executed", word)
		}
	}
	return nil
}

// readTable reads the name of the table that a statement is of.
func (r *Reader) readTable(s *Statement, verb Verb) (err error) {
	s.Verb = verb
	s.Table, err = r.name()
	return err
}

// skipWords goes behind words that change nothing here.
func (r *Reader) skipWords(words ...string) {
	for slices.ContainsFunc(words, r.takeWord) {
	}
}

// finished fails if anything stands before the delimiter.
func (r *Reader) finished() error {
	r.space()
	if !r.more() || r.atDelimiter() {
		return nil
	}
	if word := r.bareWord(false); word != "" {
		return r.fail("%s is not executed", word)
	}
	return r.fail("%q where the statement should end", r.peek())
}

func (r *Reader) readInsert(s *Statement, verb Verb) error {
	r.skipWords("LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY")
	s.Ignore = r.takeWord("IGNORE")
	r.takeWord("INTO")
	if err := r.readTable(s, verb); err != nil {
		return err
	}
	if r.take("(") {
		if r.space(); r.isWord("SELECT") {
			return r.fail("%s of a SELECT is not executed", verb)
		}
		s.Columns = []string{}
		for !r.take(")") {
			name, err := r.name()
			if err != nil {
				return err
			}
			s.Columns = append(s.Columns, name)
			if r.space(); r.peek() != ')' && !r.take(",") {
				return r.fail("no , between two columns")
			}
		}
	}
	switch {
	case r.takeWord("VALUES"), r.takeWord("VALUE"):
		return nil
	case r.takeWord("SET"):
		return r.readSingle(s)
	case !r.more():
		return errTruncated
	case r.isWord("SELECT"):
		return r.fail("%s of a SELECT is not executed", verb)
	}
	return r.fail("%s without VALUES", verb)
}

// readSingle reads the one row of INSERT … SET.
func (r *Reader) readSingle(s *Statement) error {
	set, err := r.assignments()
	if err != nil {
		return err
	}
	s.set, s.Row, r.single, s.Columns = true, s.Line, nil, []string{}
	for _, a := range set {
		v, err := r.constant(a.Expr)
		if err != nil {
			return err
		}
		s.Columns = append(s.Columns, a.Column)
		r.single = append(r.single, v)
	}
	if r.space(); r.isWord("ON") {
		s.OnDuplicate = true
		return nil
	}
	return r.finished()
}

// assignments reads column = expression, and so on.
func (r *Reader) assignments() (all []Assignment, err error) {
	for {
		var a Assignment
		if a.Column, err = r.name(); err != nil {
			return nil, err
		}
		if !r.take(":=") && !r.take("=") {
			return nil, r.fail("no = behind the column %s", a.Column)
		}
		if a.Expr, err = r.expr(0); err != nil {
			return nil, err
		}
		if all = append(all, a); !r.take(",") {
			return all, nil
		}
	}
}

func (r *Reader) readDelete(s *Statement) error {
	r.skipWords("LOW_PRIORITY", "QUICK")
	s.Ignore = r.takeWord("IGNORE")
	if !r.takeWord("FROM") {
		return r.fail("DELETE of several tables is not executed")
	}
	if err := r.readTable(s, Delete); err != nil {
		return err
	}
	return r.readWhere(s)
}

func (r *Reader) readUpdate(s *Statement) (err error) {
	r.skipWords("LOW_PRIORITY")
	s.Ignore = r.takeWord("IGNORE")
	if err := r.readTable(s, Update); err != nil {
		return err
	}
	if !r.takeWord("SET") {
		return r.fail("UPDATE of several tables is not executed")
	}
	if s.Set, err = r.assignments(); err != nil {
		return err
	}
	return r.readWhere(s)
}

func (r *Reader) readWhere(s *Statement) error {
	if r.takeWord("WHERE") {
		where, err := r.expr(0)
		if err != nil {
			return err
		}
		s.Where = &where
	}
	return r.finished()
}

// readSet sets variables. One whose value is not constant has none afterwards. Settings are not kept.
func (r *Reader) readSet() {
	for {
		if r.space(); r.peek() != '@' {
			return
		}
		name, err := r.variableName()
		if err != nil {
			return
		}
		delete(r.variables, name)
		if !r.take(":=") && !r.take("=") {
			return
		}
		e, err := r.expr(0)
		if err != nil {
			return
		}
		v, err := r.constant(e)
		if err == nil && len(r.variables) < maxVariables {
			r.variables[name] = v.Clone()
		}
		if !r.take(",") {
			return
		}
	}
}

// maxVariables bounds the variables of a dump; updates have a few for each file.
const maxVariables = 10_000

func (r *Reader) readDrop(s *Statement) error {
	r.takeWord("TEMPORARY")
	if !r.takeWord("TABLE") && !r.takeWord("TABLES") {
		return nil // of a view, a procedure, a database
	}
	s.Verb = Drop
	if r.takeWord("IF") {
		s.Ignore = r.takeWord("EXISTS")
	}
	for {
		name, err := r.name()
		if err != nil {
			return err
		}
		if s.Tables = append(s.Tables, name); !r.take(",") {
			break
		}
	}
	s.Table = s.Tables[0]
	r.skipWords("RESTRICT", "CASCADE")
	return r.finished()
}

func (r *Reader) readRename(s *Statement) error {
	if !r.takeWord("TABLE") {
		return nil
	}
	if err := r.readTable(s, Alter); err != nil {
		return err
	}
	if !r.takeWord("TO") {
		return r.fail("RENAME without TO")
	}
	to, err := r.name()
	if err != nil {
		return err
	}
	s.Alter = []Change{{Kind: RenameTable, Name: to}}
	return r.finished()
}
