// Package limit is how packages list their bounds: each has a function Limits that lists its own, with the values
// that its code uses. muster limits prints them all, and docs/LIMITS.md is that print.
package limit

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Limit bounds something that others decide.
type Limit struct {
	Name    string // what is bounded
	Value   any    // a number of Unit, Bytes, a time.Duration, or text
	Unit    string // of a number; may be empty
	Setting string // of muster serve, as on the command line, without dashes; "" if it is fixed
	Breach  string // what becomes of more
	Counter string // what counts that; "" if nothing does
	Test    string // shows it: a package and a function of its tests
}

// Bytes is a number of bytes.
type Bytes int64

func (b Bytes) String() string {
	switch {
	case b >= 1<<20 && b%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", b>>20)
	case b >= 1<<10 && b%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", b>>10)
	case b == 1:
		return "1 byte"
	}
	return thousands(int(b)) + " bytes"
}

// Text is the value with its unit.
func (l *Limit) Text() string {
	switch v := l.Value.(type) {
	case time.Duration:
		return span(v)
	case int:
		return strings.TrimSpace(thousands(v) + " " + l.Unit)
	default:
		return fmt.Sprint(v)
	}
}

// span formats a time without parts that are zero.
func span(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// thousands puts commas into a number.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0 && text[at-1] != '-'; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
