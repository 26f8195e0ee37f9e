// Package storage says where accounts, characters and what belongs to them are kept on a machine.
package storage

import (
	"path/filepath"
	"strings"
)

// DataFolder is where accounts and characters are kept if no flag says so; empty if nothing does.
//
// Source: XDG Base Directory Specification, $XDG_DATA_HOME.
func DataFolder(variables []string) string {
	value := func(name string) (v string) {
		for _, line := range variables {
			if after, ok := strings.CutPrefix(line, name+"="); ok {
				v = after
			}
		}
		return v
	}
	if dir := value("XDG_DATA_HOME"); filepath.IsAbs(dir) { // a relative one is to be ignored
		return filepath.Join(dir, "muster")
	}
	if home := value("HOME"); home != "" {
		return filepath.Join(home, ".local", "share", "muster")
	}
	return ""
}

// Variable is the last value of a variable of the environment, "" if it has none.
func Variable(variables []string, name string) (value string) {
	for _, line := range variables {
		if after, ok := strings.CutPrefix(line, name+"="); ok {
			value = after
		}
	}
	return value
}
