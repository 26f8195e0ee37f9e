package command

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
)

// MaxArgs bounds the arguments of a line.
const MaxArgs = 16

// ErrSyntax is returned for arguments that do not match the command's syntax.
var ErrSyntax = errors.New("command: bad arguments")

// Args are the arguments of a command, taken one after another. A missing or invalid one is remembered: End
// returns that once at the end. The zero Args is empty.
type Args struct {
	list []string
	bad  bool
}

// Split divides arguments at spaces. Quotes keep spaces together, brackets too, and a shift-link stays whole.
func Split(args string) Args {
	var a Args
	for args = strings.TrimLeft(args, " "); args != ""; args = strings.TrimLeft(args, " ") {
		if len(a.list) == MaxArgs {
			return Args{bad: true}
		}
		var word string
		switch {
		case args[0] == '"':
			var closed bool
			if word, args, closed = strings.Cut(args[1:], `"`); !closed || args != "" && args[0] != ' ' {
				return Args{bad: true}
			}
		case strings.HasPrefix(args, "|c") && strings.Contains(args, "|h|r"):
			n := strings.Index(args, "|h|r") + len("|h|r")
			word, args = args[:n], args[n:]
		case args[0] == '[' && strings.Contains(args, "]"):
			n := strings.IndexByte(args, ']') + 1
			word, args = args[:n], args[n:]
		default:
			word, args, _ = strings.Cut(args, " ")
		}
		a.list = append(a.list, word)
	}
	return a
}

// Len is how many are left.
func (a *Args) Len() int { return len(a.list) }

// Peek is the next argument, "" if there is none.
func (a *Args) Peek() string {
	if len(a.list) == 0 {
		return ""
	}
	return a.list[0]
}

// Word takes the next argument.
func (a *Args) Word() string {
	if len(a.list) == 0 {
		a.bad = true
		return ""
	}
	word := a.list[0]
	a.list = a.list[1:]
	return word
}

// Is takes the next argument if it is a word, and reports whether it was.
func (a *Args) Is(word string) bool {
	if !strings.EqualFold(a.Peek(), word) || word == "" {
		return false
	}
	a.Word()
	return true
}

// Rest takes all that is left as one text.
func (a *Args) Rest() string {
	text := strings.Join(a.list, " ")
	a.list = nil
	return text
}

// Int takes a whole number between two others. A link may stand for the number in it.
func (a *Args) Int(least, most int64) int64 {
	n, err := strconv.ParseInt(Linked(a.Word()), 0, 64)
	if err != nil || n < least || n > most {
		a.bad = true
		return least
	}
	return n
}

// ID takes a number that is not 0 and has 32 bits.
func (a *Args) ID() uint32 { return uint32(a.Int(1, math.MaxUint32)) }

// Float takes a number between two others; NaN is none.
func (a *Args) Float(least, most float64) float32 {
	f, err := strconv.ParseFloat(a.Word(), 64)
	if err != nil || !(f >= least && f <= most) {
		a.bad = true
		return float32(least)
	}
	return float32(f)
}

// Switch takes on or off. Without an argument it is what it would change to.
func (a *Args) Switch(now bool) bool {
	switch {
	case a.Len() == 0:
		return !now
	case a.Is("on"):
		return true
	case a.Is("off"):
		return false
	}
	a.bad = true
	return now
}

// Bad reports whether something was not as it should be so far.
func (a *Args) Bad() bool { return a.bad }

// End is ErrSyntax if something was not as it should be, or is left over.
func (a *Args) End() error {
	if a.bad || len(a.list) > 0 {
		return ErrSyntax
	}
	return nil
}

// Linked is the first number in a shift-link, |cAARRGGBB|Htag:number:…|h[text]|h|r; any other text is itself.
func Linked(text string) string {
	_, data, ok := strings.Cut(text, "|H")
	if !ok {
		return text
	}
	data, _, _ = strings.Cut(data, "|h")
	_, data, _ = strings.Cut(data, ":")
	number, _, _ := strings.Cut(data, ":")
	return number
}

// maxTerm bounds a term in seconds, a hundred years.
const maxTerm = 100 * 365 * 24 * 3600

// Term reads a duration: seconds, or numbers with d, h, m and s, as in 4d20h3s. A negative one lasts for ever. It
// is not ok if it is none.
//
// Source: TimeStringToSecs, Util.cpp, AzerothCore.
func Term(text string) (d time.Duration, forever, ok bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		switch {
		case n < 0:
			return 0, true, true
		case n > maxTerm:
			return 0, false, false
		}
		return time.Duration(n) * time.Second, false, true
	}
	var total, n int64
	digits := false
	for i := range len(text) {
		c := text[i]
		if c >= '0' && c <= '9' {
			if n, digits = n*10+int64(c-'0'), true; n > maxTerm {
				return 0, false, false
			}
			continue
		}
		unit := map[byte]int64{'d': 24 * 3600, 'h': 3600, 'm': 60, 's': 1}[c]
		if total += n * unit; unit == 0 || !digits || total > maxTerm {
			return 0, false, false
		}
		n, digits = 0, false
	}
	return time.Duration(total) * time.Second, false, text != "" && !digits
}
