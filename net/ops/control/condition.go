package control

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A condition is what a run waits for. Its grammar:
//
//	condition  = all { "||" all }
//	all        = one { "&&" one }
//	one        = "!" one | "(" condition ")" | comparison
//	comparison = operand [ ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) operand ]
//	operand    = number | text | "true" | "false" | "time" | "players"
//	           | "event" "(" text [ "," text ] ")"
//	           | ( "session" | "creature" ) "(" text ")" "." field [ "(" number ")" ]
//	           | "map" "(" number ")" "." field
//	number     = [ "-" ] digits [ "." digits ]
//	text       = '"' { any byte but '"' } '"'
//
// Texts are compared with == and != alone. A comparison of what there is not, such as the level of a character that is in no world, does
// not hold. An operand alone holds if it is true, or a number other than 0.
type condition struct {
	holds    func(*moment) (bool, error)
	operands []*operand // but for constants, each once, in their order
}

// Bounds of a condition.
const (
	maxCondition = 1024 // bytes
	maxDepth     = 16   // of parentheses and "!"
	maxOperands  = 32   // that are no constants
)

// A kind is that of a value.
type kind uint8

// The kinds. What is true or false can be compared with a number, as 1 or 0.
const (
	truth kind = iota
	number
	text
)

// A value is that of an operand at a moment.
type value struct {
	kind   kind
	absent bool
	number float64
	text   string
}

func (v value) String() string {
	switch {
	case v.absent:
		return "absent"
	case v.kind == text:
		return strconv.Quote(v.text)
	case v.kind == truth:
		return strconv.FormatBool(v.number != 0)
	}
	return strconv.FormatFloat(v.number, 'f', -1, 64)
}

// An operand is a part of a condition that has a value.
type operand struct {
	source string // as it is written
	kind   kind
	read   func(*moment) (value, error)
}

// parseCondition reads a condition.
func parseCondition(source string) (*condition, error) {
	if len(source) > maxCondition {
		return nil, malformed(fmt.Sprintf("a condition has at most %d bytes", maxCondition))
	}
	p := &parser{text: source}
	holds, err := p.either()
	if err == nil && p.skip() < len(p.text) {
		err = p.fail("it does not end here")
	}
	if err != nil {
		return nil, malformed(err.Error())
	}
	return &condition{holds, p.operands}, nil
}

// A parser reads a condition from left to right.
type parser struct {
	text     string
	at       int
	depth    int
	operands []*operand
}

// fail is an error at the place where the parser is.
func (p *parser) fail(format string, args ...any) error {
	return fmt.Errorf("condition, at byte %d: %s", p.at, fmt.Sprintf(format, args...))
}

// skip passes over spaces, and returns where it is then.
func (p *parser) skip() int {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
	return p.at
}

// take passes over a sign, and reports whether it is there.
func (p *parser) take(sign string) bool {
	if !strings.HasPrefix(p.text[p.skip():], sign) {
		return false
	}
	p.at += len(sign)
	return true
}

func (p *parser) expect(sign string) error {
	if !p.take(sign) {
		return p.fail("%s is missing", sign)
	}
	return nil
}

// either reads what holds if one of several does.
func (p *parser) either() (func(*moment) (bool, error), error) {
	return p.several("||", true, (*parser).all)
}

// all reads what holds if all of several do.
func (p *parser) all() (func(*moment) (bool, error), error) {
	return p.several("&&", false, (*parser).one)
}

// several reads conditions with a sign between them, the first of which that is as decided decides.
func (p *parser) several(sign string, decided bool, read func(*parser) (func(*moment) (bool, error), error)) (func(*moment) (bool, error), error) {
	var parts []func(*moment) (bool, error)
	for {
		part, err := read(p)
		if err != nil {
			return nil, err
		}
		if parts = append(parts, part); !p.take(sign) {
			break
		}
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	return func(m *moment) (bool, error) {
		for _, part := range parts {
			if holds, err := part(m); err != nil || holds == decided {
				return holds, err
			}
		}
		return !decided, nil
	}, nil
}

func (p *parser) one() (func(*moment) (bool, error), error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail("it is nested deeper than %d", maxDepth)
	}
	defer func() { p.depth-- }()
	switch {
	case p.take("!"):
		of, err := p.one()
		if err != nil {
			return nil, err
		}
		return func(m *moment) (bool, error) {
			holds, err := of(m)
			return !holds, err
		}, nil
	case p.take("("):
		of, err := p.either()
		if err == nil {
			err = p.expect(")")
		}
		return of, err
	}
	return p.comparison()
}

// A comparison is what follows from the order of two values.
type comparison struct {
	sign  string
	holds func(order int) bool
}

// comparisons are all of them, longer signs first; those of texts are the first two.
var comparisons = []comparison{
	{"==", func(order int) bool { return order == 0 }},
	{"!=", func(order int) bool { return order != 0 }},
	{"<=", func(order int) bool { return order <= 0 }},
	{">=", func(order int) bool { return order >= 0 }},
	{"<", func(order int) bool { return order < 0 }},
	{">", func(order int) bool { return order > 0 }},
}

func (p *parser) comparison() (func(*moment) (bool, error), error) {
	left, err := p.operand()
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(comparisons, func(c comparison) bool { return p.take(c.sign) })
	if at < 0 {
		if left.kind == text {
			return nil, p.fail("a text alone is no condition")
		}
		return func(m *moment) (bool, error) {
			v, err := left.read(m)
			return !v.absent && v.number != 0, err
		}, nil
	}
	right, err := p.operand()
	switch {
	case err != nil:
		return nil, err
	case (left.kind == text) != (right.kind == text):
		return nil, p.fail("%s and %s cannot be compared: one is a text", left.source, right.source)
	case left.kind == text && at > 1:
		return nil, p.fail("texts are compared with == and != alone")
	}
	holds := comparisons[at].holds
	return func(m *moment) (bool, error) {
		l, err := left.read(m)
		if err != nil {
			return false, err
		}
		r, err := right.read(m)
		if err != nil || l.absent || r.absent {
			return false, err
		}
		return holds(order(l, r)), nil
	}, nil
}

// order is less than 0, 0 or more than 0 as a value is less than another, equal or more.
func order(l, r value) int {
	switch {
	case l.kind == text:
		return strings.Compare(l.text, r.text)
	case l.number < r.number:
		return -1
	case l.number > r.number:
		return 1
	}
	return 0
}

func (p *parser) operand() (*operand, error) {
	from := p.skip()
	if from == len(p.text) {
		return nil, p.fail("a value is missing")
	}
	switch c := p.text[from]; {
	case c == '"':
		t, err := p.literal()
		return constant(p.text[from:p.at], value{kind: text, text: t}), err
	case c == '-' || c >= '0' && c <= '9':
		n, err := p.float()
		return constant(p.text[from:p.at], value{kind: number, number: n}), err
	}
	name := p.word()
	switch name {
	case "true":
		return constant(name, value{number: 1}), nil
	case "false":
		return constant(name, value{}), nil
	}
	o := new(operand)
	if err := p.variable(name, o); err != nil {
		return nil, err
	}
	o.source = p.text[from:p.at]
	if at := slices.IndexFunc(p.operands, func(had *operand) bool { return had.source == o.source }); at >= 0 {
		return p.operands[at], nil
	}
	if p.operands = append(p.operands, o); len(p.operands) > maxOperands {
		return nil, p.fail("it has more than %d values", maxOperands)
	}
	return o, nil
}

func constant(source string, v value) *operand {
	return &operand{source, v.kind, func(*moment) (value, error) { return v, nil }}
}

// variable reads the rest of an operand that is no constant, after its first word.
func (p *parser) variable(name string, into *operand) error {
	switch name {
	case "time":
		*into = operand{kind: number, read: (*moment).time}
		return nil
	case "players":
		*into = operand{kind: number, read: (*moment).players}
		return nil
	case "event":
		return p.event(into)
	case "session", "creature", "map":
		return p.fieldOf(name, into)
	}
	if name == "" {
		return p.fail("a value is missing")
	}
	return p.fail("there is no %s, but time, players, event, session, creature and map", name)
}

// event reads the arguments of event.
func (p *parser) event(into *operand) error {
	var f filter
	err := p.expect("(")
	if err == nil {
		f.types = []string{""}
		f.types[0], err = p.literal()
	}
	if err == nil && !knownType(f.types[0]) {
		err = p.fail("there is no type of event %q", f.types[0])
	}
	if err == nil && p.take(",") {
		f.name, err = p.literal()
	}
	if err == nil {
		err = p.expect(")")
	}
	*into = operand{kind: number, read: func(m *moment) (value, error) { return m.events(into, &f) }}
	return err
}

// fieldOf reads which session, creature or map it is, and which of its fields.
func (p *parser) fieldOf(what string, into *operand) error {
	err := p.expect("(")
	var name string
	var id uint32
	switch {
	case err != nil:
	case what == "map":
		id, err = p.whole()
	default:
		name, err = p.literal()
	}
	var guid uint64
	if err == nil && what == "creature" {
		if guid, err = strconv.ParseUint(name, 0, 64); err != nil {
			err = p.fail("%q is no GUID", name)
		}
	}
	if err == nil {
		err = p.expect(")")
	}
	if err == nil {
		err = p.expect(".")
	}
	if err != nil {
		return err
	}
	p.skip()
	word := p.word()
	if word == "" {
		return p.fail("a field is missing")
	}
	switch what {
	case "session":
		return field(p, into, sessionFields, word, func(m *moment) (*Character, error) { return m.session(name) })
	case "creature":
		return field(p, into, creatureFields, word, func(m *moment) (*CreatureState, error) { return m.creature(guid) })
	}
	return field(p, into, mapFields, word, func(m *moment) (*mapState, error) { return m.mapOf(id) })
}

// literal reads a text.
func (p *parser) literal() (string, error) {
	if !p.take(`"`) {
		return "", p.fail("a text is missing, as in \"Anna\"")
	}
	n := strings.IndexByte(p.text[p.at:], '"')
	if n < 0 {
		return "", p.fail("a text does not end")
	}
	t := p.text[p.at : p.at+n]
	p.at += n + 1
	return t, nil
}

// float reads a number.
func (p *parser) float() (float64, error) {
	from := p.skip()
	if p.at < len(p.text) && p.text[p.at] == '-' {
		p.at++
	}
	for p.at < len(p.text) && (p.text[p.at] >= '0' && p.text[p.at] <= '9' || p.text[p.at] == '.') {
		p.at++
	}
	n, err := strconv.ParseFloat(p.text[from:p.at], 64)
	if err != nil {
		return 0, p.fail("%q is no number", p.text[from:p.at])
	}
	return n, nil
}

// whole reads a number of 32 bits.
func (p *parser) whole() (uint32, error) {
	n, err := p.float()
	if err == nil && (n < 0 || n > math.MaxUint32 || n != math.Trunc(n)) {
		err = p.fail("%v is no number of 32 bits", n)
	}
	if err != nil {
		return 0, err
	}
	return uint32(n), nil
}

// word reads a word, "" if there is none.
func (p *parser) word() string {
	from := p.at
	for p.at < len(p.text) && (p.text[p.at] >= 'a' && p.text[p.at] <= 'z' || p.text[p.at] == '_') {
		p.at++
	}
	return p.text[from:p.at]
}
