package pgtest

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strconv"
)

// installed is where Debian puts the binaries of each version.
const installed = "/usr/lib/postgresql/*/bin/initdb"

// binaries is the folder of the newest server that is installed, or else of the one in PATH.
func binaries() (string, error) {
	found, err := filepath.Glob(installed)
	if err != nil {
		return "", err
	}
	newest, dir := -1.0, ""
	for _, path := range found {
		bin := filepath.Dir(path)
		version, err := strconv.ParseFloat(filepath.Base(filepath.Dir(bin)), 64) // 9.6, then 10
		if err == nil && version > newest {
			newest, dir = version, bin
		}
	}
	if dir != "" {
		return dir, nil
	}
	path, err := exec.LookPath("initdb")
	if err != nil {
		return "", errors.New("pgtest: no PostgreSQL server is installed: apt-get install postgresql, or put its initdb into PATH")
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return "", err
	}
	return filepath.Dir(path), nil
}
