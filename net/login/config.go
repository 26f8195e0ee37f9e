package login

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"time"

	"muster/internal/metric"
	"muster/net/login/account"
)

// Config is the configuration of a Server. Zero means the default.
type Config struct {
	// Realms are what an account may choose from, at most MaxRealms. Characters is filled per account: the store is one,
	// so every realm shows the same number. RealmBuild must not be set.
	Realms []Realm
	// List lists the realms for an account, in place of Realms, where they or what is known of them change: with Characters and Locked, which are the
	// account's. More than MaxRealms are cut. It is called from several goroutines. Default: none.
	List func(ctx context.Context, account uint32, level uint8) ([]Realm, error)

	// OpenPassword admits every client with that password, under any name that is not taken: the account is
	// made, with OpenLevel, when its first proof succeeds. Empty means that only accounts of the store exist.
	OpenPassword string
	OpenLevel    uint8
	MaxOpen      int // accounts a Server makes at most; default 100,000

	Packet    time.Duration // to wait for a packet, complete, and for a reply to be taken; default 5s
	Handshake time.Duration // from the connection to a successful proof; default 10s
	Idle      time.Duration // to wait for a packet after that; default 5m

	MaxConns      int  // connections at a time; default 4096
	PerAddress    int  // connections at a time from one account.Place; default 256, none if negative
	LimitLoopback bool // apply PerAddress to loopback too

	// Guard decides about logins; all ways in share one. Default: one with its defaults, with LimitLoopback.
	Guard *account.Guard

	// Secret makes the salt of an unknown account: it should outlive the process, and servers that replace each other
	// should share it. Default: random, from Rand.
	Secret []byte
	Rand   io.Reader // safe for concurrent use; default crypto/rand.Reader

	// Metric counts every refusal under its reason, and logins as auth.ok, auth.reconnected and auth.created.
	Metric *metric.Table // default: a table of its own
	Log    *slog.Logger  // default: nothing is logged
}

// withDefaults fills in what is zero and returns an error if the config is invalid.
func (c Config) withDefaults() (Config, error) {
	c.MaxOpen = cmp.Or(c.MaxOpen, 100_000)
	c.Packet = cmp.Or(c.Packet, 5*time.Second)
	c.Handshake = cmp.Or(c.Handshake, 10*time.Second)
	c.Idle = cmp.Or(c.Idle, 5*time.Minute)
	c.MaxConns = cmp.Or(c.MaxConns, 4096)
	c.PerAddress = cmp.Or(c.PerAddress, 256)
	if c.Rand == nil {
		c.Rand = rand.Reader
	}
	if c.Metric == nil {
		c.Metric = new(metric.Table)
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if len(c.Secret) == 0 {
		c.Secret = make([]byte, 32)
		if _, err := io.ReadFull(c.Rand, c.Secret); err != nil {
			return c, fmt.Errorf("login: draw a secret: %w", err)
		}
	}
	c.Realms = slices.Clone(c.Realms)
	return c, checkRealms(c.Realms)
}

// checkRealms fills in the defaults of each realm.
func checkRealms(realms []Realm) error {
	if len(realms) > MaxRealms {
		return fmt.Errorf("login: %d realms, at most %d fit", len(realms), MaxRealms)
	}
	taken := make(map[uint8]string)
	for i := range realms {
		r := &realms[i]
		r.ID, r.Category = cmp.Or(r.ID, 1), cmp.Or(r.Category, 1)
		if err := r.check(); err != nil {
			return fmt.Errorf("login: realm %q: %w", r.Name, err)
		}
		if other, ok := taken[r.ID]; ok {
			return fmt.Errorf("login: realms %q and %q have the same number %d", other, r.Name, r.ID)
		}
		taken[r.ID] = r.Name
	}
	return nil
}

func (r *Realm) check() error {
	switch _, port, err := net.SplitHostPort(r.Address); {
	case err != nil:
		return err
	case port == "":
		return errors.New("address without a port")
	case r.Name == "" || len(r.Name) > MaxText || !isText(r.Name):
		return errors.New("unusable name")
	case len(r.Address) > MaxText || !isText(r.Address):
		return errors.New("unusable address")
	case r.Flags&RealmBuild != 0:
		return errors.New("clients fail on RealmBuild")
	}
	return nil
}
