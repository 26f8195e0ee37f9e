package keptworld

import (
	"context"
	"fmt"
	"slices"

	"muster/cmd/internal/playback"
	"muster/net/replication/streamlog"
)

// A comparison compares worlds with the digests in the log of a stream.
type comparison struct {
	digests  streamlog.Digests
	sums     []byte // of the last second
	sumsTick uint64 // the tick after which it has ended
	Compared int
}

// Compare runs the next tick of an excerpt, or compares the digests that come next with those of the world. It returns the errors of Playback.Next, or says in which second the world
// went another way.
func (w *World) Compare(ctx context.Context) error {
	err := w.Next(ctx)
	switch {
	case err != nil:
		return err
	case w.Record.Inbox != nil:
		w.ran()
	case w.Record.Digest != nil:
		return w.compare(w.Record.N, w.Record.Digest)
	}
	return nil
}

// ran takes the digest of the world after a tick into the sums of its second.
func (w *World) ran() {
	second := uint64(max(1, 1000/w.Header.StepMs))
	if sums, ok := w.digests.Add(w.Tick, second, w.World.Digest(w.Tick)); ok {
		w.sums, w.sumsTick = slices.Clone(sums), w.Tick
	}
}

// compare holds the sums of the log as of a tick against those of the world.
func (w *World) compare(n uint64, sums []byte) error {
	if n != w.sumsTick {
		return nil // of a second that has begun before the snapshot
	}
	parts, ok, err := streamlog.Differ(w.sums, sums)
	if err != nil || !ok {
		return err
	}
	if w.Compared++; len(parts) == 0 {
		return nil
	}
	names := make([]string, len(parts))
	for i, part := range parts {
		names[i] = "an unknown part"
		if all := w.World.Parts(); part < len(all) {
			names[i] = all[part]
		}
	}
	return fmt.Errorf("the second before tick %d went another way: %s", n, playback.Some(names))
}
