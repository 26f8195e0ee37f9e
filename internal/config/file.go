package config

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Limits of a file. A file that breaks one is not a settings file.
const (
	MaxFile = 256 << 10 // bytes
	MaxLine = 1024      // bytes, without the line's end
)

// What can be wrong with the text of a file, as an Error wraps it.
var (
	ErrSyntax  = errors.New("want Key = value")
	ErrQuote   = errors.New("want one quoted text, or a text without quotes")
	ErrKey     = errors.New("a key is letters, digits, points, hyphens and underscores")
	ErrBytes   = errors.New("not text")
	ErrTooLong = fmt.Errorf("a line has at most %d bytes", MaxLine)
	ErrTooBig  = fmt.Errorf("a file has at most %d bytes", MaxFile)
)

// Parse reads the lines of a file: Key = value, where the value may be in double quotes. What follows
// a # outside quotes is a comment, and a line that begins with [ is a heading, of which each setting
// up to the next one has the text. The settings are in the order of the file, a doubled key twice. The error is an
// *Error, or r's own.
//
// Source: Config.cpp, AzerothCore.
func Parse(name string, r io.Reader) ([]Setting, error) {
	limited := &io.LimitedReader{R: r, N: MaxFile + 1}
	lines := bufio.NewScanner(limited)
	lines.Buffer(nil, MaxLine+len("\r\n"))
	var all []Setting
	number, heading := 0, ""
	at := func() string { return fmt.Sprintf("%s:%d", name, number) }
	for lines.Scan() {
		number++
		if limited.N == 0 {
			return nil, &Error{Source: name, Err: ErrTooBig}
		}
		if text, found := strings.CutPrefix(strings.TrimSpace(lines.Text()), "["); found {
			heading, _, _ = strings.Cut(text, "]")
		}
		s, ok, err := parseLine(lines.Text())
		if err != nil {
			return nil, &Error{Source: at(), Key: s.Key, Err: err}
		}
		if ok {
			s.Source, s.Heading = at(), heading
			all = append(all, s)
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		number++
		return nil, &Error{Source: at(), Err: ErrTooLong}
	} else if err != nil {
		return nil, err
	}
	return all, nil
}

// parseLine reads one line; it is not ok if the line has no setting.
func parseLine(line string) (s Setting, ok bool, err error) {
	if len(line) > MaxLine {
		return s, false, ErrTooLong
	}
	for i := range len(line) {
		if c := line[i]; c < ' ' && c != '\t' || c == 0x7F {
			return s, false, ErrBytes
		}
	}
	line = strings.TrimSpace(line)
	if line == "" || line[0] == '#' || line[0] == '[' {
		return s, false, nil
	}
	key, value, found := strings.Cut(line, "=")
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	if !found || key == "" {
		return s, false, ErrSyntax
	}
	if strings.Trim(key, keyBytes) != "" {
		return s, false, ErrKey
	}
	s.Key = key
	s.Value, err = unquote(value)
	return s, err == nil, err
}

const keyBytes = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_"

// unquote takes the quotes and the comment off a value.
func unquote(text string) (string, error) {
	if !strings.HasPrefix(text, `"`) {
		text, _, _ = strings.Cut(text, "#")
		if strings.Contains(text, `"`) {
			return "", ErrQuote
		}
		return strings.TrimSpace(text), nil
	}
	value, rest, closed := strings.Cut(text[1:], `"`)
	rest = strings.TrimSpace(rest)
	if !closed || rest != "" && rest[0] != '#' {
		return "", ErrQuote
	}
	return value, nil
}
