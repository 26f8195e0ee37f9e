package cluster

import (
	"os"
	"path/filepath"
	"time"

	nats "github.com/nats-io/nats-server/v2/server"

	"muster/cmd/internal/credentials"
	"muster/net/replication/natsbus"
)

// busTime is how long NATS may take to be ready.
const busTime = 10 * time.Second

// natsOptions are those of NATS. remove removes what it has kept, if that is of no use afterwards.
func (v *Config) natsOptions() (o *nats.Options, remove func(), err error) {
	o = &nats.Options{Host: "127.0.0.1", Port: nats.RANDOM_PORT, NoSigs: true, NoLog: true}
	remove = func() {}
	if v.Durable != "world" {
		return o, remove, nil
	}
	o.JetStream, o.SyncAlways = true, v.LogSync == "always"
	if v.Ephemeral {
		if o.StoreDir, err = os.MkdirTemp("", "muster-nats-"); err != nil {
			return nil, nil, err
		}
		return o, func() { os.RemoveAll(o.StoreDir) }, nil
	}
	o.StoreDir = filepath.Join(v.Data, "nats")
	if v.Anew {
		if err := os.RemoveAll(o.StoreDir); err != nil {
			return nil, nil, err
		}
	}
	return o, remove, os.MkdirAll(o.StoreDir, 0o700)
}

// guardNATS has a server allow the roles of a realm what they need, and no one else anything. The credentials are in a new folder.
func guardNATS(o *nats.Options, realm string) (folder string, err error) {
	if folder, err = os.MkdirTemp("", "muster-credentials-"); err != nil {
		return "", err
	}
	read := new(nats.Options)
	if _, err = credentials.Make(folder, []string{realm}); err == nil {
		read, err = nats.ProcessConfigFile(filepath.Join(folder, credentials.ConfigFile))
	}
	if err != nil {
		os.RemoveAll(folder)
		return "", err
	}
	o.Nkeys, o.AuthTimeout = read.Nkeys, read.AuthTimeout
	return folder, nil
}

// busOf are the flags of a process that reaches NATS in a role.
func busOf(url, folder string, role natsbus.Role) []string {
	return []string{"--bus", url, "--bus-creds", credentials.File(folder, role, "muster")}
}
