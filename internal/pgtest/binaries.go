package pgtest

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// installed is where Debian puts the binaries of each version.
const installed = "/usr/lib/postgresql/*/bin/initdb"

// binaries is the folder of the newest server that is installed, or else of the one in PATH: of such a version, unless that is "".
func binaries(version string) (string, error) {
	found, err := filepath.Glob(installed)
	if err != nil {
		return "", err
	}
	newest, dir := -1.0, ""
	for _, path := range found {
		bin := filepath.Dir(path)
		name := filepath.Base(filepath.Dir(bin))
		number, err := strconv.ParseFloat(name, 64) // 9.6, then 10
		if err == nil && number > newest && (version == "" || name == version) {
			newest, dir = number, bin
		}
	}
	if dir != "" {
		return dir, nil
	}
	path, err := exec.LookPath("initdb")
	switch {
	case version == "" && err != nil:
		return "", errors.New("pgtest: no PostgreSQL server is installed: apt-get install postgresql, or put its initdb into PATH")
	case version != "" && (err != nil || !isVersion(path, version)):
		return "", fmt.Errorf("pgtest: the data are of PostgreSQL %s, which is not installed: apt-get install postgresql-%[1]s, or put its initdb into PATH", version)
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return "", err
	}
	return filepath.Dir(path), nil
}

// isVersion is whether an initdb is of a version, as PG_VERSION has it: 15 for all of 15.1 and 15.2.
func isVersion(initdb, version string) bool {
	said, err := exec.Command(initdb, "--version").Output() // initdb (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)
	words := strings.Fields(string(said))
	return err == nil && len(words) > 2 && strings.HasPrefix(words[2]+".", version+".")
}
