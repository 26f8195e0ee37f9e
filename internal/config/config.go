// Package config reads settings from a file and from the environment, in the syntax of AzerothCore. It
// has no settings of its own: the caller gives the keys.
package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Setting is a value and where it was given.
type Setting struct {
	Key    string // as Key spells it
	Value  string // without quotes
	Source string // file:line, or the name of a variable

	Heading string // of the file above it, without its brackets; "" if there is none
}

// An Error has where a setting is wrong. It wraps one of the errors of this package, or the error of
// the reader of the value.
type Error struct {
	Source string // file, file:line, or the name of a variable
	Key    string // empty if the line has none
	Err    error
}

func (e *Error) Error() string {
	if e.Key == "" {
		return fmt.Sprintf("config: %s: %v", e.Source, e.Err)
	}
	return fmt.Sprintf("config: %s: %s: %v", e.Source, e.Key, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// What can be wrong with a set of settings, as an Error wraps it.
var (
	ErrUnknown = errors.New("no such setting")
	ErrTwice   = errors.New("set twice in one file")
)

// A Set holds at most one setting per key.
type Set map[string]Setting

// Merge makes a set of the settings of a file and of the variables in environ, which are as os.Environ
// gives them and win over the file. Each must be one of keys; the error is an *Error.
func Merge(keys []string, file []Setting, environ []string) (Set, error) {
	set := make(Set)
	for _, s := range file {
		if !slices.Contains(keys, s.Key) {
			return nil, &Error{s.Source, s.Key, ErrUnknown}
		}
		if first, ok := set[s.Key]; ok {
			return nil, &Error{s.Source, s.Key, fmt.Errorf("%w, first at %s", ErrTwice, first.Source)}
		}
		set[s.Key] = s
	}
	byVariable := make(map[string]string, len(keys))
	for _, key := range keys {
		byVariable[Variable(key)] = key
	}
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(name, Prefix) {
			continue
		}
		key, ok := byVariable[name]
		if !ok {
			return nil, &Error{name, "", ErrUnknown}
		}
		set[key] = Setting{Key: key, Value: value, Source: name}
	}
	return set, nil
}
