// Package credentials makes the keys by which NATS knows the processes of a realm, and the configuration of NATS that knows them.
package credentials

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"muster/cmd/internal/link"
	"muster/net/replication/natsbus"
)

// ConfigFile is the file of Make that servers read.
const ConfigFile = "nats.conf"

// File is the file of Make for a role in a realm.
func File(dir string, role natsbus.Role, realm string) string {
	return filepath.Join(dir, fmt.Sprintf("%s-%s.nk", role, link.Subject(realm)))
}

// ServerFolder is where MakeFolders puts what servers read.
const ServerFolder = "nats"

// Make makes a seed for each role in each realm that has none yet in the folder, and what servers are to know of them. It returns the names of the files.
func Make(dir string, realms []string) (files []string, err error) {
	return makeIn(realms, dir, func(natsbus.Role) string { return dir })
}

// MakeFolders is Make with the files of each role, and that of servers, in a folder of its own: who is given one has no other keys.
func MakeFolders(dir string, realms []string) (files []string, err error) {
	return makeIn(realms, filepath.Join(dir, ServerFolder), func(role natsbus.Role) string { return filepath.Join(dir, string(role)) })
}

// makeIn is Make with the files of servers and of each role in folders.
func makeIn(realms []string, servers string, folder func(natsbus.Role) string) (files []string, err error) {
	folders := []string{servers}
	for _, role := range natsbus.Roles {
		folders = append(folders, folder(role))
	}
	for _, dir := range folders {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
	}
	var conf strings.Builder
	conf.WriteString("# made by muster cluster credentials: what each role may publish and subscribe to\nauthorization {\n\ttimeout: 5\n\tusers: [\n")
	slices.Sort(realms)
	for _, realm := range slices.Compact(realms) {
		for _, role := range natsbus.Roles {
			file := File(folder(role), role, realm)
			public, err := keepSeed(file)
			if err != nil {
				return nil, err
			}
			publish, subscribe := natsbus.Permissions(role, link.Subject(realm))
			fmt.Fprintf(&conf, "\t\t# %s of the realm %q\n\t\t{ nkey: %s, permissions: {\n\t\t\tpublish: %s\n\t\t\tsubscribe: %s\n\t\t} }\n",
				role, realm, public, allowed(publish), allowed(subscribe))
			files = append(files, file)
		}
	}
	conf.WriteString("\t]\n}\n")
	name := filepath.Join(servers, ConfigFile)
	return append(files, name), os.WriteFile(name, []byte(conf.String()), 0o600)
}

// allowed is a list of subjects as the configuration of NATS has them.
func allowed(subjects []string) string {
	if len(subjects) == 0 {
		return `{ deny: ">" }`
	}
	return `["` + strings.Join(subjects, `", "`) + `"]`
}

// keepSeed is the public half of the seed in a file, which is made if it is not there.
func keepSeed(file string) (public string, err error) {
	seed, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		if seed, err = natsbus.NewSeed(); err == nil {
			err = writeNew(file, seed)
		}
	}
	if err == nil {
		public, err = natsbus.Public(seed)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	return public, nil
}

// writeNew writes a file for its owner alone, which must not be there.
func writeNew(file string, text []byte) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(text, '\n'))
	return errors.Join(err, f.Close())
}
