package sqldump

import "strings"

// A Column is a column as CREATE TABLE declares it.
type Column struct {
	Name     string // lower case
	Type     string // the first word of its type, lower case
	Size     string // what stands in parentheses behind it, such as 10,2 or 'a','b'; "" if nothing does, or more than 4096 bytes
	Unsigned bool
	NotNull  bool
	Auto     bool  // AUTO_INCREMENT
	Default  Value // NULL if none is declared, or one that is no constant
}

// A Definition is a table as CREATE TABLE declares it.
type Definition struct {
	Columns []Column
	Key     []string // the columns of the primary key
	Unique  []string // those of the first unique key
}

// A ChangeKind says what an ALTER TABLE does.
type ChangeKind uint8

// The kinds of changes. What changes no rows, such as an index, is none.
const (
	AddColumn    ChangeKind = iota
	DropColumn              // Name
	ChangeColumn            // Name becomes Column
	RenameColumn            // Name becomes To
	RenameTable             // the table becomes Name
	AddKey                  // Key is the primary key
	DropKey
)

// A Change is one part of an ALTER TABLE.
type Change struct {
	Kind     ChangeKind
	Name, To string
	Column   Column
	Key      []string
	First    bool   // the column becomes the first one
	After    string // or the one behind this; "" leaves it where it is, or makes it the last
	Ignore   bool   // IF EXISTS, IF NOT EXISTS
}

// readCreate reads a CREATE TABLE. Nothing is read of other things that are created.
func (r *Reader) readCreate(s *Statement) error {
	r.takeWord("TEMPORARY")
	if !r.takeWord("TABLE") {
		return nil
	}
	if r.takeWord("IF") {
		r.takeWord("NOT")
		s.Ignore = r.takeWord("EXISTS")
	}
	if err := r.readTable(s, Create); err != nil {
		return err
	}
	if !r.take("(") {
		return r.fail("CREATE TABLE of another table is not executed")
	}
	if r.space(); r.isWord("SELECT") || r.isWord("LIKE") {
		return r.fail("CREATE TABLE of another table is not executed")
	}
	d := new(Definition)
	for {
		if err := r.readPart(d); err != nil {
			return err
		}
		if len(d.Columns) > maxColumns {
			return r.fail("a table of more than %d columns", maxColumns)
		}
		if r.take(")") {
			break
		}
		if !r.take(",") {
			if !r.more() {
				return errTruncated
			}
			return r.fail("%q in a CREATE TABLE", r.peek())
		}
	}
	s.Create = d
	return nil
}

// maxColumns bounds the columns of a table. The widest of a world has some 240; SQLite takes 2000.
const maxColumns = 1000

// readPart reads a column or a key.
func (r *Reader) readPart(d *Definition) error {
	r.space()
	if r.takeWord("CONSTRAINT") {
		if r.space(); !r.isWord("PRIMARY") && !r.isWord("UNIQUE") && !r.isWord("FOREIGN") && !r.isWord("CHECK") {
			if _, err := r.name(); err != nil {
				return err
			}
		}
	}
	switch {
	case r.takeWord("PRIMARY"):
		r.takeWord("KEY")
		key, err := r.keyColumns()
		d.Key = key
		return err
	case r.takeWord("UNIQUE"):
		key, err := r.keyColumns()
		if d.Unique == nil {
			d.Unique = key
		}
		return err
	case r.takeWord("KEY"), r.takeWord("INDEX"), r.takeWord("FULLTEXT"), r.takeWord("SPATIAL"), r.takeWord("FOREIGN"), r.takeWord("CHECK"):
		return r.skipPart()
	}
	c, attributes, err := r.readColumn()
	if err != nil {
		return err
	}
	d.Columns = append(d.Columns, c)
	if attributes.primary {
		d.Key = []string{c.Name}
	}
	return nil
}

// keyColumns reads to the columns of a key, and behind them to the next part.
func (r *Reader) keyColumns() (names []string, err error) {
	for r.space(); r.peek() != '('; r.space() { // KEY, INDEX, a name, USING BTREE
		if _, err := r.name(); err != nil {
			return nil, err
		}
	}
	r.pos++
	for {
		name, err := r.name()
		if err != nil {
			return nil, err
		}
		names = append(names, name)
		if err := r.skipPart(); err != nil { // a length, ASC
			return nil, err
		}
		if r.take(")") {
			return names, r.skipPart()
		}
		if !r.take(",") {
			return nil, r.fail("a key without its end")
		}
	}
}

// skipPart goes to the next , or ) that is not within parentheses, or to the delimiter.
func (r *Reader) skipPart() error {
	for level := 0; ; {
		r.space()
		if !r.more() {
			return nil // ALTER TABLE may end without a delimiter
		}
		if level == 0 && r.atDelimiter() {
			return nil
		}
		switch c := r.buf[r.pos]; c {
		case '\'', '"', '`':
			from := len(r.text)
			if _, err := r.quoted(c); err != nil {
				return err
			}
			r.text = r.text[:from]
			continue
		case '(':
			level++
		case ')':
			if level == 0 {
				return nil
			}
			level--
		case ',':
			if level == 0 {
				return nil
			}
		}
		r.pos++
	}
}

// attributes are what a column says of other things than itself.
type attributes struct {
	primary, first bool
	after          string
}

// readColumn reads the declaration of a column up to the , or ) or delimiter behind it.
func (r *Reader) readColumn() (c Column, a attributes, err error) {
	if c.Name, err = r.name(); err != nil {
		return c, a, err
	}
	if r.space(); !isWordByte(r.peek()) {
		return c, a, r.fail("the column %s has no type", c.Name)
	}
	c.Type = r.bareWord(false)
	if c.Type == "serial" {
		c.Type, c.Unsigned, c.NotNull, c.Auto = "bigint", true, true, true
	}
	if r.take("(") {
		if c.Size, err = r.readSize(); err != nil {
			return c, a, err
		}
	}
	for {
		r.space()
		switch ch := r.peek(); {
		case !r.more() || ch == ',' || ch == ')' || r.atDelimiter():
			return c, a, nil
		case ch == '(':
			r.pos++
			if err := r.skipParentheses(); err != nil {
				return c, a, err
			}
		case ch == '\'' || ch == '"' || ch == '`':
			if _, err := r.quoted(ch); err != nil {
				return c, a, err
			}
		case r.takeWord("UNSIGNED"):
			c.Unsigned = true
		case r.takeWord("NOT"):
			c.NotNull = r.takeWord("NULL")
		case r.takeWord("AUTO_INCREMENT"):
			c.Auto = true
		case r.takeWord("PRIMARY"):
			a.primary = true
		case r.takeWord("FIRST"):
			a.first = true
		case r.takeWord("AFTER"):
			if a.after, err = r.name(); err != nil {
				return c, a, err
			}
		case r.takeWord("DEFAULT"):
			if err := r.readDefault(&c); err != nil {
				return c, a, err
			}
		case isWordByte(ch):
			r.bareWord(false)
		default:
			r.pos++
		}
	}
}

// maxSize is how many bytes are kept of what stands in parentheses behind a type.
const maxSize = 4096

// readSize reads to the ) of the ( that is read behind a type. What is neither numbers nor texts is skipped.
func (r *Reader) readSize() (string, error) {
	var size []byte
	for {
		r.space()
		ch := r.peek()
		switch {
		case len(size) > maxSize:
			return "", r.skipParentheses()
		case ch == ')':
			r.pos++
			return string(size), nil
		case ch == ',' || isDigit(ch):
			size = append(size, ch)
			r.pos++
		case ch == '\'' || ch == '"':
			from := len(r.text)
			value, err := r.quoted(ch)
			if err != nil {
				return "", err
			}
			size = AppendText(size, value)
			r.text = r.text[:from]
		default:
			return "", r.skipParentheses()
		}
	}
}

// skipParentheses goes behind the ) of a ( that is read.
func (r *Reader) skipParentheses() error {
	for {
		if err := r.skipPart(); err != nil {
			return err
		}
		switch {
		case r.take(")"):
			return nil
		case !r.more():
			return errTruncated
		}
		r.pos++ // a , or a delimiter
	}
}

// readDefault reads the value behind DEFAULT. A function is no constant.
func (r *Reader) readDefault(c *Column) error {
	v, ok, err := r.literal()
	if err != nil || !ok {
		return err // the word or the parentheses of an expression are read as attributes
	}
	c.Default = v.Clone()
	return nil
}

func (r *Reader) readAlter(s *Statement) error {
	r.takeWord("IGNORE")
	if !r.takeWord("TABLE") {
		return nil
	}
	if err := r.readTable(s, Alter); err != nil {
		return err
	}
	for {
		if err := r.readChange(s); err != nil {
			return err
		}
		if err := r.skipPart(); err != nil {
			return err
		}
		if !r.take(",") {
			break
		}
	}
	if len(s.Alter) == 0 {
		s.Verb = nothing // indexes, and options of the table
	}
	return r.finished()
}

func (r *Reader) readChange(s *Statement) (err error) {
	c := Change{}
	switch {
	case r.takeWord("ADD"):
		return r.readAdd(s)
	case r.takeWord("DROP"):
		switch {
		case r.takeWord("PRIMARY"):
			c.Kind = DropKey
		case r.takeWord("INDEX"), r.takeWord("KEY"), r.takeWord("FOREIGN"), r.takeWord("CONSTRAINT"), r.takeWord("CHECK"):
			return nil
		default:
			r.takeWord("COLUMN")
			c.Kind, c.Ignore = DropColumn, r.conditional()
			c.Name, err = r.name()
		}
	case r.takeWord("CHANGE"), r.isWord("MODIFY"):
		modify := r.takeWord("MODIFY")
		r.takeWord("COLUMN")
		c.Kind, c.Ignore = ChangeColumn, r.conditional()
		if !modify {
			if c.Name, err = r.name(); err != nil {
				return err
			}
		}
		if err := r.place(&c); err != nil {
			return err
		}
		if modify {
			c.Name = c.Column.Name
		}
	case r.takeWord("RENAME"):
		switch {
		case r.takeWord("INDEX"), r.takeWord("KEY"):
			return nil
		case r.takeWord("COLUMN"):
			c.Kind = RenameColumn
			if c.Name, err = r.name(); err == nil && !r.takeWord("TO") {
				err = r.fail("RENAME COLUMN without TO")
			}
			if err == nil {
				c.To, err = r.name()
			}
		default:
			r.skipWords("TO", "AS")
			c.Kind = RenameTable
			c.Name, err = r.name()
		}
	case r.takeWord("ALTER"):
		if r.takeWord("INDEX") {
			return nil
		}
		return r.fail("ALTER of a default is not executed")
	default:
		return nil // an option, DISABLE KEYS
	}
	if err == nil {
		s.Alter = append(s.Alter, c)
	}
	return err
}

// conditional reads IF EXISTS and IF NOT EXISTS.
func (r *Reader) conditional() bool {
	if !r.takeWord("IF") {
		return false
	}
	r.takeWord("NOT")
	return r.takeWord("EXISTS")
}

// place reads a column and where it goes.
func (r *Reader) place(c *Change) error {
	column, a, err := r.readColumn()
	c.Column, c.First, c.After = column, a.first, a.after
	if a.primary {
		c.Key = []string{column.Name}
	}
	return err
}

func (r *Reader) readAdd(s *Statement) error {
	if r.takeWord("CONSTRAINT") {
		if r.space(); !r.isWord("PRIMARY") && !r.isWord("UNIQUE") && !r.isWord("FOREIGN") && !r.isWord("CHECK") {
			if _, err := r.name(); err != nil {
				return err
			}
		}
	}
	for _, word := range strings.Fields("UNIQUE INDEX KEY FULLTEXT SPATIAL FOREIGN CHECK") {
		if r.takeWord(word) {
			return nil
		}
	}
	if r.takeWord("PRIMARY") {
		key, err := r.keyColumns()
		s.Alter = append(s.Alter, Change{Kind: AddKey, Key: key})
		return err
	}
	r.takeWord("COLUMN")
	c := Change{Kind: AddColumn, Ignore: r.conditional()}
	if r.take("(") {
		return r.fail("ADD of several columns in parentheses is not executed")
	}
	if err := r.place(&c); err != nil {
		return err
	}
	s.Alter = append(s.Alter, c)
	return nil
}
