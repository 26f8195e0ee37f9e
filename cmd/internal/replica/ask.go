package replica

import (
	"context"
	"errors"
	"time"

	"muster/cmd/internal/demand"
	"muster/cmd/internal/upgrade"
	"muster/net/replication/remote"
	"muster/net/replication/streamlog"
)

// askSnapshot is as upgrade.AskGive: a snapshot of the world, as it is.
const askSnapshot = "snapshot"

// askPause is between two snapshots that are asked for, so that those that are kept do not become many more; our own choice. What is asked meanwhile is repeated.
const askPause = time.Second

// hearAsk takes what asks for a snapshot, and reports whether a message was such. It is taken by the goroutine that has the world.
func (r *Replica) hearAsk(message []byte) bool {
	m, ok := demand.ReadAsk(message)
	if !ok || !r.Has() {
		return ok
	}
	r.giving.Lock()
	defer r.giving.Unlock()
	switch {
	case m.ID == r.snapped.ID: // the answer may be lost
		r.answerAsk(&r.snapped)
	case r.snapping == 0 && time.Since(r.snappedAt) >= askPause:
		select {
		case r.asks <- upgrade.Ask{ID: m.ID, Do: askSnapshot}:
			r.snapping, r.snappedAt = m.ID, time.Now()
		default: // the world is being handed over
		}
	}
	return true
}

// snapshot takes a snapshot of the world between two ticks, and has it answered when that is kept, or is not.
func (r *Replica) snapshot(writer *streamlog.Writer, id uint64) {
	err := writer.Snapshot(func(s *streamlog.Snapshot, err error) { r.tookSnapshot(id, s, err) })
	if err != nil {
		r.tookSnapshot(id, nil, err)
	}
}

// tookSnapshot answers what has asked for a snapshot, unless the one before is being kept, or this process loses the world: then it is asked again, or another process is.
func (r *Replica) tookSnapshot(id uint64, s *streamlog.Snapshot, err error) {
	r.giving.Lock()
	defer r.giving.Unlock()
	r.snapping = 0
	if errors.Is(err, streamlog.ErrKeeping) || errors.Is(err, streamlog.ErrMoved) || errors.Is(err, context.Canceled) {
		return
	}
	r.snapped = demand.Answer{ID: id}
	if err != nil {
		r.snapped.Why = err.Error()
	} else {
		r.snapped.Tick, r.snapped.Hash = s.N, s.Hash[:]
		r.log.Info("a snapshot of the world is kept, as it was asked for", "tick", s.N)
	}
	r.answerAsk(&r.snapped)
}

func (r *Replica) answerAsk(a *demand.Answer) {
	if err := r.bus.Publish(r.address.Lead(), a.Append(nil)); err != nil {
		r.metric.Count(remote.NotSent)
	}
}
