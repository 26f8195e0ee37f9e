package link

import (
	"errors"
	"fmt"
	"log/slog"

	"muster/net/replication/natsbus"
)

// Access says by which keys NATS knows a process, and a process NATS.
type Access struct {
	BusCreds string `placeholder:"FILE" help:"Identify to NATS with what a file has: a seed, as muster cluster credentials makes them, or a JWT and a seed."`
	BusCA    string `name:"bus-ca" placeholder:"FILE" help:"The certificate of NATS is signed by one in this file; the connection has TLS then. Default: of the system's, for tls://."`
	BusCert  string `placeholder:"FILE" help:"Show NATS this certificate, with --bus-key."`
	BusKey   string `placeholder:"FILE" help:"The key of that."`
}

// Check refuses half of a pair.
func (f *Access) Check() error {
	if (f.BusCert == "") != (f.BusKey == "") {
		return errors.New("--bus-cert and --bus-key are given together")
	}
	return nil
}

// Connect connects to NATS in a role.
func (f *Access) Connect(url, name string, role natsbus.Role, log *slog.Logger) (*natsbus.Bus, error) {
	bus, err := natsbus.Connect(natsbus.Config{URL: url, Name: name, Role: role, Credentials: f.BusCreds, CA: f.BusCA, Cert: f.BusCert, Key: f.BusKey, Log: log})
	if err != nil {
		return nil, fmt.Errorf("--bus: %w", err)
	}
	return bus, nil
}
