package sqldump

import (
	"strconv"
	"strings"
)

// maxNumber is how many bytes a number may have; one of DECIMAL(65,30) has less.
const maxNumber = 128

// literal reads a literal. If something else is next, it reports false and is in front of it.
func (r *Reader) literal() (v Value, ok bool, err error) {
	r.space()
	r.need(maxNumber)
	rest := r.buf[r.pos:r.end]
	if len(rest) == 0 {
		return Value{}, false, errTruncated
	}
	switch c := rest[0]; {
	case isDigit(c):
		if c == '0' && len(rest) > 2 && rest[1]|0x20 == 'x' && unhex(rest[2]) >= 0 {
			r.pos += 2
			v, err = r.hexadecimal()
			return v, err == nil, err
		}
		v, err = r.number(false)
		return v, err == nil, err
	case c == '.' && len(rest) > 1 && isDigit(rest[1]):
		v, err = r.number(false)
		return v, err == nil, err
	case c == '-' && len(rest) > 1 && (isDigit(rest[1]) || rest[1] == '.'):
		r.pos++
		v, err = r.number(true)
		return v, err == nil, err
	case c == '\'' || c == '"':
		v, err = r.texts()
		return v, err == nil, err
	case c|0x20 == 'x' && len(rest) > 1 && rest[1] == '\'', c|0x20 == 'b' && len(rest) > 1 && rest[1] == '\'':
		r.pos += 2
		if c|0x20 == 'x' {
			v, err = r.hexadecimal()
		} else {
			v, err = r.binary()
		}
		if err == nil && !r.take("'") {
			err = r.fail("%c'' without its end", c)
		}
		return v, err == nil, err
	case c|0x20 == 'n' && r.takeWord("NULL"):
		return Value{}, true, nil
	case c|0x20 == 'd' && r.takeWord("DEFAULT"):
		return Value{Kind: Default}, true, nil
	case c|0x20 == 't' && r.takeWord("TRUE"):
		return Value{Kind: Int, Int: 1}, true, nil
	case c|0x20 == 'f' && r.takeWord("FALSE"):
		return Value{Kind: Int}, true, nil
	}
	return Value{}, false, nil
}

// maxDigits is how many digits every number of int64 may have.
const maxDigits = 18

// number reads a number behind its sign.
func (r *Reader) number(negative bool) (Value, error) {
	r.need(maxNumber)
	rest := r.buf[r.pos:min(r.end, r.pos+maxNumber)]
	n, i := int64(0), 0
	for i < len(rest) && isDigit(rest[i]) {
		if i < maxDigits {
			n = n*10 + int64(rest[i]-'0')
		}
		i++
	}
	whole := i
	if i < len(rest) && rest[i] == '.' {
		for i++; i < len(rest) && isDigit(rest[i]); {
			i++
		}
	}
	if i < len(rest) && rest[i]|0x20 == 'e' {
		j := i + 1
		if j < len(rest) && (rest[j] == '+' || rest[j] == '-') {
			j++
		}
		for j < len(rest) && isDigit(rest[j]) {
			j++
			i = j
		}
	}
	if i == maxNumber {
		return Value{}, r.fail("a number of more than %d signs", maxNumber)
	}
	if i < len(rest) && isWordByte(rest[i]) {
		return Value{}, r.fail("%q behind a number", rest[i])
	}
	r.pos += i
	switch {
	case i == whole && whole <= maxDigits:
		if negative {
			n = -n
		}
		return Value{Kind: Int, Int: n}, nil
	case i == whole:
		return r.long(rest[:i], negative), nil
	}
	f, err := strconv.ParseFloat(string(rest[:i]), 64)
	if err != nil {
		return Value{}, r.fail("the number %s", rest[:i])
	}
	if negative {
		f = -f
	}
	return Value{Kind: Float, Float: f}, nil
}

// long is a whole number of many digits: as text if it does not fit.
func (r *Reader) long(digits []byte, negative bool) Value {
	from := len(r.text)
	if negative {
		r.text = append(r.text, '-')
	}
	r.text = append(r.text, digits...)
	if n, err := strconv.ParseInt(string(r.text[from:]), 10, 64); err == nil {
		return Value{Kind: Int, Int: n}
	}
	return Value{Kind: Text, Bytes: r.text[from:]}
}

// hexadecimal reads the digits of 0x… and x'…'.
func (r *Reader) hexadecimal() (Value, error) {
	from := len(r.text)
	for r.more() {
		d := unhex(r.buf[r.pos])
		if d < 0 {
			break
		}
		if r.text = append(r.text, byte(d)); len(r.text) > maxText {
			return Value{}, r.fail("a row of more than %d bytes", maxText)
		}
		r.pos++
	}
	out := r.text[from:from]
	for i := from; i < len(r.text); { // a byte of each two digits; the first may stand alone
		b := r.text[i]
		if (len(r.text)-i)%2 == 0 {
			b = b<<4 | r.text[i+1]
			i++
		}
		out = append(out, b)
		i++
	}
	r.text = r.text[:from+len(out)]
	return Value{Kind: Binary, Bytes: out}, nil
}

// binary reads the digits of b'…'.
func (r *Reader) binary() (Value, error) {
	n := int64(0)
	for r.peek() == '0' || r.peek() == '1' {
		if n >= 1<<62 {
			return Value{}, r.fail("b'' of more than 63 digits")
		}
		n = n<<1 | int64(r.buf[r.pos]-'0')
		r.pos++
	}
	return Value{Kind: Int, Int: n}, nil
}

// texts reads a text, and those that follow it with nothing between: they are one.
func (r *Reader) texts() (Value, error) {
	from := len(r.text)
	for {
		if _, err := r.quoted(r.buf[r.pos]); err != nil {
			return Value{}, err
		}
		if r.peek() != ',' {
			r.space()
		}
		if c := r.peek(); c != '\'' && c != '"' {
			return Value{Kind: Text, Bytes: r.text[from:len(r.text):len(r.text)]}, nil
		}
	}
}

// quoted reads to the quote that ends what begins with one, and appends what is between to r.text. It goes there also if that
// is too long.
func (r *Reader) quoted(quote byte) ([]byte, error) {
	from, long := len(r.text), false
	r.pos++
	for r.more() {
		rest := r.buf[r.pos:r.end]
		i := 0
		for i < len(rest) && rest[i] != quote && rest[i] != '\\' {
			i++
		}
		if r.text = append(r.text, rest[:i]...); len(r.text) > maxText {
			r.text, long = r.text[:from], true
		}
		r.pos += i
		if i == len(rest) {
			continue
		}
		r.need(2)
		switch c := r.buf[r.pos]; {
		case c == '\\' && quote == '`':
			r.text = append(r.text, c)
			r.pos++
		case c == '\\' && r.end-r.pos < 2:
			r.pos++
			return nil, errTruncated
		case c == '\\':
			r.text = unescape(r.text, r.buf[r.pos+1])
			r.pos += 2
		case r.end-r.pos > 1 && r.buf[r.pos+1] == quote:
			r.text = append(r.text, quote)
			r.pos += 2
		case long:
			r.pos++
			return nil, r.fail("a row of more than %d bytes", maxText)
		default:
			r.pos++
			return r.text[from:], nil
		}
	}
	return nil, errTruncated
}

// unescape appends what \c stands for.
//
// Source: MySQL Reference Manual, String Literals.
func unescape(to []byte, c byte) []byte {
	switch c {
	case '0':
		return append(to, 0)
	case 'b':
		return append(to, '\b')
	case 'n':
		return append(to, '\n')
	case 'r':
		return append(to, '\r')
	case 't':
		return append(to, '\t')
	case 'Z':
		return append(to, 0x1A)
	case '%', '_':
		return append(to, '\\', c)
	}
	return append(to, c)
}

// variable reads @name, which must have a value.
func (r *Reader) variable() (Value, error) {
	name, err := r.variableName()
	if err != nil {
		return Value{}, err
	}
	v, ok := r.variables[name]
	if !ok {
		return Value{}, r.fail("@%s has no value that is known", name)
	}
	return v, nil
}

// variableName reads @name. That of a setting, which begins with @@, has an @ in front.
func (r *Reader) variableName() (string, error) {
	r.pos++
	setting := ""
	if r.peek() == '@' {
		r.pos++
		setting = "@"
	}
	if c := r.peek(); c == '\'' || c == '"' || c == '`' {
		text, err := r.quoted(c)
		return setting + strings.ToLower(string(text)), err
	}
	text := r.bareWord(true)
	if text == "" {
		return "", r.fail("@ without a name")
	}
	return setting + text, nil
}

// name reads the name of a table or a column, in lower case. Of database.table it is the second.
func (r *Reader) name() (string, error) {
	for {
		r.space()
		var name string
		switch c := r.peek(); {
		case c == '`' || c == '"':
			text, err := r.quoted(c)
			if err != nil {
				return "", err
			}
			name = strings.ToLower(string(text))
		default:
			name = r.bareWord(false)
		}
		switch {
		case name == "" && !r.more():
			return "", errTruncated
		case name == "" || len(name) > maxName || strings.ContainsAny(name, "\x00\"`'"):
			return "", r.fail("no name that a table or a column may have")
		case r.peek() != '.':
			return name, nil
		}
		r.pos++
	}
}

// maxName is how many bytes a name may have: MySQL allows 64 characters.
const maxName = 256

// bareWord reads a name without quotes, in lower case; "" if there is none.
func (r *Reader) bareWord(dots bool) string {
	r.need(maxName + 1)
	i := r.pos
	for i < r.end && i-r.pos <= maxName && (isWordByte(r.buf[i]) || dots && r.buf[i] == '.') {
		i++
	}
	name := strings.ToLower(string(r.buf[r.pos:i]))
	r.pos = i
	return name
}

// isWord reports whether a word is next, in any case. The caller is behind spaces.
func (r *Reader) isWord(upper string) bool {
	r.need(len(upper) + 1)
	if r.end-r.pos < len(upper) {
		return false
	}
	for i := range len(upper) {
		c := r.buf[r.pos+i]
		if c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		if c != upper[i] {
			return false
		}
	}
	return r.end-r.pos == len(upper) || !isWordByte(r.buf[r.pos+len(upper)])
}

// takeWord goes behind a word if it is next.
func (r *Reader) takeWord(upper string) bool {
	if r.space(); !r.isWord(upper) {
		return false
	}
	r.pos += len(upper)
	return true
}

// take goes behind signs if they are next.
func (r *Reader) take(signs string) bool {
	r.space()
	if r.need(len(signs)); !r.has(signs) {
		return false
	}
	r.pos += len(signs)
	return true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isWordByte reports whether a name without quotes may have a byte; those above 0x7F are of letters.
func isWordByte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || isDigit(c) || c == '_' || c == '$' || c > 0x7F
}

func unhex(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}
