package storage

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strings"

	"muster/cmd/internal/flags"
)

// JournalFolder is a folder, in that of a server, for the journal of one store, of a database or of none: what one process has left is not for
// another's store.
func JournalFolder(data, database string) string {
	name := "journal"
	if database != "" {
		name = fmt.Sprintf("journal-%x", sha256.Sum256([]byte(flags.Shown(database))))[:len("journal-")+12]
	}
	return filepath.Join(data, name)
}

// WorldFolder is a folder for the worlds of one store: their players are characters of that.
func WorldFolder(data, database string) string {
	return filepath.Join(data, strings.Replace(filepath.Base(JournalFolder(data, database)), "journal", "worlds", 1))
}
