package realm

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"muster/cmd/internal/ctlsocket"
	"muster/cmd/internal/flags"
	"muster/cmd/internal/readyfile"
	"muster/cmd/internal/realmstore"
	"muster/cmd/internal/release"
	"muster/cmd/internal/storesnapshot"
	"muster/cmd/internal/terminal"
	"muster/internal/config"
	"muster/internal/metric"
	"muster/loaders/registry"
)

// Run serves until ctx ends. Settings are those that come from a file or the environment. It writes how to connect to env.Stdout once it accepts connections.
func Run(ctx context.Context, v *Config, settings config.Set, env *flags.Environment) (err error) {
	began := time.Now()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	v.hangups = make(chan os.Signal, 1)
	if !terminal.Is(os.Stdin) { // there it is the end of the terminal
		signal.Notify(v.hangups, syscall.SIGHUP) // from the first moment on, as it would end the process
		defer signal.Stop(v.hangups)
	}
	log := v.Logger(env.Stderr)
	log.Info("starting", "release", release.Name(), "toolchain", release.Toolchain())
	flags.Report(log, settings)
	file, err := readyfile.New(v.ReadyFile)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Remove()) }()
	v.counters = new(metric.Table)
	v.Waits = v.Bus != "" // a gateway, as the other roles do
	kept, err := v.Open(ctx, v.counters, log)
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, realmstore.Close(kept, log))
		v.member.Leave(realmstore.Unstored(kept), log)
		if cause := context.Cause(ctx); errors.Is(cause, registry.ErrReplaced) {
			err = cause
		}
	}()
	log.Info("store is open", "in", v.Place(), "took", time.Since(began).Round(time.Millisecond))
	if v.member, err = v.join(ctx, end, log); err != nil {
		return err
	}
	if v.imported, err = v.LoadContent(ctx, log); err != nil {
		return err
	}
	if v.imported != nil {
		v.defs = v.imported.World
	}
	if v.tracer, err = v.TraceSettings.Tracer(ctx, v.RealmName, v.role(), strconv.Itoa(int(v.Gateway)), v.counters, log); err != nil {
		return err
	}
	defer v.tracer.Close()
	r, err := New(v, kept, log)
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
	return r.Serve(ctx, func(at Open) error {
		log.Info("ready", "auth", at.LoginsText(), "world", at.World, "admin", at.Admin,
			"took", time.Since(began).Round(time.Millisecond))
		if err := v.welcome(env.Stdout, r.Defs, at); err != nil {
			log.Warn("the welcome was not printed", "err", err)
		}
		return file.Write(r.readyState(at))
	})
}
