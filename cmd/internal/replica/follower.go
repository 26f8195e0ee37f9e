package replica

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"muster/cmd/internal/release"
	"muster/cmd/internal/upgrade"
	"muster/cmd/internal/worldspec"
	"muster/net/replication/recording"
	"muster/net/replication/streamlog"
)

// follow steps what the log has, until this process has appended to it. The writer is nil if ctx is done before.
func (r *Replica) follow(ctx context.Context, began time.Time) (*streamlog.Writer, error) {
	from, err := r.restore(ctx)
	if err == nil {
		err = r.live.World.PrepareSnapshots()
	}
	if err != nil {
		return nil, err
	}
	r.state.Store(upgrade.StateFollows)
	entries, failed := make(chan streamlog.Message), make(chan error, 1)
	following, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		failed <- r.Place.Stream.Follow(following, r.Place.Subject, from, func(m streamlog.Message) {
			select {
			case entries <- m:
			case <-following.Done():
			}
		})
	}()
	look := time.NewTicker(leadLook)
	defer look.Stop()
	for {
		select {
		case m := <-entries:
			if err := r.take(m); err != nil {
				return nil, fmt.Errorf("the log of map %d: %w", r.address.Map, err)
			}
			if writer, err := r.takeOffered(ctx); err != nil || writer != nil {
				return writer, err
			}
		case g := <-r.gifts:
			if r.assigned == nil {
				break // only a process that waits is given a world
			}
			r.offered(g)
			if writer, err := r.takeOffered(ctx); err != nil || writer != nil {
				return writer, err
			}
		case <-look.C:
			writer, err := r.tryLead(ctx, began)
			if err != nil || writer != nil {
				return writer, err
			}
		case err := <-failed:
			return nil, err
		case <-ctx.Done():
			return nil, nil
		}
	}
}

// same refuses a log of another world, or of another release.
func (r *Replica) same(h *recording.Header) error {
	was := *h
	was.Parts = r.header.Parts
	field := worldspec.OtherSetting(&was, &r.header)
	if field == "" && h.ShareEvery() != r.header.ShareEvery() { // its digests are of other ticks
		field = "ShareMs"
	}
	if field == "" {
		return nil
	}
	err := fmt.Errorf("the log of map %d is of a world with another %s, by %s, %s; this is %s, %s: --anew begins it anew",
		r.address.Map, field, h.Release, h.Toolchain, release.Name(), release.Toolchain())
	switch {
	case upgrade.OtherWorld(h, &r.header) != "":
	case r.successor:
		return fmt.Errorf("%w: another %s, by %s, %s", errWaits, field, h.Release, h.Toolchain)
	default:
		err = fmt.Errorf("%w, and --successor waits until muster ctl cluster upgrade has it handed over", err)
	}
	return err
}

// take takes an entry of the log.
func (r *Replica) take(m streamlog.Message) error {
	knew := r.follower.Header
	err := r.follower.Take(m, func(record recording.Record) error {
		switch {
		case record.Inbox != nil && record.N > r.tick:
			r.readAt = m.At
			return r.step(record.N, record.Inbox)
		case record.Digest != nil && record.N == r.sumsTick:
			return r.compare(record.N, record.Digest)
		}
		return nil
	})
	now := r.follower.Header
	var unknown *recording.SettingError
	switch {
	case errors.As(err, &unknown):
		now, err = &unknown.Header, r.sameButUnknown(unknown)
	case err == nil && knew != now:
		err = r.same(now)
	default:
		return err
	}
	if err != nil && knew != nil && r.tick > 0 {
		return &movedError{now}
	}
	return err
}

// sameButUnknown refuses a log of a world with a setting that this release does not know, as one of another release if it is that.
func (r *Replica) sameButUnknown(by *recording.SettingError) error {
	if err := r.same(&by.Header); err != nil {
		return err
	}
	return by
}

// step runs a tick as the process that has the world has done.
func (r *Replica) step(n uint64, inbox []byte) (err error) {
	began := time.Now()
	defer func() {
		r.At.Store(n)
		r.Spent.Add(int64(time.Since(began)))
		if value := recover(); value != nil {
			err = fmt.Errorf("tick %d panics: %v\n%s", n, value, debug.Stack())
		}
	}()
	w, x := r.live.World, r.live.Exchange
	if err := errors.Join(w.Inbox().UnmarshalBinary(inbox), r.read.UnmarshalBinary(inbox)); err != nil {
		return err
	}
	f := x.Write()
	w.Tick(n, f)
	x.Publish(f)
	r.tick = n
	r.ran++
	if sums, ok := r.digests.Add(n, r.second(), w.Digest(n)); ok {
		r.sums, r.sumsTick = append(r.sums[:0], sums...), n
	}
	return r.end.Follow(&r.read, f)
}

// second is how many ticks there are in one.
func (r *Replica) second() uint64 { return r.ticks(time.Second) }

func (r *Replica) ticks(d time.Duration) uint64 { return uint64(d / r.loop.Quantum) }

// errDiffers is the error of a replica that has stepped to another world.
var errDiffers = errors.New("this process has stepped to another world than the one that has the map: it is of no use")

// compare compares the world with what the log says of it.
func (r *Replica) compare(n uint64, sums []byte) error {
	parts, ok, err := streamlog.Differ(r.sums, sums)
	if err != nil || !ok || len(parts) == 0 {
		return err
	}
	names := make([]string, 0, len(parts))
	for _, part := range parts {
		if all := r.live.World.Parts(); part < len(all) {
			names = append(names, all[part])
		}
	}
	r.metric.Count(worldsDiffer)
	r.log.Error("worlds that have read the same differ", "tick", n, "in", strings.Join(names, ", "))
	return errDiffers
}
