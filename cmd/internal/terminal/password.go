// Package terminal asks a user at a terminal, and shows progress there.
package terminal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"muster/net/login/account"
)

// Why there is no password.
var (
	errTwoPasswords = errors.New("the two passwords are not the same")
	errNoPassword   = errors.New("there is no password on standard input")
)

// Password is what was given as an argument, or is typed twice without being seen, or is the first line of standard
// input. Questions are written to w.
func Password(w io.Writer, argument *string) (string, error) {
	given := ""
	switch {
	case argument != nil:
		given = *argument
	case Is(os.Stdin):
		restore, err := hideTyping(os.Stdin)
		if err != nil {
			return "", err
		}
		defer restore()
		lines := bufio.NewReader(os.Stdin)
		if given, err = ask(w, lines, "Password: "); err != nil {
			return "", err
		}
		again, err := ask(w, lines, "Again: ")
		switch {
		case err != nil:
			return "", err
		case again != given:
			return "", errTwoPasswords
		}
	default:
		var err error
		if given, err = ask(io.Discard, bufio.NewReader(io.LimitReader(os.Stdin, 1<<10)), ""); err != nil {
			return "", err
		}
	}
	return given, account.CheckPassword(given)
}

// ask reads a line.
func ask(w io.Writer, lines *bufio.Reader, question string) (string, error) {
	fmt.Fprint(w, question)
	line, err := lines.ReadString('\n')
	if question != "" {
		fmt.Fprintln(w)
	}
	if err == io.EOF && line == "" {
		return "", errNoPassword
	}
	if err != nil && err != io.EOF {
		return "", err
	}
	return strings.TrimRight(line, "\r\n"), nil
}
