// Package directory has the disk know which files there are.
package directory

import (
	"errors"
	"os"
)

// Sync returns when the disk has which files are in a folder, and by which names: what was made, renamed or removed in it before is so after a power failure, too.
//
// Source: fsync(2), which says that a sync of a file does not include its entry in the folder.
func Sync(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
