package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"text/tabwriter"

	"muster/cmd/internal/demand"
	"muster/cmd/internal/flags"
	"muster/cmd/internal/keptworld"
	"muster/net/replication/streamlog"
)

// snapshotVerbs work on worlds that are kept.
type snapshotVerbs struct {
	Save    snapshotSave    `cmd:"" help:"Write each world into a folder, as it is now, or have the workers of a realm keep a snapshot of it."`
	List    snapshotList    `cmd:"" help:"Print which worlds are kept, and as of when."`
	Check   snapshotCheck   `cmd:"" help:"Restore each world, and see whether it is whole; exit 1 if one is not."`
	Restore snapshotRestore `cmd:"" help:"Put worlds that were saved in place of those of a server, or of workers, that do not run."`
	Fork    snapshotFork    `cmd:"" help:"Run a copy of each world on a clock that stands still, for the page to look at and to step."`
}

// Help is printed below the flags' own.
func (*snapshotVerbs) Help() string {
	return `Worlds are those that muster serve --durable world, or muster worker --durable world, keeps. A server may run meanwhile: its worlds are read
from its log, and it does not notice. Of a realm they are those of instances, too.`
}

type snapshotList struct{ keptworld.Place }

// Run prints a line for each world.
func (v *snapshotList) Run(ctx context.Context, env *flags.Environment) error {
	out := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "MAP\tINSTANCE\tTICK\tTIME\tSNAPSHOT\tBYTES\tPLAYERS\tEND\tRELEASE")
	err := v.Each(ctx, func(w *keptworld.World) error {
		end := "open"
		if w.Closed {
			end = "closed"
		}
		_, err := fmt.Fprintf(out, "%d\t%d\t%d\t%v\t%d\t%d\t%d\t%s\t%s\n", w.Header.Map, w.Instance, w.Tick, w.Age(), w.Since, w.Bytes, w.World.Players(), end, w.Header.Release)
		return err
	})
	return errors.Join(out.Flush(), err)
}

type snapshotCheck struct{ keptworld.Place }

// Run prints the hash of each world. A world is whole if it can be restored, and what was restored is the same again.
func (v *snapshotCheck) Run(ctx context.Context, env *flags.Environment) error {
	return v.Each(ctx, func(w *keptworld.World) error {
		s, err := w.Check()
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(env.Stdout, "%v: after tick %d the hash of the world is %016x; %d bytes, xxh3 %x\n",
			w.Shard(), w.Tick, s.Hash, len(s.State), streamlog.Hash(s.State))
		return err
	})
}

type snapshotSave struct {
	keptworld.Place
	To string `arg:"" optional:"" help:"A folder that is not there yet. Without it, with --bus, the workers that have the worlds keep snapshots in the realm's object store."`
}

// Help is printed below the flags' own.
func (*snapshotSave) Help() string {
	return `A world is written into a folder as its log has it after its last tick, whether a worker has the world or not. Without a folder, the worker that has a world
takes a snapshot of it between two ticks, as it does every --snapshot-every, and the verb ends when the object store of the realm has that, or the worker says why not.
What begins with the world after that runs again what it has read since.`
}

// Validate refuses a server's worlds without a folder.
func (v *snapshotSave) Validate() error {
	if v.To == "" && v.Bus == "" {
		return errors.New("name a folder, or with --bus the realm whose workers are to keep snapshots")
	}
	return nil
}

// Run writes snapshots into a folder, or has workers keep them.
func (v *snapshotSave) Run(ctx context.Context, env *flags.Environment) error {
	if v.To == "" {
		return v.Demand(ctx, func(at keptworld.Shard, a demand.Answer) error {
			_, err := fmt.Fprintf(env.Stdout, "%v: kept after tick %d, xxh3 %x\n", at, a.Tick, a.Hash)
			return err
		})
	}
	if _, err := os.Lstat(v.To); err == nil {
		return fmt.Errorf("%s is there already", v.To)
	}
	return v.Each(ctx, func(w *keptworld.World) error {
		s, err := w.Save(v.To)
		if err == nil {
			_, err = fmt.Fprintf(env.Stdout, "%v: saved after tick %d, hash %016x\n", w.Shard(), w.Tick, s.Hash)
		}
		return err
	})
}

type snapshotRestore struct {
	keptworld.Place
	Into     string `required:"" placeholder:"DIR|URL" help:"The folder of the server, its --data; or of workers with --durable world the realm, nats://HOST:PORT/REALM, or tls://."`
	AsStored bool   `help:"Of a realm: even if players are in the world that is there, or it is not to be read: they go on as they are stored."`
}

// Help is printed below the flags' own.
func (*snapshotRestore) Help() string {
	return `Players are not in the worlds that are restored: they are as they are stored, which may be newer. What they have looted since may lie there
again, and what they have dropped is not there twice. The worlds of before are moved to worlds.old beside them. Nothing is changed before all worlds
were read and written beside the server's; then each is put in its place by renaming files, so that what ends the machine within that may leave some as they
were before, and one in worlds.old. Say it again then. Instances that were saved are left out: those of the server go on as they are.

Of a realm the log of each world that was saved is replaced by one that begins with it; save what is there before, with --bus and a folder. It is refused while a worker has one of the
worlds, and while players are in one of those that are there: end the gateways in order, so that players leave and are saved, and then the workers. Gateways that run
take it for a world that has begun anew. What ends the verb in the midst leaves worlds that workers refuse, or their maps anew: end the workers, and say it again.`
}

// Run replaces the worlds of a server, or of a realm.
func (v *snapshotRestore) Run(ctx context.Context, env *flags.Environment) error {
	var failed error
	say := func(w keptworld.Restored) {
		_, err := fmt.Fprintf(env.Stdout, "%v: restored as after tick %d, without its %d players\n", w.Shard, w.Tick, w.Players)
		failed = cmp.Or(failed, err)
	}
	into, err := v.InRealm(v.Into)
	switch {
	case err != nil:
		return err
	case into != nil:
		err = keptworld.RestoreLogs(ctx, &v.Place, into, v.AsStored, say)
	case v.AsStored:
		return errors.New("--as-stored is for a realm")
	default:
		err = keptworld.Restore(ctx, &v.Place, v.Into, say)
	}
	return cmp.Or(err, failed)
}
