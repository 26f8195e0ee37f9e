package sqldump

// An Op is what an Expr does with its arguments, spelled as in SQL.
type Op string

// The operators. Those of one side have one argument.
const (
	Constant Op = ""       // Value
	Name     Op = "column" // Column
	Negative Op = "neg"
	Not      Op = "NOT"
	Both     Op = "AND"
	Either   Op = "OR"
	Equal    Op = "="
	Same     Op = "<=>" // NULL is the same as NULL
	Unequal  Op = "<>"
	Less     Op = "<"
	Greater  Op = ">"
	AtMost   Op = "<="
	AtLeast  Op = ">="
	Is       Op = "IS"      // NULL
	In       Op = "IN"      // the first argument, among the others or what Select gives
	Between  Op = "BETWEEN" // three arguments
	Like     Op = "LIKE"
	Plus     Op = "+"
	Minus    Op = "-"
	Times    Op = "*"
	Over     Op = "/"
	Div      Op = "DIV"
	Mod      Op = "%"
	And      Op = "&"
	Or       Op = "|"
	Xor      Op = "^"
	Left     Op = "<<"
	Right    Op = ">>"
)

// An Expr is an expression of a WHERE or a SET. Variables are replaced by their values.
type Expr struct {
	Op     Op
	Value  Value
	Column string // lower case
	Args   []Expr
	Select *Select
}

// A Select gives the values of one column.
type Select struct {
	Column, Table string
	Where         *Expr // nil for all rows
}

const (
	maxTerms = 200_000 // parts of the expressions of one statement
	maxDepth = 100     // of parentheses and prefixes
)

// precedence of operators between two operands; 0 is none.
var precedence = map[Op]int{
	Either: 1, Both: 2, // and NOT is 3
	Equal: 4, Same: 4, Unequal: 4, Less: 4, Greater: 4, AtMost: 4, AtLeast: 4, Is: 4, In: 4, Between: 4, Like: 4,
	Or: 5, And: 6, Left: 7, Right: 7, Plus: 8, Minus: 8, Times: 9, Over: 9, Div: 9, Mod: 9, Xor: 10,
}

const (
	precedenceNot     = 3
	precedenceCompare = 4
	precedenceUnary   = 11
)

// symbols are operators of signs, the longer ones first.
var symbols = []struct {
	text string
	op   Op
}{
	{"<=>", Same}, {"<=", AtMost}, {">=", AtLeast}, {"<>", Unequal}, {"!=", Unequal}, {"<<", Left}, {">>", Right}, {"&&", Both},
	{"||", Either}, {"=", Equal}, {"<", Less}, {">", Greater}, {"|", Or}, {"&", And}, {"^", Xor}, {"+", Plus}, {"-", Minus},
	{"*", Times}, {"/", Over}, {"%", Mod},
}

// words are operators that are words.
var words = []struct {
	text string
	op   Op
}{
	{"AND", Both}, {"OR", Either}, {"IS", Is}, {"IN", In}, {"BETWEEN", Between}, {"LIKE", Like}, {"DIV", Div}, {"MOD", Mod},
}

// operator is the one that is next, how long it is, and whether NOT stands before it, as in NOT IN; then length is that
// of NOT.
func (r *Reader) operator() (op Op, length int, not bool) {
	r.space()
	r.need(8)
	c := r.peek()
	if isWordByte(c) {
		for _, w := range words {
			if r.isWord(w.text) {
				return w.op, len(w.text), false
			}
		}
		return "", len("NOT"), r.isWord("NOT")
	}
	if r.atDelimiter() || r.has("*/") && r.versions > 0 {
		return "", 0, false
	}
	for _, s := range symbols {
		if r.has(s.text) {
			return s.op, len(s.text), false
		}
	}
	return "", 0, false
}

// expr reads an expression whose operators have at least the precedence least.
func (r *Reader) expr(least int) (Expr, error) {
	if r.depth++; r.depth > maxDepth {
		return Expr{}, r.fail("an expression of more than %d levels", maxDepth)
	}
	defer func() { r.depth-- }()
	left, err := r.prefix()
	if err != nil {
		return Expr{}, err
	}
	return r.infix(left, least)
}

// infix reads the operators behind left.
func (r *Reader) infix(left Expr, least int) (Expr, error) {
	for {
		op, length, not := r.operator()
		if not {
			if precedenceCompare < least {
				return left, nil
			}
			r.pos += length
			if op, length, _ = r.operator(); op != In && op != Between && op != Like {
				return Expr{}, r.fail("NOT in the middle of an expression")
			}
		}
		p := precedence[op]
		if op == "" || p < least {
			return left, nil
		}
		r.pos += length
		e, err := r.compare(op, p, left)
		if err != nil {
			return Expr{}, err
		}
		if left = e; not {
			left = Expr{Op: Not, Args: []Expr{e}}
		}
	}
}

// compare reads what stands to the right of an operator.
func (r *Reader) compare(op Op, p int, left Expr) (Expr, error) {
	switch op {
	case In:
		return r.among(left)
	case Is:
		not := r.takeWord("NOT")
		if !r.takeWord("NULL") {
			return Expr{}, r.fail("IS without NULL")
		}
		e := Expr{Op: Is, Args: []Expr{left}}
		if not {
			e = Expr{Op: Not, Args: []Expr{e}}
		}
		return e, r.term()
	case Between:
		low, err := r.expr(precedenceCompare + 1)
		if err != nil {
			return Expr{}, err
		}
		if !r.takeWord("AND") {
			return Expr{}, r.fail("BETWEEN without AND")
		}
		high, err := r.expr(precedenceCompare + 1)
		return Expr{Op: Between, Args: []Expr{left, low, high}}, err
	}
	right, err := r.expr(p + 1)
	return Expr{Op: op, Args: []Expr{left, right}}, err
}

// among reads the parentheses of IN.
func (r *Reader) among(left Expr) (Expr, error) {
	if !r.take("(") {
		return Expr{}, r.fail("IN without (")
	}
	r.open++
	e := Expr{Op: In, Args: []Expr{left}}
	if r.takeWord("SELECT") {
		s, err := r.subselect()
		if err != nil {
			return Expr{}, err
		}
		e.Select = s
	} else {
		for {
			x, err := r.expr(0)
			if err != nil {
				return Expr{}, err
			}
			e.Args = append(e.Args, x)
			if !r.take(",") {
				break
			}
		}
	}
	if !r.take(")") {
		return Expr{}, r.fail("IN without )")
	}
	r.open--
	return e, nil
}

// subselect reads SELECT column FROM table WHERE …, behind its first word.
func (r *Reader) subselect() (*Select, error) {
	r.takeWord("DISTINCT")
	s := new(Select)
	var err error
	if s.Column, err = r.name(); err != nil {
		return nil, err
	}
	if !r.takeWord("FROM") {
		return nil, r.fail("a SELECT of more than one column")
	}
	if s.Table, err = r.name(); err != nil {
		return nil, err
	}
	if r.takeWord("WHERE") {
		where, err := r.expr(0)
		if err != nil {
			return nil, err
		}
		s.Where = &where
	}
	return s, nil
}

// term counts a part of an expression.
func (r *Reader) term() error {
	if r.terms++; r.terms > maxTerms {
		return r.fail("an expression of more than %d parts", maxTerms)
	}
	return nil
}

// prefix reads an operand with what stands before it.
func (r *Reader) prefix() (Expr, error) {
	if err := r.term(); err != nil {
		return Expr{}, err
	}
	v, ok, err := r.literal()
	if err != nil || ok {
		return Expr{Value: v}, err
	}
	switch c := r.peek(); {
	case c == '(':
		r.pos++
		r.open++
		e, err := r.expr(0)
		if err != nil {
			return Expr{}, err
		}
		if !r.take(")") {
			return Expr{}, r.fail("( without )")
		}
		r.open--
		return e, nil
	case c == '-', c == '+', c == '!':
		r.pos++
		e, err := r.expr(precedenceUnary)
		switch {
		case err != nil || c == '+':
			return e, err
		case c == '!':
			return Expr{Op: Not, Args: []Expr{e}}, nil
		case e.Op == Constant:
			v, ok := negated(e.Value)
			if !ok {
				return Expr{}, r.fail("-%v is no number", e.Value)
			}
			return Expr{Value: v}, nil
		}
		return Expr{Op: Negative, Args: []Expr{e}}, nil
	case c == '~': // all bits but those: what is different from all of them
		r.pos++
		e, err := r.expr(precedenceUnary)
		return Expr{Op: Xor, Args: []Expr{e, {Value: Value{Kind: Int, Int: -1}}}}, err
	case c == '@':
		v, err := r.variable()
		return Expr{Value: v}, err
	case r.takeWord("NOT"):
		e, err := r.expr(precedenceNot)
		return Expr{Op: Not, Args: []Expr{e}}, err
	case c == '`' || isWordByte(c):
		return r.column()
	case !r.more():
		return Expr{}, errTruncated
	default:
		return Expr{}, r.fail("%q where a value is expected", c)
	}
}

// column reads the name of a column, or text that a character set stands before.
func (r *Reader) column() (Expr, error) {
	introduced := r.peek() == '_'
	name, err := r.name()
	if err != nil {
		return Expr{}, err
	}
	r.space()
	switch c := r.peek(); {
	case c == '(':
		return Expr{}, r.fail("the function %s", name)
	case c == '\'' && (introduced || name == "n"):
		text, err := r.quoted(c)
		return Expr{Value: Value{Kind: Text, Bytes: text}}, err
	case c == '\'':
		return Expr{}, r.fail("%s before a text", name)
	}
	return Expr{Op: Name, Column: name}, nil
}

// constant is the value of an expression without columns.
func (r *Reader) constant(e Expr) (Value, error) {
	switch e.Op {
	case Constant:
		return e.Value, nil
	case Name:
		return Value{}, r.fail("%s where a constant is expected", e.Column)
	case Negative:
		v, err := r.constant(e.Args[0])
		if err != nil {
			return Value{}, err
		}
		v, ok := negated(v)
		if !ok {
			return Value{}, r.fail("- before what is no number")
		}
		return v, nil
	case Plus, Minus, Times, Over, Div, Mod, And, Or, Xor, Left, Right:
		a, err := r.constant(e.Args[0])
		if err != nil {
			return Value{}, err
		}
		b, err := r.constant(e.Args[1])
		if err != nil {
			return Value{}, err
		}
		v, ok := arithmetic(e.Op, a, b)
		if !ok {
			return Value{}, r.fail("%v %s %v is no number that fits", a, e.Op, b)
		}
		return v, nil
	}
	return Value{}, r.fail("%s where a constant is expected", e.Op)
}
