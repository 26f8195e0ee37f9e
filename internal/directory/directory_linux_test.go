package directory

import (
	"errors"
	"syscall"
	"testing"
)

// A folder of a file system that is on no disk is not synced, and it is said.
//
// Source: fsync(2), EINVAL.
func TestFolderOfNoDisk(t *testing.T) {
	if err := Sync("/proc"); !errors.Is(err, syscall.EINVAL) {
		t.Errorf("/proc is synced: %v", err)
	}
}
