//go:build unix

package journal

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// lockName is the file that is locked. It is empty, and stays.
const lockName = "lock"

// Lock implements FS. The lock ends with the process, however that ends.
func (d folder) Lock() (release func() error, err error) {
	f, err := os.OpenFile(d.path(lockName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = ErrInUse
		}
		return nil, errors.Join(fmt.Errorf("%s: %w", string(d), err), f.Close())
	}
	return f.Close, nil
}
