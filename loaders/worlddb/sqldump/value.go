package sqldump

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
)

// A Kind says which fields of a Value count.
type Kind uint8

// The kinds of values.
const (
	Null    Kind = iota
	Default      // the word DEFAULT: what the column has
	Int
	Float
	Text   // between quotes, or a number that fits into none of the others
	Binary // 0x… and x'…'
)

// A Value is a literal, or what a constant expression comes to. It is NULL at zero.
type Value struct {
	Kind  Kind
	Int   int64
	Float float64
	Bytes []byte // of Text and Binary, without quotes and escapes: the reader's until the next row or statement
}

// Clone is a value that lasts.
func (v Value) Clone() Value {
	v.Bytes = bytes.Clone(v.Bytes)
	return v
}

// Number is the value as Int or Float, as MySQL takes it where a number is expected: text has to be one, and binary text
// is a number with the highest byte first. NULL is no number.
func (v Value) Number() (Value, bool) {
	switch v.Kind {
	case Int, Float:
		return v, true
	case Binary:
		if len(v.Bytes) > 8 || len(v.Bytes) == 8 && v.Bytes[0] > 0x7F {
			return Value{}, false
		}
		n := int64(0)
		for _, b := range v.Bytes {
			n = n<<8 | int64(b)
		}
		return Value{Kind: Int, Int: n}, true
	case Text:
		text := bytes.TrimSpace(v.Bytes)
		if n, err := strconv.ParseInt(string(text), 10, 64); err == nil {
			return Value{Kind: Int, Int: n}, true
		}
		for _, c := range text { // neither hexadecimal, nor inf
			if c|0x20 >= 'a' && c|0x20 <= 'z' && c|0x20 != 'e' {
				return Value{}, false
			}
		}
		if f, err := strconv.ParseFloat(string(text), 64); err == nil && bytes.ContainsAny(text, ".eE") {
			return Value{Kind: Float, Float: f}, true
		}
	}
	return Value{}, false
}

// Real is the value of a number.
func (v Value) Real() float64 {
	if v.Kind == Int {
		return float64(v.Int)
	}
	return v.Float
}

// String is for messages.
func (v Value) String() string {
	switch v.Kind {
	case Default:
		return "DEFAULT"
	case Int:
		return strconv.FormatInt(v.Int, 10)
	case Float:
		return strconv.FormatFloat(v.Float, 'g', -1, 64)
	case Text:
		return "'" + string(v.Bytes) + "'"
	case Binary:
		return fmt.Sprintf("0x%X", v.Bytes)
	}
	return "NULL"
}

// negated is -v.
func negated(v Value) (Value, bool) {
	n, ok := v.Number()
	switch {
	case v.Kind == Null:
		return v, true
	case !ok:
		return Value{}, false
	case n.Kind == Float:
		return Value{Kind: Float, Float: -n.Float}, true
	case n.Int == math.MinInt64:
		return Value{}, false
	}
	return Value{Kind: Int, Int: -n.Int}, true
}

// arithmetic is what an operator of two numbers gives. NULL gives NULL. It fails where a number does not fit.
func arithmetic(op Op, a, b Value) (Value, bool) {
	if a.Kind == Null || b.Kind == Null {
		return Value{}, true
	}
	a, ok := a.Number()
	b, also := b.Number()
	if !ok || !also {
		return Value{}, false
	}
	if a.Kind == Int && b.Kind == Int {
		return integers(op, a.Int, b.Int)
	}
	x, y := a.Real(), b.Real()
	var f float64
	switch op {
	case Plus:
		f = x + y
	case Minus:
		f = x - y
	case Times:
		f = x * y
	case Over:
		if y == 0 {
			return Value{}, true
		}
		f = x / y
	default:
		return Value{}, false
	}
	return Value{Kind: Float, Float: f}, !math.IsInf(f, 0)
}

func integers(op Op, a, b int64) (Value, bool) {
	n := int64(0)
	switch op {
	case Plus:
		n = a + b
		if (n > a) != (b > 0) && b != 0 {
			return Value{}, false
		}
	case Minus:
		n = a - b
		if (n < a) != (b > 0) && b != 0 {
			return Value{}, false
		}
	case Times:
		n = a * b
		if a != 0 && (n/a != b || a == -1 && b == math.MinInt64) {
			return Value{}, false
		}
	case Over:
		if b == 0 {
			return Value{}, true
		}
		return Value{Kind: Float, Float: float64(a) / float64(b)}, true
	case Div, Mod:
		if b == 0 {
			return Value{}, true
		}
		if n = a / b; op == Mod {
			n = a % b
		}
	case And:
		n = a & b
	case Or:
		n = a | b
	case Xor:
		n = a ^ b
	case Left, Right:
		if b < 0 || b > 62 {
			return Value{}, false
		}
		if n = a >> b; op == Left {
			n = a << b
		}
	default:
		return Value{}, false
	}
	return Value{Kind: Int, Int: n}, true
}
