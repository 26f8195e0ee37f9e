package cluster

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
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

// startNATS starts so many servers of NATS with the same options, and returns where they are reached when they are ready. Several are a cluster of loopback
// addresses, whose servers know each other by a password of their own.
func startNATS(ctx context.Context, o *nats.Options, n int) (url string, stop func(), err error) {
	all, err := clusterOptions(o, n)
	if err != nil {
		return "", nil, err
	}
	var servers []*nats.Server
	stop = func() {
		for _, s := range servers {
			s.Shutdown()
		}
		for _, s := range servers {
			s.WaitForShutdown()
		}
	}
	defer func() {
		if err != nil {
			stop()
		}
	}()
	var urls []string
	for i := range all {
		s, err := nats.NewServer(&all[i])
		if err != nil {
			return "", nil, err
		}
		s.Start()
		servers = append(servers, s)
		if !s.ReadyForConnections(busTime) {
			return "", nil, fmt.Errorf("not ready after %v", busTime)
		}
		urls = append(urls, s.ClientURL())
	}
	if n > 1 {
		err = waitForLeader(ctx, servers)
	}
	return strings.Join(urls, ","), stop, err
}

// ServeNATS runs a server by itself, as a cluster has one, until ctx ends. Ready is called with where it is reached, and with the folder of the credentials for the
// roles of a realm, which ends with it.
func ServeNATS(ctx context.Context, realm string, ready func(url, folder string)) error {
	options, remove, err := new(Config).natsOptions()
	if err != nil {
		return err
	}
	defer remove()
	folder, err := guardNATS(options, realm)
	if err != nil {
		return fmt.Errorf("credentials for NATS: %w", err)
	}
	defer os.RemoveAll(folder)
	url, stop, err := startNATS(ctx, options, 1)
	if err != nil {
		return fmt.Errorf("NATS: %w", err)
	}
	defer stop()
	ready(url, folder)
	<-ctx.Done()
	return nil
}

// clusterOptions are those of each of so many servers.
func clusterOptions(o *nats.Options, n int) ([]nats.Options, error) {
	if n == 1 {
		return []nats.Options{*o}, nil
	}
	var routes []*url.URL
	all, password := make([]nats.Options, n), rand.Text()
	for i := range all {
		l, err := net.Listen("tcp", "127.0.0.1:0") // for a port that is free: each server is told those of all
		if err != nil {
			return nil, err
		}
		defer l.Close()
		routes = append(routes, &url.URL{Scheme: "nats", User: url.UserPassword("muster", password), Host: l.Addr().String()})
		name := fmt.Sprintf("muster-%d", i+1)
		all[i] = *o
		all[i].ServerName, all[i].StoreDir = name, filepath.Join(o.StoreDir, name)
		all[i].Cluster = nats.ClusterOpts{Name: "muster", Host: "127.0.0.1", Port: l.Addr().(*net.TCPAddr).Port, Username: "muster", Password: password}
	}
	for i := range all {
		all[i].Routes = routes
	}
	return all, nil
}

// waitForLeader waits until servers of a cluster have a leader that knows all of them.
func waitForLeader(ctx context.Context, servers []*nats.Server) error {
	const look = 20 * time.Millisecond
	ctx, cancel := context.WithTimeout(ctx, busTime)
	defer cancel()
	for {
		for _, s := range servers {
			if s.JetStreamIsLeader() && len(s.JetStreamClusterPeers()) == len(servers) {
				return nil
			}
		}
		select {
		case <-time.After(look):
		case <-ctx.Done():
			return fmt.Errorf("the servers have no leader: %w", ctx.Err())
		}
	}
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
