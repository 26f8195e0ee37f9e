package main

import (
	"context"
	"fmt"

	"github.com/alecthomas/kong"

	"muster/cmd/internal/credentials"
	"muster/cmd/internal/flags"
	"muster/net/login"
)

// clusterVerbs are cluster, and what it does if no further verb is named.
type clusterVerbs struct {
	Run         clusterVerb     `cmd:"" default:"withargs" help:"Run a cluster on this machine: what cluster does without a verb."`
	Credentials credentialsVerb `cmd:"" help:"Make the keys of gateways and workers, and the configuration of NATS that knows them."`
}

// Help is printed below the verbs.
func (*clusterVerbs) Help() string {
	return "cluster --ephemeral is cluster run --ephemeral: cluster run --help has the flags."
}

type credentialsVerb struct {
	Dir       string   `arg:"" placeholder:"DIR" help:"Folder of the files, which is made if it is not there."`
	RealmName []string `default:"muster" placeholder:"NAME" help:"Realms, whose gateways and workers get credentials each (${default})."`
	Folders   bool     `help:"Make a folder for each role, with its keys alone, and DIR/nats with nats.conf, so that each process can be given the keys of its role and no others."`
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
func (v *credentialsVerb) Run(_ context.Context, env *flags.Environment) error {
	write := credentials.Make
	if v.Folders {
		write = credentials.MakeFolders
	}
	made, err := write(v.Dir, v.RealmName)
	if err != nil {
		return err
	}
	for _, name := range made {
		fmt.Fprintln(env.Stdout, name)
	}
	return nil
}
