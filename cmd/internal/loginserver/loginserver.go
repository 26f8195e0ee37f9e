// Package loginserver serves logins alone, for the gateways of a database.
package loginserver

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/loginpolicy"
	"muster/cmd/internal/membership"
	"muster/cmd/internal/process"
	"muster/cmd/internal/realmlist"
	"muster/cmd/internal/release"
	"muster/cmd/internal/seats"
	"muster/cmd/internal/storage"
	"muster/internal/metric"
	"muster/loaders/registry"
	"muster/loaders/store/database"
	"muster/loaders/store/postgres"
	"muster/net/login"
	"muster/net/ops/admin"
)

// A Config is what a server of logins alone is made of. Its tags say how that is spelled on a command line.
type Config struct {
	Auth      flags.Address `default:"127.0.0.1:3724" placeholder:"ADDR" help:"Where to listen for logins (${default})."`
	Admin     flags.Address `default:"127.0.0.1:0" placeholder:"ADDR" help:"Where to listen for operators, HTTP; port 0 takes a free one (${default})."`
	Database  string        `required:"" placeholder:"URL" help:"Where the accounts and the gateways are: PostgreSQL, as of serve."`
	RealmName string        `default:"muster" placeholder:"NAME" help:"Name in the realm list (${default})."`

	OpenAccounts         *string               `placeholder:"PASSWORD" help:"As of serve."`
	OpenAccountsAnywhere bool                  `help:"As of serve."`
	OpenLevel            uint8                 `default:"0" placeholder:"N" help:"As of serve."`
	MaxPerAddress        int                   `default:"0" placeholder:"N" help:"Connections of one address at a time; 0: 256."`
	LimitLoopback        bool                  `help:"Hold this machine to that, too."`
	WrongPass            loginpolicy.WrongPass `embed:""`

	flags.TokenSource
	flags.Logging
}

// Check refuses what cannot be served.
func (v *Config) Check() error {
	switch {
	case !flags.IsDatabase(v.Database):
		return errors.New("--database is a URL, postgres://USER@HOST/NAME")
	case v.OpenLevel > 3:
		return fmt.Errorf("--open-level is from 0 to 3, not %d", v.OpenLevel)
	case v.MaxPerAddress < 0:
		return fmt.Errorf("--max-per-address is not negative, as in %d", v.MaxPerAddress)
	case v.RealmName == "" || len(v.RealmName) > login.MaxText:
		return fmt.Errorf("--realm-name has from 1 to %d bytes, not %d", login.MaxText, len(v.RealmName))
	}
	flags := flags.AdminAccess{TokenSource: v.TokenSource}
	if err := flags.Check(v.Admin.Addr().IsLoopback()); err != nil {
		return err
	}
	_, err := v.openPassword()
	return err
}

// openPassword is the password of open accounts, empty for none.
func (v *Config) openPassword() (string, error) {
	return loginpolicy.OpenPassword(v.OpenAccounts, v.OpenAccountsAnywhere, v.Auth.Addr().IsLoopback() && v.Admin.Addr().IsLoopback())
}

// Run serves logins until ctx ends.
func Run(ctx context.Context, v *Config, log *slog.Logger) (err error) {
	began := time.Now()
	defer process.LogEnd(log, began, &err)
	accounts, err := storage.Await(ctx, log, func(ctx context.Context) (*database.Store, error) {
		return postgres.Open(ctx, postgres.Config{URL: v.Database, Log: log})
	})
	if err != nil {
		return storage.OneLine(err)
	}
	defer accounts.Close()
	r, err := storage.Await(ctx, log, func(ctx context.Context) (*registry.Registry, error) {
		return registry.Open(ctx, registry.Config{URL: v.Database})
	})
	if err != nil {
		return storage.OneLine(err)
	}
	defer r.Close()
	fresh := make([]byte, storage.SecretSize)
	rand.Read(fresh) // never fails
	secret, err := storage.Await(ctx, log, func(ctx context.Context) ([]byte, error) { return r.Secret(ctx, fresh) })
	if err != nil {
		return storage.OneLine(err)
	}
	clients, err := net.ListenTCP("tcp", net.TCPAddrFromAddrPort(v.Auth.AddrPort))
	if err != nil {
		return fmt.Errorf("logins: %w", err)
	}
	defer clients.Close()
	operators, err := net.ListenTCP("tcp", net.TCPAddrFromAddrPort(v.Admin.AddrPort))
	if err != nil {
		return fmt.Errorf("admin: %w", err)
	}
	defer operators.Close()
	counters := new(metric.Table)
	password, err := v.openPassword()
	if err != nil {
		return err
	}
	realms := realmlist.New(r, log, nil)
	logins, err := login.New(login.Config{
		List:         realms.Realms,
		OpenPassword: password, OpenLevel: v.OpenLevel, MaxConns: seats.Share(seats.Descriptors(), 0).Logins, PerAddress: v.MaxPerAddress, LimitLoopback: v.LimitLoopback,
		Guard: v.WrongPass.Guard(v.LimitLoopback, secret, counters, log, accounts), Secret: secret, Metric: counters, Log: log,
	}, accounts)
	if err != nil {
		return err
	}
	token, err := v.Token()
	if err != nil {
		return err
	}
	answers, err := admin.New(admin.Config{
		Address: v.Admin.AddrPort, Token: token, Realm: v.RealmName, Role: "login", Metric: counters, Log: log,
		Checks: []admin.Check{{Name: "store", Test: func(ctx context.Context) error {
			_, err := accounts.CountCharacters(ctx, 0)
			return err
		}}},
	})
	if err != nil {
		return err
	}
	ctx, fail := context.WithCancelCause(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer fail(nil)
	realms.Read(ctx)
	running.Go(func() { realms.Run(ctx) })
	running.Go(func() { process.FailOn(fail, admin.Serve(ctx, operators, answers, log)) })
	running.Go(func() { process.FailOn(fail, logins.Serve(ctx, clients)) })
	running.Go(func() {
		membership.StayEnlisted(ctx, func() { fail(nil) }, r, v.RealmName, registry.Process{
			Role: registry.RoleLogin, Release: release.Name(), Address: membership.AddrPort(clients).String(), Admin: membership.AddrPort(operators).String(),
		}, log)
	})
	log.Info("ready", "auth", membership.AddrPort(clients), "admin", membership.AddrPort(operators), "took", time.Since(began).Round(time.Millisecond))
	<-ctx.Done()
	if cause := context.Cause(ctx); cause != ctx.Err() {
		return cause
	}
	return nil
}
