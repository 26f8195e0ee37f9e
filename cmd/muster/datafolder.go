package main

import (
	"path/filepath"
	"strings"
)

// dataFolder is where accounts and characters are kept if no flag says so; empty if nothing does.
//
// Source: XDG Base Directory Specification, $XDG_DATA_HOME.
func dataFolder(variables []string) string {
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

// variable is the last value of a variable of the environment, "" if it has none.
func variable(variables []string, name string) (value string) {
	for _, line := range variables {
		if after, ok := strings.CutPrefix(line, name+"="); ok {
			value = after
		}
	}
	return value
}
