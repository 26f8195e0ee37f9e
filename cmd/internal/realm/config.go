package realm

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"sync"
	"time"

	"muster/cmd/internal/flags"
	"muster/cmd/internal/lease"
	"muster/cmd/internal/loginpolicy"
	"muster/cmd/internal/realmstore"
	"muster/cmd/internal/storage"
	"muster/cmd/internal/worldset"
	"muster/cmd/internal/worldspec"
	"muster/components/defs"
	"muster/internal/metric"
	"muster/loaders/worlddb/content"
	"muster/net/login"
	"muster/net/replication/span"
)

// A Config is what a realm is made of. Its tags say how that is spelled on a command line.
type Config struct {
	Auth         flags.Address `default:"127.0.0.1:3724" placeholder:"ADDR" help:"Where to listen for logins (${default})."`
	World        flags.Address `default:"127.0.0.1:8085" placeholder:"ADDR" help:"Where to listen for players (${default})."`
	Admin        flags.Address `default:"127.0.0.1:8086" placeholder:"ADDR" help:"Where to listen for operators, HTTP (${default})."`
	NoLogins     bool          `help:"Serve no logins: muster login does."`
	RealmName    string        `default:"muster" placeholder:"NAME" help:"Name in the realm list (${default})."`
	RealmAddress string        `placeholder:"HOST:PORT" help:"Where the realm list sends clients; default: where players are listened for."`

	OpenAccounts         *string `placeholder:"PASSWORD" help:"An unknown account is made on its first login with this password; empty turns that off. Default: ${password} on loopback, off elsewhere."`
	OpenAccountsAnywhere bool    `help:"Allow open accounts on other addresses than loopback."`
	OpenLevel            uint8   `default:"0" placeholder:"N" help:"Security level of accounts so made, 0 player to 3 administrator (${default})."`

	worldspec.Settings
	busFlags

	realmstore.Config

	Durable string `default:"characters" enum:"characters,world" placeholder:"WHAT" help:"What is found again after a kill -9: characters, as of a second before at most, or the world too, with its creatures, corpses and timers, as of its last tick: characters or world (${default})."`

	flags.InstanceBounds

	ObserverBudget int `default:"0" placeholder:"BYTES" help:"Send a player at most so much at a time, where leaving out heartbeats of those farther away does it; 0: all."`

	MaxPlayers         int                   `default:"0" placeholder:"N" help:"Players at a time, on the character screen or in a world; others wait in a queue. 0: as many as descriptors allow."`
	MaxQueue           int                   `default:"10000" placeholder:"N" help:"Players that may wait in it (${default})."`
	MaxPerAddress      int                   `default:"0" placeholder:"N" help:"Connections of one address at a time; 0: 100 players and 256 logins."`
	LimitLoopback      bool                  `help:"Hold this machine to that, too."`
	FloodPolicy        FloodPolicy           `placeholder:"LIST" help:"What becomes of more packets than a client may send, by class, as in rare=ban,often=drop: process, drop, throttle, kick or ban; default: as docs/LIMITS.md has it."`
	WrongPass          loginpolicy.WrongPass `embed:""`
	Silence            Silence               `embed:""`
	AllowTwoSide       TwoSides              `embed:""`
	DelayAuthChallenge time.Duration         `default:"0s" placeholder:"D" help:"Wait before SMSG_AUTH_CHALLENGE, for clients that are not yet listening."`
	DelayAuthResponse  time.Duration         `default:"0s" placeholder:"D" help:"Wait before SMSG_AUTH_RESPONSE."`

	flags.AdminAccess
	worldset.FlightSettings
	worldset.TraceSettings

	flags.Logging

	ReadyFile string `placeholder:"FILE" help:"Write addresses, ports, the socket of muster ctl, the token, version and process as JSON to a file when all accept connections; it is removed at the end."`

	Console bool `help:"Take verbs from standard input, as is done anyway when it is a terminal."`

	// Reread reads the command line and its file again, and takes over what can change while a realm runs. It returns the keys of what has changed,
	// and of what differs and needs a restart. If anything is wrong with the settings, nothing changes.
	Reread func() (changed, kept []string, err error) `kong:"-"`

	changing sync.Mutex     // is held while settings change, and while a realm is made of them
	hangups  chan os.Signal // has one when the settings are to be read again; nil before run
	member   *lease.Lease   // of the gateways that share a database; nil if there are no others
	tracer   *span.Tracer   // of movements; nil if none are traced
	defs     *defs.World    // of all realms of the process; nil before the first, but of --world-db
	imported *content.World // of --world-db; nil without it
	counters *metric.Table  // of the realm, and of all that it has
}

// Complete sets what follows from other settings: the folder if none is named, by the environment, and the step of worlds in other processes.
func (v *Config) Complete(variables []string) {
	if v.Data == "" && !v.Ephemeral {
		v.Data = storage.DataFolder(variables)
	}
	if v.Bus != "" {
		v.Divide()
	}
}

// Check refuses what cannot be served.
func (v *Config) Check() error {
	switch {
	case v.ObserverBudget < 0 || v.ObserverBudget > 1<<20:
		return fmt.Errorf("--observer-budget is from 0 to 1048576, not %d", v.ObserverBudget)
	case v.OpenLevel > 3:
		return fmt.Errorf("--open-level is from 0 to 3, not %d", v.OpenLevel)
	case v.NoLogins && (v.Bus == "" || v.Database == ""):
		return errors.New("--bus and --database are needed where muster login has the logins")
	case v.MaxPlayers < 0:
		return fmt.Errorf("--max-players is not negative, as in %d", v.MaxPlayers)
	case v.MaxQueue < 1:
		return fmt.Errorf("--max-queue is at least 1, not %d", v.MaxQueue)
	case v.MaxPerAddress < 0:
		return fmt.Errorf("--max-per-address is not negative, as in %d", v.MaxPerAddress)
	case v.WrongPass.MaxCount < 0:
		return fmt.Errorf("--wrong-pass.max-count is not negative, as in %d", v.WrongPass.MaxCount)
	case v.DelayAuthChallenge < 0 || v.DelayAuthResponse < 0:
		return errors.New("a delay is not negative")
	case v.DelayAuthChallenge+v.DelayAuthResponse >= Handshake:
		return fmt.Errorf("delays of %v leave nothing of the %v that a client has to log in", v.DelayAuthChallenge+v.DelayAuthResponse, Handshake)
	case v.RealmName == "" || len(v.RealmName) > login.MaxText:
		return fmt.Errorf("--realm-name has from 1 to %d bytes, not %d", login.MaxText, len(v.RealmName))
	}
	if err := errors.Join(v.Settings.Check(), v.InstanceBounds.Check()); err != nil {
		return err
	}
	if v.Bus != "" {
		if err := v.busFlags.check(&v.Settings); err != nil {
			return err
		}
	}
	if err := errors.Join(v.FlightSettings.Check(), v.TraceSettings.Check()); err != nil {
		return err
	}
	if err := v.AdminAccess.Check(v.Admin.Addr().IsLoopback()); err != nil {
		return err
	}
	if v.RealmAddress != "" {
		host, port, err := net.SplitHostPort(v.RealmAddress)
		if err != nil || host == "" {
			return fmt.Errorf("--realm-address is HOST:PORT, not %q", v.RealmAddress)
		}
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return fmt.Errorf("--realm-address wants a port from 1 to 65535, not %q", port)
		}
	}
	if err := v.Config.Check(); err != nil {
		return err
	}
	if err := v.checkDurable(); err != nil {
		return err
	}
	_, err := v.OpenPassword()
	return err
}

// Handshake is how long a client has from its connection to its login.
const Handshake = 10 * time.Second

// loopback reports whether only this host can reach what is served.
func (v *Config) loopback() bool {
	return v.Auth.Addr().IsLoopback() && v.World.Addr().IsLoopback() && v.Admin.Addr().IsLoopback()
}

// OpenPassword is the password of open accounts, empty for none.
func (v *Config) OpenPassword() (string, error) {
	return loginpolicy.OpenPassword(v.OpenAccounts, v.OpenAccountsAnywhere, v.loopback())
}
