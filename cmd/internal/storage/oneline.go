package storage

import (
	"errors"
	"slices"
	"strings"
)

// OneLine is an error without the lines that pgx has for each address and each try.
func OneLine(err error) error {
	if err == nil {
		return nil
	}
	lines := slices.Compact(strings.Split(err.Error(), "\n\t"))
	return errors.New(strings.TrimSpace(lines[0] + " " + strings.Join(lines[1:], ", ")))
}
