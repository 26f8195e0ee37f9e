package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"muster/cmd/internal/ctlsocket"
	"muster/cmd/internal/flags"
	"muster/cmd/internal/readyfile"
	"muster/cmd/internal/release"
	"muster/cmd/internal/storage"
	"muster/cmd/internal/storesnapshot"
	"muster/cmd/internal/terminal"
	"muster/cmd/internal/worldset"
	"muster/cmd/internal/worldspec"
	"muster/components/defs"
	"muster/internal/config"
	"muster/internal/metric"
	"muster/loaders/registry"
	"muster/net/login"
	"muster/net/replication/span"
)

type serveVerb struct {
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

	Ephemeral bool   `help:"Keep accounts and characters in memory only; they end with the process."`
	Snapshot  string `placeholder:"FILE" help:"With --ephemeral, begin with the accounts and characters of a file that muster store dump, or GET /api/world/snapshots/NAME, has written."`
	Data      string `placeholder:"DIR" help:"Keep them in a folder, in SQLite, with a journal that bounds what a crash may lose to a second; default: muster in $$XDG_DATA_HOME, or in ~/.local/share."`
	Database  string `placeholder:"URL" help:"Keep them in PostgreSQL: postgres://USER@HOST/NAME, and the journal in the folder. What the URL does not say, such as a password, the PG* variables do."`

	Durable string `default:"characters" enum:"characters,world" placeholder:"WHAT" help:"What is found again after a kill -9: characters, as of a second before at most, or the world too, with its creatures, corpses and timers, as of its last tick: characters or world (${default})."`

	flags.InstanceBounds

	ObserverBudget int `default:"0" placeholder:"BYTES" help:"Send a player at most so much at a time, where leaving out heartbeats of those farther away does it; 0: all."`

	MaxPlayers         int           `default:"0" placeholder:"N" help:"Players at a time, on the character screen or in a world; others wait in a queue. 0: as many as descriptors allow."`
	MaxQueue           int           `default:"10000" placeholder:"N" help:"Players that may wait in it (${default})."`
	MaxPerAddress      int           `default:"0" placeholder:"N" help:"Connections of one address at a time; 0: 100 players and 256 logins."`
	LimitLoopback      bool          `help:"Hold this machine to that, too."`
	FloodPolicy        floodPolicy   `placeholder:"LIST" help:"What becomes of more packets than a client may send, by class, as in rare=ban,often=drop: process, drop, throttle, kick or ban; default: as docs/LIMITS.md has it."`
	WrongPass          wrongPass     `embed:""`
	Silence            silence       `embed:""`
	AllowTwoSide       twoSides      `embed:""`
	DelayAuthChallenge time.Duration `default:"0s" placeholder:"D" help:"Wait before SMSG_AUTH_CHALLENGE, for clients that are not yet listening."`
	DelayAuthResponse  time.Duration `default:"0s" placeholder:"D" help:"Wait before SMSG_AUTH_RESPONSE."`

	flags.AdminAccess
	worldset.FlightSettings
	worldset.TraceSettings

	flags.Logging

	ReadyFile string `placeholder:"FILE" help:"Write addresses, ports, the socket of muster ctl, the token, version and process as JSON to a file when all accept connections; it is removed at the end."`

	Console bool `help:"Take verbs from standard input, as is done anyway when it is a terminal."`

	ConfigFile string        `name:"config" placeholder:"FILE" help:"Read settings from a file of lines Key = value; keys are flags in CamelCase, as in OpenAccounts."`
	Profile    flags.Profile `enum:",cpu,mem,mutex,block,trace" default:"" placeholder:"KIND" help:"Profile until the end: cpu, mem, mutex, block or trace."`

	settings config.Set
	hangups  chan os.Signal // has one when the settings are to be read again
	again    *commandLine   // to be read again; nil before it was read
	member   *memberGateway // of the gateways that share a database; nil if there are no others
	tracer   *span.Tracer   // of movements; nil if none are traced
	defs     *defs.World    // of all realms of the process; nil before the first, but of --world-db
	counters *metric.Table  // of the realm, and of all that it has
}

// defaultPassword is that of open accounts, and of a swarm.
const defaultPassword = "muster"

// Help is printed below the flags' own.
func (*serveVerb) Help() string {
	return `Every flag can also be set in the file that --config names, and in the environment: --open-accounts is
OpenAccounts there and MUSTER_OPEN_ACCOUNTS here. Flags win over the environment, that over the file.`
}

// BeforeResolve brings in the file and the environment.
func (v *serveVerb) BeforeResolve(command *kong.Context, env *flags.Environment) (err error) {
	if v.settings, err = flags.Load(command, env.Variables); err != nil {
		return err
	}
	command.AddResolver(flags.Resolver(v.settings))
	v.again = &commandLine{parsed: command, variables: env.Variables}
	return nil
}

// AfterApply finds the folder if no flag names it.
func (v *serveVerb) AfterApply(env *flags.Environment) error {
	if v.Data == "" && !v.Ephemeral {
		v.Data = storage.DataFolder(env.Variables)
	}
	if v.Bus != "" {
		v.Pin()
	}
	return nil
}

// Validate refuses what cannot be served.
func (v *serveVerb) Validate() error {
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
	case v.DelayAuthChallenge+v.DelayAuthResponse >= handshake:
		return fmt.Errorf("delays of %v leave nothing of the %v that a client has to log in", v.DelayAuthChallenge+v.DelayAuthResponse, handshake)
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
	if err := v.checkStore(); err != nil {
		return err
	}
	if err := v.checkDurable(); err != nil {
		return err
	}
	_, err := v.openPassword()
	return err
}

// handshake is how long a client has from its connection to its login.
const handshake = 10 * time.Second

// Run serves until ctx ends.
func (v *serveVerb) Run(ctx context.Context, env *flags.Environment) (err error) {
	began := time.Now()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	defer v.Profile.Start()()
	v.hangups = make(chan os.Signal, 1)
	if !terminal.Is(os.Stdin) { // there it is the end of the terminal
		signal.Notify(v.hangups, syscall.SIGHUP) // from the first moment on, as it would end the process
		defer signal.Stop(v.hangups)
	}
	log := v.Logger(env.Stderr)
	log.Info("starting", "release", release.Name(), "toolchain", release.Toolchain())
	flags.Report(log, v.settings)
	file, err := readyfile.New(v.ReadyFile)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Remove()) }()
	kept, err := v.openStore(ctx, log)
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, closeStore(kept, log))
		v.member.leave(unstored(kept), log)
		if cause := context.Cause(ctx); errors.Is(cause, registry.ErrReplaced) {
			err = cause
		}
	}()
	log.Info("store is open", "in", v.kept(), "took", time.Since(began).Round(time.Millisecond))
	if v.member, err = v.join(ctx, end, log); err != nil {
		return err
	}
	if v.defs, err = v.LoadWorld(ctx, log); err != nil {
		return err
	}
	v.counters = cmp.Or(v.counters, new(metric.Table))
	if v.tracer, err = v.TraceSettings.Tracer(ctx, v.RealmName, v.role(), strconv.Itoa(int(v.Gateway)), v.counters, log); err != nil {
		return err
	}
	defer v.tracer.Close()
	r, err := newRealm(v, kept, log)
	if err != nil {
		return err
	}
	if v.Ephemeral && v.Record == "" && v.Bus == "" {
		if r.snapshots, err = storesnapshot.New(ctx, kept); err != nil {
			return err
		}
	}
	if r.socket, err = ctlsocket.Make(v.Data, env.Variables); err != nil {
		log.Warn("muster ctl cannot reach this server", "err", err)
	}
	return r.serve(ctx, func(at open) error {
		log.Info("ready", "auth", at.loginsText(), "world", at.world, "admin", at.admin,
			"took", time.Since(began).Round(time.Millisecond))
		if err := v.welcome(env.Stdout, r.Defs, at); err != nil {
			log.Warn("the welcome was not printed", "err", err)
		}
		return file.Write(r.readyState(at))
	})
}

// loopback reports whether only this host can reach what is served.
func (v *serveVerb) loopback() bool {
	return v.Auth.Addr().IsLoopback() && v.World.Addr().IsLoopback() && v.Admin.Addr().IsLoopback()
}

// openPassword is the password of open accounts, empty for none.
func (v *serveVerb) openPassword() (string, error) {
	switch {
	case v.OpenAccounts == nil && v.loopback(), v.OpenAccounts == nil && v.OpenAccountsAnywhere:
		return defaultPassword, nil
	case v.OpenAccounts == nil || *v.OpenAccounts == "":
		return "", nil
	case !v.loopback() && !v.OpenAccountsAnywhere:
		return "", errors.New("--open-accounts on another address than loopback lets anyone in: " +
			"it needs --open-accounts-anywhere as well")
	case len(*v.OpenAccounts) > maxPassword:
		return "", fmt.Errorf("--open-accounts: a password has at most %d bytes", maxPassword)
	}
	return *v.OpenAccounts, nil
}

// maxPassword is the longest password that clients send. Source: MAX_PASSWORD_STR, AzerothCore.
const maxPassword = 16
