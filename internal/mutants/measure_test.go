package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// The packages that beside names are where it says, so that their tests are run.
func TestBesideNamesPackages(t *testing.T) {
	for _, b := range beside {
		for _, path := range append(strings.Fields(b.packages), b.prefix) {
			if files, err := filepath.Glob(filepath.Join("../..", path, "*")); err != nil || len(files) == 0 {
				t.Errorf("there is no %s, %v", path, err)
			}
		}
	}
}
