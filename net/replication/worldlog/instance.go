package worldlog

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"muster/internal/directory"
)

// InstanceFolder is the folder in a folder of worlds that has the world of an instance: the names of files say of which map they are. Worlds that are
// of no instance, which is number 0, are in the folder of worlds itself.
func InstanceFolder(worlds string, number uint32) string {
	if number == 0 {
		return worlds
	}
	return filepath.Join(worlds, fmt.Sprintf("instance%d", number))
}

// Instances are the numbers of those that a folder of worlds has folders of, ascending. A folder that is not there has none.
func Instances(worlds string) (all []uint32, err error) {
	entries, err := os.ReadDir(worlds)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	for _, entry := range entries {
		var n uint32
		if _, err := fmt.Sscanf(entry.Name(), "instance%d", &n); err == nil && n != 0 && InstanceFolder("", n) == entry.Name() {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	return all, err
}

// RemoveInstance removes the folder of an instance, if there is one.
func RemoveInstance(worlds string, number uint32) error {
	return os.RemoveAll(InstanceFolder(worlds, number))
}

// RemoveInstances removes the folders of all instances.
func RemoveInstances(worlds string) error {
	all, err := Instances(worlds)
	for _, n := range all {
		err = errors.Join(err, RemoveInstance(worlds, n))
	}
	return err
}

// SetInstanceAside moves the folder of an instance, which must be there, to the folder of worlds with a suffix, in place of one of that number. It
// returns what it is called there. After the end of the machine it is there, too, and not where it was.
func SetInstanceAside(worlds, suffix string, number uint32) (to string, err error) {
	return setInstanceAside(worlds, suffix, number, directory.Sync)
}

func setInstanceAside(worlds, suffix string, number uint32, sync func(folder string) error) (to string, err error) {
	to = InstanceFolder(worlds+suffix, number)
	err = errors.Join(os.MkdirAll(worlds+suffix, 0o700), os.RemoveAll(to))
	if err == nil {
		err = os.Rename(InstanceFolder(worlds, number), to)
	}
	if err == nil {
		err = errors.Join(sync(worlds+suffix), sync(worlds))
	}
	return to, err
}
