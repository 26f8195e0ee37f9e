package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"muster/net/login"
	"muster/net/replication/natsbus"
)

// clusterVerbs are cluster, and what it does if no further verb is named.
type clusterVerbs struct {
	Run         clusterVerb     `cmd:"" default:"withargs" help:"Run a cluster on this machine: what cluster does without a verb."`
	Credentials credentialsVerb `cmd:"" help:"Make what gateways and workers prove to NATS who they are with, and the configuration of NATS that knows them."`
}

// Help is printed below the verbs.
func (*clusterVerbs) Help() string {
	return "cluster --ephemeral is cluster run --ephemeral: cluster run --help has the flags."
}

// natsFlags say how a process proves to NATS who it is, and knows that it is NATS.
type natsFlags struct {
	BusCreds string `placeholder:"FILE" help:"Prove to NATS who this is with what a file has: a seed, as muster cluster credentials makes them, or a JWT and a seed."`
	BusCA    string `name:"bus-ca" placeholder:"FILE" help:"The certificate of NATS is signed by one in this file; the connection has TLS then. Default: of the system's, for tls://."`
	BusCert  string `placeholder:"FILE" help:"Show NATS this certificate, with --bus-key."`
	BusKey   string `placeholder:"FILE" help:"The key of that."`
}

// check refuses half of a pair.
func (f *natsFlags) check() error {
	if (f.BusCert == "") != (f.BusKey == "") {
		return errors.New("--bus-cert and --bus-key are given together")
	}
	return nil
}

// connect connects to NATS in a role.
func (f *natsFlags) connect(url, name string, role natsbus.Role, log *slog.Logger) (*natsbus.Bus, error) {
	bus, err := natsbus.Connect(natsbus.Config{URL: url, Name: name, Role: role, Credentials: f.BusCreds, CA: f.BusCA, Cert: f.BusCert, Key: f.BusKey, Log: log})
	if err != nil {
		return nil, fmt.Errorf("--bus: %w", err)
	}
	return bus, nil
}

type credentialsVerb struct {
	Dir       string   `arg:"" placeholder:"DIR" help:"Folder of the files, which is made if it is not there."`
	RealmName []string `default:"muster" placeholder:"NAME" help:"Realms, whose gateways and workers get credentials each (${default})."`
}

// Help is printed below the flags' own.
func (*credentialsVerb) Help() string {
	return `DIR/nats.conf has the public keys and what each may publish and subscribe to: nats-server --config DIR/nats.conf, or include it in a configuration.
gateway-REALM.nk, worker-REALM.nk and orchestrate-REALM.nk are for --bus-creds of muster gateway, muster worker and muster orchestrate. Files that are there are kept, and nats.conf is written anew.`
}

// Validate refuses names that no realm can have.
func (v *credentialsVerb) Validate(*kong.Context) error {
	for _, name := range v.RealmName {
		if name == "" || len(name) > login.MaxText {
			return fmt.Errorf("--realm-name has from 1 to %d bytes, not %d", login.MaxText, len(name))
		}
	}
	return nil
}

// Run makes credentials.
func (v *credentialsVerb) Run(_ context.Context, env *environment) error {
	made, err := makeCredentials(v.Dir, v.RealmName)
	if err != nil {
		return err
	}
	for _, name := range made {
		fmt.Fprintln(env.stdout, name)
	}
	return nil
}

// natsConfig is the file of makeCredentials that servers read.
const natsConfig = "nats.conf"

// credentialsOf is the file of makeCredentials for a role in a realm.
func credentialsOf(dir string, role natsbus.Role, realm string) string {
	return filepath.Join(dir, fmt.Sprintf("%s-%s.nk", role, subject(realm)))
}

// makeCredentials makes a seed for each role in each realm that has none yet in the folder, and what servers are to know of them. It returns the names of the files.
func makeCredentials(dir string, realms []string) (files []string, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	var conf strings.Builder
	conf.WriteString("# made by muster cluster credentials: what each role may publish and subscribe to\nauthorization {\n\ttimeout: 5\n\tusers: [\n")
	slices.Sort(realms)
	for _, realm := range slices.Compact(realms) {
		for _, role := range natsbus.Roles {
			file := credentialsOf(dir, role, realm)
			public, err := keepSeed(file)
			if err != nil {
				return nil, err
			}
			publish, subscribe := natsbus.Permissions(role, subject(realm))
			fmt.Fprintf(&conf, "\t\t# %s of the realm %q\n\t\t{ nkey: %s, permissions: {\n\t\t\tpublish: %s\n\t\t\tsubscribe: %s\n\t\t} }\n",
				role, realm, public, allowed(publish), allowed(subscribe))
			files = append(files, file)
		}
	}
	conf.WriteString("\t]\n}\n")
	name := filepath.Join(dir, natsConfig)
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
